"""What can be proven about a quadrature error without trying every input: the published bound, and a spectral one."""

from dataclasses import dataclass
from math import ceil, cos, log2, pi

import numpy as np
import pandas as pd
from jaxtyping import Complex, Float

from modadd.quadrature.scheme import (
    INTEGRAL,
    PIECEWISE_ABSOLUTE,
    PIECEWISE_IDENTITY,
    PiecewiseLinear,
    Scheme,
    integrand,
    phase_mismatch,
    quadrature_error,
)
from modadd.quadrature.sweep import EPS, worst_case

LIPSCHITZ = 2.0  # sup over φ and θ of |h'|, h = |cos(θ/2+φ)| cos(w_k c + 2φ) ([Q] §5)


def angle_term(scheme: Scheme) -> float:
    """Σ_i w_i |ψ_i − 2φ_i|: the most that imperfect output phases can add ([Q] §5)."""
    return float(scheme.weight @ np.abs(phase_mismatch(scheme.phi, scheme.psi)))


@dataclass(frozen=True)
class Boxes:
    """Adjacent boxes [left_i, right_i] of the line, one per node: the rectangles that the weighted sum stands for."""

    node: Float[np.ndarray, "m"]
    left: Float[np.ndarray, "m"]
    right: Float[np.ndarray, "m"]
    period: float

    @property
    def displacement(self) -> float:
        """Σ_i ∫_{box i} |x − φ_i| dx, in radians²: how far the boxes reach from their nodes."""
        return float((_half_square(self.right - self.node) - _half_square(self.left - self.node)).sum())

    @property
    def lipschitz_bound(self) -> float:
        """A bound on the quadrature error over [−π, π] from sup|h'| alone ([Q] §5)."""
        return LIPSCHITZ * self.displacement * 2 * np.pi / self.period


def boxes(scheme: Scheme, folded: bool) -> Boxes:
    """The boxes at the common shift that makes their displacement smallest.

    Unfolded, box i has width w_i on the circle of 2π. Folded, the integrand's period π is used: nodes are taken mod π and
    the boxes, of width w_i/2, fill one period ([Q] §4, last paragraph). The displacement is convex in the shift, so the
    zero of its monotone derivative is the minimum.
    """
    from scipy.optimize import brentq

    period = np.pi if folded else 2 * np.pi
    order = np.argsort(np.mod(scheme.phi, period), kind="stable")
    node = np.mod(scheme.phi, period)[order]
    edges = np.concatenate([[0.0], np.cumsum(scheme.weight[order])]) * (period / (2 * np.pi))

    left, right = edges[:-1], edges[1:]

    def derivative(shift: float) -> float:
        return float((np.abs(right + shift - node) - np.abs(left + shift - node)).sum())

    shift = brentq(derivative, -2 * period, 2 * period, xtol=1e-15)
    return Boxes(node, left + shift, right + shift, period)


def _half_square(x: Float[np.ndarray, "m"]) -> Float[np.ndarray, "m"]:
    """∫_0^x |t| dt."""
    return x * np.abs(x) / 2


def between(scheme: Scheme, points: int = 32) -> float:
    """The largest Σ_i ∫_{box i} |h(x) − h(φ_i)| dx of the inputs θ, h(x) = |cos(θ/2+x)| cos 2x, the boxes folded.

    The step of [Q] §5 between the error and the Lipschitz bound: errors of boxes no longer cancel, but each slope is its
    own. Over [−π, π], by the midpoint rule with `points` points in each box.
    """
    fitted = boxes(scheme, folded=True)
    width = fitted.right - fitted.left
    x = fitted.left[:, None] + width[:, None] * (np.arange(points) + 0.5) / points
    apart = (np.abs(integrand(x, theta, 0.0) - integrand(fitted.node, theta, 0.0)[:, None]) for theta in scheme.thetas)
    return float(max(width @ off.mean(axis=1) for off in apart) * 2 * np.pi / fitted.period)


def relu_bound(scheme: Scheme) -> float:
    """A bound on the error of the whole ReLU's sum, whose integral is (2/3) e^{−iθ}, at every θ ([QR], reply on Table 1).

    Half of the published bound for |u|, and half of the identity's largest sum. This needs no box: it has two lines in
    e^{iθ/2}, whose moduli bound it.
    """
    identity = float(np.abs(lines_of(scheme, 1, PIECEWISE_IDENTITY)).sum())
    return (angle_term(scheme) + boxes(scheme, folded=True).lipschitz_bound + identity) / 2


def around(fitted: Boxes) -> Boxes:
    """The boxes that meet (−π, π), from left to right, moved there by whole periods; one across ±π stands at both ends."""
    turns = fitted.period * np.arange(-5, 6)[:, None]
    node, left, right = ((part + turns).ravel() for part in (fitted.node, fitted.left, fitted.right))
    meets = (right > -np.pi) & (left < np.pi)
    return Boxes(node[meets], left[meets], right[meets], fitted.period)


