#!/usr/bin/env bash
# One would expect: the sum of a group is its mean times its size, and the sum of the column if there is but one group.
# What happens: of a float32 column, polars adds up a group number by number in float32. With one thread, the sum of ten million times
# 0.1 is 1 087 937 in place of 1 000 000, of 0.7 it is 9 % too small; the mean beside it, in one call of agg, and the sum of the column
# without groups are right to six digits. On two and four threads the sums are up to 5 % off, and change from run to run. If the variance
# is asked for as well, the same sum is right: then the whole call goes another way. The streaming engine is off with it and without it.
# Ten million random numbers that are sorted are 0.6 % off on two threads, and 2e-5 if they are not sorted.
# Versions: polars 2.1.0, numpy 2.4.6, Python 3.11 and 3.13.
# Source: NumSumReducer in crates/polars-expr/src/reduce/sum.rs adds in the type of the column. Sums without groups were mended after
# https://github.com/pola-rs/polars/issues/10553, groups of the engine in memory by pull request 24774; the cumulative sum is 27662.
# Why it matters: losses and logits are float32, and a sum over groups is how shares of a loss are counted; a table of 10^7 rows is every
# pair modulo 113 at 800 steps.
# What we do: no table goes through polars. There: cast to Float64 before a sum, or mean times len.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > sums.py <<'PY'
import numpy as np
import polars as pl

n = 10**7
threads, worst = pl.thread_pool_size(), 0
for value in (0.1, 0.3, 0.7):
    table = pl.DataFrame({"group": np.zeros(n, np.int8), "x": np.full(n, value, np.float32)})
    x = pl.col("x")
    found = table.group_by("group").agg(sum=x.sum(), mean=x.mean(), cast=x.cast(pl.Float64).sum()).row(0, named=True)
    beside = table.group_by("group").agg(sum=x.sum(), var=x.var()).row(0, named=True)["sum"]
    right, column = float(np.float32(value)) * n, table["x"].sum()
    print(f"{threads} threads, {value}: sum {found['sum']:.0f}, beside a variance {beside:.0f},", end=" ")
    print(f"mean times size {found['mean'] * n:.0f}, of the column {column:.0f}, cast {found['cast']:.0f}")
    assert max(abs(other / right - 1) for other in (beside, found["mean"] * n, column, found["cast"])) < 1e-6
    worst = max(worst, abs(found["sum"] / right - 1))
assert worst > (0.08 if threads == 1 else 1e-3), worst
PY
for threads in 1 2 4; do
  POLARS_MAX_THREADS=$threads "$folder/venv/bin/python" sums.py
done
echo "found: polars' sum of a group of float32 numbers is not its mean times its size"
