"""Neurons of any activation g as a quadrature scheme on the torus of angles, each at its own level and amplitude.

Neuron i of frequency k computes g(γ_i + ρ_i(d) cos(θ/2 + σ_i)), where γ_i is the mean of A_i + B_i and ρ_i(d) = 2α_i
cos(w_k d/2 + δ_i); d, θ, δ and σ are those of `torus`. Let e be the even part of g about γ_i, e(u) = (g(γ_i + u) + g(γ_i −
u))/2. If ψ = 2σ with σ spread evenly, the sum of β_i e(ρ_i(d) cos(θ/2 + σ_i)) e^{iψ_i} stands for I(d) e^{−iθ}, with

    I(d) = Σ_i β_i c₂(γ_i, ρ_i(d))/(2π),   c₂(γ, ρ) = ∫_{−π}^{π} g(γ + ρ cos u) cos 2u du.

The odd part has no order 2 and adds nothing to I. For ReLU and |u| with γ = 0 I(d) is the mean of |cos(w_k d/2 + δ)| up to a
factor, for u² that of its square. Softplus and GeLU have no such law, so every neuron keeps its own γ and α.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import angular_frequency
from modadd.core.neurons import own_frequency, secondary_share, three_dfts
from modadd.core.separable import TwoTables, accuracy
from modadd.quadrature.formula import explained
from modadd.quadrature.scheme import (
    Scheme,
    error_at_inputs,
    even_part,
    logits_of_integral,
    quadrature_sum,
    read_at_inputs,
    schemes_of,
)

POINTS = 128  # of a quarter circle: c₂ of |u| is then right to 2e-5 of it, that of smooth activations to rounding
_QUARTER = np.pi / 2 * (np.arange(POINTS) + 0.5) / POINTS


def activated_schemes(tables: TwoTables, activation: str) -> dict[int, Scheme]:
    """The schemes of two phases with what the neurons compute: levels γ_i, amplitudes 2α_i, and β_i (logits) for weights."""
    dfts, level = three_dfts(tables), tables.A.mean(axis=0) + tables.B.mean(axis=0)
    amplitude, schemes = dfts.A.amplitude + dfts.B.amplitude, {}
    for k, scheme in schemes_of(dfts).items():
        own = dfts.frequency == k
        computed = {"activation": activation, "level": level[own], "amplitude": amplitude[own]}
        schemes[k] = replace(scheme, weight=dfts.W.amplitude[own], total=2 * np.pi, **computed)
    return schemes


def integral_by_points(scheme: Scheme) -> Float[np.ndarray, "n"]:
    """I(d) in logits, d = 0 … n − 1."""
    second = sum(value * c for value, c in zip(_around(scheme), np.cos(2 * _QUARTER), strict=True)) / POINTS
    return second @ scheme.weight


def error_of_random_turns(scheme: Scheme) -> float:
    """Root mean square, over d and draws, of the error if σ were drawn evenly, with ψ = 2σ and everything else as it is."""
    moments = np.zeros((2, scheme.modulus, len(scheme.weight)))
    for value, c in zip(_around(scheme), np.cos(2 * _QUARTER), strict=True):
        moments += value**2, value * c
    power, second = moments / POINTS
    return float(np.sqrt(((power - second**2) @ scheme.weight**2).mean()))


def _around(scheme: Scheme) -> Iterator[Float[np.ndarray, "n m"]]:
    """The even part at ρ_i(d) cos u for every d, at each u of a quarter circle."""
    half = angular_frequency(scheme.frequency, scheme.modulus) * np.arange(scheme.modulus)[:, None] / 2
    rho = scheme.amplitude * np.cos(half + (scheme.phi_a - scheme.phi_b) / 2)
    return (scheme.even(rho * np.cos(u)) for u in _QUARTER)


def even_logits(tables: TwoTables, activation: str) -> Float[np.ndarray, "n n n"]:
    """What the even parts of all neurons add to the logits, from the whole tables; the absolute-value part for ReLU, γ = 0."""
    level = tables.A.mean(axis=0) + tables.B.mean(axis=0)
    return even_part(activation, level, tables.preactivations() - level) @ tables.W


def activated_measures(tables: TwoTables, activation: str) -> dict[str, Any]:
    """For a row of a population: whether the neurons of each key frequency, whatever they compute, act as a quadrature.

    One number per key frequency, in their order: how many neurons; the largest |I(d)| (logits); over it the mean of I(d),
    which is 2/π for a factor |cos|, 1/2 for cos² and 1 for none, the largest error and the largest odd part; the rms
    error over that of random angles; the median of |γ|/(2α); the share of the variance of A at 2k. Of the whole network:
    the share of the variance of the even part that the integrals explain, with nothing fitted; the accuracy of both alone.
    """
    schemes, frequency = activated_schemes(tables, activation), own_frequency(tables)
    integrals = {k: integral_by_points(scheme) for k, scheme in schemes.items()}
    found = [_of_scheme(scheme, integrals[k]) for k, scheme in schemes.items()]
    names = found[0] if found else ()
    even = even_logits(tables, activation)
    predicted = sum((logits_of_integral(scheme, integrals[k]) for k, scheme in schemes.items()), np.zeros_like(even))
    return {
        "frequencies": list(schemes),
        **{name: [of[name] for of in found] for name in names},
        "secondary_share": [secondary_share(tables.A[:, frequency == k], k) for k in schemes],
        "r2_integrals": explained(even, predicted),
        "accuracy_even_part": accuracy(even),
        "accuracy_integrals": accuracy(predicted),
    }


def _of_scheme(scheme: Scheme, integral: Float[np.ndarray, "n"]) -> dict[str, int | float]:
    error, most = np.abs(error_at_inputs(scheme, integral)), np.abs(integral).max()
    odd = quadrature_sum(scheme, read_at_inputs(scheme), scheme.odd)
    return {
        "neurons": len(scheme.weight),
        "largest_integral": float(most),
        "mean_integral": float(integral.mean() / most),
        "integral_error": float(error.max() / most),
        "odd_part": float(np.abs(odd).max() / most),
        "error_over_random": float(np.sqrt((error**2).mean()) / error_of_random_turns(scheme)),
        "level_over_amplitude": float(np.median(np.abs(scheme.level) / scheme.amplitude)),
    }
