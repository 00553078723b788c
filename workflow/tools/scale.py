"""Write docs/scale.md: what the configs and a thousand networks cost, by what the reference build took (`make scale`)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import own_library  # noqa: F401
import pandas as pd

from modadd.core.files import write_whole
from modadd.run.config import read_config
from modadd.run.estimates import Reference, read_reference, work_of

CONFIGS = {
    "laptop": [],
    "paper": ["config/paper.yaml"],
    "paper and kept": ["config/paper.yaml", "config/kept.yaml"],
}
STUDIES = {"pizza_transformer": "Q", "two_layer_mlp": "M", "embedding_mlp": "C"}  # all others are of Study T
THOUSAND = {  # networks by the published recipe
    "Q": {"recipe": "pizza_transformer"},
    "M": {"recipe": "two_layer_mlp"},
    "C, batch n": {"recipe": "embedding_mlp"},
    "C, full batch": {"recipe": "embedding_mlp", "batch_size": 0, "steps": 1500},
    "T": {"recipe": "group_mlp"},
}
SAMPLED = 30.0  # seconds between two looks of Snakemake at the processor time of a job


def core_hours(files: Sequence[str], reference: Reference) -> pd.Series:
    """Core-hours of training and measuring by study and part of a config, from what the reference cost."""
    work = work_of(read_config("config/config.yaml", *files))
    seconds = {job: reference.seconds(job, work) for job in work}
    parts = {job: (STUDIES.get(one.architecture, "T"), one.place) for job, one in work.items()}
    table = pd.DataFrame({"seconds": seconds, "part": parts})
    return table.groupby("part").seconds.sum(min_count=1) / 3600


def thousand(settings: dict[str, object], reference: Reference) -> float:
    """Core-hours of a thousand networks of a recipe, 16 in a job."""
    work = work_of({"datasets": {"thousand": settings | {"seeds": 1000, "shard": 16}}})
    return sum(reference.seconds(job, work) or 0.0 for job in work) / 3600


def page(folder: Path) -> str:
    """The whole page."""
    there = read_reference(folder)
    costs = pd.read_csv(folder / "compute.csv")
    # Other work lengthens the time by the clock; of the processor's, what follows the last sample is missing.
    processor_time = costs.wall_seconds.clip(upper=costs.cpu_seconds + SAMPLED)
    reference = replace(there, took=dict(zip(costs.job, processor_time, strict=True)))
    hours = pd.DataFrame({name: core_hours(files, reference) for name, files in CONFIGS.items()})
    hours.index = pd.MultiIndex.from_tuples(hours.index, names=["study", "part"])
    table = hours.reset_index()
    table.loc[len(table)] = ["", "**together**", *hours.sum()]
    thousands = {name: thousand(settings, reference) for name, settings in THOUSAND.items()}
    shown = pd.DataFrame(thousands.items(), columns=["networks", "core-hours"])
    return f"""# What it costs at scale

Written by `make scale`. Core-hours follow from the processor time of each value of a neuron that training computes, and of each
measured network, in the build behind `data/reference`, on one core of {there.processor}. Every job takes one core; on as
many cores as there are jobs, the time is that of the longest. Waiting in a queue comes on top. GPU-minutes are missing: no run on a GPU
was measured yet.

## A thousand networks

Trained by the published recipe, 16 in a job, and measured.

{shown.to_markdown(index=False, floatfmt=".1f")}

## Every config

Training and measuring, by study and part.

{table.to_markdown(index=False, floatfmt=".2f", missingval="–")}
"""


if __name__ == "__main__":
    write_whole(Path("docs/scale.md"), page(Path("data/reference")).encode())
