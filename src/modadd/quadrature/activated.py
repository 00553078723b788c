"""Neurons of any activation g as a quadrature scheme on the torus of angles, each at its own level and amplitude.

Neuron i of frequency k computes g(γ_i + ρ_i(d) cos(θ/2 + σ_i)), where γ_i is the mean of A_i + B_i and ρ_i(d) = 2α_i
cos(w_k d/2 + δ_i); d, θ, δ and σ are those of `torus`. Let e be the even part of g about γ_i, e(u) = (g(γ_i + u) + g(γ_i −
u))/2. If ψ = 2σ with σ spread evenly, the sum of β_i e(ρ_i(d) cos(θ/2 + σ_i)) e^{iψ_i} stands for I(d) e^{−iθ}, with

    I(d) = Σ_i β_i c₂(γ_i, ρ_i(d))/(2π),   c₂(γ, ρ) = ∫_{−π}^{π} g(γ + ρ cos u) cos 2u du.

The odd part has no order 2 and adds nothing to I. For ReLU and |u| with γ = 0 I(d) is the mean of |cos(w_k d/2 + δ)| up to a
factor, for u² that of its square. Softplus and GeLU have no such law, so every neuron keeps its own γ and α.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Complex, Float

from modadd.core.fourier import angular_frequency, fit
from modadd.core.neurons import own_frequency, secondary_share, three_dfts
from modadd.core.separable import TwoTables, accuracy
from modadd.networks.architectures import ACTIVATIONS
from modadd.quadrature.formula import explained
from modadd.quadrature.torus import PairScheme, pair_schemes

POINTS = 128  # of a quarter circle: c₂ of |u| is then right to 2e-5 of it, that of smooth activations to rounding


@dataclass(frozen=True)
class ActivatedScheme:
    """Neurons of one frequency: their angles, what they compute, level γ_i, amplitudes α_i = (α_a + α_b)/2 and β_i (logits)."""

    angles: PairScheme
    activation: str
    level: Float[np.ndarray, "m"]
    alpha: Float[np.ndarray, "m"]
    beta: Float[np.ndarray, "m"]

    def even(self, u: Float[np.ndarray, "*s m"]) -> Float[np.ndarray, "*s m"]:
        """The even part of the activation about every neuron's level."""
        return even_part(self.activation, self.level, u)

    def odd(self, u: Float[np.ndarray, "*s m"]) -> Float[np.ndarray, "*s m"]:
        """What the even part leaves of the activation."""
        return ACTIVATIONS[self.activation](self.level + u) - self.even(u)

    def inputs(self) -> Float[np.ndarray, "n n m"]:
        """α_i (cos(w_k a + φ_a) + cos(w_k b + φ_b)) for every (a, b)."""
        x = self._w * np.arange(self.angles.modulus)[:, None]
        a, b = np.cos(x + self.angles.phi_a), np.cos(x + self.angles.phi_b)
        return self.alpha * (a[:, None] + b)

    def total(self, values: Float[np.ndarray, "n n m"]) -> Complex[np.ndarray, "n n"]:
        """Σ_i β_i e^{iψ_i} times the values, for every (a, b); its real part times e^{iw_k c} is what reaches answer c."""
        return values @ (self.beta * np.exp(1j * self.angles.psi))

    def integral(self) -> Float[np.ndarray, "n"]:
        """I(d) in logits, d = 0 … n − 1."""
        cosine = np.cos(2 * _QUARTER)
        second = sum(value * c for value, c in zip(self._around(), cosine, strict=True)) / POINTS
        return second @ self.beta

    def error(self) -> Complex[np.ndarray, "n n"]:
        """The sum of the even parts less I(d) e^{−iθ}, in logits, for every (a, b), by brute force."""
        a, b = np.indices((self.angles.modulus,) * 2)
        integral = self.integral()[(a - b) % self.angles.modulus] * np.exp(-1j * self._w * (a + b))
        return self.total(self.even(self.inputs())) - integral

    def error_of_random_angles(self) -> float:
        """Root mean square, over d and draws, of the error if σ were drawn evenly, with ψ = 2σ and everything else as it is."""
        moments = np.zeros((2, self.angles.modulus, len(self.beta)))
        for value, c in zip(self._around(), np.cos(2 * _QUARTER), strict=True):
            moments += value**2, value * c
        power, second = moments / POINTS
        return float(np.sqrt(((power - second**2) @ self.beta**2).mean()))

    def prediction(self) -> Float[np.ndarray, "n n n"]:
        """I(d) cos(w_k(a + b − c)): what the integral alone adds to every logit."""
        n = self.angles.modulus
        a, b, c = np.ogrid[:n, :n, :n]
        return self.integral()[(a - b) % n] * np.cos(self._w * (a + b - c))

    @property
    def _w(self) -> float:
        return angular_frequency(self.angles.frequency, self.angles.modulus)

    def _around(self) -> Iterator[Float[np.ndarray, "n m"]]:
        """The even part at ρ_i(d) cos u for every d, at each u of a quarter circle."""
        half = self._w * np.arange(self.angles.modulus)[:, None] / 2
        rho = 2 * self.alpha * np.cos(half + (self.angles.phi_a - self.angles.phi_b) / 2)
        return (self.even(rho * np.cos(u)) for u in _QUARTER)


