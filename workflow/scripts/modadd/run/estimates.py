"""What a build will cost here: its work, the costs of a reference machine, and a probe of this one."""

import csv
import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from modadd.core.processor import processor
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import Recipe
from modadd.run.config import shards_of, snapshots_of
from modadd.run.datasets import EXPERIMENT, POPULATION, WATCHED, datasets_of, seeds_of
from modadd.run.paths import rule_of
from modadd.run.root import own
from modadd.run.timing import PYTHON, TRAINING, probe

REFERENCE_FOLDER = "data/reference"  # what every job of a full build took, on the machine that it names
START = 3.0  # seconds of every job on the reference machine, whatever it does: it imports libraries and compiled loops
LESS = 0.6  # of its time that another job takes at scale smoke: figures of one format, of networks stopped early

MARGIN = 4  # a node of a cluster may be that many times as slow as the reference: older, with a slow disk, shared
BEFORE = 5  # minutes for what comes before the work there: Snakemake, libraries, compiled loops
UNKNOWN = 120  # minutes for a job that the reference knows nothing like
LONGEST = "longest"  # the resource of a profile that limits the minutes of a submission


class Work(NamedTuple):
    """How much of one kind a job does: neurons' values in training, networks or snapshots measured, seeds of an experiment."""

    rule: str
    place: str  # the dataset
    architecture: str
    amount: int


def values_of(recipe: Recipe) -> int:
    """Neurons' values that training one network computes, one per neuron and pair; with these its time grows."""
    return recipe.steps * recipe.pairs_per_update * recipe.d_mlp


def work_of(config: Mapping[str, Any]) -> dict[str, Work]:
    """The work of every job of a config that trains or measures; of every run, whether a notebook watches it or not."""
    work = {}
    for dataset, settings in datasets_of(config, WATCHED).items():
        recipe = recipe_of(f"datasets.{dataset}", settings)
        for rule, amount in (("train_network", values_of(recipe)), ("measure_stages", snapshots_of(recipe, settings))):
            for seed in seeds_of(settings):
                work[f"{rule}/{dataset}/seed{seed}"] = Work(rule, dataset, recipe.architecture, amount)
    for population, settings in datasets_of(config, POPULATION).items():
        for shard in shards_of(population, settings):
            architecture, networks = shard.recipe.architecture, len(shard.seeds)
            for rule, amount in (("train_shard", networks * values_of(shard.recipe)), ("measure_shard", networks)):
                work[f"{rule}/{population}/{shard.name}"] = Work(rule, population, architecture, amount)
    for name, settings in datasets_of(config, EXPERIMENT).items():
        work[f"train_experiment/{name}"] = Work("train_experiment", name, "", settings["seeds"])
    return work


@dataclass(frozen=True)
class Reference:
    """What every job of a full build took on one machine, the work that it did, and how fast that machine is."""

    took: Mapping[str, float]  # seconds by the clock
    work: Mapping[str, Work]
    rates: Mapping[str, float] | None  # of `probe`; None for this machine
    processor: str

    def seconds(self, job: str, work: Mapping[str, Work]) -> float | None:
        """Seconds of a job by the clock of that machine; None for one that is like nothing known.

        What was measured of the same job; if it does another amount of work, or is new, START and the time per value
        (or network) of the same rule on the same dataset, or else of the same architecture.
        """
        mine = work.get(job)
        if job in self.took and mine == self.work.get(job):
            return self.took[job]
        if mine is None:
            return None
        known = [(self.took[other], one) for other, one in self.work.items() if other in self.took]
        alike = [(s, one) for s, one in known if (one.rule, one.architecture) == (mine.rule, mine.architecture)]
        near = [(s, one) for s, one in alike if one.place == mine.place] or alike
        working, amount = sum(max(s - START, 0.0) for s, _ in near), sum(one.amount for _, one in near)
        return START + working / amount * mine.amount if near else None


