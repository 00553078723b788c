"""In how many networks waves of one amplitude model the mean logit, and how unequal the clusters are elsewhere ([C] §5.4)."""

from collections.abc import Mapping
from dataclasses import asdict
from operator import attrgetter
from typing import Any

import pandas as pd

from modadd.core.statistics import share
from modadd.crt.theory import weakest_over_strongest

Populations = Mapping[str, pd.DataFrame]  # rows of networks, by the name of the population


def with_fits(populations: Populations, least: float) -> dict[str, pd.DataFrame]:
    """The rows with two more columns: passes, whether equal waves explain so much of the mean logit; and weakest.

    weakest: the weight of the weakest cluster over that of the strongest, 1 in the model.
    """
    return {
        name: rows.assign(
            passes=rows.profile_by_equal_waves >= least,
            weakest=rows.cluster_weights.map(weakest_over_strongest).astype(float),
        )
        for name, rows in populations.items()
    }


def fits_by_population(fits: Populations) -> pd.DataFrame:
    """Of rows `with_fits`, a line for each population: how many pass, the median R², and the median `weakest` of either kind."""
    lines = {name: asdict(share(rows.passes.to_numpy())) | _medians(rows) for name, rows in fits.items()}
    return pd.DataFrame(lines.values(), index=pd.Index(lines, name="population"))


def _medians(rows: pd.DataFrame) -> dict[str, float]:
    return {
        "median R²": rows.profile_by_equal_waves.median(),
        "weakest / strongest, pass": rows.weakest[rows.passes].median(),
        "weakest / strongest, fail": rows.weakest[~rows.passes].median(),
    }


def numbers_of_fits(fits: Populations) -> dict[str, Any]:
    """The same over the networks of all populations, and how many pass where the smallest share of them does."""
    every = pd.concat(fits.values())
    return {
        "equal_waves": share(every.passes.to_numpy()),
        "equal_waves_fewest": min((share(rows.passes.to_numpy()) for rows in fits.values()), key=attrgetter("share")),
        "equal_waves_r_squared": every.profile_by_equal_waves.median(),
        "weakest_cluster_pass": every.weakest[every.passes].median(),
        "weakest_cluster_fail": every.weakest[~every.passes].median(),
    }
