"""The neurons of one frequency as a quadrature scheme: its nodes, output phases and weights, its sum and its integral."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Complex, Float

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.neurons import Neurons


def phase_mismatch(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """ψ − 2φ wrapped to (−π, π], in radians: zero for a perfect quadrature scheme ([Q2] Fig 3; [Q] prints −2φ, a slip)."""
    return wrap(psi - 2 * phi)


class PhaseLine(NamedTuple):
    """ψ ≈ slope · φ + intercept (radians), with ψ on the branch nearest 2φ, and the line's R²."""

    slope: float
    intercept: float
    r_squared: float


def unwrapped(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> Float[np.ndarray, "h"]:
    """ψ plus the multiple of 2π that brings it nearest 2φ, in radians."""
    return 2 * phi + phase_mismatch(phi, psi)


def phase_line(phi: Float[np.ndarray, "h"], psi: Float[np.ndarray, "h"]) -> PhaseLine:
    """Least-squares line through (φ, ψ) ([Q2] Fig 3); all NaN for fewer than three neurons, which any line would fit."""
    if len(phi) < 3:
        return PhaseLine(np.nan, np.nan, np.nan)
    (varies, together), (_, explained) = np.cov(phi, line := unwrapped(phi, psi))
    slope = together / varies
    return PhaseLine(float(slope), float(line.mean() - slope * phi.mean()), float(slope * together / explained))


INTEGRAL = 4 / 3  # modulus of ∫_{−π}^{π} |cos(θ/2+φ)| e^{2iφ} dφ


class PiecewiseLinear(NamedTuple):
    """f(u) = even·|u| + odd·u. Its scheme Σ_i w_i f(cos(θ/2+φ_i)) e^{iψ_i} stands for even·(4/3) e^{−iθ}."""

    even: float
    odd: float


PIECEWISE_ABSOLUTE, PIECEWISE_RELU, PIECEWISE_IDENTITY = (
    PiecewiseLinear(1.0, 0.0),
    PiecewiseLinear(0.5, 0.5),
    PiecewiseLinear(0.0, 1.0),
)


@dataclass(frozen=True)
class Scheme:
    """Nodes φ_i, output phases ψ_i (radians) and weights w_i = 2π r_i/Σr, r_i = α_i β_i, of one frequency, sorted by φ."""

    modulus: int
    frequency: int
    phi: Float[np.ndarray, "m"]
    psi: Float[np.ndarray, "m"]
    weight: Float[np.ndarray, "m"]

    @property
    def thetas(self) -> Float[np.ndarray, "n"]:
        """θ = w_k s of every input sum s = a + b mod n, in radians."""
        return angular_frequency(self.frequency, self.modulus) * np.arange(self.modulus)


def schemes_of(neurons: Neurons) -> dict[int, Scheme]:
    """The scheme of each key frequency, in order of frequency."""
    return {k: _scheme(neurons, k) for k in neurons.key_frequencies()}


def _scheme(neurons: Neurons, k: int) -> Scheme:
    members = np.flatnonzero(neurons.frequency == k)
    members = members[np.argsort(neurons.phi[members], kind="stable")]
    r = neurons.alpha[members] * neurons.beta[members]
    return Scheme(neurons.modulus, k, neurons.phi[members], neurons.psi[members], 2 * np.pi * r / r.sum())


def integrand(phi: Float[np.ndarray, "*s"], theta: float, answer_phase: float) -> Float[np.ndarray, "*s"]:
    """h(φ) = |cos(θ/2+φ)| cos(answer_phase + 2φ), answer_phase = w_k c in radians; π-periodic in φ."""
    return np.abs(np.cos(theta / 2 + phi)) * np.cos(answer_phase + 2 * phi)


def weighted_sum(scheme: Scheme, absolute: bool) -> Complex[np.ndarray, "n"]:
    """Σ_i w_i |cos(θ/2+φ_i)| e^{iψ_i} for every θ of the inputs; without the modulus bars if not `absolute`."""
    cosine = np.cos(scheme.thetas[:, None] / 2 + scheme.phi)
    return (np.abs(cosine) if absolute else cosine) @ (scheme.weight * np.exp(1j * scheme.psi))


def quadrature_error(scheme: Scheme) -> Complex[np.ndarray, "n"]:
    """The weighted sum less the integral (4/3) e^{−iθ}, for every θ of the inputs: the error by brute force."""
    return weighted_sum(scheme, absolute=True) - INTEGRAL * np.exp(-1j * scheme.thetas)


def gaps(scheme: Scheme) -> Float[np.ndarray, "m"]:
    """Intervals between neighbouring angles φ around the circle, in radians; they sum to 2π ([Q2] Fig 3)."""
    return np.diff(scheme.phi, append=scheme.phi[0] + 2 * np.pi)


def integrand_slope(phi: Float[np.ndarray, "m"], theta: float, answer_phase: float) -> Float[np.ndarray, "m"]:
    """h'(φ) of `integrand` by the product rule; at the kinks cos(θ/2+φ) = 0, where it jumps, the mean of both sides."""
    half, doubled = theta / 2 + phi, answer_phase + 2 * phi
    cosine = np.cos(half)
    return -np.sign(cosine) * np.sin(half) * np.cos(doubled) - 2 * np.abs(cosine) * np.sin(doubled)


def numeric_integral(theta: float, absolute: bool) -> complex:
    """∫_{−π}^{π} |cos(θ/2+φ)| e^{2iφ} dφ by adaptive quadrature; without the modulus bars if not `absolute`."""
    return integral_of(np.abs if absolute else np.asarray, theta)


def integral_of(f: Callable[[Any], Any], theta: float) -> complex:
    """∫_{−π}^{π} f(cos(θ/2+φ)) e^{2iφ} dφ by adaptive quadrature, with breaks where the cosine is 0."""
    from scipy.integrate import quad

    kinks = np.mod(np.pi / 2 * np.array([1, 3]) - theta / 2 + np.pi, 2 * np.pi) - np.pi
    turned = lambda phi: f(np.cos(theta / 2 + phi)) * np.exp(2j * phi)
    return complex(quad(turned, -np.pi, np.pi, points=kinks, complex_func=True, epsabs=1e-13)[0])


def thinned(scheme: Scheme, step: int) -> Scheme:
    """The scheme of every step-th neuron alone, with weights rescaled to sum to 2π."""
    weight = scheme.weight[::step]
    return replace(scheme, phi=scheme.phi[::step], psi=scheme.psi[::step], weight=weight * 2 * np.pi / weight.sum())


def even_widths(scheme: Scheme) -> Scheme:
    """The same nodes and output phases, with equal weights of sum 2π."""
    m = len(scheme.phi)
    return replace(scheme, weight=np.full(m, 2 * np.pi / m))


def gap_widths(scheme: Scheme) -> Scheme:
    """The same nodes and output phases; each weight is the part of the circle, folded to π, that its node is nearest to.

    That is half of both gaps beside the node, doubled so that the weights sum to 2π.
    """
    order = np.argsort(np.mod(scheme.phi, np.pi), kind="stable")
    node = np.mod(scheme.phi, np.pi)[order]
    after = np.diff(node, append=node[0] + np.pi)
    weight = np.empty(len(node))
    weight[order] = after + np.roll(after, 1)
    return replace(scheme, weight=weight)
