"""A trained network beside those written by hand: its second harmonic and the effect of it, its twin, the smallest."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from modadd.core.losses import mean_loss
from modadd.core.separable import Separable
from modadd.handmade.build import (
    Wave,
    clarity,
    hand_coded,
    second_harmonics,
    wave_of,
    with_harmonic,
    without,
)
from modadd.handmade.smallest import four_neurons, two_neurons
from modadd.networks.registry import Form, as_separable, measure, neurons_in, once

STRONGEST = 2.5  # times the trained second harmonic: the range in which its best strength is sought


@once
def harmonics_in(network: Form) -> pd.DataFrame:
    """`second_harmonics` of all neurons of key frequencies."""
    own = neurons_in(network)
    return second_harmonics(as_separable(network), own, np.isin(own.frequency, own.key_frequencies()))


@once
def wave_in(network: Form) -> Wave:
    """`wave_of` the neurons of key frequencies: two numbers read off the network."""
    own = neurons_in(network)
    return wave_of(as_separable(network), own, np.isin(own.frequency, own.key_frequencies()))


@once
def relative_margin(network: Form) -> float:
    """The smallest margin over the `scale`; NaN where it is not above 0, so that nothing is compared with it."""
    found = clarity(as_separable(network))["relative margin"]
    return found if found > 0 else np.nan


@measure("phase of the second harmonic\nless 2φ + π, rms", "rad")
def harmonic_phase_error(network: Form) -> float:
    """How far the second harmonics of A and B lie from phase 2φ + π: root mean square over neurons and sides (ours)."""
    found = harmonics_in(network)
    error = np.concatenate([np.arctan2(-found[f"Im {side}"], -found[f"Re {side}"]) for side in "AB"])
    return np.sqrt(np.mean(error**2)) if error.size else np.nan


@measure("relative margin without second\nharmonic over that as trained", "1")
def margin_without_harmonic(network: Form) -> float:
    """Relative margin of the network without the second harmonics of A, B and W over that as trained (ours)."""
    bare = without(as_separable(network), neurons_in(network).frequency, 2)
    return clarity(bare)["relative margin"] / relative_margin(network)


def twin_of(network: Form, wave: Wave) -> Separable:
    """The network by hand with the trained key frequencies, and as many neurons at each, of this wave."""
    key = neurons_in(network).key_frequencies()
    return hand_coded(as_separable(network).modulus, key, max(1, round(as_separable(network).width / len(key))), wave)


@measure("relative margin of the twin by hand\nover that as trained", "1")
def twin_over_trained(network: Form) -> float:
    """Relative margin of the network by hand of the same frequencies and `wave_in` over that as trained (ours)."""
    if not neurons_in(network).key_frequencies():
        return np.nan
    return clarity(twin_of(network, wave_in(network)))["relative margin"] / relative_margin(network)


@measure("relative margin over that of\ntwo or four neurons", "1")
def clarity_over_smallest(network: Form) -> float:
    """Relative margin over that of the clearer of the networks by hand of two and four neurons of its modulus (ours)."""
    n = as_separable(network).modulus
    return relative_margin(network) / max(clarity(of(n))["relative margin"] for of in (two_neurons, four_neurons))


class Strength(NamedTuple):
    """The factor on the second harmonic with the least loss, and that loss, in nats."""

    factor: float
    loss: float


def best_strength(network: Form, equal_norm: bool) -> Strength:
    """The best factor between 0 and STRONGEST, with A and B scaled to the norm they had if `equal_norm`."""
    from scipy.optimize import minimize_scalar  # here: slower to import than most notebooks compute

    tables, frequency = as_separable(network), neurons_in(network).frequency
    logarithm = lambda factor: np.log(mean_loss(with_harmonic(tables, frequency, factor, equal_norm).logits()))
    found = minimize_scalar(logarithm, bounds=(0, STRONGEST), method="bounded", options={"xatol": 1e-3})
    return Strength(float(found.x), float(np.exp(found.fun)))


@once
def best_at_equal_norm(network: Form) -> Strength:
    """The best strength of the second harmonic where its norm is paid for."""
    return best_strength(network, equal_norm=True)


@measure("loss over that with the best strength\nof the second harmonic", "1")
def loss_over_best_strength(network: Form) -> float:
    """Loss over all inputs over the least at any strength of the second harmonic, at equal norm of A and B ([QR])."""
    return mean_loss(as_separable(network).logits()) / best_at_equal_norm(network).loss
