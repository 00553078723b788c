"""Write docs/scale.md: core-hours of the configs, and how time and memory of training grow (`make scale`)."""

import json
import resource
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

import own_library  # noqa: F401
import pandas as pd

from modadd.core.bits import as_a_job, set_arithmetic
from modadd.core.files import write_whole
from modadd.core.growth import exponent
from modadd.core.processor import processor
from modadd.networks.recipes import RECIPES
from modadd.run.config import read_config
from modadd.run.estimates import estimated, work_of

CONFIGS = {
    "laptop": [],
    "paper": ["config/paper.yaml"],
    "paper and kept": ["config/paper.yaml", "config/kept.yaml"],
}
STUDIES = {
    **{"pizza_transformer": "Q", "two_layer_mlp": "M", "embedding_mlp": "C"},
    **{
        "group_mlp": "T",
        "square_mlp": "T",
        "": "T",
    },  # the last one: pilot and competition, whose networks are no recipe's
}
SECONDS = 2.0  # of steps that are timed, by the processor's clock: other work on the machine counts less then
# What is changed, three sizes each, in the recipe of a study: moduli, widths, networks trained at once.
GROWTH = [
    ("embedding_mlp", "modulus", (31, 61, 127)),
    ("embedding_mlp", "d_mlp", (128, 512, 2048)),
    ("embedding_mlp", "networks at once", (4, 16, 64)),
    ("pizza_transformer", "modulus", (31, 59, 113)),
    ("pizza_transformer", "d_mlp", (128, 512, 2048)),
    ("pizza_transformer", "networks at once", (1, 4, 16)),
]


def core_hours(files: list[str], reference: pd.DataFrame) -> pd.Series:
    """Core-hours of training and measuring by study and part of a config, from what the reference cost."""
    work = work_of(read_config("config/config.yaml", *files))
    seconds = {job: estimated(job, work, reference) for job in work}
    parts = {job: (STUDIES[one.architecture], one.place) for job, one in work.items()}
    table = pd.DataFrame({"seconds": seconds, "part": parts})
    return table.groupby("part").seconds.sum(min_count=1) / 3600


def step_of(architecture: str, changed: str, size: int) -> None:
    """Print milliseconds a step and peak memory (MB) of training with one number changed; alone in its process."""
    from modadd.training.published_loops import kernel_step

    set_arithmetic()
    recipe, networks = RECIPES[architecture], 1
    if changed == "networks at once":
        networks = size
    elif changed == "modulus":
        share = recipe.train_pairs / recipe.modulus**2
        batch = size if recipe.batch_size else 0
        pairs = round(share * size) * size if batch else round(share * size**2)
        recipe = replace(recipe, modulus=size, train_pairs=pairs, batch_size=batch)
    else:
        recipe = replace(recipe, **{changed: size})
    step = kernel_step(recipe, list(range(networks)))
    step(), step()
    start, count = process_time(), 0
    while (spent := process_time() - start) < SECONDS:
        step()
        count += 1
    print(json.dumps([1e3 * spent / count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


def measured(architecture: str, changed: str, size: int) -> list[float]:
    """What `step_of` prints in a process of its own."""
    command = [sys.executable, __file__, architecture, changed, str(size)]
    return json.loads(subprocess.run(command, env=as_a_job(), stdout=subprocess.PIPE, check=True).stdout)


def growth() -> pd.DataFrame:
    """One row per number that is changed: times and peak memories at its three sizes, and the times' exponent."""
    rows = []
    for architecture, changed, sizes in GROWTH:
        times, memories = zip(*(measured(architecture, changed, size) for size in sizes), strict=True)
        rows.append(
            {
                "recipe": f"{STUDIES[architecture]}: {architecture}",
                "changed": changed,
                "sizes": ", ".join(map(str, sizes)),
                "ms a step": ", ".join(f"{time:.3g}" for time in times),
                "time grows as size to the": f"{exponent(sizes, times):.2f}",
                "peak memory, MB": ", ".join(f"{memory:.0f}" for memory in memories),
            }
        )
    return pd.DataFrame(rows)


def page(reference: Path) -> str:
    """The whole page."""
    costs = pd.read_csv(reference / "compute.csv").fillna("")
    costs = costs.assign(wall_seconds=costs.cpu_seconds)  # other work on the machine lengthens the one, not the other
    there = json.loads((reference / "provenance.json").read_text(encoding="utf-8"))["origin"]["processor"]
    hours = pd.DataFrame({name: core_hours(files, costs) for name, files in CONFIGS.items()})
    hours.index = pd.MultiIndex.from_tuples(hours.index, names=["study", "part"])
    table = hours.reset_index()
    table.loc[len(table)] = ["", "**together**", *hours.sum()]
    shown = table.to_markdown(index=False, floatfmt=".2f", missingval="–")
    return f"""# What it costs at scale

Written by `make scale`. GPU-minutes are missing: no run on a GPU was measured yet.

## Core-hours

Training and measuring, by study and part, for each config. They follow from the processor time of each value of a neuron
that training computes, and of each measured network, in the build behind `data/reference`, on one core of {there}.

{shown}

## Growth

One training step on one core of {processor()}, with one number of the published recipe changed. Memory is that of the whole
process, with all libraries. An exponent is the slope of log time over log size, for three sizes. Small sizes scale
differently from large ones, so an exponent holds only between these sizes.

{growth().to_markdown(index=False, disable_numparse=True)}
"""


if __name__ == "__main__":
    if len(sys.argv) == 4:
        step_of(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    else:
        write_whole(Path("docs/scale.md"), page(Path("data/reference")).encode())
