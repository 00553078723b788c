"""Networks as quadrature schemes of two phases ([Q] §4, [C]): the phase law, the two integrals, and the hole.

Key frequencies are those of A and B together. Averages over them are by the weight Σr of their neurons.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from modadd.core.fourier import with_lines_only
from modadd.core.neurons import multiples_of, three_dfts
from modadd.core.separable import Separable, TwoTables
from modadd.networks.registry import KEY, Form, as_separable, as_tables, measure, once, within_memory
from modadd.networks.store import Network
from modadd.quadrature import torus
from modadd.quadrature.formula import explained
from modadd.quadrature.scheme import (
    INTEGRAL,
    Scheme,
    error_at_inputs,
    logits_of_integral,
    phase_mismatch,
    schemes_of,
)

INTEGRAL_SIZES = {"diagonal": 1.0, "torus": torus.MEAN}  # of the two integrals over 4/3: the largest factor
PARTS = {"k": (1, False), "constant and k": (1, True), "k and 2k": (2, False), "constant, k and 2k": (2, True)}


@once
def two_phase_schemes_in(network: Network | TwoTables) -> Mapping[int, Scheme]:
    """The scheme of two phases of every key frequency."""
    return schemes_of(three_dfts(as_tables(network)))


def average(schemes: Mapping[int, Scheme], numbers: Sequence[float]) -> float:
    """The mean of a number of each scheme by their weights; NaN where there is none."""
    return float(np.average(numbers, weights=[of.total for of in schemes.values()])) if schemes else float("nan")


@measure("coherence", "1", KEY)
def coherence(network: Network | TwoTables) -> list[float]:
    """How far φ_a and φ_b of the neurons of a key frequency go together, 1 where both are one (ours)."""
    return [scheme.coherence for scheme in two_phase_schemes_in(network).values()]


@measure("rms of ψ − φ_a − φ_b", "rad", KEY)
def rms_two_phases(network: Network | TwoTables) -> list[float]:
    """Root mean square of ψ − φ_a − φ_b over the neurons of each key frequency ([T] Gromov)."""
    return [scheme.rms(scheme.mismatch) for scheme in two_phase_schemes_in(network).values()]


@measure("rms of ψ − 2φ_a", "rad", KEY)
def rms_one_phase(network: Network | TwoTables) -> list[float]:
    """Root mean square of ψ − 2φ_a over the neurons of each key frequency ([Q] §3)."""
    return [scheme.rms(phase_mismatch(scheme.phi_a, scheme.psi)) for scheme in two_phase_schemes_in(network).values()]


@measure("coherence of φ_a and φ_b,\nmean over key frequencies", "1")
def mean_coherence(network: Network | TwoTables) -> float:
    """How far φ_a and φ_b of the neurons of a key frequency go together, on average over the key frequencies (ours)."""
    return average(two_phase_schemes_in(network), coherence(network))


@once
def absolute_part_in(network: Form) -> Float[np.ndarray, "n n n"]:
    """The absolute-value part of the logits."""
    return as_separable(network).absolute_part()


def r2_integrals_of(network: Form, reading: str) -> float:
    """R² of the absolute-value part as the integrals of a reading predict it, with nothing fitted; NaN without scheme."""
    schemes, factor = two_phase_schemes_in(network).values(), torus.NEURON_FACTORS[reading]
    if not schemes or not within_memory(network):
        return float("nan")
    predicted = sum(logits_of_integral(scheme, scheme.strength * factor(scheme)) for scheme in schemes)
    return explained(absolute_part_in(network), predicted)


@measure("R² of the integrals on the diagonal,\nnothing fitted", "1")
def r2_diagonal_integrals(network: Form) -> float:
    """Share of the absolute-value part that integrals with the factor |cos(w_k(a − b)/2)| predict, nothing fitted ([Q] §4)."""
    return r2_integrals_of(network, "diagonal")


@measure("R² of the integrals over the torus,\nnothing fitted", "1")
def r2_torus_integrals(network: Form) -> float:
    """Share of the absolute-value part that integrals with the factor 2/π predict, nothing fitted (ours)."""
    return r2_integrals_of(network, "torus")


@measure("R² of the better integral,\nnothing fitted", "1")
def r2_better_integrals(network: Form) -> float:
    """Share of the absolute-value part that the better of the two integrals predicts, nothing fitted (ours)."""
    return max(r2_diagonal_integrals(network), r2_torus_integrals(network))


@measure("weight with an error\nbelow the integral", "share")
def weight_below_integral(network: Form) -> float:
    """Share of Σr at key frequencies whose largest error is smaller than the integral that predicts more ([Q] §5)."""
    if not within_memory(network):
        return float("nan")  # which of the two predicts more is not known
    schemes = two_phase_schemes_in(network)
    reading = "diagonal" if r2_diagonal_integrals(network) >= r2_torus_integrals(network) else "torus"
    factor, size = torus.NEURON_FACTORS[reading], INTEGRAL * INTEGRAL_SIZES[reading]
    errors = [np.abs(error_at_inputs(scheme, INTEGRAL * factor(scheme))).max() for scheme in schemes.values()]
    return average(schemes, [float(error < size) for error in errors])


@once
def factors_in_the_hole(network: Form) -> Mapping[str, float]:
    """The factor in the logits where |cos(w_k d/2)| is least, over its largest value 1, averaged over the key frequencies.

    In the whole network ("all") and with some parts of A and B kept only: the constant, and the frequencies k and 2k.
    NaN where there is no scheme, and beyond `within_memory`.
    """
    if not within_memory(network):
        return dict.fromkeys((*PARTS, "all"), float("nan"))
    own, schemes = as_separable(network), two_phase_schemes_in(network)
    parts = {part: reduced(own, *of).absolute_part() for part, of in PARTS.items()} | {"all": absolute_part_in(network)}
    hole = {k: int(np.argmin(torus.diagonal_factor(scheme))) for k, scheme in schemes.items()}
    return {
        part: average(schemes, [torus.shown_factor(logits, scheme)[hole[k]] for k, scheme in schemes.items()])
        for part, logits in parts.items()
    }


def reduced(network: Separable, multiples: int, constant: bool) -> Separable:
    """The network with only k … multiples·k of each neuron's A and B, k its own frequency, and the constant if asked for."""
    lines = multiples_of(three_dfts(network).frequency, multiples, network.modulus)
    A, B = (with_lines_only(table, lines) for table in (network.A, network.B))
    return replace(network, A=A, B=B) if constant else replace(network, A=A - A.mean(axis=0), B=B - B.mean(axis=0))


@measure("factor in the logits\nwhere |cos(w_k(a − b)/2)| is least", "1")
def factor_in_the_hole(network: Form) -> float:
    """What is left of a key frequency's factor where |cos(w_k(a − b)/2)| is least, 1 being its largest value ([Q] §6)."""
    return factors_in_the_hole(network)["all"]


@measure("the same without constants,\nor without 2k", "1")
def factor_in_the_hole_without_either(network: Form) -> float:
    """The larger factor there, of the network without its neurons' constants and of that without their parts at 2k (ours)."""
    factors = factors_in_the_hole(network)
    return max(abs(factors[part]) for part in ("constant and k", "k and 2k"))
