"""The minutes that a job asks a cluster for."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pandas as pd

from modadd.run.estimates import Work, estimated, read_reference, work_of
from modadd.run.root import own

REFERENCE = "data/reference/compute.csv"  # what every job of a full build took, on the machine that it names
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
    work = cache(lambda: work_of(config))
    return lambda wildcards: min(needed(job.format(**wildcards), work(), _reference()), share)


def needed(job: str, work: Mapping[str, Work], reference: pd.DataFrame) -> int:
    """Minutes that a job takes on a slow node, from what it, or its like, took on the reference machine."""
    seconds = estimated(job, work, reference)
    return UNKNOWN if seconds is None else START + math.ceil(MARGIN * seconds / 60)


@cache
def _reference() -> pd.DataFrame:
    return read_reference(own(REFERENCE))
