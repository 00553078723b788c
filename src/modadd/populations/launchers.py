"""Do the sentences on [C1] Fig. 4 hold by a coauthor's launchers, and had the networks of the printed recipe settled ([L])?

data/launchers/predictions.yaml says what was predicted, in these numbers, before any of the networks was trained. What counts, and
when one arm has more than another, is as in `why_few`.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import AsItStands, Estimate, as_it_stands
from modadd.networks.recipes import RECIPES
from modadd.populations import why_few
from modadd.populations.margins import slope
from modadd.populations.rows import HALF
from modadd.populations.shared_factors import clusters_of_rows, preferred
from modadd.populations.why_few import (
    COUNTED_FROM,
    ENOUGH,
    FEWEST,
    Comparison,
    apart,
    arms_table,
    clear_ratio,
    ratios_of_arms,
)

ARMS = {  # by name, as figures name them
    "one_hot": "one-hot",
    "one_embedding": "one embedding",
    "two_embeddings": "two embeddings",
    "printed": "embedding,\nprinted recipe",
    "fig_9": "one embedding,\npenalty of Fig. 9",
}
LAUNCHED = {
    "flax_one_hot_mlp": "one_hot",
    "flax_one_embedding_mlp": "one_embedding",
    "flax_two_embedding_mlp": "two_embeddings",
}
COMPARED: dict[
    str, dict[str, Comparison]
] = {  # by what was predicted and by the ratio that tells it: how arms are compared, and which
    "few": {
        "one_hot_over_one_embedding": (clear_ratio, "one_hot", "one_embedding"),
        "one_hot_over_two_embeddings": (clear_ratio, "one_hot", "two_embeddings"),
    },
    "sharing": {"one_embedding_and_two": (apart, "one_embedding", "two_embeddings")},
    "not_settled_before": {
        "printed_over_one_embedding": (clear_ratio, "printed", "one_embedding"),
        "printed_over_two_embeddings": (clear_ratio, "printed", "two_embeddings"),
    },
}
ENOUGH_NETWORKS, ENOUGH_COUNTS = 16, 3  # networks, and different numbers of frequencies, of which a slope is judged
PRINTED = "c1_embedding"  # the population of the printed recipe
WITH_COSETS = 66  # the modulus of [C1] Fig. 9


def arm_of(recipe: Mapping[str, Any]) -> str:
    """The name of the arm that a recipe, or a row of a population, belongs to."""
    architecture = recipe["architecture"]
    if architecture not in LAUNCHED:
        return "printed"
    return LAUNCHED[architecture] if recipe["weight_decay"] == RECIPES[architecture].weight_decay else "fig_9"


def with_arms(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of populations with their arm, and with their numbers of frequencies at the end and after half of their updates."""
    halfway = rows[f"{HALF}key_set"] if f"{HALF}key_set" in rows else pd.Series(np.nan, rows.index, object)
    numbers = [len(found) if isinstance(found, list | np.ndarray) else np.nan for found in halfway]
    return why_few.with_arms(rows, arm_of).assign(halfway=numbers)


def launched_and_printed(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Rows of all populations `with_arms`; of the PRINTED recipe at those moduli alone at which others are launched."""
    launched = pd.concat([table for name, table in tables.items() if name != PRINTED])
    printed = tables[PRINTED]
    return with_arms(pd.concat([launched, printed[printed.modulus.isin(launched.modulus)]], ignore_index=True))


def counted(rows: pd.DataFrame) -> pd.DataFrame:
    """The networks that count, of the arms at a modulus of which enough do."""
    right = rows.accuracy >= COUNTED_FROM
    return rows[right & (right.groupby([rows.modulus, rows.arm]).transform("mean") >= ENOUGH)]


def table_of_arms(rows: pd.DataFrame) -> pd.DataFrame:
    """A line for each modulus and arm of rows `with_arms`, in the order of ARMS: as in `why_few`, and what is measured besides.

    halfway: the mean number after half of the updates. accuracy_of_fits, mean_margin: medians of the networks that count. NaN where a
    number is not measured.
    """
    end = arms_table(rows)
    halfway = arms_table(rows.assign(frequencies=rows.halfway))
    medians = counted(rows).groupby(["modulus", "arm"], as_index=False)[["accuracy_of_fits", "mean_margin"]].median()
    table = end.assign(halfway=halfway["mean"]).merge(medians, on=["modulus", "arm"], how="left")
    order = {arm: place for place, arm in enumerate(ARMS)}
    return table.sort_values(["modulus", "arm"], key=lambda column: column.replace(order), ignore_index=True)


def settled(table: pd.DataFrame) -> list[AsItStands]:
    """Of each launched arm, at each modulus, the larger of the mean numbers at the end and after half over the smaller."""
    found = []
    for line in table[table.arm.isin(LAUNCHED.values())].to_dict("records"):
        ratio = line["mean"] / line["halfway"]
        found.append(as_it_stands(max(ratio, 1 / ratio), line["counted"], FEWEST))
    return found


def margin_slopes(rows: pd.DataFrame) -> list[Estimate]:
    """How much a frequency adds to the mean margin behind one embedding, at each modulus; NaN where too few tell."""
    found = []
    for _, own in counted(rows[rows.arm == "one_embedding"]).groupby("modulus"):
        enough = len(own) >= ENOUGH_NETWORKS and own.frequencies.nunique() >= ENOUGH_COUNTS
        found.append(
            slope(own.assign(clusters=own.frequencies), "mean_margin") if enough else Estimate(*3 * [math.nan], 0)
        )
    return found


def shared_preferred(rows: pd.DataFrame) -> Estimate:
    """How much likelier a frequency that shares a factor with 66 is than another, by the penalty of [C1] Fig. 9."""
    own = counted(rows[(rows.arm == "fig_9") & (rows.modulus == WITH_COSETS)]).reset_index(drop=True)
    return preferred(clusters_of_rows(own, WITH_COSETS), len(own), WITH_COSETS)


def answers(rows: pd.DataFrame) -> dict[str, Any]:
    """The numbers that the predictions are judged by; rows `with_arms`."""
    table = table_of_arms(rows)
    one_hot = table[table.arm == "one_hot"].to_dict("records")
    launched = table[table.arm.isin(LAUNCHED.values())].to_dict("records")
    return {
        "half": [as_it_stands(line["modulus"] // 2 / line["mean"], line["counted"], FEWEST) for line in one_hot],
        **{
            predicted: [
                ratio for by_modulus in ratios_of_arms(table, compared).values() for ratio in by_modulus.values()
            ]
            for predicted, compared in COMPARED.items()
        },
        "settled": settled(table),
        "sines": [as_it_stands(line["accuracy_of_fits"], line["counted"], FEWEST) for line in launched],
        "margin_slope": margin_slopes(rows),
        "cosets": shared_preferred(rows),
    }
