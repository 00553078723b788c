"""The neurons of one frequency as a quadrature scheme for ∫ |cos(θ/2+φ)| e^{2iφ} dφ = (4/3) e^{−iθ}, and its errors ([Q] §4–5)."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Complex, Float
from scipy.integrate import quad
from scipy.optimize import brentq

from modadd.fourier import angular_frequency
from modadd.neurons import Neurons, phase_mismatch

INTEGRAL = 4 / 3  # modulus of ∫_{−π}^{π} |cos(θ/2+φ)| e^{2iφ} dφ
LIPSCHITZ = 2.0  # sup over φ and θ of |h'|, h = |cos(θ/2+φ)| cos(w_k c + 2φ) ([Q] §5)


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


def integrand(phi: Float[np.ndarray, "m"], theta: float, answer_phase: float) -> Float[np.ndarray, "m"]:
    """h(φ) = |cos(θ/2+φ)| cos(answer_phase + 2φ), answer_phase = w_k c in radians; π-periodic in φ."""
    return np.abs(np.cos(theta / 2 + phi)) * np.cos(answer_phase + 2 * phi)


def weighted_sum(scheme: Scheme, absolute: bool) -> Complex[np.ndarray, "n"]:
    """Σ_i w_i |cos(θ/2+φ_i)| e^{iψ_i} for every θ of the inputs; without the modulus bars if not `absolute`."""
    cosine = np.cos(scheme.thetas[:, None] / 2 + scheme.phi)
    return (np.abs(cosine) if absolute else cosine) @ (scheme.weight * np.exp(1j * scheme.psi))


def quadrature_error(scheme: Scheme) -> Complex[np.ndarray, "n"]:
    """The weighted sum less the integral (4/3) e^{−iθ}, for every θ of the inputs: the error by brute force."""
    return weighted_sum(scheme, absolute=True) - INTEGRAL * np.exp(-1j * scheme.thetas)


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
    shape = np.abs if absolute else np.asarray
    kinks = np.mod(np.pi / 2 * np.array([1, 3]) - theta / 2 + np.pi, 2 * np.pi) - np.pi
    integral, _ = quad(
        lambda phi: shape(np.cos(theta / 2 + phi)) * np.exp(2j * phi), -np.pi, np.pi, points=kinks, complex_func=True
    )
    return complex(integral)


def thinned(scheme: Scheme, step: int) -> Scheme:
    """The scheme of every step-th neuron alone, with weights rescaled to sum to 2π."""
    weight = scheme.weight[::step]
    return replace(scheme, phi=scheme.phi[::step], psi=scheme.psi[::step], weight=weight * 2 * np.pi / weight.sum())


def around(fitted: Boxes) -> Boxes:
    """The boxes that meet (−π, π), from left to right, moved there by whole periods; one across ±π stands at both ends."""
    turns = fitted.period * np.arange(-5, 6)[:, None]
    node, left, right = ((part + turns).ravel() for part in (fitted.node, fitted.left, fitted.right))
    meets = (right > -np.pi) & (left < np.pi)
    return Boxes(node[meets], left[meets], right[meets], fitted.period)
