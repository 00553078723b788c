"""How fast steps are on this machine: the one way in which this project times code, and a probe of the machine."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from time import perf_counter, process_time
from typing import Any

from modadd.core.bits import as_a_job, set_arithmetic

TRAINING, PYTHON = "training", "python"  # what a probe counts
_PARSED = (
    "found[a] = {key: f(value, *rest) + 1 for key, value in b.items() if value}\n" * 100
)  # never to be changed: rates are kept


def fastest(
    steps: Mapping[str, Callable[[], object]],
    rounds: int = 3,
    at_least: float = 0.2,
    clock: Callable[[], float] = process_time,
) -> dict[str, float]:
    """Least mean seconds of each step over some rounds, of at least so many seconds each.

    The steps take turns, so that a slow moment of the machine hits all of them. By the default clock, the processor's,
    what else runs on the machine does not count.
    """
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(rounds):
        for name, step in steps.items():
            start, calls = clock(), 0
            while (spent := clock() - start) < at_least or not calls:
                step()
                calls += 1
            best[name] = min(best[name], spent / calls)
    return best


@cache
def probe() -> dict[str, float]:
    """How often this machine does two things in a second, after a moment in a process of its own.

    TRAINING: an update of the mainline, as a job computes it. PYTHON: a text parsed and written by Python, of whose work
    notebooks, pages and every start of a job consist. They differ: wider instructions speed up products of matrices alone.
    By the clock on the wall: where other work slows the machine, a build is slow, too.
    """
    return printed_by("-m", __name__)


def printed_by(*arguments: str) -> Any:
    """What Python, called with these arguments, prints as JSON in a process that computes as the jobs do."""
    done = subprocess.run([sys.executable, *arguments], env=as_a_job(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def _rates() -> dict[str, float]:
    from modadd.networks.recipes import RECIPES
    from modadd.training.published_loops import kernel_step

    set_arithmetic()
    steps = {
        TRAINING: kernel_step(RECIPES["pizza_transformer"], [0]),
        PYTHON: lambda: ast.unparse(ast.parse(_PARSED)),
    }
    return {name: 1 / seconds for name, seconds in fastest(steps, clock=perf_counter).items()}


if __name__ == "__main__":
    print(json.dumps(_rates()))
