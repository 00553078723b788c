"""Time a training step of every recipe, early and late, against autograd, published loop and bare products."""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pandas as pd
from tqdm import tqdm

import modadd.training.products
from modadd.core.bits import set_arithmetic
from modadd.core.jobs import begin
from modadd.core.processor import MKL, OPENBLAS, processor, product_library
from modadd.networks.recipes import RECIPES, Recipe
from modadd.page.figures import save_table
from modadd.training.published_loops import FLOORS, PUBLISHED_LOOPS, Step, autograd_step, floor_step, kernel_step
from modadd.training.train import train_ensemble

ROUNDS, ROUND_SECONDS = 5, 0.2  # the variants take turns, so that a slow moment of the machine hits all of them
LATE = 4000  # updates of the late state, at most: by then the moments of dead neurons have become subnormal numbers
CASES = {
    "Q: pizza transformer": (replace(RECIPES["pizza_transformer"], steps=LATE), 1),
    "M: two-layer MLP": (replace(RECIPES["two_layer_mlp"], steps=LATE), 1),
    "C: embedding MLP, full batch": (replace(RECIPES["embedding_mlp"], batch_size=0, steps=1500), 1),
    "C: batch 91, 16 at once": (replace(RECIPES["embedding_mlp"], steps=LATE), 16),
}


def milliseconds(steps: dict[str, Step], per_network: dict[str, int]) -> dict[str, float]:
    """Best mean time of each step over the rounds, in ms per network."""
    for step in steps.values():
        step(), step()
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(ROUNDS):
        for name, step in steps.items():
            start, count = time.perf_counter(), 0
            while (spent := time.perf_counter() - start) < ROUND_SECONDS or count < 3:
                step()
                count += 1
            best[name] = min(best[name], 1e3 * spent / count / per_network.get(name, 1))
    return best


@contextmanager
def multiplying_by(library: str) -> Iterator[None]:
    """Let the kernel take the products of a library, whichever the processor would choose."""
    chosen, modadd.training.products.PRODUCT_LIBRARY = modadd.training.products.PRODUCT_LIBRARY, library
    try:
        yield
    finally:
        modadd.training.products.PRODUCT_LIBRARY = chosen


def forced(library: str, step: Step) -> Step:
    """A step that always takes the products of a library."""

    def run() -> None:
        with multiplying_by(library):
            step()

    return run


def late_state(name: str, recipe: Recipe, seeds: list[int], folder: Path) -> Path:
    """The checkpoint after the last step of a case; a later benchmark on the same machine finds it there."""
    checkpoint = folder / f"{name.partition(':')[0]}{len(seeds)}_{recipe.pairs_per_update}.safetensors"
    progress: Callable = partial(tqdm, desc=f"late state of {name}", unit="step", mininterval=5)
    train_ensemble(recipe, seeds, checkpoint, progress=progress)
    return checkpoint


def measured(name: str, recipe: Recipe, networks: int, late: Path) -> dict[str, object]:
    """One row of the table."""
    seeds = list(range(networks))
    early, end = kernel_step(recipe, seeds), kernel_step(recipe, seeds, late_state(name, recipe, seeds, late))
    kernels = {"kernel": early, "kernel, late": end}
    kernels |= {f"kernel by {library}": forced(library, early) for library in (MKL, OPENBLAS)}
    steps = kernels | {"autograd": autograd_step(recipe, 0)}
    steps |= {f"floor, {library}": floor_step(recipe, multiply) for library, multiply in FLOORS.items()}
    if recipe.architecture in PUBLISHED_LOOPS:
        steps["as published"] = PUBLISHED_LOOPS[recipe.architecture](recipe, 0)
    time_of = milliseconds(steps, dict.fromkeys(kernels, networks))
    row = {
        "step": name,
        "processor": f"{processor()}, {product_library()}",
        **{f"{step} (ms)": time for step, time in time_of.items()},
        "late over early": time_of["kernel, late"] / time_of["kernel"],
        "faster than autograd": time_of["autograd"] / time_of["kernel"],
        "faster than published": time_of.get("as published", float("nan")) / time_of["kernel"],
        "over the floor": time_of["kernel"] / min(time for step, time in time_of.items() if step.startswith("floor")),
    }
    ratios = [f"{ratio} {row[ratio]:.2f}" for ratio in [*row][-4:] if not math.isnan(row[ratio])]
    print(f"{name}: {row['kernel (ms)']:.2f} ms a step, {', '.join(ratios)}", flush=True)
    return row


if __name__ == "__main__":
    begin(snakemake.log[0])
    if product_library() != MKL:
        os.environ.pop("MKL_CBWR", None)  # nobody's own loop would be slowed by it where nothing here takes MKL
    set_arithmetic()
    rows = [measured(name, *case, Path(snakemake.params.late)) for name, case in tqdm(CASES.items())]
    save_table(pd.DataFrame(rows), Path(snakemake.output.csv).with_suffix(""), digits=2)
