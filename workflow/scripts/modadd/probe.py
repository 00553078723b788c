"""How fast this machine is: two seconds of the two kinds of work that a build consists of."""

import ast
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

SECONDS, WINDOWS = (
    1.0,
    3,
)  # for each kind of work; the best window counts, since a busy moment says nothing of a machine
TRAINING, ANALYSIS = "training", "analysis"


def probe() -> dict[str, float]:
    """Rounds a second of each kind of work, on one thread: updates of the mainline network; notebooks' Python and NumPy."""
    from modadd.environment import set_arithmetic
    from modadd.published_loops import kernel_step
    from modadd.recipes import RECIPES

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
    source = Path(__file__).read_text()
    A, W = np.ones((59, 64)), np.ones((64, 59))
    return lambda: (ast.unparse(ast.parse(source)), np.maximum(A[:, None] + A[None], 0) @ W)


def slowness(here: Mapping[str, float], there: Mapping[str, float], rule: str) -> float:
    """How many times as long a job of a rule takes here as there, by the probes of both machines."""
    kind = TRAINING if rule.startswith("train_") else ANALYSIS
    return there[kind] / here[kind]
