"""How fast steps are on this machine: the one way in which this project times code."""

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

from modadd.core.bits import as_a_job


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


def printed_by(*arguments: str) -> Any:
    """What Python, called with these arguments, prints as JSON in a process that computes as the jobs do."""
    done = subprocess.run([sys.executable, *arguments], env=as_a_job(), stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)
