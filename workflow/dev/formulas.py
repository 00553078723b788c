"""Find the greatest errors of the formulas of training (`python workflow/dev/formulas.py`), in some ten minutes.

Of exp32 over all numbers from −104 to 0, of exp64 and log1p64 over 10⁸ drawn ones and the neighbours of every breakpoint.
"""

import sys
from collections.abc import Iterator

import numpy as np
import project
from numba import njit
from tqdm import tqdm

from modadd.core.bits import set_arithmetic
from modadd.training.fused import (
    LEAST,
    LEAST64,
    exp32,
    exp64,
    log1p64,
)

AT_ONCE = 2**22
DRAWN = 10**8
FIRST = np.float32(-0.0)
LAST = np.float32(-104.0)
HALF = np.log(2) / 2
ROOT = np.sqrt(2)
OF_FLOAT32 = 23  # bits behind the first
OF_FLOAT64 = 52


@njit(error_model="numpy")
def single(x: np.ndarray, y: np.ndarray) -> None:
    """y ← exp32(x)."""
    for i in range(len(x)):
        y[i] = exp32(x[i])


@njit(error_model="numpy")
def double(x: np.ndarray, by_exp: np.ndarray, by_log: np.ndarray) -> None:
    """by_exp ← exp64(x), by_log ← log1p64(−x)."""
    for i in range(len(x)):
        by_exp[i] = exp64(x[i])
        by_log[i] = log1p64(-x[i])


def worst(found: np.ndarray, right: np.ndarray, last: int) -> float:
    """The greatest error in units of the last place of the right result."""
    size = np.floor(np.log2(right))
    unit = np.exp2(size - last)
    error = np.abs(found - right) / unit
    return float(error.max())


def of_exp32() -> float:
    """Its greatest error over all numbers; it must be 0 where a result would be subnormal."""
    first = int(FIRST.view(np.uint32))
    last = int(LAST.view(np.uint32))
    greatest = 0.0
    for low in tqdm(range(first, last, AT_ONCE)):
        high = min(low + AT_ONCE, last)
        x = np.arange(low, high, dtype=np.uint32)
        x = x.view(np.float32)
        y = np.zeros_like(x)
        single(x, y)
        normal = x >= np.float32(LEAST)
        if y[~normal].any():
            sys.exit("exp32: expected 0 below e^LEAST")
        if normal.any():
            right = np.exp(x[normal].astype(np.float64))
            error = worst(y[normal], right, OF_FLOAT32)
            greatest = max(greatest, error)
    return greatest


def drawn() -> Iterator[np.ndarray]:
    """Numbers below zero of every size, and the neighbours of the breakpoints of both formulas."""
    of_exp = HALF + 2 * HALF * np.arange(1000)
    of_log = ROOT * np.exp2(np.arange(900)) - 1
    places = np.concatenate([of_exp, of_log])
    below = np.nextafter(places, 0)
    above = np.nextafter(places, np.inf)
    yield -np.concatenate([below, places, above])
    rng = np.random.default_rng(0)
    for _ in range(0, DRAWN, AT_ONCE):
        yield -(10 ** rng.uniform(-30, 3, AT_ONCE // 2))
        yield -(10 ** rng.uniform(-3, 3, AT_ONCE // 2))


def of_both() -> tuple[float, float]:
    """The greatest errors of exp64 and of log1p64."""
    in_exp = 0.0
    in_log = 0.0
    for x in tqdm(drawn()):
        by_exp = np.zeros_like(x)
        by_log = np.zeros_like(x)
        double(x, by_exp, by_log)
        long = x.astype(np.longdouble)
        normal = x > LEAST64
        error = worst(by_exp[normal], np.exp(long[normal]), OF_FLOAT64)
        in_exp = max(in_exp, error)
        error = worst(by_log, np.log1p(-long), OF_FLOAT64)
        in_log = max(in_log, error)
    return in_exp, in_log


if __name__ == "__main__":
    project.without_arguments(__doc__)
    set_arithmetic()
    if np.finfo(np.longdouble).nmant < 63:
        sys.exit("expected a processor with numbers of 80 bits, to compare float64 with")
    print(f"exp32: {of_exp32():.4f} units in the last place")
    in_exp, in_log = of_both()
    print(f"exp64: {in_exp:.4f}")
    print(f"log1p64: {in_log:.4f}")
