"""The minutes that a job asks a cluster for."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modadd.run.names_alone import missing_packages
from modadd.run.root import own

if TYPE_CHECKING:
    from modadd.run.estimates import Reference, Work

REFERENCE = "data/reference"  # what every job of a full build took, on the machine that it names
MARGIN = 6  # a node may be that many times as slow as that machine: older, with a slow disk, shared
START = 5  # minutes for what comes before the work: Snakemake, libraries, compiled loops
UNKNOWN = 120  # minutes for a job that the reference knows nothing like
LONGEST = "longest"  # the resource of a profile that limits the minutes of a submission


def minutes(job: str, workflow: Any, config: Mapping[str, Any]) -> Callable[[Mapping[str, str]], int]:
    """Gives the minutes of a job by its wildcards; `job` is its name with them, as in train_shard/{population}/{shard}.

    A submission of a group asks for the sum over its jobs. So each is cut to its share of what the profile's resource
    LONGEST allows; what a cluster stops there resumes when it is submitted again. `workflow` is that of Snakemake.
    """
    rule, groups = job.partition("/")[0], workflow.group_settings
    allowed = workflow.global_resources.get(LONGEST).value
    together = groups.group_components.get(groups.overwrite_groups.get(rule), 1)
    share = math.inf if allowed is None else max(1, allowed // together)
    known = cache(lambda: _known(config))
    return lambda wildcards: min(needed(job.format(**wildcards), *known()), share)


def needed(job: str, work: "Mapping[str, Work]", reference: "Reference | None") -> int:
    """Minutes that a job takes on a slow node, from what it, or its like, took on the reference machine."""
    seconds = reference and reference.seconds(job, work)
    return UNKNOWN if seconds is None else START + math.ceil(MARGIN * seconds / 60)


def _known(config: Mapping[str, Any]) -> "tuple[Mapping[str, Work], Reference | None]":
    """The work of every job of a config, and the reference; read when a job is planned, as most read rules without it.

    Where only Snakemake is installed, nothing is known.
    """
    if missing_packages():
        return {}, None
    from modadd.run.estimates import read_reference, work_of

    return work_of(config), read_reference(Path(own(REFERENCE)))
