"""Controls as measures: the share of random changes, equally large, with as much effect as the mechanism's own part.

They take seconds for each network, so rows have them only for the first networks of a dataset (`costly` in the config).
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.statistics import CONFIDENCE
from modadd.crt.interventions import Answers, Intervention, Subject, interventions_on, subject_of
from modadd.networks.registry import Form, as_separable, measure, once

DRAWS = 100  # of every control
LEAST_LOSS = float(np.finfo(np.float32).tiny)  # nats: a smaller loss counts as this one
# The interventions of each measure: what is changed, and its control.
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


class Effect(NamedTuple):
    """A number after an intervention, and over random draws: mean, interval of CONFIDENCE, share at least as strong."""

    real: float
    mean: float
    low: float
    high: float
    share: float


def effect(real: float, random: Sequence[float] | Float[np.ndarray, "draws"], larger: bool) -> Effect:
    """A number and the same of random draws; stronger means larger, or smaller. A tie is at least as strong.

    The share is NaN if any of the numbers is.
    """
    draws, tail = np.asarray(random, float), (1 - CONFIDENCE) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    as_strong = draws >= real if larger else draws <= real
    share = float("nan") if np.isnan([real, *draws]).any() else float(as_strong.mean())
    return Effect(float(real), float(draws.mean()), float(low), float(high), share)


def effects_of_one(intervention: Intervention, trained: Answers, draws: int) -> dict[str, Effect]:
    """What an intervention does to the loss, as its ratio to that of the trained network, and to the rest of Answers.

    Ratios are compared by their logarithms, so their mean is geometric.
    """
    real, random = np.array([intervention.real()]), np.array(intervention.random(draws))
    for answers in (real, random):
        answers[:, 0] = np.log(np.maximum(answers[:, 0], LEAST_LOSS) / max(trained.loss, LEAST_LOSS))
    costs = intervention.costs
    larger = {"loss ratio": costs, "accuracy": not costs, "smallest margin": not costs}
    effects = {name: effect(real[0, i], random[:, i], larger[name]) for i, name in enumerate(larger)}
    ratio = effects["loss ratio"]
    return effects | {"loss ratio": Effect(*np.exp(ratio[:-1]).tolist(), ratio.share)}


def effects_of(subject: Subject, draws: int = DRAWS, chosen: Collection[tuple[str, str]] | None = None) -> pd.DataFrame:
    """A line for each intervention and each of loss ratio, accuracy and smallest margin, with those of its control.

    chosen: the names of interventions and their controls; all of them if None.
    """
    trained, lines = subject.answers(subject.network), []
    for one in interventions_on(subject):
        if chosen is None or (one.name, one.control) in chosen:
            names: dict[str, Any] = {"intervention": one.name, "control": one.control, "costs": one.costs}
            effects = effects_of_one(one, trained, draws)
            lines += [names | {"measure": name} | numbers._asdict() for name, numbers in effects.items()]
    return pd.DataFrame(lines)


def shares_of(effects: pd.DataFrame) -> dict[str, float]:
    """For each measure, the largest share, over its interventions, of draws whose loss is at least as far on the claimed side."""
    loss = effects[effects.measure == "loss ratio"].set_index(["intervention", "control"])
    return {name: float(loss.share[list(chosen)].max(skipna=False)) for name, chosen in CLAIMED.items()}


@once
def _shares(network: Form) -> dict[str, float]:
    chosen = [names for of_one in CLAIMED.values() for names in of_one]
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
