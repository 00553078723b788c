"""Find the greatest errors of the formulas of training (`python workflow/dev/formulas.py`): of exp32 over all numbers from −104 to 0,
of exp64 and log1p64 over 10⁸ drawn ones and the neighbours of every breakpoint. It takes a core some ten minutes."""

import sys
from collections.abc import Iterator

import numpy as np
import own_library  # noqa: F401
from numba import njit
from tqdm import tqdm

from modadd.core.bits import set_arithmetic
from modadd.training.fused import LEAST, exp32, exp64, log1p64

AT_ONCE = 2**22
DRAWN = 10**8
HALF = np.log(2) / 2


@njit(error_model="numpy")
def single(x: np.ndarray, y: np.ndarray) -> None:
    """y ← exp32(x)."""
    for i in range(len(x)):
        y[i] = exp32(x[i])


@njit(error_model="numpy")
def double(x: np.ndarray, by_exp: np.ndarray, by_log: np.ndarray) -> None:
    """by_exp ← exp64(x), by_log ← log1p64(−x)."""
    for i in range(len(x)):
        by_exp[i], by_log[i] = exp64(x[i]), log1p64(-x[i])


def errors(found: np.ndarray, right: np.ndarray, last: int) -> np.ndarray:
    """In units of the last place, so many bits behind the first, of the right result."""
    unit = np.exp2(np.floor(np.log2(right)) - last)
    return np.abs(found - right) / unit


def of_exp32() -> tuple[float, float]:
    """The greatest error over all numbers, and where it is."""
    first, last = (int(np.float32(x).view(np.uint32)) for x in (-0.0, -104.0))
    worst, place = 0.0, 0.0
    for low in tqdm(range(first, last + 1, AT_ONCE), desc="exp32"):
        x = np.arange(low, min(low + AT_ONCE, last + 1), dtype=np.uint32).view(np.float32)
        y = np.zeros_like(x)
        single(x, y)
        if y[x < np.float32(LEAST)].any():
            raise SystemExit("exp32: expected 0 where the result would be subnormal")
        kept = x >= np.float32(LEAST)
        if kept.any():
            error = errors(y[kept], np.exp(x[kept].astype(np.float64)), 23)
            if error.max() > worst:
                worst, place = float(error.max()), float(x[kept][error.argmax()])
    return worst, place


def drawn() -> Iterator[np.ndarray]:
    """Numbers below zero of every size, and the neighbours of the breakpoints of both formulas."""
    steps = HALF + 2 * HALF * np.arange(1000)
    powers = np.sqrt(2) * np.exp2(np.arange(1, 900) - 1.0) - 1
    places = np.concatenate([steps, powers])
    yield -np.concatenate([np.nextafter(places, 0), places, np.nextafter(places, np.inf)])
    rng = np.random.default_rng(0)
    for _ in range(0, DRAWN, AT_ONCE):
        yield -np.concatenate([10 ** rng.uniform(-30, 3, AT_ONCE // 2), 10 ** rng.uniform(-3, 3, AT_ONCE // 2)])


def of_both() -> dict[str, float]:
    """The greatest errors of exp64 above 10⁻³⁰⁷, and of log1p64."""
    worst = {"exp64": 0.0, "log1p64": 0.0}
    for x in tqdm(drawn(), desc="exp64, log1p64", total=1 + -(-DRAWN // AT_ONCE)):
        by_exp, by_log = np.zeros_like(x), np.zeros_like(x)
        double(x, by_exp, by_log)
        long, kept = x.astype(np.longdouble), x > -707
        worst["exp64"] = max(worst["exp64"], float(errors(by_exp[kept], np.exp(long[kept]), 52).max()))
        worst["log1p64"] = max(worst["log1p64"], float(errors(by_log, np.log1p(-long), 52).max()))
    return worst


if __name__ == "__main__":
    set_arithmetic()
    if np.finfo(np.longdouble).nmant < 63:
        sys.exit("formulas.py: expected a processor with numbers of 80 bits, which are what float64 is compared with")
    error, place = of_exp32()
    print(f"exp32: {error:.4f} units in the last place, at {place!r}")
    for name, error in of_both().items():
        print(f"{name}: {error:.4f}")
