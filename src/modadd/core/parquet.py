"""Tables as sealed parquet. They stand apart from other files: reading the rules needs no pandas, which loads slowly."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from modadd.core.files import UNSEALED, read_sealed, write_sealed


def write_table(table: pd.DataFrame | Iterable[Mapping[str, Any]], path: Path) -> None:
    """Write a table, or its rows, as sealed parquet."""
    import pyarrow as pa
    import pyarrow.parquet

    frame = table if isinstance(table, pd.DataFrame) else pd.DataFrame(list(table))
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    buffer = pa.BufferOutputStream()
    with pa.parquet.ParquetWriter(buffer, arrow.schema) as writer:
        writer.write_table(arrow)
        writer.add_key_value_metadata({"checksum": UNSEALED})
    write_sealed(path, buffer.getvalue().to_pybytes())


def read_table(path: Path | str, columns: Sequence[str] | None = None) -> pd.DataFrame:
    """All columns of a table of `write_table`, or the named ones; raises FileError as `read_sealed` does."""
    from pyarrow import BufferReader

    return pd.read_parquet(BufferReader(read_sealed(path)), columns=columns)


def read_tables(files: Sequence[Path | str], identity: Sequence[str]) -> pd.DataFrame:
    """Rows of several tables, sorted by the columns that tell them apart; of a row in two of them, the earlier's counts."""
    rows = pd.concat([read_table(file) for file in files], ignore_index=True)
    return rows.drop_duplicates(identity).sort_values(list(identity), ignore_index=True)
