#!/usr/bin/env bash
# One would expect: a column of the same float64 numbers gives the same mean and the same count, whichever library holds it.
# What happens: from pandas and from a dict of NumPy arrays DuckDB reads NaN as NULL and leaves it out of mean, median and count. From
# Arrow and polars it stays NaN: the mean is NaN, count has it, and `x > 1` is true of it, as NaN is the largest number of SQL here. A
# table of DuckDB that holds a NaN, handed out as a data frame and read again, has lost it.
# Versions: duckdb 2.0.1, pandas 3.1.1, numpy 2.4.6, pyarrow 26.0.1, polars 2.1.0, Python 3.11 and 3.13.
# Source: ScanNumpyFpColumn in src/duckdb_py/numpy/numpy_scan.cpp of duckdb-python; the scan of Arrow has no such step.
# https://github.com/duckdb/duckdb/issues/15379 and 10196 were closed as meant; 4623 says why: pandas had no other mark for NULL.
# Why it matters: a run that diverged has a loss of NaN. Whether it counts, and as a large loss or as none, follows from the library that
# the table passed through, in one and the same query.
# What we do: no table goes through DuckDB. There: `where isfinite(x)` in each query, and the number of all rows beside it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="duckdb==2.0.1 pandas==3.1.1 numpy==2.4.6 pyarrow==26.0.1 polars==2.1.0"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > sources.py <<'PY'
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

QUERY = "select count(x), avg(x), median(x), count(*) filter (x > 1) from losses"
x = np.array([0.5, np.nan, 1.5])
sources = {
    "pandas": pd.DataFrame({"x": x}),
    "NumPy": {"x": x},
    "Arrow": pa.table({"x": x}),
    "polars": pl.DataFrame({"x": x}),
}
for name, losses in sources.items():
    count, mean, median, above = duckdb.sql(QUERY).fetchall()[0]
    print(f"{name}: count {count}, mean {mean}, median {median}, above 1: {above}")
losses = sources["Arrow"]
duckdb.sql("create table kept as select x from losses")
frame = duckdb.table("kept").df()
print("in a table of DuckDB: count", duckdb.sql("select count(x) from kept").fetchall()[0][0], end=", ")
print("as a data frame and back:", duckdb.sql("select count(x) from frame").fetchall()[0][0])
PY
"$folder/venv/bin/python" sources.py | tee found
cat > expected <<'PY'
pandas: count 2, mean 1.0, median 1.0, above 1: 1
NumPy: count 2, mean 1.0, median 1.0, above 1: 1
Arrow: count 3, mean nan, median 1.5, above 1: 2
polars: count 3, mean nan, median 1.5, above 1: 2
in a table of DuckDB: count 3, as a data frame and back: 2
PY
diff expected found
echo "found: DuckDB reads NaN as NULL or as NaN by the library that holds it"
