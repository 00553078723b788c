"""How the number of frequencies of the theorists' networks grows with a prime p (O52 of the MAIS list)."""

from typing import Any

import numpy as np
import pandas as pd

from modadd.core.growth import fit_laws
from modadd.core.statistics import mean_of

WIDTH = 4  # neurons per residue
SQUARE = 25  # the one modulus of the population that is no prime
SPARSE = ("a", "a + b ln n", "a − b/n")  # of LAWS: those that a sparse answer allows


def on_primes(population: pd.DataFrame) -> pd.DataFrame:
    """The networks that add mod a prime, with WIDTH neurons per residue."""
    adds = (population.operation == "addition") & (population.modulus != SQUARE)
    return population[adds & (population.d_mlp == WIDTH * population.modulus)]


def counts_by_prime(trained: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
    """A line for each p: networks trained and right, and of these N, the frequencies that hold 95 % of the logits.

    low, high: the 95 % interval of the mean.
    """
    counts, p = right.groupby("modulus").spectral_count, np.sort(right.modulus.unique())
    table = pd.DataFrame(
        {
            "trained": trained.groupby("modulus").size(),
            "right": right.groupby("modulus").size(),
            "N, mean": counts.mean(),
            "low": {p: mean_of(of.to_numpy(float)).low for p, of in counts},
            "high": {p: mean_of(of.to_numpy(float)).high for p, of in counts},
            "fewest": counts.min(),
            "most": counts.max(),
            "of (p − 1)/2": counts.mean() / pd.Series((p - 1) / 2, index=p),
            "train loss, median": right.groupby("modulus").train_loss.median(),
        }
    )
    return table.rename_axis("p").reset_index()


def growth_of_frequencies(counts: pd.DataFrame, right: pd.DataFrame) -> dict[str, Any]:
    """The evidence for SPARSE laws, None where there are too few primes, and N at both ends of `counts_by_prime`."""
    laws = fit_laws(right.modulus.to_numpy(), right.spectral_count.to_numpy(float))
    return {
        "evidence_of_sparse_laws": sum(laws[name].weight for name in SPARSE) if laws else None,
        "share_used_at_largest": counts["of (p − 1)/2"].iloc[-1],
        "primes": len(counts),
        "largest_prime": int(counts.p.iloc[-1]),
        "count_at_smallest": counts["N, mean"].iloc[0],
        "count_at_largest": counts["N, mean"].iloc[-1],
    }