def read_reference(folder: Path) -> Reference:
    """The reference in a folder; raises ValueError, one line, if it is missing, damaged or of another version."""
    try:
        with open(folder / "compute.csv", encoding="utf-8", newline="") as lines:
            took = {row["job"]: float(row["wall_seconds"]) for row in csv.DictReader(lines)}
        probed, made = (json.loads((folder / name).read_text("utf-8")) for name in ("probe.json", "provenance.json"))
        rates = {what: float(probed[what]) for what in (TRAINING, PYTHON)}
        return Reference(took, work_of(made["config"]), rates, probed["processor"])
    except (AttributeError, OSError, LookupError, TypeError, ValueError) as error:
        reason = f"{folder} has no reference of this version ({error!r}); `make reference` writes it"
        raise ValueError(f"there is no estimate: {' '.join(reason.split())}") from error


def read_build(folder: Path) -> Reference | None:
    """What the jobs of the last build of a folder took, by their benchmarks; None if it was made on another processor."""
    try:
        made = json.loads((folder / "results/provenance.json").read_text("utf-8"))
        if made["origin"]["processor"] != processor():
            return None
        benchmarks = folder / "results/benchmarks"
        lines = {file: file.read_text("utf-8").splitlines() for file in benchmarks.rglob("*.jsonl")}
        took = {
            str(file.relative_to(benchmarks).with_suffix("")): float(json.loads(last)["s"])
            for file, (*_, last) in lines.items()
        }
        return Reference(took, work_of(made["config"]), None, processor())
    except (AttributeError, OSError, LookupError, TypeError, ValueError):  # there is none, or one of another version
        return None


def seconds_here(
    reference: Reference, config: Mapping[str, Any], jobs: Collection[str] | None = None
) -> dict[str, float]:
    """What each of some jobs takes here, by a probe where the reference is another machine; by default, of every job that a
    config may have.

    Jobs that are like nothing known are left out.
    """
    work, slower, less = work_of(config), {TRAINING: 1.0, PYTHON: 1.0}, 1.0
    if reference.rates is not None:
        slower = {what: reference.rates[what] / rate for what, rate in probe().items()}
        less = LESS if config["scale"] == "smoke" else 1.0
    found = {job: reference.seconds(job, work) for job in ({*work, *reference.took} if jobs is None else jobs)}
    return {
        job: s * slower[_bound_by(job)] * (1.0 if job in work else less) for job, s in found.items() if s is not None
    }


def _bound_by(job: str) -> str:
    """Which of the rates of a machine decides how long a job takes."""
    return TRAINING if rule_of(job) in ("train_network", "train_shard") else PYTHON


def minutes(job: str, workflow: Any, config: Mapping[str, Any]) -> Callable[[Mapping[str, str]], int]:
    """Gives the minutes that a job asks a cluster for, by its wildcards.

    `job` is its name with them, as in train_shard/{population}/{shard}, `workflow` that of Snakemake. A submission of a
    group asks for the sum over its jobs. So each is cut to its share of what the profile's resource LONGEST allows; what
    a cluster stops there resumes when it is submitted again.
    """
    rule, groups = job.partition("/")[0], workflow.group_settings
    allowed = workflow.global_resources.get(LONGEST).value
    together = groups.group_components.get(groups.overwrite_groups.get(rule), 1)
    share = math.inf if allowed is None else max(1, allowed // together)
    # Read when a job is planned, as most read the rules without it.
    known = cache(lambda: (read_reference(Path(own(REFERENCE_FOLDER))), work_of(config)))
    return lambda wildcards: min(needed(job.format(**wildcards), *known()), share)


def needed(job: str, reference: Reference, work: Mapping[str, Work]) -> int:
    """Minutes that a job takes on a slow node, from what it, or its like, took on the reference machine."""
    seconds = reference.seconds(job, work)
    return UNKNOWN if seconds is None else BEFORE + math.ceil(MARGIN * seconds / 60)
