"""What the second harmonics of A and B do to the logits: what is left without them, or with as large a change elsewhere."""

import numpy as np
from jaxtyping import Float, Int

from modadd.core.fourier import angular_frequency, fit, overtone, signed_frequency
from modadd.core.separable import Separable
from modadd.handmade.build import with_harmonic
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import Form, as_separable, measure, neurons_in, once
from modadd.quadrature.scheme_measures import identity_coefficients, schemes_in


def both_fits(network: Separable, frequencies: list[int]) -> tuple[float, float]:
    """R² of the logits on pizza terms and on clock terms, at these frequencies."""
    logits = network.logits()
    return fit(logits, "pizza", frequencies).r_squared, fit(logits, "clock", frequencies).r_squared


def clock_lead(network: Separable, frequencies: list[int]) -> float:
    """R² of the logits on clock terms less that on pizza terms: above 0 where they look like a clock."""
    pizza, clock = both_fits(network, frequencies)
    return clock - pizza


def waves_of(
    n: int, frequency: Int[np.ndarray, "h"], amplitude: Float[np.ndarray, "h"], phase: Float[np.ndarray, "h"]
) -> Float[np.ndarray, "n h"]:
    """One cosine in each column: amplitude_i cos(w_k x + phase_i) of frequency k_i, phases in radians."""
    turn = angular_frequency(np.outer(np.arange(n), frequency) % n, n)
    return amplitude * np.cos(turn + phase)


@once
def harmonic_sizes(network: Form) -> tuple[Float[np.ndarray, "h"], Float[np.ndarray, "h"]]:
    """Amplitudes of the second harmonics of every neuron's A and B."""
    tables, own = as_separable(network), neurons_in(network)
    return tuple(np.abs(overtone(side, own.frequency, own.phi, 2)) for side in (tables.A, tables.B))


@once
def without_harmonics(network: Form) -> Separable:
    """The network less the second harmonics of A and B; its rows of W, and C and D, are as trained."""
    return with_harmonic(as_separable(network), neurons_in(network).frequency, 0.0)


def _with_waves(
    network: Form, start: Separable, frequency: Int[np.ndarray, "h"], phase: Float[np.ndarray, "h"]
) -> Separable:
    """A network with one more wave in each neuron's A and B, as large as its second harmonics there."""
    A, B = (waves_of(start.modulus, frequency, size, phase) for size in harmonic_sizes(network))
    return Separable(start.A + A, start.B + B, start.W, start.C, start.D)


def with_random_phases(network: Form) -> Separable:
    """The network with its second harmonics as large as trained, those of each neuron at one random phase."""
    rng, start = np.random.default_rng(seed_for(0, "phases of second harmonics")), without_harmonics(network)
    return _with_waves(network, start, 2 * neurons_in(network).frequency, rng.uniform(0, 2 * np.pi, start.width))


def changed_elsewhere(network: Form) -> Separable:
    """The network as trained, with waves as large as its second harmonics at random frequencies other than k and 2k."""
    rng = np.random.default_rng(seed_for(0, "waves beside second harmonics"))
    tables, k = as_separable(network), neurons_in(network).frequency
    double = np.abs(signed_frequency(2 * k, tables.modulus))
    every = np.arange(1, tables.modulus // 2 + 1)[:, None]
    drawn = np.where((every == k) | (every == double), -1.0, rng.random((len(every), tables.width)))
    return _with_waves(network, tables, 1 + drawn.argmax(axis=0), rng.uniform(0, 2 * np.pi, tables.width))


@measure("R² of clock less that of pizza terms,\nwithout second harmonics", "1")
def clock_lead_without_harmonics(network: Form) -> float:
    """How much more of the logits clock terms explain than pizza terms if A and B have no second harmonics ([Q2] §5)."""
    return clock_lead(without_harmonics(network), list(schemes_in(network)))


@measure("R² of clock less that of pizza terms,\nrandom phases of second harmonics", "1")
def clock_lead_with_random_phases(network: Form) -> float:
    """How much more of the logits clock terms explain if second harmonics keep their size, not their phase (ours)."""
    return clock_lead(with_random_phases(network), list(schemes_in(network)))


@measure("R² of clock less that of pizza terms,\nas large waves elsewhere", "1")
def clock_lead_changed_elsewhere(network: Form) -> float:
    """How much more of the logits clock terms explain if A and B change as much at other frequencies (ours)."""
    return clock_lead(changed_elsewhere(network), list(schemes_in(network)))


@measure("size of D_k without second harmonics\nover that as trained", "1")
def identity_left_without_harmonics(network: Form) -> float:
    """Σ |D_k| of the network without second harmonics over that as trained; NaN where all D_k are 0 ([Q] §6)."""
    trained = np.abs(identity_coefficients(network)).sum()
    bare = without_harmonics(network).identity_part()
    left = np.abs(fit(bare, "cosine", list(schemes_in(network))).coefficients).sum()
    return float(left / trained) if trained else float("nan")
