"""Write docs/scale.md: what a thousand networks and the configs cost, and how time and memory grow (`make scale`).

`make scale GPU=FOLDER` first keeps what training cost in a folder that was built on a GPU."""

import json
import math
import resource
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import own_library  # noqa: F401
import pandas as pd

from modadd.core.bits import set_arithmetic
from modadd.core.files import write_whole
from modadd.core.growth import exponent
from modadd.core.processor import processor
from modadd.networks.recipes import RECIPES, Recipe
from modadd.populations.tables import read_population, recipe_columns
from modadd.run.config import read_config
from modadd.run.estimates import REFERENCE_FOLDER, START, Reference, read_reference, work_of
from modadd.run.timing import fastest, printed_by
from modadd.training.published_loops import kernel_step

CONFIGS = {
    "laptop": [],
    "paper": ["config/paper.yaml"],
    "paper and kept": ["config/paper.yaml", "config/kept.yaml"],
}
STUDIES = {
    "pizza_transformer": "Q",
    "two_layer_mlp": "M",
    "embedding_mlp": "C",
    "group_mlp": "T",
    "square_mlp": "T",
    "": "T",  # pilot and competition, whose networks are no recipe's
}
FULL_BATCH = "embedding_mlp, full batch"
CASES = {**RECIPES, FULL_BATCH: replace(RECIPES["embedding_mlp"], batch_size=0, steps=1500)}
THOUSAND, CORES = 1000, (2, 16, 1000)
# Networks that a job trains at once, three sizes for each recipe.
AT_ONCE = {
    "pizza_transformer": (1, 4, 16),
    "two_layer_mlp": (1, 2, 4),
    "embedding_mlp": (1, 16, 64),
    FULL_BATCH: (1, 8, 32),
    "group_mlp": (1, 4, 16),
}
GPU_RUNS = Path(REFERENCE_FOLDER) / "gpu.csv"
SAMPLED = 30.0  # seconds between two looks of Snakemake at the processor time of a job
ROUND_SECONDS = 0.7  # of steps that are timed
AT_ONCE_KEY, MODULUS, WIDTH = "networks at once", "modulus", "d_mlp"
# What is changed, three sizes each, in the recipe of a study: moduli, widths, networks trained at once.
GROWTH = [
    ("embedding_mlp", MODULUS, (31, 61, 127)),
    ("embedding_mlp", WIDTH, (128, 512, 2048)),
    ("embedding_mlp", AT_ONCE_KEY, (4, 16, 64)),
    ("pizza_transformer", MODULUS, (31, 59, 113)),
    ("pizza_transformer", WIDTH, (128, 512, 2048)),
    ("pizza_transformer", AT_ONCE_KEY, (1, 4, 16)),
]


def core_hours(files: list[str], reference: Reference) -> pd.Series:
    """Core-hours of training and measuring by study and part of a config, from what the reference cost."""
    work = work_of(read_config("config/config.yaml", *files))
    seconds = {job: reference.seconds(job, work) for job in work}
    parts = {job: (STUDIES[one.architecture], one.place) for job, one in work.items()}
    table = pd.DataFrame({"seconds": seconds, "part": parts})
    return table.groupby("part").seconds.sum(min_count=1) / 3600


def changed_recipe(case: str, changed: str, size: int) -> Recipe:
    """The recipe of a case with one number changed; with another modulus, the same share of all pairs is trained on."""
    recipe = CASES[case]
    if changed == AT_ONCE_KEY:
        return recipe
    if changed != MODULUS:
        return replace(recipe, **{changed: size})
    share = recipe.train_pairs / recipe.modulus**2
    batch = size if recipe.batch_size else 0
    pairs = round(share * size) * size if batch else round(share * size**2)
    return replace(recipe, modulus=size, train_pairs=pairs, batch_size=batch)


def products_of(recipe: Recipe, networks: int) -> int:
    """Multiplications of the readout in one step, which the others grow with: pairs, neurons, answers."""
    return networks * recipe.pairs_per_update * recipe.d_mlp * recipe.modulus


def step_of(case: str, changed: str, size: int) -> tuple[float, float]:
    """Milliseconds a step and peak memory (MB) of training with one number changed; the memory is that of its process."""
    set_arithmetic()
    networks = size if changed == AT_ONCE_KEY else 1
    step = kernel_step(changed_recipe(case, changed, size), list(range(networks)))
    seconds = fastest({"step": step}, at_least=ROUND_SECONDS)["step"]
    return 1e3 * seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(case: str, changed: str, size: int) -> tuple[float, float]:
    """What `step_of` gives in a process of its own."""
    return printed_by(__file__, case, changed, str(size))


def seconds_of_shard(case: str, size: int, milliseconds: float, reference: Reference) -> float:
    """Seconds of a core in which so many networks are trained at once, and then measured."""
    population = {"recipe": CASES[case].architecture, "seeds": size, "shard": size}
    work = work_of({"datasets": {"thousand": population}})
    (measuring,) = (job for job in work if job.startswith("measure_shard"))
    return START + CASES[case].steps * milliseconds / 1e3 + (reference.seconds(measuring, work) or 0.0)


def hours_on(cores: int, shards: Mapping[int, float]) -> float:
    """Hours by the clock for THOUSAND networks, by the best size of a job; `shards` has the seconds of each size."""
    return min(math.ceil(math.ceil(THOUSAND / size) / cores) * seconds for size, seconds in shards.items()) / 3600


