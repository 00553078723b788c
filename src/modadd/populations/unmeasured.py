"""What was never measured of a network, told from what it cannot have: both are missing from its row."""

from collections.abc import Iterable

import pandas as pd

NOT_MEASURED = "not_measured"  # a column of rows: the names of what nobody measured of this network, as text


def stacked(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """The rows of several tables; NOT_MEASURED of a row also names the columns that its own table lacks."""
    tables = list(tables)
    names = dict.fromkeys(name for table in tables for name in table)
    names.pop(NOT_MEASURED, None)
    told = []
    for table in tables:
        before = table.get(NOT_MEASURED, pd.Series("", index=table.index))
        lacking = [name for name in names if name not in table]
        told.append(table.assign(**{NOT_MEASURED: [" ".join([*own.split(), *lacking]) for own in before]}))
    return pd.concat(told, ignore_index=True)


def was_measured(rows: pd.DataFrame, name: str) -> pd.Series:
    """Of which networks a number was measured, whether or not they have it."""
    if name not in rows or NOT_MEASURED not in rows:
        return pd.Series(name in rows, index=rows.index)
    asked = [name not in lacking.split() for lacking in rows[NOT_MEASURED]]
    return pd.Series(asked, index=rows.index, dtype=bool)
