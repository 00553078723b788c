"""Two numbers, two phases: the neurons of one frequency as a quadrature scheme on the torus of angles (φ_a, φ_b).

A neuron reads (cos(w_k a + φ_a) + cos(w_k b + φ_b))/2 = cos(w_k d/2 + δ) cos(θ/2 + σ), where d = a − b, θ = w_k(a + b),
δ = (φ_a − φ_b)/2 and σ = (φ_a + φ_b)/2. If ψ = 2σ, with σ spread evenly and δ independent of it, the sum of
w_i |cos(w_k d/2 + δ_i)| |cos(θ/2 + σ_i)| e^{iψ_i} stands for (4/3) m(d) e^{−iθ}, m(d) being the mean of |cos(w_k d/2 + δ_i)|:
|cos(w_k d/2)| where φ_a = φ_b, the *diagonal* of the torus and the scheme of [Q]; 2/π whatever d where the angles fill the
*torus*. The first answers as a pizza does, the second as a clock.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Complex, Float

from modadd.core.fourier import angular_frequency, wrap
from modadd.core.neurons import KEY_SHARE, three_dfts
from modadd.core.separable import TwoTables
from modadd.quadrature.bounds import angle_term, boxes
from modadd.quadrature.scheme import INTEGRAL, Scheme, phase_mismatch

MEAN = 2 / np.pi  # of |cos| over the circle

UNRELATED = np.pi / np.sqrt(3)  # rad: root mean square of ψ − φ_a − φ_b for phases that are not related
LAWFUL = 0.18  # rad: up to this, about a tenth of UNRELATED, the phase law is said to hold, as claims have it


@dataclass(frozen=True)
class PairScheme:
    """Angles φ_a, φ_b, ψ (radians) and weights w_i = 2π r_i/Σr of the neurons of one frequency; `total` is Σr in logits.

    r_i = (α_a + α_b)/2 · β: a difference of α_a and α_b is left out.
    """

    modulus: int
    frequency: int
    phi_a: Float[np.ndarray, "m"]
    phi_b: Float[np.ndarray, "m"]
    psi: Float[np.ndarray, "m"]
    weight: Float[np.ndarray, "m"]
    total: float

    @property
    def mismatch(self) -> Float[np.ndarray, "m"]:
        """ψ − φ_a − φ_b wrapped to (−π, π]: zero for a perfect scheme; ψ − 2φ where both phases are one."""
        return wrap(self.psi - self.phi_a - self.phi_b)

    @property
    def one_sided(self) -> Scheme:
        """The scheme of [Q] §4, which takes φ_a for both phases; ψ = 2φ_a is its law, whatever φ_b is."""
        order = np.argsort(self.phi_a, kind="stable")
        return Scheme(self.modulus, self.frequency, self.phi_a[order], self.psi[order], self.weight[order])

    @property
    def coherence(self) -> float:
        """|Σ w_i e^{i(φ_a − φ_b)}| / Σw: 1 on the diagonal, or on any line φ_a − φ_b = const; 0 on the whole torus."""
        return float(np.abs(self.weight @ np.exp(1j * (self.phi_a - self.phi_b))) / self.weight.sum())

    @property
    def effective_neurons(self) -> float:
        """(Σw)²/Σw²: how many neurons of equal weight would count as much."""
        return float(self.weight.sum() ** 2 / np.square(self.weight).sum())

    @property
    def strength(self) -> float:
        """Σr/(2π) · 4/3, in logits: the coefficient of m(d) cos(w_k(a+b−c)) if the sum is its integral."""
        return self.total / (2 * np.pi) * INTEGRAL

    def rms(self, angle: Float[np.ndarray, "m"]) -> float:
        """Root mean square of an angle over the neurons by their weights; π/√3 for uniform random angles."""
        return float(np.sqrt(np.average(np.square(angle), weights=self.weight)))


def pair_schemes(network: TwoTables) -> dict[int, PairScheme]:
    """The scheme of each frequency with at least KEY_SHARE of the network's Σr, in order of frequency.

    A neuron's frequency is that of A_i and B_i together. Where A = B the schemes are those of `quadrature.schemes_of`.
    Empty if no neuron reaches an answer.
    """
    dfts = three_dfts(network)
    whole = dfts.weight.sum()
    schemes = {}
    for k in np.unique(dfts.frequency).tolist():
        members = dfts.frequency == k
        total = float(dfts.weight[members].sum())
        if total >= KEY_SHARE * whole > 0:
            phases = (table.phase[members] for table in (dfts.A, dfts.B, dfts.W))
            schemes[k] = PairScheme(network.modulus, k, *phases, 2 * np.pi * dfts.weight[members] / total, total)
    return schemes


def pair_sum(scheme: PairScheme) -> Complex[np.ndarray, "n n"]:
    """Σ_i w_i |cos(w_k a + φ_a) + cos(w_k b + φ_b)|/2 · e^{iψ_i} for every (a, b)."""
    x = angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus)[:, None]
    a, b = np.cos(x + scheme.phi_a), np.cos(x + scheme.phi_b)
    return np.abs(a[:, None] + b) / 2 @ (scheme.weight * np.exp(1j * scheme.psi))


def own_factor(scheme: PairScheme) -> Float[np.ndarray, "n"]:
    """m(d) = Σ w_i |cos(w_k d/2 + δ_i)| / Σw at d = 0 … n − 1: the factor if δ and σ are independent."""
    half = angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus)[:, None] / 2
    return np.abs(np.cos(half + (scheme.phi_a - scheme.phi_b) / 2)) @ scheme.weight / scheme.weight.sum()


def diagonal_factor(scheme: PairScheme) -> Float[np.ndarray, "n"]:
    """m(d) = |cos(w_k d/2)| at d = 0 … n − 1, for φ_a = φ_b ([Q] §4)."""
    return np.abs(np.cos(angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus) / 2))


def torus_factor(scheme: PairScheme) -> Float[np.ndarray, "n"]:
    """m(d) = 2/π at every d = 0 … n − 1, for angles that fill the torus."""
    return np.full(scheme.modulus, MEAN)


NEURON_FACTORS = {"diagonal": diagonal_factor, "torus": torus_factor, "own": own_factor}


def pair_error(scheme: PairScheme, factor: Float[np.ndarray, "n"]) -> Complex[np.ndarray, "n n"]:
    """The sum less (4/3) m(d) e^{−iθ} for every (a, b), by brute force."""
    a, b = np.indices((scheme.modulus, scheme.modulus))
    theta = angular_frequency(scheme.frequency, scheme.modulus) * (a + b)
    return pair_sum(scheme) - INTEGRAL * factor[(a - b) % scheme.modulus] * np.exp(-1j * theta)


def torus_bound(scheme: PairScheme, harmonics: int = 64) -> float:
    """A bound on |Σ − (4/3)(2/π) e^{−iθ}| at every real d and θ, from the M = `harmonics` lowest of each; no input is tried.

    |cos u| = Σ_m c_m e^{2imu} on both sides, so line (m, l) of the sum is c_m c_l Σ_i w_i e^{i(2mδ_i + 2lσ_i + ψ_i)}. The part
    with |m|, |l| ≤ M is a trigonometric polynomial of degree M in each of two angles; on N points a circle its largest
    value is at least cos²(πM/N) of its maximum (M. Riesz). All c_m sum to 4/π in modulus, those above M to
    2/(π(2M+1)), which bounds the rest. Float rounding (1e-12) is not added.
    """
    M, points = harmonics, 16 * harmonics
    m = np.arange(-M, M + 1)
    c = MEAN * (-1.0) ** (m + 1) / (4 * m**2 - 1)  # 2/π at m = 0
    sigma, delta = (scheme.phi_a + scheme.phi_b) / 2, (scheme.phi_a - scheme.phi_b) / 2
    turned = np.exp(2j * np.outer(m, delta)) * (scheme.weight * np.exp(1j * scheme.psi))
    lines = np.outer(c, c) * (turned @ np.exp(2j * np.outer(sigma, m)))
    lines[M, M - 1] -= INTEGRAL * MEAN
    largest = np.abs(np.fft.fft2(lines, (points, points))).max() / np.cos(np.pi * M / points) ** 2
    above = MEAN / (2 * M + 1)
    return float(largest + np.abs(scheme.weight).sum() * ((2 * MEAN) ** 2 - (2 * MEAN - above) ** 2))


def shown_factor(logits: Float[np.ndarray, "n n n"], scheme: PairScheme) -> Float[np.ndarray, "n"]:
    """The factor m(d) that the logits show at d = 0 … n − 1, in units of Σr/(2π) · 4/3, whatever the neurons' phases are.

    That is the coefficient of cos(w_k(a+b−c)) in them, over the answers c and the inputs with a − b = d.
    """
    n, k = scheme.modulus, scheme.frequency
    a, d = np.indices((n, n))
    turn = np.exp(1j * angular_frequency(k, n) * np.arange(n))
    line = (1 if 2 * k == n else 2) / n * (logits @ turn)[a, (a - d) % n] * turn[(2 * a - d) % n].conj()
    return line.real.mean(axis=0) / scheme.strength


def error_of_random_angles(scheme: PairScheme, diagonal: bool) -> float:
    """Root mean square, over inputs and draws, of the error of angles drawn evenly, with these weights and ψ = φ_a + φ_b.

    That is √(Σw² (E|h|² − |E h|²)) of one neuron's term h, the same at every θ; on the diagonal averaged over d too.
    """
    power = 1 / 4  # E cos² cos², and E over d of cos²(w_k d/2) times E cos² on the diagonal
    mean = (INTEGRAL / (2 * np.pi)) ** 2 * (1 / 2 if diagonal else MEAN**2)
    return float(np.sqrt(np.square(scheme.weight).sum() * (power - mean)))


def pair_measures(scheme: PairScheme) -> dict[str, float]:
    """Coherence, rms of both phase laws in radians, errors and bounds over 4/3, by the names of the tables' columns.

    error: largest over the inputs. bound: the published one, which knows φ_a alone, is about the diagonal, the spectral one
    about the torus. of random angles: root mean square of the error over that of `error_of_random_angles`.
    """
    error = {reading: np.abs(pair_error(scheme, factor(scheme))) for reading, factor in NEURON_FACTORS.items()}
    one = scheme.one_sided
    bound = {"diagonal": angle_term(one) + boxes(one, folded=True).lipschitz_bound, "torus": torus_bound(scheme)}
    rms = {reading: np.sqrt(np.mean(error[reading] ** 2)) for reading in bound}
    measures = {"coherence": scheme.coherence, "rms, two phases": scheme.rms(scheme.mismatch)}
    measures |= {"rms, one phase": scheme.rms(phase_mismatch(scheme.phi_a, scheme.psi))}
    measures |= {f"error, {reading}": of.max() / INTEGRAL for reading, of in error.items()}
    measures |= {f"bound, {reading}": of / INTEGRAL for reading, of in bound.items()}
    chance = {reading: error_of_random_angles(scheme, reading == "diagonal") for reading in bound}
    return measures | {f"of random angles, {reading}": rms[reading] / chance[reading] for reading in bound}


def absolute_part_of_integrals(
    schemes: Iterable[PairScheme], factors: Iterable[Float[np.ndarray, "n"]]
) -> Float[np.ndarray, "n n n"]:
    """Σ_k strength_k m_k(d) cos(w_k(a+b−c)): the absolute-value part of the logits as the integrals have it.

    Nothing is fitted: |A_i + B_i| W_i/2 is r_i |cos| |cos| cos(w_k c + ψ_i), summed over the neurons. Over c it is centred.
    """
    total = 0.0
    for scheme, factor in zip(schemes, factors, strict=True):
        a, b, c = np.ogrid[: scheme.modulus, : scheme.modulus, : scheme.modulus]
        w = angular_frequency(scheme.frequency, scheme.modulus)
        total = total + scheme.strength * factor[(a - b) % scheme.modulus] * np.cos(w * (a + b - c))
    return total
