"""What [Q] and [QR] say of integrals of any network, by number.

Of that of a scheme its value, the slope under it, the band and the rule of two points; of others their closed form, and a
function that is no cosine.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Complex, Float

from modadd.quadrature.activations import Activation, integral_by_quad
from modadd.quadrature.bounds import LIPSCHITZ, Boxes
from modadd.quadrature.scheme import INTEGRAL, integral_of, integrand, integrand_slope

PLACES = 101  # of each box, at which the curve is looked at
ROUNDING = 1e-12


class Integrals(NamedTuple):
    """∫_{−π}^{π} |cos(θ/2+φ)| e^{2iφ} dφ at several θ: by adaptive quadrature, in closed form, and without the modulus bars."""

    numeric: Complex[np.ndarray, "thetas"]
    closed: Complex[np.ndarray, "thetas"]
    without_bars: Complex[np.ndarray, "thetas"]

    @property
    def deviations(self) -> list[float]:
        """How far the integral is at most from its closed form, and that without bars from 0."""
        return [np.abs(self.numeric - self.closed).max(), np.abs(self.without_bars).max()]


def integrals_at(thetas: Float[np.ndarray, "thetas"]) -> Integrals:
    """The integrals at several θ, in radians; the closed form is (4/3) e^{−iθ} ([Q] §4)."""
    numeric, without_bars = (np.array([integral_of(f, theta) for theta in thetas]) for f in (np.abs, np.positive))
    return Integrals(numeric, INTEGRAL * np.exp(-1j * thetas), without_bars)


def steepest_slope(phi: Float[np.ndarray, "angles"], phases: Float[np.ndarray, "phases"]) -> float:
    """The largest |h'(φ)| of some angles φ, with every pair of the phases as θ and as the answer's phase ([Q] §5 says 2)."""
    return max(np.abs(integrand_slope(phi, theta, answer)).max() for theta in phases for answer in phases)


def in_band(laid: Boxes, slope: float = LIPSCHITZ) -> Bool[np.ndarray, "m places"]:
    """Whether h at a + b = c = 0 is in the band h(φ_i) ± slope · |φ − φ_i|, at PLACES of each box, its ends among them ([Q2] Fig. 5)."""
    x, node = np.linspace(laid.left, laid.right, PLACES, axis=1), laid.node[:, None]
    return np.abs(integrand(x, 0.0, 0.0) - integrand(node, 0.0, 0.0)) <= slope * np.abs(x - node) + ROUNDING


def share_in_band(every: Iterable[Boxes], slope: float = LIPSCHITZ) -> float:
    """The share of the places in the boxes of several schemes at which the curve is in the band; every box counts alike."""
    return np.mean(np.concatenate([in_band(laid, slope).ravel() for laid in every]))


def two_point_rule(t: Float[np.ndarray, "*s"]) -> Float[np.ndarray, "*s"]:
    """|cos t| − |sin t|, which Zhong et al. take for cos 2t ([Q] §4)."""
    return np.abs(np.cos(t)) - np.abs(np.sin(t))


def two_point_rule_off(t: Float[np.ndarray, "*s"]) -> float:
    """The largest difference of the rule of two points from cos 2t, over some t in radians."""
    return np.abs(two_point_rule(t) - np.cos(2 * t)).max()


def closed_form_off(activation: Activation, thetas: Float[np.ndarray, "thetas"], sizes: Sequence[float]) -> float:
    """How far c₂(r) e^{−iθ} is at most from ∫ f(r cos(θ/2+φ)) e^{2iφ} dφ by adaptive quadrature, over all θ and sizes r ([QR])."""
    return max(
        abs(integral_by_quad(activation, theta, r) - activation.coefficient(2, r) * np.exp(-1j * theta))
        for theta in thetas
        for r in sizes
    )


def exponential_over_bound(x: Float[np.ndarray, "s"], neurons: Sequence[int]) -> Float[np.ndarray, "numbers"]:
    """The largest error of h neurons that stand for e^x − 1 − x, over its bound e/(4h), for each number h of neurons ([QR]).

    Neuron i adds e^{ξ_i}/h · ReLU(x − ξ_i), the ξ_i at the midpoints of h equal boxes of 0 … 1.
    """
    sums = [np.maximum(x[:, None] - xi, 0) @ np.exp(xi) / len(xi) for xi in ((np.arange(h) + 0.5) / h for h in neurons)]
    return abs(np.array(sums) - (np.exp(x) - 1 - x)).max(axis=1) / (np.e / (4 * np.asarray(neurons)))
