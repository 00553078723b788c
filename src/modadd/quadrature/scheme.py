"""The neurons of one frequency as a quadrature scheme: its angles and weights, its sum, and how far this is from its integral.

Neuron i reads c_i = (cos(w_k a + φ_a) + cos(w_k b + φ_b))/2 and adds w_i |c_i| e^{iψ_i} to the sum, which stands for I(d) e^{−iθ},
d = a − b and θ = w_k(a + b). In [Q] both inputs have one phase φ, so that c_i = cos(w_k d/2) cos(θ/2 + φ_i). The factor of d is
then the same for all neurons, and the sum is taken at d = 0, where I is 4/3. `torus` has I for two phases, and `activated` for
neurons that compute anything else.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Complex, Float

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.neurons import KEY_SHARE, Neurons, ThreeDFTs
from modadd.networks.architectures import ACTIVATIONS


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


def even_part(
    activation: str, level: Float[np.ndarray, "m"] | float, u: Float[np.ndarray, "*s m"]
) -> Float[np.ndarray, "*s m"]:
    """(g(γ + u) + g(γ − u))/2 for one of the ACTIVATIONS; |u|/2 for ReLU with γ = 0."""
    activate = ACTIVATIONS[activation]
    return (activate(level + u) + activate(level - u)) / 2


@dataclass(frozen=True)
class Scheme:
    """Neurons of one frequency: phases of both inputs and of the output (radians), and weights w_i = 2π r_i/Σr.

    r_i = α_i β_i is what neuron i can add to an answer; total: Σr, in logits. A neuron counts as |c_i| where nothing else is
    said. Otherwise it counts as the even part of an activation about its level γ_i, at its amplitude 2α_i times c_i. Then w_i
    is β_i, in logits.
    """

    modulus: int
    frequency: int
    phi_a: Float[np.ndarray, "m"]
    phi_b: Float[np.ndarray, "m"]
    psi: Float[np.ndarray, "m"]
    weight: Float[np.ndarray, "m"]
    total: float = 2 * np.pi
    activation: str = "abs"
    level: Float[np.ndarray, "m"] | float = 0.0
    amplitude: Float[np.ndarray, "m"] | float = 1.0

    @property
    def phi(self) -> Float[np.ndarray, "m"]:
        """The one phase φ that both inputs have in [Q]. Raises ValueError where they have two."""
        if not np.array_equal(self.phi_a, self.phi_b):
            raise ValueError("phi: expected one phase for both inputs, got two; `one_sided` takes that of the first")
        return self.phi_a

    @property
    def one_sided(self) -> "Scheme":
        """The scheme of [Q] §4, which takes φ_a for both phases, sorted by it; ψ = 2φ_a is its law, whatever φ_b is."""
        order = np.argsort(self.phi_a, kind="stable")
        return one_phase(self.modulus, self.frequency, self.phi_a[order], self.psi[order], self.weight[order])

    @property
    def thetas(self) -> Float[np.ndarray, "n"]:
        """θ = w_k s of every input sum s = a + b mod n, in radians."""
        return angular_frequency(self.frequency, self.modulus) * np.arange(self.modulus)

    @property
    def mismatch(self) -> Float[np.ndarray, "m"]:
        """ψ − φ_a − φ_b wrapped to (−π, π]: zero for a perfect scheme; ψ − 2φ where both phases are one."""
        return wrap(self.psi - self.phi_a - self.phi_b)

    @property
    def coherence(self) -> float:
        """|Σ w_i e^{i(φ_a − φ_b)}| / Σw: 1 where both phases are one, or differ by a constant; 0 on the whole torus."""
        return float(np.abs(self.weight @ np.exp(1j * (self.phi_a - self.phi_b))) / self.weight.sum())

    @property
    def effective_neurons(self) -> float:
        """(Σw)²/Σw²: how many neurons of equal weight would count as much."""
        return float(self.weight.sum() ** 2 / np.square(self.weight).sum())

    @property
    def strength(self) -> float:
        """Σr/(2π) · 4/3, in logits: the coefficient of m(d) cos(w_k(a+b−c)) if the sum of the |c_i| is its integral."""
        return self.total / (2 * np.pi) * INTEGRAL

    def rms(self, angle: Float[np.ndarray, "m"]) -> float:
        """Root mean square of an angle over the neurons by their weights; π/√3 for uniform random angles."""
        return float(np.sqrt(np.average(np.square(angle), weights=self.weight)))

    def even(self, u: Float[np.ndarray, "*s m"]) -> Float[np.ndarray, "*s m"]:
        """The even part of the activation about every neuron's level: |u| where nothing else is said."""
        return even_part(self.activation, self.level, u)

    def odd(self, u: Float[np.ndarray, "*s m"]) -> Float[np.ndarray, "*s m"]:
        """What the even part leaves of the activation."""
        return ACTIVATIONS[self.activation](self.level + u) - self.even(u)


