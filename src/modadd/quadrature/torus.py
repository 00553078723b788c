"""Two numbers, two phases: the neurons of one frequency as a quadrature scheme on the torus of angles (φ_a, φ_b).

A neuron reads (cos(w_k a + φ_a) + cos(w_k b + φ_b))/2 = cos(w_k d/2 + δ) cos(θ/2 + σ), where d = a − b, θ = w_k(a + b),
δ = (φ_a − φ_b)/2 and σ = (φ_a + φ_b)/2. If ψ = 2σ, with σ spread evenly and δ independent of it, the sum of
w_i |cos(w_k d/2 + δ_i)| |cos(θ/2 + σ_i)| e^{iψ_i} stands for (4/3) m(d) e^{−iθ}, m(d) being the mean of |cos(w_k d/2 + δ_i)|:
|cos(w_k d/2)| where φ_a = φ_b, the *diagonal* of the torus and the scheme of [Q]; 2/π whatever d where the angles fill the
*torus*. The first answers as a pizza does, the second as a clock.
"""

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import angular_frequency
from modadd.quadrature.bounds import angle_term, boxes
from modadd.quadrature.scheme import INTEGRAL, Scheme, error_at_inputs, phase_mismatch

MEAN = 2 / np.pi  # of |cos| over the circle

UNRELATED = np.pi / np.sqrt(3)  # rad: root mean square of ψ − φ_a − φ_b for phases that are not related
LAWFUL = 0.18  # rad: up to this, about a tenth of UNRELATED, the phase law is said to hold, as claims have it


def own_factor(scheme: Scheme) -> Float[np.ndarray, "n"]:
    """m(d) = Σ w_i |cos(w_k d/2 + δ_i)| / Σw at d = 0 … n − 1: the factor if δ and σ are independent."""
    half = angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus)[:, None] / 2
    return np.abs(np.cos(half + (scheme.phi_a - scheme.phi_b) / 2)) @ scheme.weight / scheme.weight.sum()


def diagonal_factor(scheme: Scheme) -> Float[np.ndarray, "n"]:
    """m(d) = |cos(w_k d/2)| at d = 0 … n − 1, for φ_a = φ_b ([Q] §4)."""
    return np.abs(np.cos(angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus) / 2))


def torus_factor(scheme: Scheme) -> Float[np.ndarray, "n"]:
    """m(d) = 2/π at every d = 0 … n − 1, for angles that fill the torus."""
    return np.full(scheme.modulus, MEAN)


NEURON_FACTORS = {"diagonal": diagonal_factor, "torus": torus_factor, "own": own_factor}


def largest_error(scheme: Scheme) -> float:
    """The largest error over the inputs in units of 4/3, the integral having the neurons' own factor."""
    return float(np.abs(error_at_inputs(scheme, INTEGRAL * own_factor(scheme))).max() / INTEGRAL)


def torus_bound(scheme: Scheme, harmonics: int = 64) -> float:
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


def shown_factor(logits: Float[np.ndarray, "n n n"], scheme: Scheme) -> Float[np.ndarray, "n"]:
    """The factor m(d) that the logits show at d = 0 … n − 1, in units of Σr/(2π) · 4/3, whatever the neurons' phases are.

    That is the coefficient of cos(w_k(a+b−c)) in them, over the answers c and the inputs with a − b = d.
    """
    n, k = scheme.modulus, scheme.frequency
    a, d = np.indices((n, n))
    turn = np.exp(1j * angular_frequency(k, n) * np.arange(n))
    line = (1 if 2 * k == n else 2) / n * (logits @ turn)[a, (a - d) % n] * turn[(2 * a - d) % n].conj()
    return line.real.mean(axis=0) / scheme.strength


def error_of_random_angles(scheme: Scheme, diagonal: bool) -> float:
    """Root mean square, over inputs and draws, of the error of angles drawn evenly, with these weights and ψ = φ_a + φ_b.

    That is √(Σw² (E|h|² − |E h|²)) of one neuron's term h, the same at every θ; on the diagonal averaged over d too.
    """
    power = 1 / 4  # E cos² cos², and E over d of cos²(w_k d/2) times E cos² on the diagonal
    mean = (INTEGRAL / (2 * np.pi)) ** 2 * (1 / 2 if diagonal else MEAN**2)
    return float(np.sqrt(np.square(scheme.weight).sum() * (power - mean)))


def numbers_of(scheme: Scheme) -> dict[str, float]:
    """Coherence, rms of both phase laws in radians, errors and bounds over 4/3, by the names of the tables' columns.

    error: largest over the inputs. bound: the published one, which knows φ_a alone, is about the diagonal, the spectral one
    about the torus. of random angles: root mean square of the error over that of `error_of_random_angles`.
    """
    integrals = {reading: INTEGRAL * factor(scheme) for reading, factor in NEURON_FACTORS.items()}
    error = {reading: np.abs(error_at_inputs(scheme, integral)) for reading, integral in integrals.items()}
    one = scheme.one_sided
    bound = {"diagonal": angle_term(one) + boxes(one, folded=True).lipschitz_bound, "torus": torus_bound(scheme)}
    rms = {reading: np.sqrt(np.mean(error[reading] ** 2)) for reading in bound}
    measures = {"coherence": scheme.coherence, "rms, two phases": scheme.rms(scheme.mismatch)}
    measures |= {"rms, one phase": scheme.rms(phase_mismatch(scheme.phi_a, scheme.psi))}
    measures |= {f"error, {reading}": of.max() / INTEGRAL for reading, of in error.items()}
    measures |= {f"bound, {reading}": of / INTEGRAL for reading, of in bound.items()}
    chance = {reading: error_of_random_angles(scheme, reading == "diagonal") for reading in bound}
    return measures | {f"of random angles, {reading}": rms[reading] / chance[reading] for reading in bound}
