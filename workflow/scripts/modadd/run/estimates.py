"""What a build will cost here: its work, the costs of a reference machine, and a probe of this one."""

import ast
import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.bits import as_a_job, set_arithmetic
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import Recipe
from modadd.run.config import shards_of, snapshots_of
from modadd.run.datasets import EXPERIMENT, POPULATION, WATCHED, datasets_of, seeds_of
from modadd.run.names_of_jobs import BETWEEN, LAST

SECONDS, WINDOWS = 1.0, 3  # for each kind of work; the best window counts: a busy moment says nothing of a machine
TRAINING, ANALYSIS = "training", "analysis"
# Seconds of every job on the reference machine, whatever it does: it imports libraries and compiled loops.
START = {TRAINING: 1.5, ANALYSIS: 0.5}
LESS = 0.6  # of its time that an analysis takes at scale smoke: figures of one format, of networks stopped early


def probe() -> dict[str, float]:
    """Rounds a second of each kind of work as a job does it: updates of the mainline, a notebook's Python and NumPy."""
    done = subprocess.run([sys.executable, "-m", __name__], env=as_a_job(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def _rates() -> dict[str, float]:
    from modadd.networks.recipes import RECIPES
    from modadd.training.published_loops import kernel_step

    set_arithmetic()
    return {TRAINING: _rate(kernel_step(RECIPES["pizza_transformer"], [0])), ANALYSIS: _rate(_analysis())}


def _rate(work: Callable[[], object]) -> float:
    """Rounds a second, after a first round that may compile something."""
    work()
    rates = []
    for _ in range(WINDOWS):
        start, rounds = time.perf_counter(), 0
        while (spent := time.perf_counter() - start) < SECONDS / WINDOWS:
            work()
            rounds += 1
        rates.append(rounds / spent)
    return max(rates)


def _analysis() -> Callable[[], object]:
    """Some pages of Python read and written, and the logits of a network of n = 59, h = 64."""
    source = "\n".join(f"def line_{i}(x, y={i}):\n    return [x * {i} + y for y in range(y)]\n" for i in range(60))
    A, W = np.ones((59, 64)), np.ones((64, 59))
    return lambda: (ast.unparse(ast.parse(source)), np.maximum(A[:, None] + A[None], 0) @ W)


def _kind(rule: str) -> str:
    return TRAINING if rule.startswith("train_") else ANALYSIS


@dataclass(frozen=True)
class Work:
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
        work[f"train_{name}"] = Work(f"train_{name}", name, "", settings["seeds"])
    return work


@dataclass(frozen=True)
class Reference:
    """What every job of a full build took on one machine, the work that it did, and how fast that machine is."""

    took: Mapping[str, float]  # seconds by the clock
    work: Mapping[str, Work]
    rates: Mapping[str, float]  # of `probe`
    processor: str

    def slowness(self, here: Mapping[str, float], rule: str) -> float:
        """How many times as long a job of a rule takes where the probe finds these rates."""
        return self.rates[_kind(rule)] / here[_kind(rule)]

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
        kind = (mine.rule, mine.architecture)
        alike = {other: one for other, one in self._measured() if (one.rule, one.architecture) == kind}
        near = {other: one for other, one in alike.items() if one.place == mine.place} or alike
        start = START[_kind(mine.rule)]
        working = sum(max(self.took[other] - start, 0.0) for other in near)
        return start + working / sum(one.amount for one in near.values()) * mine.amount if near else None

    def _measured(self) -> list[tuple[str, Work]]:
        return [(job, one) for job, one in self.work.items() if job in self.took]


def read_reference(folder: Path) -> Reference:
    """The reference in a folder; raises ValueError, one line, if it is missing, damaged or of another version."""
    try:
        costs = pd.read_csv(folder / "compute.csv", index_col="job")
        rates = json.loads((folder / "probe.json").read_text(encoding="utf-8"))
        made = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        return Reference(
            costs.wall_seconds.astype(float).to_dict(),
            work_of(made["config"]),
            {kind: float(rates[kind]) for kind in START},
            made["origin"]["processor"],
        )
    except (AttributeError, OSError, LookupError, TypeError, ValueError) as error:
        reason = f"{folder} has no reference of this version ({error!r}); `make reference` writes it"
        raise ValueError(f"there is no estimate: {' '.join(reason.split())}") from error


def seconds_here(
    reference: Reference, config: Mapping[str, Any], jobs: Collection[str] | None = None
) -> dict[str, float]:
    """What each of some jobs takes here, by a probe of this machine; by default, of every job that a config may have.

    Jobs that are like nothing known are left out.
    """
    work, here = work_of(config), probe()
    jobs = dict.fromkeys([*work, *reference.took]) if jobs is None else jobs
    less = LESS if config["scale"] == "smoke" else 1.0
    found = {job: reference.seconds(job, work) for job in jobs}
    return {
        job: seconds * reference.slowness(here, job) * (1.0 if job in work else less)
        for job, seconds in found.items()
        if seconds is not None
    }


def wall_seconds(seconds: Mapping[str, float], cores: int) -> float:
    """How long jobs take on so many cores: all busy until the LAST, BETWEEN two jobs idle; no less than the longest."""
    each = {job: s + BETWEEN for job, s in seconds.items()}
    last = sum(s for job, s in each.items() if job in LAST)
    return max((sum(each.values()) - last) / cores + last, max(seconds.values(), default=0.0))


if __name__ == "__main__":
    print(json.dumps(_rates()))
