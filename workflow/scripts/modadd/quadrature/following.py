"""Numbers of Study Q that follow from others of a row: ratios, leads, the smaller of two, and how many there are."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from modadd.networks.measures import following

KEY = "key frequency"
OfKey = Sequence[float] | Float[np.ndarray, "key"]


@following("key frequencies", "1")
def number_of_key_frequencies(frequencies: Sequence[int] | Int[np.ndarray, "key"]) -> int:
    """How many key frequencies a network has ([Q] §3)."""
    return len(frequencies)


@following("share of variance of A and W,\nworst neuron", "share")
def smallest_share_of_variance(smallest_share_preactivation: float, smallest_share_neuron_logit: float) -> float:
    """The least share of the variance of a neuron's column of A, or row of W, that one frequency explains ([QR])."""
    return min(smallest_share_preactivation, smallest_share_neuron_logit)


@following("Lipschitz bound,\nfolded over unfolded", "1", KEY)
def folded_over_unfolded(lipschitz_bound: OfKey, lipschitz_unfolded: OfKey) -> list[float]:
    """The Lipschitz bound with the angles folded to one period, over the same without ([Q] §4)."""
    return [folded / unfolded for folded, unfolded in zip(lipschitz_bound, lipschitz_unfolded, strict=True)]


@following("angle term over\nLipschitz bound", "1", KEY)
def angle_over_lipschitz(angle_term: OfKey, lipschitz_bound: OfKey) -> list[float]:
    """The angle term of the bound over its Lipschitz term ([QR] Table 1)."""
    return [angle / lipschitz for angle, lipschitz in zip(angle_term, lipschitz_bound, strict=True)]


@following("absolute part:\nR² of pizza less that of clock", "1")
def pizza_leads_absolute(r2_absolute_pizza: float, r2_absolute_clock: float) -> float:
    """How much more of the absolute-value part pizza terms explain than clock terms ([Q] §6)."""
    return r2_absolute_pizza - r2_absolute_clock


@following("full logits:\nR² of clock less that of pizza", "1")
def clock_leads_full(r2_full_clock: float, r2_full_pizza: float) -> float:
    """How much more of the full logits clock terms explain than pizza terms ([Q] §6)."""
    return r2_full_clock - r2_full_pizza
