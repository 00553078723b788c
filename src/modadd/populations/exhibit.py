"""The network of a population of Study C that is shown, chosen by rule."""

import math

import pandas as pd

from modadd.crt.clusters import MOSTLY


def exhibit_of(rows: pd.DataFrame) -> pd.DataFrame:
    """The one row of the exhibit among those of Study C of one modulus and regime.

    It answers every input right and has a cluster on approximate cosets and, where the modulus is composite, one on
    exact cosets, both mostly of simple neurons. Networks that have a fine-tuning cluster besides come first, then those
    with fine-tuning neurons that are not idle; of equals the lowest seed. Raises ValueError in one line if none fits.
    """
    if rows.modulus.nunique() != 1:
        raise ValueError(f"exhibit: expected networks of one modulus, got {sorted(rows.modulus.unique().tolist())}")
    n = int(rows.modulus.iloc[0])
    composite = any(n % factor == 0 for factor in range(2, math.isqrt(n) + 1))
    fits = pd.DataFrame(
        {
            "accuracy 1": rows.accuracy == 1,
            "a cluster on approximate cosets": _has_simple(rows, exact=False),
            "a cluster on exact cosets": _has_simple(rows, exact=True) | (not composite),
        }
    )
    candidates = rows[fits.all(axis=1)]
    if candidates.empty:
        found = ", ".join(f"{words}: {fits[words].sum()}" for words in fits)
        raise ValueError(
            f"exhibit mod {n}: none of {len(rows)} networks has all that is asked for ({found}); "
            "add seeds to the population, or train for more steps"
        )
    tuning = candidates.fine_tuning_clusters > 0, candidates.share_fine_tuning_working > 0
    ranked = candidates.assign(cluster=tuning[0], neurons=tuning[1])
    return ranked.sort_values(["cluster", "neurons", "seed"], ascending=[False, False, True])[rows.columns].head(1)


def _has_simple(rows: pd.DataFrame, exact: bool) -> pd.Series:
    """Whether a network has a cluster on exact, or on approximate cosets, that is not a fine-tuning cluster."""
    return pd.Series(
        [
            any((order > 1) == exact and tuning < MOSTLY for order, tuning in zip(orders, shares, strict=True))
            for orders, shares in zip(rows.cluster_orders, rows.cluster_fine_tuning, strict=True)
        ],
        index=rows.index,
    )
