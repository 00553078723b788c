"""Why few frequencies? Arms of one hidden layer that differ in the factors of its tables and in what is penalised ([C1] §5.1).

data/why_few/predictions.yaml says what was predicted of them, in these numbers, before any of them was trained.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import AsItStands, Estimate, as_it_stands, mean_of
from modadd.networks.recipes import TABLES

FACTOR = 1.25  # between two mean numbers of frequencies: as much makes one greater, less makes them about equal
COUNTED_FROM = 0.99  # accuracy from which a network's frequencies count
ENOUGH = 0.5  # share of an arm's networks that have to count
FEWEST = 8  # of them, of which a mean is compared with another
OF_TABLE_5 = ("c1_one_hot", "c1_embedding")  # populations
ARMS = {  # by letter, from the most frequencies predicted to the fewest
    "a": "one-hot",
    "c": "embedding,\npenalty on product",
    "e": "embedding,\nno penalty",
    "f": "embedding",
    "b": "one linear\nlayer",
    "d": "two linear\nlayers",
}


def arm_of(recipe: Mapping[str, Any]) -> str:
    """The letter of the arm that a recipe, or a row of a population, belongs to."""
    whole = {"group_mlp": "a", "twice_factored_mlp": "d"}
    if (architecture := recipe["architecture"]) in whole:
        return whole[architecture]
    if recipe["decayed"] == TABLES:
        return "c"
    if recipe["weight_decay"] == 0:
        return "e"
    return "b" if recipe["d_model"] == recipe["modulus"] else "f"


def with_arms(rows: pd.DataFrame, of_recipe: Callable[[Mapping[str, Any]], str] = arm_of) -> pd.DataFrame:
    """Rows of populations with their arm, by what tells it of a recipe, and their number of frequencies."""
    return rows.assign(arm=[of_recipe(row) for row in rows.to_dict("records")], frequencies=rows.key_set.map(len))


def by_recipe(rows: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of our arms, and those of the populations that are trained by the recipe of [C1] Table 5, as for its Fig. 4."""
    of_table_5 = rows.population.isin(OF_TABLE_5)
    return rows[~of_table_5], rows[of_table_5]


