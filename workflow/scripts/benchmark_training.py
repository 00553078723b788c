"""Time one training step of every recipe against autograd, the published loop and the bare matrix products, in one run."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
from modadd.environment import set_arithmetic
from modadd.figures import save_table
from modadd.published_loops import FLOORS, PUBLISHED, autograd_step, floor_step, kernel_step
from modadd.recipes import RECIPES
from tqdm import tqdm

ROUNDS, ROUND_SECONDS = 7, 0.4  # the variants take turns, so that a slow moment of the machine hits all of them


def milliseconds(steps: dict[str, Callable], per_network: dict[str, int]) -> dict[str, float]:
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


def benchmark_training(stem: Path) -> None:
    """Write the table of times and ratios."""
    set_arithmetic()
    cases = {
        "Q: pizza transformer": (RECIPES["pizza_transformer"], 1),
        "M: two-layer MLP": (RECIPES["two_layer_mlp"], 1),
        "C: embedding MLP, full batch": (replace(RECIPES["embedding_mlp"], batch_size=0), 1),
        "C: batch 91, 16 at once": (RECIPES["embedding_mlp"], 16),
    }
    rows = []
    for name, (recipe, networks) in tqdm(cases.items()):
        steps = {"kernel": kernel_step(recipe, list(range(networks))), "autograd": autograd_step(recipe, 0)}
        steps |= {f"floor, {library}": floor_step(recipe, multiply) for library, multiply in FLOORS.items()}
        if recipe.architecture in PUBLISHED:
            steps["as published"] = PUBLISHED[recipe.architecture](recipe, 0)
        time_of = milliseconds(steps, {"kernel": networks})
        floor = min(time for step, time in time_of.items() if step.startswith("floor"))
        rows.append(
            {"step": name}
            | {f"{step} (ms)": time for step, time in time_of.items()}
            | {
                "faster than autograd": time_of["autograd"] / time_of["kernel"],
                "faster than published": time_of.get("as published", float("nan")) / time_of["kernel"],
                "over the floor": time_of["kernel"] / floor,
                "over torch.mm": time_of["kernel"] / time_of["floor, torch.mm"],
            }
        )
    save_table(pd.DataFrame(rows), stem, digits=2)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    benchmark_training(Path(snakemake.output.csv).with_suffix(""))
