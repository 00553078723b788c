"""What a build will cost here: its work, the costs of a reference machine, and a probe of this one."""

import ast
import json
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.bits import as_a_job, set_arithmetic
from modadd.networks.overrides import recipe_of
from modadd.networks.recipes import Recipe
from modadd.run.config import shards_of, snapshots_of
from modadd.run.datasets import EXPERIMENT, POPULATION, WATCHED, datasets_of, seeds_of
from modadd.run.paths import EXPERIMENTS

SECONDS, WINDOWS = 1.0, 3  # for each kind of work; the best window counts: a busy moment says nothing of a machine
TRAINING, ANALYSIS = "training", "analysis"
# Seconds of every job on the reference machine, whatever it does: it imports libraries and compiled loops.
START = {TRAINING: 1.5, ANALYSIS: 0.5}
# Rules whose jobs `work_of` knows.
WORKING = (
    *("train_network", "measure_stages", "train_shard", "measure_shard"),
    *(f"train_{name}" for name in EXPERIMENTS),
)


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
    return max(_rate_of_window(work) for _ in range(WINDOWS))


def _rate_of_window(work: Callable[[], object]) -> float:
    start, rounds = time.perf_counter(), 0
    while (spent := time.perf_counter() - start) < SECONDS / WINDOWS:
        work()
        rounds += 1
    return rounds / spent


def _analysis() -> Callable[[], object]:
    """Some pages of Python read and written, and the logits of a network of n = 59, h = 64."""
    source = "\n".join(f"def line_{i}(x, y={i}):\n    return [x * {i} + y for y in range(y)]\n" for i in range(60))
    A, W = np.ones((59, 64)), np.ones((64, 59))
    return lambda: (ast.unparse(ast.parse(source)), np.maximum(A[:, None] + A[None], 0) @ W)


def slowness(here: Mapping[str, float], there: Mapping[str, float], rule: str) -> float:
    """How many times as long a job of a rule takes here as there, by the probes of both machines."""
    return there[_kind(rule)] / here[_kind(rule)]


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


def with_work(costs: pd.DataFrame, work: Mapping[str, Work]) -> pd.DataFrame:
    """The costs with the work that each job did, where it trained or measured: what `estimated` reads."""
    done = [work.get(job, Work(job.partition("/")[0], "", "", 0)) for job in costs.job]
    columns = {name: [getattr(one, name) for one in done] for name in ("rule", "place", "architecture", "amount")}
    return costs.assign(**columns)


# What estimates read of the table that `with_work` makes.
READ = {"job": str, "wall_seconds": float, "rule": str, "place": str, "architecture": str, "amount": float}


def read_reference(path: Path | str) -> pd.DataFrame:
    """The columns READ of a table of `with_work`; raises ValueError if one is missing or is no number."""
    return pd.read_csv(path, usecols=list(READ), dtype=READ).fillna({"place": "", "architecture": ""})


def estimated(job: str, work: Mapping[str, Work], reference: pd.DataFrame) -> float | None:
    """Seconds that a job takes by the clock; None for one that the reference knows nothing like.

    What was measured of the same job; if it does another amount of work, or is new, START and the time per value (or
    network) of the same rule at the same study or population, or else of the same architecture.
    """
    mine, same = work.get(job), reference[reference.job == job]
    if len(same) and (mine is None or same.amount.iloc[0] == mine.amount):
        return float(same.wall_seconds.iloc[0])
    if mine is None:
        return None
    alike = reference[(reference.rule == mine.rule) & (reference.architecture == mine.architecture)]
    near = alike[alike.place == mine.place]
    basis = near if len(near) else alike
    start = START[_kind(mine.rule)]
    working = (basis.wall_seconds - start).clip(lower=0).sum()
    return start + float(working / basis.amount.sum() * mine.amount) if len(basis) else None


def estimate_table(jobs: Collection[str], work: Mapping[str, Work], reference: pd.DataFrame) -> pd.DataFrame:
    """One row per rule, in the order of the jobs: how many jobs, how many unknown, seconds, the longest job's.

    Jobs that no row of the reference resembles count as nothing.
    """
    rows = pd.DataFrame(
        {
            "rule": [job.partition("/")[0] for job in jobs],
            "seconds": [estimated(job, work, reference) for job in jobs],
        }
    ).astype({"seconds": float})
    grouped = rows.groupby("rule", sort=False).seconds
    table = grouped.agg(jobs="size", unknown=lambda seconds: seconds.isna().sum(), seconds="sum", longest="max")
    return table.reset_index()


def seconds_by_rule(config: Mapping[str, Any], reference: pd.DataFrame) -> dict[str, float]:
    """How long a job of each rule of Snakemake took on the reference machine, on average over the jobs of a config.

    Not less than the shortest job of its kind, and at scale smoke, where little else is done, only as long. A rule that
    the reference knows nothing like is left out.
    """
    work, kinds = work_of(config), reference.rule.str.partition("_")[0]
    shortest = reference.wall_seconds.groupby(kinds).min()
    found: dict[str, list[float]] = {}
    for job in dict.fromkeys([*work, *reference.job]):
        rule, _, name = job.partition("/")
        kind = rule.partition("_")[0]
        if kind not in shortest or (rule in WORKING and job not in work):
            continue  # unknown, or a network of another config
        seconds = shortest[kind] if config["scale"] == "smoke" else estimated(job, work, reference)
        if seconds is not None:
            found.setdefault(f"notebook_{name}" if rule == "notebooks" else rule, []).append(
                max(seconds, shortest[kind])
            )
    return {rule: fmean(seconds) for rule, seconds in found.items()}


def wall_seconds(table: pd.DataFrame, cores: int) -> float:
    """A lower limit for the time of an `estimate_table` on so many cores: all of them busy, or the longest job."""
    return max(table.seconds.sum() / cores, table.longest.max()) if len(table) else 0.0


if __name__ == "__main__":
    print(json.dumps(_rates()))