def arms_table(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus and arm: its networks, those that count, and the mean number of their frequencies.

    rows: of populations, with columns arm and frequencies. mean, low, high: over the networks that count, with the 95 %
    interval; NaN where fewer than ENOUGH of the arm's networks count. spectral_count: mean over the same networks.
    """
    lines = []
    for (n, arm), own in rows.groupby(["modulus", "arm"]):
        counted = own[own.accuracy >= COUNTED_FROM]
        enough = len(counted) >= ENOUGH * len(own)
        found = mean_of(counted.frequencies.to_numpy()) if enough else Estimate(*3 * [float("nan")], len(counted))
        lines.append(
            {
                "modulus": n,
                "arm": arm,
                "networks": len(own),
                "counted": len(counted),
                "accuracy": own.accuracy.median(),
                "mean": found.value,
                "low": found.low,
                "high": found.high,
                "spectral_count": counted.spectral_count.mean(),
                "held_out_loss": own.held_out_loss.median(),
            }
        )
    return pd.DataFrame(lines)


def clear_ratio(more: pd.Series, fewer: pd.Series) -> AsItStands:
    """The mean of one arm over that of another; 1 where its interval does not lie above, none where one is not judged."""
    ratio = more["mean"] / fewer["mean"]
    clear = more["low"] > fewer["high"] or np.isnan(ratio)
    return as_it_stands(float(ratio) if clear else 1.0, int(min(more["counted"], fewer["counted"])), FEWEST)


def apart(one: pd.Series, other: pd.Series) -> AsItStands:
    """The larger of two means over the smaller, none where one is not judged."""
    ratio = one["mean"] / other["mean"]
    return as_it_stands(float(max(ratio, 1 / ratio)), int(min(one["counted"], other["counted"])), FEWEST)


Comparison = tuple[Callable[[pd.Series, pd.Series], AsItStands], str, str]  # how, and which two arms
ORDERS = {  # what was predicted, by the name of the ratio that tells
    "product_over_factors": "c > f",
    "one_hot_over_linear": "a > b",
    "linear_over_two_linear": "b > d",
    "product_and_one_hot": "a ≈ c",
    "linear_and_embedding": "f ≈ b",
    "unpenalised_and_one_hot": "e ≈ a",
}
COMPARED: dict[str, Comparison] = {  # by the name of a ratio: how the arms are compared, and which
    "one_hot_over_embedding": (clear_ratio, "a", "f"),
    "product_over_factors": (clear_ratio, "c", "f"),
    "one_hot_over_linear": (clear_ratio, "a", "b"),
    "linear_over_two_linear": (clear_ratio, "b", "d"),
    "product_and_one_hot": (apart, "c", "a"),
    "linear_and_embedding": (apart, "b", "f"),
    "unpenalised_and_one_hot": (apart, "e", "a"),
}


def ratios_of_arms(
    table: pd.DataFrame, compared: Mapping[str, Comparison] = COMPARED
) -> dict[str, dict[int, AsItStands]]:
    """Every ratio of two arms, by its name and by modulus, where `arms_table` has both."""
    lines = table.set_index(["modulus", "arm"])
    found = {}
    for name, (compare, one, other) in compared.items():
        found[name] = {
            n: compare(lines.loc[n, one], lines.loc[n, other])
            for n in table.modulus.unique().tolist()
            if (n, one) in lines.index and (n, other) in lines.index
        }
    return found


def order_holds(order: str, ratio: float) -> bool:
    """Whether a ratio is as its order predicts: at least FACTOR for a > b, at most FACTOR for a ≈ b."""
    return ratio >= FACTOR if ">" in order else ratio <= FACTOR


def orders_in_words(orders: Mapping[str, str], ratios: Mapping[str, Mapping[int, AsItStands]], n: int) -> str:
    """Which of the predicted orders hold mod n, in words; those that are not judged stand in the last sentence."""
    sentences, not_judged = [], []
    for name, order in orders.items():
        ratio = ratios[name][n].value if n in ratios[name] else np.nan
        if np.isnan(ratio):
            not_judged.append(order)
        else:
            sentences.append(f"{order}: {'holds' if order_holds(order, ratio) else 'fails'}, ratio {ratio:.2f}.")
    if not_judged:
        sentences.append(f"Not judged, as too few networks of an arm count or none is kept: {', '.join(not_judged)}.")
    return " ".join(sentences)


def all_over_one_hot(table: pd.DataFrame) -> list[AsItStands]:
    """⌊n/2⌋ over the mean of the arm a, at each modulus of `arms_table` that has it."""
    one_hot = table[table.arm == "a"].to_dict("records")
    return [as_it_stands(line["modulus"] // 2 / line["mean"], line["counted"], FEWEST) for line in one_hot]


def means_of_arm(table: pd.DataFrame, arm: str) -> list[float]:
    """The mean of an arm at every modulus of `arms_table`; NaN where it has none."""
    means = table[table.arm == arm].set_index("modulus")["mean"]
    return means.reindex(table.modulus.unique()).tolist()


def answers(arms: pd.DataFrame, fig_4: pd.DataFrame) -> dict[str, Any]:
    """The numbers that the predictions are judged by: of our arms, and of the networks of [C1] Fig. 4."""
    ratios = {name: list(by_modulus.values()) for name, by_modulus in ratios_of_arms(arms).items()}
    unpenalised = [ratio for ratio in ratios["unpenalised_and_one_hot"] if np.isfinite(ratio.value)]
    words = {"a": "one_hot", "f": "embedding", "c": "product", "b": "linear", "d": "two_linear", "e": "unpenalised"}
    return (
        ratios
        | {"unpenalised_and_one_hot": unpenalised}
        | {word: means_of_arm(arms, arm) for arm, word in words.items()}
        | {
            "all_over_one_hot": all_over_one_hot(arms),
            "fig_4_all_over_one_hot": all_over_one_hot(fig_4),
            "fig_4_one_hot_over_embedding": list(ratios_of_arms(fig_4)["one_hot_over_embedding"].values()),
        }
    )
