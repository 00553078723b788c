#!/usr/bin/env bash
# One would expect: a filter on a Parquet file gives the rows that the same filter gives of the table, however the file is cut up.
# What happens: whether `x != 5` and `not in [5]` keep a NaN depends on the other numbers of its row group: beside 5 alone the row is
# lost, beside 1 or among NaN alone it is kept. The same rows in groups of 4, 2 and 1 give other answers, without a word. In memory every
# NaN is kept. The least and largest number of a group leave NaN out, and a group where both are 5 is taken to have nothing else.
# Versions: pyarrow 26.0.1, Python 3.11 to 3.13. pandas.read_parquet hands `filters` on to it.
# Source: the format says that the bounds tell nothing of NaN. https://github.com/apache/arrow/issues/28074 was closed for groups whose
# bounds are NaN. The same fault elsewhere: https://github.com/ClickHouse/ClickHouse/issues/118110.
# Why it matters: NaN is how a number says that it was not measured; how many such rows there are depends on how the file was written.
# What we do: whole tables are read, and filtered in memory.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pyarrow==26.0.1 2> /dev/null
cd "$folder"
cat > groups.py <<'PY'
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

table = pa.table({"run": [0, 1, 2, 3], "x": [1.0, 2.0, 5.0, float("nan")]})
print("in memory: runs", table.filter(pc.field("x") != 5)["run"].to_pylist())
for rows in (4, 2, 1):
    pq.write_table(table, "table.parquet", row_group_size=rows)
    kept = [pq.read_table("table.parquet", filters=[("x", *words)])["run"].to_pylist() for words in (("!=", 5), ("not in", [5]))]
    print(f"row groups of {rows}: runs", *kept)
PY
"$folder/venv/bin/python" groups.py | tee found
cat > expected <<'END'
in memory: runs [0, 1, 3]
row groups of 4: runs [0, 1, 3] [0, 1, 3]
row groups of 2: runs [0, 1] [0, 1]
row groups of 1: runs [0, 1, 3] [0, 1, 3]
END
diff expected found
echo "found: a filter on a Parquet file loses NaN or keeps it by the row group"
