"""Why few frequencies, once more: do small factors leave few, and large ones all ([C1] §5.1)?

data/why_few/second.yaml says what was predicted of these arms, in these numbers, before any of them was trained. What counts,
and when one arm has more than another, is as in `why_few`.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import AsItStands
from modadd.networks.recipes import DESCENT, FACTORS, REST
from modadd.populations.why_few import FACTOR, Comparison, apart, clear_ratio, ratios_of_arms

ARMS = {  # by name, as figures name them
    "one_hot": "one-hot",
    "one_hot_by_16": "one-hot, A and B\n16 times",
    "one_hot_descent": "one-hot,\nplain descent",
    "low_rank": "one-hot,\nbegun at rank 8",
    "embedding": "embedding",
    "embedding_by_4": "embedding,\nfactors 4 times",
    "embedding_by_8": "embedding,\nfactors 8 times",
    "embedding_descent": "embedding,\nplain descent",
    "linear": "one linear\nlayer",
    "two_linear": "two linear\nlayers",
}
EFFECT = "one_hot_over_embedding"  # without which there is nothing to explain
COMPARED: dict[str, Comparison] = {  # by the name of a ratio: how the arms are compared, and which
    EFFECT: (clear_ratio, "one_hot", "embedding"),
    "by_4_over_embedding": (clear_ratio, "embedding_by_4", "embedding"),
    "by_8_over_embedding": (clear_ratio, "embedding_by_8", "embedding"),
    "one_hot_over_embedding_by_descent": (clear_ratio, "one_hot_descent", "embedding_descent"),
    "embedding_by_descent_and_by_adam": (apart, "embedding_descent", "embedding"),
    "one_hot_over_linear": (clear_ratio, "one_hot", "linear"),
    "linear_over_two_linear": (clear_ratio, "linear", "two_linear"),
    "one_hot_over_low_rank": (clear_ratio, "one_hot", "low_rank"),
    "one_hot_by_16_and_one_hot": (apart, "one_hot_by_16", "one_hot"),
}


def arm_of(recipe: Mapping[str, Any]) -> str:
    """The name of the arm that a recipe, or a row of a population, belongs to."""
    architecture, scaled = recipe["architecture"], recipe["scaled"]
    if architecture == "twice_factored_mlp":
        return "two_linear"
    if scaled == REST:
        return "low_rank"
    if architecture == "factored_mlp" and recipe["d_model"] == recipe["modulus"]:
        return "linear"
    inputs = "one_hot" if architecture == "group_mlp" else "embedding"
    if recipe["optimiser"] == DESCENT:
        return f"{inputs}_descent"
    return f"{inputs}_by_{recipe['scaled_by']:g}" if scaled == FACTORS else inputs


def ratios(table: pd.DataFrame) -> dict[str, dict[int, AsItStands]]:
    """Every ratio of two arms, by its name and by modulus, where `arms_table` has both arms and the effect is there."""
    found = ratios_of_arms(table, COMPARED)
    there = [n for n, effect in found[EFFECT].items() if effect.value >= FACTOR]
    return {
        name: {n: ratio for n, ratio in by_modulus.items() if name == EFFECT or n in there}
        for name, by_modulus in found.items()
    }


def standing(ratios_at: Mapping[str, float]) -> str:
    """What becomes of the hypothesis at one modulus, by the rule that was set before: it stands, is refuted, or is undecided.

    ratios_at: the ratios of COMPARED by name, NaN for arms that are not judged; none but EFFECT where that is not there.
    """
    if not ratios_at.get(EFFECT, np.nan) >= FACTOR:
        return "not asked"
    larger = [ratios_at[name] for name in ("by_4_over_embedding", "by_8_over_embedding")]
    by_descent = ratios_at["one_hot_over_embedding_by_descent"]
    if all(ratio < FACTOR for ratio in larger) or by_descent < FACTOR:
        return "refuted"
    return "undecided" if np.isnan([*larger, by_descent]).any() else "stands"


def answers(table: pd.DataFrame) -> dict[str, Any]:
    """The ratios that the predictions are judged by, and the moduli where the effect is there."""
    found = ratios(table)
    moduli = {"moduli": list(found["by_4_over_embedding"])}
    return {name: list(by_modulus.values()) for name, by_modulus in found.items()} | moduli
