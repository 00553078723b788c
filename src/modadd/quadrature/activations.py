"""∫ f(r cos(θ/2+φ)) e^{2iφ} dφ = c₂ e^{−iθ} for any activation f, and how many nodes the integral takes ([QR]).

With c_l(r) = ∫_{−π}^{π} f(r cos u) cos lu du the identity is a shift of variable, u = θ/2 + φ. What f must bring is
c₂ ≠ 0; being non-negative is neither needed nor enough.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Complex, Float

from modadd.quadrature.scheme import Scheme, integral_of, weighted_sum

TERMS = 4096  # of the series over the zeros of cosh, besides 64 βr: coefficients to about 1e-11
NEGLIGIBLE = 1e-17  # coefficients below it end an alias sum
LAST_ORDER = 20_000  # where an alias sum ends in any case


@dataclass(frozen=True)
class Activation:
    """f, the formula of its c₂ at r = 1 for reading, and all c_l(r) = ∫_{−π}^{π} f(r cos u) cos lu du, r > 0."""

    name: str
    formula: str
    function: Callable[[Float[np.ndarray, "*s"]], Float[np.ndarray, "*s"]]
    closed_form: Callable[[int, float], float]

    def coefficient(self, order: int, r: float = 1.0) -> float:
        """c_l(r) for the order l ≥ 0; c₂(1) is 4/3 for |u| ([Q] §4)."""
        return self.closed_form(order, r)


def _absolute(order: int, r: float) -> float:
    """4 (−1)^{m+1}/(4m²−1) r for the order 2m, 0 for odd ones."""
    return 0.0 if order % 2 else 4 * r * (-1) ** (order // 2 + 1) / (order**2 - 1)


def _relu(order: int, r: float) -> float:
    return _absolute(order, r) / 2 + _identity(order, r) / 2


def _square(order: int, r: float) -> float:
    return {0: math.pi, 2: math.pi / 2}.get(order, 0.0) * r**2


def _squared_relu(order: int, r: float) -> float:
    """Half of u² and half of u|u|, whose odd orders are 8 sin(lπ/2)/(l(4−l²))."""
    odd = 8 * (-1) ** (order // 2) / (order * (4 - order**2)) if order % 2 else 0.0
    return _square(order, r) / 2 + odd * r**2 / 2


def _identity(order: int, r: float) -> float:
    return math.pi * r if order == 1 else 0.0


def _exponential(order: int, r: float) -> float:
    from scipy.special import iv  # here: slower to import than most notebooks compute

    return float(2 * math.pi * iv(order, r))


def _softplus(order: int, r: float, beta: float) -> float:
    """c_l(r) of log(1 + e^{βu})/β = u/2 + log(2 cosh(βu/2))/β by the zeros of cosh, at x = βr.

    cosh(x cos(u)/2) = Π_j (1 + a_j² cos²u) with a_j = x/((2j−1)π), and with q = tanh²(½ arsinh a) log(1 + a² cos²u) =
    log(1+2q cos 2u+q²) − 2 log(1−q), whose Fourier series is known: the order 2m holds 2π(−1)^{m+1} Σ_j q_j^m/(mβ).
    What decays slowly with j is summed by Σ 1/(2j−1)² = π²/8 and Σ 1/(2j−1)⁴ = π⁴/96.
    """
    if order % 2:
        return _identity(order, r) / 2
    x, m = beta * r, order // 2
    a = x / (np.pi * (2 * np.arange(1, TERMS + 64 * math.ceil(x)) - 1))
    if m == 0:
        slow = a**2 / 2 - 3 * a**4 / 16
        total = (2 * np.log((1 + np.sqrt(1 + a**2)) / 2) - slow).sum() + x**2 / 16 - x**4 / 512
        return float(2 * np.pi * (math.log(2) + total) / beta)
    q = np.tanh(np.arcsinh(a) / 2) ** 2
    slow, its_sum = {1: (a**2 / 4 - a**4 / 8, x**2 / 32 - x**4 / 768), 2: (a**4 / 16, x**4 / 1536)}.get(m, (0, 0))
    total = (q**m - slow).sum() + its_sum
    return float(2 * np.pi * (-1) ** (m + 1) * total / (m * beta))


def softplus_activation(beta: float) -> Activation:
    """log(1 + e^{βu})/β: ReLU for β → ∞. Raises ValueError unless β is positive."""
    if not (np.isfinite(beta) and beta > 0):
        raise ValueError(f"beta: expected a positive number, got {beta}")
    return Activation(
        f"softplus, β = {beta:g}",
        "(2π/β) Σ_j tanh²(½ arsinh(β/((2j−1)π)))",
        lambda u: np.logaddexp(0, beta * u) / beta,
        lambda order, r: _softplus(order, r, beta),
    )


ABSOLUTE_ACTIVATION = Activation("|u|", "4/3", np.abs, _absolute)
RELU_ACTIVATION = Activation("ReLU", "2/3", lambda u: np.maximum(u, 0), _relu)
SQUARE_ACTIVATION = Activation("u²", "π/2", np.square, _square)
SQUARED_RELU = Activation("ReLU²", "π/4", lambda u: np.maximum(u, 0) ** 2, _squared_relu)
EXPONENTIAL = Activation("exp", "2π I₂(1)", np.exp, _exponential)
IDENTITY_ACTIVATION = Activation("identity", "0", lambda u: 1.0 * u, _identity)
SOFTPLUS = tuple(map(softplus_activation, (1.0, 4.0, 16.0)))  # the sharper, the nearer to ReLU
DOUBLING = (
    ABSOLUTE_ACTIVATION,
    RELU_ACTIVATION,
    SQUARE_ACTIVATION,
    SQUARED_RELU,
    EXPONENTIAL,
    *SOFTPLUS,
)  # those tried whose c₂ is not 0


def integral_by_quad(activation: Activation, theta: float, r: float = 1.0) -> complex:
    """∫_{−π}^{π} f(r cos(θ/2+φ)) e^{2iφ} dφ by adaptive quadrature."""
    return integral_of(lambda cosine: activation.function(r * cosine), theta)


def activated_error(activation: Activation, scheme: Scheme) -> Complex[np.ndarray, "n"]:
    """Σ_i w_i f(cos(θ/2+φ_i)) e^{iψ_i} − c₂ e^{−iθ} for every θ of the inputs; for |u| it is `quadrature_error`."""
    return weighted_sum(scheme, activation.function) - activation.coefficient(2) * np.exp(-1j * scheme.thetas)


def expected_random_error(activation: Activation, scheme: Scheme, points: int = 4096) -> float:
    """Root mean square of the error that independent uniform angles with the scheme's weights and ψ = 2φ would make.

    √(Σ w_i² (m − |c₂/2π|²)) with m the mean of f(cos u)² over the circle, by even `points`; the same at every θ.
    """
    mean_square = (activation.function(np.cos(2 * np.pi * np.arange(points) / points)) ** 2).mean()
    return float(np.sqrt((scheme.weight**2).sum() * (mean_square - (activation.coefficient(2) / (2 * np.pi)) ** 2)))


def even_nodes_error(activation: Activation, nodes: int, points: int = 512) -> float:
    """Largest |(2π/h) Σ_j f(cos(θ/2+φ_j)) e^{2iφ_j} − c₂ e^{−iθ}| of h nodes φ_j = 2πj/h, over a fine grid of θ.

    Moving θ/2 by the spacing of the nodes only turns the error, so `points` values of θ/2 in one spacing are enough.
    """
    half = 2 * np.pi / nodes * np.arange(points) / points
    phi = 2 * np.pi * np.arange(nodes) / nodes
    total = activation.function(np.cos(half[:, None] + phi)) @ np.exp(2j * phi) * (2 * np.pi / nodes)
    return float(np.abs(total - activation.coefficient(2) * np.exp(-2j * half)).max())


def alias_error(activation: Activation, nodes: int) -> float:
    """Σ |c_l| over the orders l = −2 + jh, j ≠ 0, which h even nodes cannot tell from −2: what the error is at most.

    Beyond LAST_ORDER the coefficients are taken to fall like 1/l², as those of |u| do, the slowest here.
    """
    total, last, before = 0.0, np.inf, np.inf
    steps = range(1, LAST_ORDER // nodes)
    for j in steps:
        before, last = last, sum(abs(activation.coefficient(abs(l))) for l in (j * nodes - 2, j * nodes + 2))
        total += last
        if j > 2 and max(before, last) < NEGLIGIBLE:  # two in a row, since every other one may be 0 by parity
            return total
    return total + len(steps) * max(before, last)


def nodes_needed(activation: Activation, tolerance: float, most: int = 4096) -> int:
    """The fewest even nodes with `even_nodes_error` at most `tolerance`; ValueError if even `most` are too few."""
    for nodes in range(1, most + 1):
        if even_nodes_error(activation, nodes) <= tolerance:
            return nodes
    raise ValueError(f"tolerance: {activation.name} does not come within {tolerance:g} with {most} nodes")