def one_phase(
    modulus: int,
    frequency: int,
    phi: Float[np.ndarray, "m"],
    psi: Float[np.ndarray, "m"],
    weight: Float[np.ndarray, "m"],
) -> Scheme:
    """The scheme of [Q] §4, whose inputs have one phase φ."""
    return Scheme(modulus, frequency, phi, phi, psi, weight)


def schemes_of(neurons: Neurons | ThreeDFTs) -> dict[int, Scheme]:
    """The scheme of each frequency with at least KEY_SHARE of Σr, in order; none if no neuron reaches an answer.

    `Neurons`, as [Q] reads them, have one phase, and r_i = α_i β_i; they are sorted by it. `ThreeDFTs` have two, and r_i =
    (α_a + α_b)/2 · β_i, which leaves out how far α_a and α_b differ. Where A = B both make the same schemes, but for the order.
    """
    if isinstance(neurons, Neurons):
        phases, r = (neurons.phi, neurons.phi, neurons.psi), neurons.alpha * neurons.beta
        order = np.argsort(neurons.phi, kind="stable")
    else:
        phases, r = (neurons.A.phase, neurons.B.phase, neurons.W.phase), neurons.weight
        order = np.arange(len(r))
    members = {k: order[neurons.frequency[order] == k] for k in np.unique(neurons.frequency).tolist()}
    total = {k: float(r[own].sum()) for k, own in members.items()}
    return {
        k: Scheme(neurons.modulus, k, *(phase[own] for phase in phases), 2 * np.pi * r[own] / total[k], total[k])
        for k, own in members.items()
        if total[k] >= KEY_SHARE * sum(total.values()) > 0
    }


Function = Callable[[np.ndarray], np.ndarray]


def quadrature_sum(scheme: Scheme, read: Float[np.ndarray, "*s m"], f: Function) -> Complex[np.ndarray, "*s"]:
    """Σ_i w_i f(2α_i c_i) e^{iψ_i} of neurons that read the c_i. The real part, times e^{iw_k c}, is what reaches the answer c.

    In units of Σr/(2π) logits. f takes the numbers of all neurons.
    """
    return f(scheme.amplitude * read) @ (scheme.weight * np.exp(1j * scheme.psi))


def weighted_sum(scheme: Scheme, f: Function = np.abs) -> Complex[np.ndarray, "n"]:
    """The sum over a scheme of one phase where a = b, so that c_i = cos(θ/2 + φ_i), for every θ of the inputs ([Q] §4).

    θ/2 is π k s/n of the sums s = 0 … n − 1. The input a = b of an odd s has the opposite sign if k is odd: no even f tells
    them apart.
    """
    return quadrature_sum(scheme, np.cos(scheme.thetas[:, None] / 2 + scheme.phi), f)


