"""Is a − b learned as a + b is? The networks of [C] on both, beside what a public report counts of transformers."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from modadd.core.statistics import difference_of_means, distance_from_zero, mean_of, share

ADDING, SUBTRACTING = "c91_batch", "c_subtraction"  # populations that differ in the operation alone


def beside_addition(rows: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """How many networks of each population answer every input right, and how far apart their mean numbers of clusters are.

    The means are over the networks that answer every input right.
    """
    right = {name: table[table.accuracy == 1] for name, table in rows.items()}
    adding, subtracting = (right[name].clusters.to_numpy(float) for name in (ADDING, SUBTRACTING))
    return {
        "share_adding": share((rows[ADDING].accuracy == 1).to_numpy()),
        "share_subtracting": share((rows[SUBTRACTING].accuracy == 1).to_numpy()),
        "clusters_apart": distance_from_zero(difference_of_means(subtracting, adding)),
        "clusters_adding": mean_of(adding),
        "clusters_subtracting": mean_of(subtracting),
    }