_QUARTER = np.pi / 2 * (np.arange(POINTS) + 0.5) / POINTS


def even_part(
    activation: str, level: Float[np.ndarray, "m"], u: Float[np.ndarray, "*s m"]
) -> Float[np.ndarray, "*s m"]:
    """(g(γ + u) + g(γ − u))/2 for one of the ACTIVATIONS; |u|/2 for ReLU with γ = 0."""
    activate = ACTIVATIONS[activation]
    return (activate(level + u) + activate(level - u)) / 2


def activated_schemes(tables: TwoTables, activation: str) -> dict[int, ActivatedScheme]:
    """The scheme of each frequency of `pair_schemes`, in order of frequency."""
    dfts, level = three_dfts(tables), tables.A.mean(axis=0) + tables.B.mean(axis=0)
    alpha, schemes = (dfts.A.amplitude + dfts.B.amplitude) / 2, {}
    for k, angles in pair_schemes(tables).items():
        own = dfts.frequency == k
        schemes[k] = ActivatedScheme(angles, activation, level[own], alpha[own], dfts.W.amplitude[own])
    return schemes


def even_logits(tables: TwoTables, activation: str) -> Float[np.ndarray, "n n n"]:
    """What the even parts of all neurons add to the logits, from the whole tables; the absolute-value part for ReLU, γ = 0."""
    level = tables.A.mean(axis=0) + tables.B.mean(axis=0)
    return even_part(activation, level, tables.preactivations() - level) @ tables.W


def activated_measures(tables: TwoTables, activation: str) -> dict[str, Any]:
    """For a row of a population: whether the neurons of each key frequency, whatever they compute, act as a quadrature.

    One number per key frequency, in their order: how many neurons; the largest |I(d)| (logits); over it the mean of I(d),
    which is 2/π for a factor |cos|, 1/2 for cos² and 1 for none, the largest error and the largest odd part; the rms
    error over that of random angles; the median of |γ|/(2α); the share of the variance of A at 2k. Of the whole network:
    R² of its logits on pizza and on clock terms; the share of the variance of the even part that the integrals explain,
    with nothing fitted; the accuracy of both alone.
    """
    schemes, frequency = activated_schemes(tables, activation), own_frequency(tables)
    found = [_of_scheme(scheme) for scheme in schemes.values()]
    names = found[0] if found else ()
    logits = ACTIVATIONS[activation](tables.preactivations()) @ tables.W + tables.residual()
    even = even_logits(tables, activation)
    predicted = sum((scheme.prediction() for scheme in schemes.values()), np.zeros_like(even))
    return {
        "frequencies": list(schemes),
        **{name: [of[name] for of in found] for name in names},
        "secondary_share": [secondary_share(tables.A[:, frequency == k], k) for k in schemes],
        **{f"r2_full_{kind}": fit(logits, kind, list(schemes)).r_squared for kind in ("pizza", "clock")},
        "r2_integrals": explained(even, predicted),
        "accuracy_even_part": accuracy(even),
        "accuracy_integrals": accuracy(predicted),
    }


def _of_scheme(scheme: ActivatedScheme) -> dict[str, int | float]:
    integral, error = scheme.integral(), np.abs(scheme.error())
    most = np.abs(integral).max()
    return {
        "neurons": len(scheme.beta),
        "largest_integral": float(most),
        "mean_integral": float(integral.mean() / most),
        "integral_error": float(error.max() / most),
        "odd_part": float(np.abs(scheme.total(scheme.odd(scheme.inputs()))).max() / most),
        "error_over_random": float(np.sqrt((error**2).mean()) / scheme.error_of_random_angles()),
        "level_over_amplitude": float(np.median(np.abs(scheme.level) / (2 * scheme.alpha))),
    }