def quadrature_error(scheme: Scheme) -> Complex[np.ndarray, "n"]:
    """The weighted sum less the integral (4/3) e^{−iθ}, for every θ of the inputs: the error by brute force."""
    return weighted_sum(scheme) - INTEGRAL * np.exp(-1j * scheme.thetas)


def read_at_inputs(scheme: Scheme) -> Float[np.ndarray, "n n m"]:
    """c_i for every input (a, b)."""
    x = angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus)[:, None]
    a, b = np.cos(x + scheme.phi_a), np.cos(x + scheme.phi_b)
    return (a[:, None] + b) / 2


def error_at_inputs(scheme: Scheme, integral: Float[np.ndarray, "n"]) -> Complex[np.ndarray, "n n"]:
    """The sum of the even parts less I(d) e^{−iθ} for every input (a, b), by brute force; integral: I at d = 0 … n − 1."""
    a, b = np.indices((scheme.modulus, scheme.modulus))
    theta = angular_frequency(scheme.frequency, scheme.modulus) * (a + b)
    found = quadrature_sum(scheme, read_at_inputs(scheme), scheme.even)
    return found - integral[(a - b) % scheme.modulus] * np.exp(-1j * theta)


def logits_of_integral(scheme: Scheme, integral: Float[np.ndarray, "n"]) -> Float[np.ndarray, "n n n"]:
    """I(d) cos(w_k(a + b − c)): what the integral alone adds to every logit, in the units of I at d = 0 … n − 1."""
    n = scheme.modulus
    a, b, c = np.ogrid[:n, :n, :n]
    waves = np.cos(angular_frequency(scheme.frequency, n) * np.arange(1 - n, 2 * n - 1))  # of every a + b − c, once
    return integral[(a - b) % n] * waves[a + b - c + n - 1]


def integrand(phi: Float[np.ndarray, "*s"], theta: float, answer_phase: float) -> Float[np.ndarray, "*s"]:
    """h(φ) = |cos(θ/2+φ)| cos(answer_phase + 2φ), answer_phase = w_k c in radians; π-periodic in φ."""
    return np.abs(np.cos(theta / 2 + phi)) * np.cos(answer_phase + 2 * phi)


def gaps(scheme: Scheme) -> Float[np.ndarray, "m"]:
    """Intervals between neighbouring angles φ around the circle, in radians; they sum to 2π ([Q2] Fig 3)."""
    return np.diff(scheme.phi, append=scheme.phi[0] + 2 * np.pi)


def integrand_slope(phi: Float[np.ndarray, "m"], theta: float, answer_phase: float) -> Float[np.ndarray, "m"]:
    """h'(φ) of `integrand` by the product rule; at the kinks cos(θ/2+φ) = 0, where it jumps, the mean of both sides."""
    half, doubled = theta / 2 + phi, answer_phase + 2 * phi
    cosine = np.cos(half)
    return -np.sign(cosine) * np.sin(half) * np.cos(doubled) - 2 * np.abs(cosine) * np.sin(doubled)


def integral_of(f: Callable[[Any], Any], theta: float) -> complex:
    """∫_{−π}^{π} f(cos(θ/2+φ)) e^{2iφ} dφ by adaptive quadrature, with breaks where the cosine is 0."""
    from scipy.integrate import quad

    kinks = np.mod(np.pi / 2 * np.array([1, 3]) - theta / 2 + np.pi, 2 * np.pi) - np.pi
    turned = lambda phi: f(np.cos(theta / 2 + phi)) * np.exp(2j * phi)
    return complex(quad(turned, -np.pi, np.pi, points=kinks, complex_func=True, epsabs=1e-13)[0])


def thinned(scheme: Scheme, step: int) -> Scheme:
    """The scheme of one phase of every step-th neuron alone, with weights rescaled to sum to 2π."""
    weight = scheme.weight[::step] * 2 * np.pi / scheme.weight[::step].sum()
    return one_phase(scheme.modulus, scheme.frequency, scheme.phi[::step], scheme.psi[::step], weight)


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
