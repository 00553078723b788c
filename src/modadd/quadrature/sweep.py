"""The exact worst case of a quadrature scheme, over its inputs and over every θ, by one sweep through its kinks.

[Q] §5 asks for less work than brute force near the actual error. With v = θ/2 and b_i = π/2 − φ_i mod π,
|cos(v+φ_i)| = |sin(v−b_i)|. Between neighbouring b_i no neuron changes sign, so there Σ_i w_i |cos(v+φ_i)| e^{iψ_i} is
one sine wave in v; sorting the b_i once and summing from the left gives every wave. The inputs alone need no sort.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from jaxtyping import Complex, Float, Int

from modadd.quadrature.kinks import binned, kinks, signed_sums
from modadd.quadrature.scheme import INTEGRAL, PIECEWISE_ABSOLUTE, PiecewiseLinear, Scheme

EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Pieces:
    """The error on the half-angles v = θ/2 in [0, π], cut at the kinks of its neurons.

    Piece j holds edge_j ≤ v ≤ edge_{j+1} and has the error cosine_j cos v + sine_j sin v − integral e^{−2iv}. The rows
    are the signs of cos(w_k(a−b)/2), which are those of v and v + π: two rows, or one where the activation is even.
    rounding: a bound on the float error of `at`; grows with √m, since the running sums are taken in blocks.
    """

    cosine: Complex[np.ndarray, "signs pieces"]
    sine: Complex[np.ndarray, "signs pieces"]
    edge: Float[np.ndarray, "pieces+1"]
    integral: float
    rounding: float

    def at(
        self, v: Float[np.ndarray, "*v"], row: Int[np.ndarray, "*v"], piece: Int[np.ndarray, "*v"]
    ) -> Complex[np.ndarray, "*v"]:
        """The error at half-angles v in radians, each on its given row and piece."""
        c, s = np.cos(v), np.sin(v)
        return self.cosine[row, piece] * c + self.sine[row, piece] * s - self.integral * (c - 1j * s) ** 2

    def everywhere(self, v: Float[np.ndarray, "n"]) -> Complex[np.ndarray, "signs n"]:
        """The error at half-angles v in [0, π], for every row."""
        row, piece = np.indices((len(self.cosine), len(v)))[0], np.searchsorted(self.edge[1:-1], v, side="right")
        return self.at(np.broadcast_to(v, row.shape), row, np.broadcast_to(piece, row.shape))

    def curvature(self) -> tuple[Float[np.ndarray, "signs pieces"], Float[np.ndarray, "signs pieces"]]:
        """Bounds on |second derivative in v| of each piece: of a turned error, of the same modulus, and of the error.

        A piece is p e^{iv} + q e^{−iv} − integral e^{−2iv}. Turned by e^{irv}, one of its three waves stands still; the
        best of these is taken, so that a piece of constant modulus (one wave alone) has no curvature.
        """
        p, q = np.abs(self.cosine - 1j * self.sine) / 2, np.abs(self.cosine + 1j * self.sine) / 2
        whole = abs(self.integral)
        return np.minimum.reduce([9 * p + q, 4 * p + whole, 4 * q + 9 * whole]), p + q + 4 * whole


def pieces(scheme: Scheme, activation: PiecewiseLinear = PIECEWISE_ABSOLUTE) -> Pieces:
    """Cut the error of a scheme at its kinks, in O(m log m) for m neurons."""
    kink, w = kinks(scheme)
    order = np.argsort(kink, kind="stable")
    kink, w = kink[order], w[order]
    even_cosine, even_sine = signed_sums(w * np.sin(kink)), -signed_sums(w * np.cos(kink))
    odd_cosine = (w * np.cos(scheme.phi[order])).sum()
    odd_sine = -(w * np.sin(scheme.phi[order])).sum()
    signs = np.array([[1.0], [-1.0]] if activation.odd else [[1.0]])
    integral = activation.even * INTEGRAL
    # The two signed sums err by at most 3 (√m + 1) eps Σ|w| together; all else by a few eps Σ|w|.
    weight = (abs(activation.even) + abs(activation.odd)) * float(np.abs(w).sum())
    return Pieces(
        activation.even * even_cosine + signs * activation.odd * odd_cosine,
        activation.even * even_sine + signs * activation.odd * odd_sine,
        np.concatenate([[0.0], kink, [np.pi]]),
        integral,
        EPS * (5 * isqrt(len(w)) + 20) * (weight + abs(integral)),
    )


def error_at(scheme: Scheme, theta: Float[np.ndarray, "n"]) -> Complex[np.ndarray, "n"]:
    """The quadrature error at any θ (radians), in O((m + n) log m): what `quadrature_error` sums term by term."""
    return pieces(scheme).everywhere(np.mod(theta / 2, np.pi))[0]


def swept_error(scheme: Scheme) -> Complex[np.ndarray, "n"]:
    """The quadrature error at every input, in O(m + n) for m neurons: `quadrature_error` up to rounding.

    The half-angles of the inputs, in order, are v_j = πj/n; so a division finds the bin [v_j, v_{j+1}) of each kink.
    A kink at v_j may be put on either side of it, since there |sin(v_j−b)| is 0 up to rounding. The float error is at
    most eps (c + 5√n + 30)(Σ|w| + 4/3), where no bin holds more than c kinks: each bin is summed from left to right.
    """
    n = scheme.modulus
    kink, w = kinks(scheme)
    place = (kink * (n / np.pi)).astype(np.int64)  # n for a kink that was rounded up to π: no v_j passes it
    cosines, sines = (signed_sums(binned(w * of(kink), place, n + 1))[:n] for of in (np.cos, np.sin))
    v = np.pi * np.arange(n) / n
    c, s = np.cos(v), np.sin(v)
    return (sines * c - cosines * s - INTEGRAL * (c - 1j * s) ** 2)[_places(scheme)]


@dataclass(frozen=True)
class WorstCase:
    """Largest errors of a scheme: modulus over the n inputs, modulus and real part (the cosine identity) over every θ.

    theta: where the modulus is largest, in radians (mod 2π, or mod 4π for an activation that is not even).
    evaluations: angles at which the error was computed to find the two suprema. rounding: each value is this near the
    true one, so that value + rounding is a bound.
    """

    modulus_over_inputs: float
    modulus: float
    cosine: float
    theta: float
    evaluations: int
    rounding: float


def worst_case(scheme: Scheme, activation: PiecewiseLinear = PIECEWISE_ABSOLUTE) -> WorstCase:
    """The largest errors over the inputs and over every θ, in O((m + n) log m); not by a grid, which has gaps.

    The suprema are exact up to `rounding`: an interval is given up only when no θ in it can exceed the largest error
    found by more than half of that. The search is as fast as the sort: most pieces are too narrow to exceed their ends.
    """
    cut = pieces(scheme, activation)
    over_inputs = cut.everywhere(np.pi * _places(scheme) / scheme.modulus)
    ends, (turned, plain) = cut.everywhere(cut.edge), cut.curvature()
    modulus, at, evaluations = supremum(cut, np.abs, turned, ends)
    cosine, _, more = supremum(cut, lambda error: np.abs(error.real), plain, ends)
    return WorstCase(
        modulus_over_inputs=float(np.abs(over_inputs).max()),
        modulus=modulus,
        cosine=cosine,
        theta=2 * at,
        evaluations=ends.size + evaluations + more,
        rounding=2 * cut.rounding,
    )


def supremum(
    cut: Pieces,
    size: Callable[[np.ndarray], np.ndarray],
    curvature: Float[np.ndarray, "signs pieces"],
    ends: Complex[np.ndarray, "signs pieces+1"],
) -> tuple[float, float, int]:
    """The largest size of the error on any piece, the half-angle v where it is taken, and the evaluations it needed.

    size: modulus, or modulus of the real part. curvature: of each piece, for that size. ends: the error at the edges.
    On an interval of length d a function u with |u''| ≤ K stays within K d²/8 of its chord, whose modulus is largest at
    an end; so |u| is at most the larger end value + K d²/8. Intervals that may hold more than the largest value found +
    `rounding` are halved.
    """
    sizes, evaluations = size(ends), 0
    first = np.unravel_index(np.argmax(sizes), sizes.shape)
    best, where = float(sizes[first]), cut.edge[first[1]] + np.pi * first[0]
    reach = np.maximum(sizes[:, :-1], sizes[:, 1:]) + curvature * np.diff(cut.edge) ** 2 / 8
    row, piece = np.nonzero(reach > best + cut.rounding)
    left, right, low, high = cut.edge[piece], cut.edge[piece + 1], sizes[row, piece], sizes[row, piece + 1]
    while len(piece):
        middle = (left + right) / 2
        value = size(cut.at(middle, row, piece))
        evaluations += len(value)
        top = np.argmax(value)
        if value[top] > best:
            best, where = float(value[top]), middle[top] + np.pi * row[top]
        row, piece = np.tile(row, 2), np.tile(piece, 2)
        left, right = np.concatenate([left, middle]), np.concatenate([middle, right])
        low, high = np.concatenate([low, value]), np.concatenate([value, high])
        reach = np.maximum(low, high) + curvature[row, piece] * (right - left) ** 2 / 8
        row, piece, left, right, low, high = (
            x[reach > best + cut.rounding] for x in (row, piece, left, right, low, high)
        )
    return best, float(where), evaluations


def _places(scheme: Scheme) -> Int[np.ndarray, "n"]:
    """j = k s mod n of every input sum s, whose half-angle θ/2 mod π is πj/n: no digit is lost to large θ."""
    return scheme.frequency * np.arange(scheme.modulus) % scheme.modulus