def thousand(reference: Reference) -> pd.DataFrame:
    """One row per recipe: what THOUSAND networks cost, by the best of three sizes of a job for each number of cores."""
    rows = []
    for case, sizes in AT_ONCE.items():
        times = {size: measured(case, AT_ONCE_KEY, size)[0] for size in sizes}
        shards = {size: seconds_of_shard(case, size, time, reference) for size, time in times.items()}
        core_hours = min(THOUSAND / size * seconds for size, seconds in shards.items()) / 3600
        rows.append(
            {
                "networks": f"{STUDIES[CASES[case].architecture]}: {case}",
                "updates": CASES[case].steps,
                "at once": ", ".join(map(str, sizes)),
                "ms a step of one": ", ".join(f"{time / size:.3g}" for size, time in times.items()),
                "core-hours": f"{core_hours:.3g}",
                **{f"hours on {cores:,} cores": f"{hours_on(cores, shards):.3g}" for cores in CORES},
            }
        )
    return pd.DataFrame(rows)


def growth() -> pd.DataFrame:
    """One row per number that is changed: times and peak memories at its three sizes, and how time and work grow."""
    rows = []
    for case, changed, sizes in GROWTH:
        times, memories = zip(*(measured(case, changed, size) for size in sizes), strict=True)
        work = [products_of(changed_recipe(case, changed, n), n if changed == AT_ONCE_KEY else 1) for n in sizes]
        time_grows, work_grows = (exponent(sizes, numbers) for numbers in (times, work))
        rows.append(
            {
                "recipe": f"{STUDIES[case]}: {case}",
                "changed": changed,
                "sizes": ", ".join(map(str, sizes)),
                "ms a step": ", ".join(f"{time:.3g}" for time in times),
                "time grows as size to the": f"{time_grows:.2f}",
                "its products": f"{work_grows:.2f}",
                "time grows faster": "yes" if time_grows > work_grows else "no",
                "peak memory, MB": ", ".join(f"{memory:.0f}" for memory in memories),
            }
        )
    return pd.DataFrame(rows)


def runs_on_gpu(folder: Path) -> pd.DataFrame:
    """One row per population of one recipe that was trained in `folder` on a GPU: the card, and the mean of its training jobs.

    Seconds by the clock, with the start of a job. Raises ValueError, one line, where there is none.
    """
    rows = []
    for table in sorted((folder / "results/populations").glob("*.parquet")):
        networks = read_population(table)
        first = networks.iloc[0]
        jobs = sorted((folder / "results/benchmarks/train_shard" / table.stem).glob("*.jsonl"))
        seconds = [json.loads(job.read_text().splitlines()[-1])["s"] for job in jobs]
        one_recipe = len(networks.drop_duplicates([key for key in recipe_columns(networks) if key != "seed"])) == 1
        if seconds and one_recipe and first.device != "cpu":
            rows.append(
                {
                    "card": first.device,
                    "recipe": first.architecture,
                    "modulus": first.modulus,
                    "d_mlp": first.d_mlp,
                    "pairs an update": first.batch_size or first.train_pairs,
                    "updates": first.steps,
                    "networks at once": len(networks) // len(jobs),
                    "jobs": len(jobs),
                    "seconds a job": round(sum(seconds) / len(jobs), 1),
                }
            )
    if not rows:
        raise ValueError(
            f"{folder} holds no population of one recipe that a GPU trained: no table and benchmark under {folder}/results"
        )
    return pd.DataFrame(rows).sort_values(["recipe", "modulus"])


def on_gpu(runs: pd.DataFrame) -> str:
    """The runs with what THOUSAND networks cost at that rate."""
    a_network = runs["seconds a job"] / runs["networks at once"]
    shown = runs.assign(recipe=[f"{STUDIES[name]}: {name}" for name in runs.recipe])
    shown["ms a step of one"] = [f"{ms:.3g}" for ms in 1e3 * a_network / runs.updates]
    shown["GPU-minutes for a thousand"] = [f"{float(f'{minutes:.3g}'):,g}" for minutes in a_network * THOUSAND / 60]
    return shown.drop(columns="card").to_markdown(index=False, disable_numparse=True)


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
    runs = pd.read_csv(GPU_RUNS)
    shown = table.to_markdown(index=False, floatfmt=".2f", missingval="–")
    return f"""# What it costs at scale

Written by `make scale`.

## A thousand networks

Training by the published recipe and measuring, on cores like one of {processor()}. A job of Slurm, or of
this machine, trains a few networks at once on one core: three sizes were timed, and for each number of cores the best
one counts. On as many cores as there are jobs, the time is that of one job. Waiting in a queue comes on top.

{thousand(reference).to_markdown(index=False, disable_numparse=True)}

## On a GPU

Training jobs on one {" and one ".join(sorted(set(runs.card)))}, with the start of each job, without measuring, which the
processor does beside. Some ran beside a second build. `make scale GPU=FOLDER` puts a build of yours here.

{on_gpu(runs)}

## Core-hours

Training and measuring, by study and part, for each config. They follow from the processor time of each value of a
neuron that training computes, and of each measured network, in the build behind `data/reference`, on one core of
{there.processor}.

{shown}

## Growth

One training step on one core of {processor()}, with one number of the published recipe changed. Memory is that of
the whole process, with all libraries. An exponent is the slope of log time over log size, for three sizes; *its
products* is the same of the multiplications of the readout. Small sizes scale differently from large ones, so an
exponent holds only between these sizes.

{growth().to_markdown(index=False, disable_numparse=True)}
"""


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(step_of(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        if sys.argv[1:]:
            try:
                runs = runs_on_gpu(Path(sys.argv[1]))
            except (OSError, ValueError) as error:
                sys.exit(f"scale: {error}")
            write_whole(GPU_RUNS, runs.to_csv(index=False).encode())
        write_whole(Path("docs/scale.md"), page(Path(REFERENCE_FOLDER)).encode())