@dataclass(frozen=True)
class SpectralBound:
    """What the M lowest harmonics prove about the error at every θ; `bound` is the better of two ways.

    moduli: Σ|e_j| of the harmonics e_j. sampled: their largest sum on a grid of `grid` points, widened to hold between
    them. tail: the most that all higher harmonics add. rounding: the most that float errors take away.
    """

    moduli: float
    sampled: float
    tail: float
    rounding: float
    grid: int

    @property
    def bound(self) -> float:
        """A bound on the modulus of the error at every θ."""
        return min(self.moduli, self.sampled) + self.tail + self.rounding


def lines_of(
    scheme: Scheme, harmonics: int, activation: PiecewiseLinear = PIECEWISE_ABSOLUTE
) -> Complex[np.ndarray, "lines"]:
    """e_j of the error Σ_j e_j e^{ijv}, v = θ/2, for j = −2M … 2M, M = `harmonics`, in O(M m).

    |cos u| = 2/π + (4/π) Σ_m (−1)^{m+1} cos(2mu)/(4m²−1), so lines ±2m hold Z_m^± = Σ_i w_i e^{i(ψ_i ± 2mφ_i)}, and the
    odd part of the activation the lines ±1. The integral is taken off line −2, so M must be at least 1 (ValueError).
    """
    if harmonics < 1:
        raise ValueError(f"harmonics: expected at least 1, got {harmonics}")
    w, turn = scheme.weight * np.exp(1j * scheme.psi), np.exp(2j * scheme.phi)
    lines = np.zeros(4 * harmonics + 1, complex)
    centre, power = 2 * harmonics, np.ones_like(turn)
    lines[centre] = activation.even * 2 / np.pi * w.sum()
    for m in range(1, harmonics + 1):
        power *= turn
        size = activation.even * 2 / np.pi * (-1) ** (m + 1) / (4 * m**2 - 1)
        lines[centre + 2 * m] = size * (w @ power)
        lines[centre - 2 * m] = size * np.vdot(power, w)
    lines[centre - 2] -= activation.even * INTEGRAL
    lines[centre + 1] = activation.odd / 2 * (w @ np.exp(1j * scheme.phi))
    lines[centre - 1] = activation.odd / 2 * (w @ np.exp(-1j * scheme.phi))
    return lines


def spectral_bound(scheme: Scheme, harmonics: int, activation: PiecewiseLinear = PIECEWISE_ABSOLUTE) -> SpectralBound:
    """Bound the error at every θ from M = `harmonics` harmonics, in O(M m) whatever the number of inputs.

    A trigonometric polynomial of degree d ≤ N/2 is nowhere larger than its largest value on N even points over
    cos(πd/N) (M. Riesz: beside its maximum it falls no faster than a cosine of frequency d); N grows as d^{3/2}, so
    what the widening adds vanishes with M. The tail is Σ|w| (4/π) Σ_{m>M} 1/(4m²−1) = 2 Σ|w| / (π(2M+1)), 4/(2M+1) for
    Σ|w| = 2π; none for the identity.
    """
    lines = lines_of(scheme, harmonics, activation)
    if not activation.odd:
        lines = lines[::2]  # a polynomial in e^{iθ} already
    degree = len(lines) // 2
    grid = 2 ** ceil(log2(4 * degree**1.5))
    values = np.fft.fft(lines, grid)  # turned by e^{i·degree·v}, which no modulus sees
    weight = float(np.abs(scheme.weight).sum())
    # Σ|line sizes| < 2; a line errs by at most eps Σ|w| per neuron summed, 3 eps Σ|w| per multiplication by `turn`.
    scale = (abs(activation.even) + abs(activation.odd)) * (weight + 2 * pi)
    return SpectralBound(
        moduli=float(np.abs(lines).sum()),
        sampled=float(np.abs(values).max()) / cos(pi * degree / grid),
        tail=abs(activation.even) * 2 * weight / (pi * (2 * harmonics + 1)),
        rounding=2 * EPS * (len(scheme.phi) + 3 * harmonics + 8 * log2(grid)) * scale,
        grid=grid,
    )


def bound_against_work(scheme: Scheme, harmonics: list[int]) -> pd.DataFrame:
    """Every value of the error (modulus) and every bound on it, with the operations counted for each.

    One operation is one term of a sum or one comparison of a sort or search: brute force has a term per neuron and
    input, a harmonic two per neuron, a sweep two running sums and two terms per evaluation, the published bound an angle
    and a box per neuron (the search for its best shift is not counted, since any shift would do).
    """
    m, n = len(scheme.phi), scheme.modulus
    worst = worst_case(scheme)
    search = ceil(log2(m + 1))
    sort = m * search
    rows = [
        ("brute force", 0, float(np.abs(quadrature_error(scheme)).max()), n * m),
        ("sweep", 0, worst.modulus_over_inputs, sort + 2 * m + n * (search + 2)),
        ("supremum", 0, worst.modulus, sort + 2 * m + 2 * worst.evaluations),
        ("published", 0, angle_term(scheme) + boxes(scheme, folded=True).lipschitz_bound, sort + 2 * m),
    ]
    for count in harmonics:
        spectral = spectral_bound(scheme, count)
        transform = spectral.grid * round(log2(spectral.grid))
        rows.append(("spectral", count, spectral.bound, (2 * count + 1) * m + transform))
    return pd.DataFrame(rows, columns=["method", "harmonics", "value", "operations"])
