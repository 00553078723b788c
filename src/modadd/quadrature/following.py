"""Numbers of Study Q that follow from others of a row: ratios, leads, the smaller of two, and how many there are."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from modadd.networks.registry import KEY, following
from modadd.quadrature.scheme import INTEGRAL

OfKey = Sequence[float] | Float[np.ndarray, "key"]


@following("key frequencies", "1")
def number_of_key_frequencies(frequencies: Sequence[int] | Int[np.ndarray, "key"]) -> int:
    """How many key frequencies a network has ([Q] §3)."""
    return len(frequencies)


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


@following("spectral bound, M = 64,\nover the published one", "1", KEY)
def spectral_over_published(spectral_64: OfKey, whole_bound: OfKey) -> list[float]:
    """The bound of 64 harmonics over the published one, angle term and folded Lipschitz bound (ours)."""
    return [INTEGRAL * spectral / whole for spectral, whole in zip(spectral_64, whole_bound, strict=True)]


@following("interval of angles,\nmean and std", "rad", KEY)
def intervals(interval_mean: OfKey, interval_std: OfKey) -> list[list[float]]:
    """Mean and standard deviation of the intervals between neighbouring angles of a scheme ([Q2] Fig 3)."""
    return [[float(mean), float(std)] for mean, std in zip(interval_mean, interval_std, strict=True)]


@following("R², full logits,\npizza and clock", "1", "kind of term")
def r2_full(r2_full_pizza: float, r2_full_clock: float) -> list[float]:
    """R² of the logits on pizza terms, and on clock terms ([Q] §6)."""
    return [r2_full_pizza, r2_full_clock]


@following("R², absolute part,\npizza and clock", "1", "kind of term")
def r2_absolute(r2_absolute_pizza: float, r2_absolute_clock: float) -> list[float]:
    """R² of the absolute-value part of the logits on pizza terms, and on clock terms ([Q] §6)."""
    return [r2_absolute_pizza, r2_absolute_clock]


@following("smallest margin that\nthe identity part adds", "logits")
def margin_added_by_identity(smallest_margin_mlp: float, smallest_margin_absolute: float) -> float:
    """Smallest margin of the MLP's logits less that of their absolute-value part alone ([Q] §6)."""
    return smallest_margin_mlp - smallest_margin_absolute


@following("change of R² on clock terms\nwithout residual stream", "1")
def change_without_residual(r2_mlp_clock: float, r2_full_clock: float) -> float:
    """By how much R² of the logits on clock terms changes without the residual stream ([Q] §6)."""
    return abs(r2_mlp_clock - r2_full_clock)
