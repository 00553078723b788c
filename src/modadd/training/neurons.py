"""What neurons other than ReLUs compute, and its slope; each is worked out in float64 and rounded once."""

import numpy as np
from numba import njit

from modadd.training.compiling import compiled
from modadd.training.fused import exp64, fma64, log1p64

# As the compiled step names the ACTIVATIONS.
RELUS, ABS, SQUARE, SOFTPLUS, GELU = range(5)
KINDS = {"relu": RELUS, "abs": ABS, "square": SQUARE, "softplus": SOFTPLUS, "gelu": GELU}

# Φ(−t) e^{t²/2} (t + 4) in powers of (t − 4)/(t + 4), fitted for t ≥ 0: its relative error is at most 4e-12.
TAIL = (
    0.7552851304155633,
    -0.6078966419486164,
    0.3871374007732807,
    -0.18652185908867136,
    0.06039657404376873,
    -0.0075401729460364865,
    -0.003479683410264219,
    0.0016307159359941867,
    0.00013329638034284343,
    -0.00023074458160953377,
    -1.7618028659001685e-06,
    3.4457369372526054e-05,
    4.4632793744452975e-07,
    -5.134648638520528e-06,
    -3.2288879552355056e-07,
    5.201101874967228e-07,
    6.036191018767598e-08,
)
PER_ROOT = 0.3989422804014327  # 1/√(2π)


@njit(inline="always", error_model="numpy")
def normal64(u: float) -> float:
    """The normal distribution Φ(u) in float64."""
    t = abs(u)
    share = 1.0 / (t + 4.0)
    x = fma64(-8.0, share, 1.0)
    p = fma64(TAIL[16], x, TAIL[15])
    p = fma64(fma64(fma64(fma64(fma64(p, x, TAIL[14]), x, TAIL[13]), x, TAIL[12]), x, TAIL[11]), x, TAIL[10])
    p = fma64(fma64(fma64(fma64(fma64(p, x, TAIL[9]), x, TAIL[8]), x, TAIL[7]), x, TAIL[6]), x, TAIL[5])
    p = fma64(fma64(fma64(fma64(fma64(p, x, TAIL[4]), x, TAIL[3]), x, TAIL[2]), x, TAIL[1]), x, TAIL[0])
    tail = p * share * exp64(-0.5 * t * t)
    return tail if u < 0 else 1.0 - tail


@compiled
def activate(kind: int, first: np.ndarray, second: np.ndarray, active: np.ndarray) -> None:
    """active ← the activation of first + second, all of h numbers of float32."""
    if kind == ABS:
        for i in range(len(active)):
            active[i] = abs(first[i] + second[i])
    elif kind == SQUARE:
        for i in range(len(active)):
            u = first[i] + second[i]
            active[i] = u * u
    elif kind == SOFTPLUS:  # log(1 + e^u) = log(1 + e^−|u|) + max(u, 0)
        for i in range(len(active)):
            u = np.float64(first[i] + second[i])
            active[i] = log1p64(exp64(-abs(u))) + (0.0 if u < 0 else u)
    else:
        for i in range(len(active)):
            u = np.float64(first[i] + second[i])
            active[i] = u * normal64(u)


@compiled
def gain_slopes(
    kind: int, first: np.ndarray, second: np.ndarray, back: np.ndarray, of_first: np.ndarray, of_second: np.ndarray
) -> None:
    """of_first and of_second gain `back` times the activation's slope at first + second."""
    for i in range(len(back)):
        u = np.float64(first[i] + second[i])
        if kind == ABS:
            slope = 0.0 if u == 0 else (1.0 if u > 0 else -1.0)
        elif kind == SQUARE:
            slope = 2.0 * u
        elif kind == SOFTPLUS:
            weight = exp64(-abs(u))
            slope = (weight if u < 0 else 1.0) / (1.0 + weight)
        else:
            slope = fma64(u * PER_ROOT, exp64(-0.5 * u * u), normal64(u))
        gain = back[i] * np.float32(slope)
        of_first[i] += gain
        of_second[i] += gain
