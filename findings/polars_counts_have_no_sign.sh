#!/usr/bin/env bash
# One would expect: where one network is right on one input of four and another on two, the difference of their counts is -1; the mean of
# three columns of 100 is 100; and a sum of integers is right where their mean is.
# What happens: polars counts in unsigned integers of 32 bits, which wrap: the difference is 4294967295, and over four it is 1073741823.75,
# not -0.25. So do len() - 5, a row's index - 1 and n_unique() - 3; diff() alone is signed. mean_horizontal of Int8 columns adds up in Int8:
# of 100, 100 and 100 it is 14.67, less than each. And the sum of a column is widened for Int8 and Int16, but not for Int32: of three times
# 2**30 it is -1073741824, beside a mean of 2**30.
# Versions: polars 2.1.0, Python 3.11 and 3.13; no other package is involved.
# Source: https://github.com/pola-rs/polars/issues/21390, closed, and 21515 and 13782, open: nobody looks for overflows. The manual of sum
# names the types that are widened.
# Why it matters: right answers are columns of bools, predicted residues fit in Int8, and what is compared is their counts and means.
# What we do: tables are pandas'. Whoever takes polars: a mean of bools in place of a count, and .cast(pl.Int64) first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0 2> /dev/null
cd "$folder"
cat > counts.py <<'PY'
import polars as pl

a, b = pl.col("a"), pl.col("b")
right = pl.DataFrame({"a": [True, False, False, False], "b": [True, True, False, False]})


def tell(title, table, **numbers):
    print(f"{title}:", ", ".join(f"{name} {number}" for name, number in table.select(**numbers).row(0, named=True).items()))


tell("right answers", right, less=a.sum() - b.sum(), share=(a.sum() - b.sum()) / pl.len(), means=a.mean() - b.mean())
tell("counts", right.with_row_index(), rows=pl.len() - 5, index=pl.col("index") - 1, kinds=a.n_unique() - 3, diff=pl.col("index").diff(-1))
small = pl.DataFrame({name: [100] for name in "xyz"}, schema=dict.fromkeys("xyz", pl.Int8))
tell("100, 100 and 100", small, sum=pl.sum_horizontal("x", "y", "z"), mean=pl.mean_horizontal("x", "y", "z"))
for kind in (pl.Int8, pl.Int16, pl.Int32):
    most = {pl.Int8: 64, pl.Int16: 2**14, pl.Int32: 2**30}[kind]
    tell(f"three times {most} in {kind}", pl.DataFrame({"x": pl.Series([most] * 3, dtype=kind)}), sum=pl.sum("x"), mean=pl.mean("x"))
PY
"$folder/venv/bin/python" -W error counts.py | tee found
cat > expected <<'END'
right answers: less 4294967295, share 1073741823.75, means -0.25
counts: rows 4294967295, index 4294967295, kinds 4294967295, diff -1
100, 100 and 100: sum 44, mean 14.666666666666666
three times 64 in Int8: sum 192, mean 64.0
three times 16384 in Int16: sum 49152, mean 16384.0
three times 1073741824 in Int32: sum -1073741824, mean 1073741824.0
END
diff expected found
echo "found: polars' difference of two counts is 4294967295 where -1 is right"
