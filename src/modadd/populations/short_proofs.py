"""The short proofs of many networks: which are measured, and of how many networks they prove nothing."""

from collections.abc import Mapping

import pandas as pd

from modadd.core.statistics import Share, share


def rows_with_proofs(populations: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The rows of all populations whose proofs are measured, with the letter of their study, by which a population's name begins."""
    rows = pd.concat([table.assign(study=name[0].upper()) for name, table in populations.items()], ignore_index=True)
    return rows.dropna(subset=["certified_share_flips"])


def without_short_proof(rows: pd.DataFrame) -> Share:
    """The share of the networks of which the short proof certifies no input."""
    return share((rows.certified_share_short == 0).to_numpy())
