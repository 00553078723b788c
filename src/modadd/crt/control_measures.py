"""Controls as measures: the share of random changes, equally large, with as much effect as the mechanism's own part.

They take seconds for each network, so rows have them only for the first networks of a dataset (`costly` in the config).
"""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.separable import Separable
from modadd.crt.controls import Subject, subject
from modadd.crt.trials import beside_control, trials
from modadd.networks.initialisation import seed_for
from modadd.networks.registry import Form, as_separable, measure, once

DRAWS = 100  # of every control
MOST_INPUTS = 1500  # looked at, the same ones for every change of a network
# The trials of each measure: what is changed, and its control.
CLAIMED = {
    "random_as_good_as_law_and_waves": (
        ("ψ set to φ_a + φ_b", "ψ shuffled in a frequency"),
        ("W of neighbours in ψ exchanged", "pairs of a frequency"),
        ("logits on their waves of a + b", "random frequencies"),
    ),
    "random_neurons_cost_as_much": (
        ("a frequency's neurons removed", "as many at random"),
        ("half of them removed", "as many at random"),
    ),
    "random_neurons_bear_noise_as_well": (("noise on them", "as many at random"),),
    "random_second_harmonics_as_strong": (
        ("second harmonics out", "as much, random phase"),
        ("second harmonics at 2φ + π", "random phases"),
    ),
}


def subject_of(network: Separable, most_inputs: int = MOST_INPUTS) -> Subject:
    """A network with its neurons read, looked at on so many of its inputs."""
    return subject(network, most_inputs, _generator("inputs"))


def effects_of(of: Subject, draws: int = DRAWS, chosen: Collection[tuple[str, str]] | None = None) -> pd.DataFrame:
    """A line for each trial and each of loss ratio, accuracy and smallest margin: the trial beside its random draws.

    chosen: the trials to do, each an intervention and its control; all of them if None.
    """
    trained, lines = of.answers(of.network), []
    for trial in trials(of):
        if chosen is None or (trial.name, trial.control) in chosen:
            own: dict[str, Any] = {"intervention": trial.name, "control": trial.control, "costs": trial.costs}
            found = beside_control(trial, trained, draws, _generator)
            lines += [own | {"measure": name} | among._asdict() for name, among in found.items()]
    return pd.DataFrame(lines)


def shares_of(effects: pd.DataFrame) -> dict[str, float]:
    """For each measure, the largest share, over its trials, of draws whose loss is at least as far on the claimed side."""
    loss = effects[effects.measure == "loss ratio"].set_index(["intervention", "control"])
    return {name: float(loss.share[list(chosen)].max(skipna=False)) for name, chosen in CLAIMED.items()}


def _generator(label: str) -> np.random.Generator:
    return np.random.default_rng(seed_for(0, f"controls {label}"))


@once
def _shares(network: Form) -> dict[str, float]:
    chosen = [trial for of_one in CLAIMED.values() for trial in of_one]
    return shares_of(effects_of(subject_of(as_separable(network)), chosen=chosen))


@measure("random changes as good as law and waves", "share")
def random_as_good_as_law_and_waves(network: Form) -> float:
    """Of random changes, the share that does as little harm as keeping to the law and to the waves of a + b.

    The largest of three shares: ψ set to φ_a + φ_b against ψ shuffled; W exchanged between neighbours in ψ against
    random pairs; logits on the waves of the key frequencies against as many random frequencies ([Q] §4, §6; [C] §5.1).
    """
    return _shares(network)["random_as_good_as_law_and_waves"]


@measure("random neurons that cost as much", "share")
def random_neurons_cost_as_much(network: Form) -> float:
    """Of random neurons, the share of draws that cost as much as those of the heaviest frequency, or half of them.

    The larger of two shares ([C] App. B.4).
    """
    return _shares(network)["random_neurons_cost_as_much"]


@measure("random neurons that bear noise as well", "share")
def random_neurons_bear_noise_as_well(network: Form) -> float:
    """Of random neurons, the share of draws on which noise does as little harm as on the heaviest frequency ([C] §6)."""
    return _shares(network)["random_neurons_bear_noise_as_well"]


@measure("random phases as strong as second harmonics", "share")
def random_second_harmonics_as_strong(network: Form) -> float:
    """Of random phases of the second harmonics, the share of draws as strong as their own phase.

    The larger of two shares: taken out, against as much in a random phase; at 2φ + π, against random phases ([QR]).
    """
    return _shares(network)["random_second_harmonics_as_strong"]
