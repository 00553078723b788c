#!/usr/bin/env bash
# One would expect: a column gives the same numbers, of the same type, however many rows it has and whatever else is installed.
# What happens: where numexpr is installed, as by pip install pandas[performance], columns of more than a million rows are computed by it,
# without a word. Of a float32 column of 0.1, `x == 0.1` is true of a million rows, and of none with one row more. There the column times
# 0.1 is float64, and an int32 column no longer wraps: 2**30 times 4 is 0 in a million rows, and 4294967296 with one row more.
# Versions: pandas 3.1.1, numexpr 2.14.2, numpy 2.4.6, Python 3.11 and 3.13.
# Source: pandas/core/computation/expressions.py hands columns of more than 1,000,000 rows to numexpr, in which a Python number has 64 bits;
# since NumPy 2 it takes the column's type. https://github.com/pandas-dev/pandas/issues/61951, open, is about the type of a sum.
# Why it matters: a table with one row for each logit of a network of modulus 113 has 1.4 million rows. What was counted on a part of it,
# or on another machine, is another number.
# What we do: numexpr is not among the requirements. Whoever has it: pandas.set_option("compute.use_numexpr", False).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numexpr==2.14.2 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > rows.py <<'PY'
import numpy as np
import pandas as pd


def describe(title, rows):
    x, i = pd.Series(np.full(rows, 0.1, "float32")), pd.Series(np.full(rows, 2**30, "int32"))
    scaled, four = x * 0.1, i * 4
    print(f"{title}: {(x == 0.1).sum()} equal 0.1, {(x > 0.1).sum()} above it; times 0.1 {scaled.dtype};", end=" ")
    print(f"2**30 times 4 is {four[0]} ({four.dtype}), squared {(i**2)[0]}")


describe("a million rows", 10**6)
describe("one row more", 10**6 + 1)
pd.set_option("compute.use_numexpr", False)
describe("one row more, without numexpr", 10**6 + 1)
PY
"$folder/venv/bin/python" -W error rows.py | tee found
cat > expected <<'END'
a million rows: 1000000 equal 0.1, 0 above it; times 0.1 float32; 2**30 times 4 is 0 (int32), squared 0
one row more: 0 equal 0.1, 1000001 above it; times 0.1 float64; 2**30 times 4 is 4294967296 (int64), squared 1152921504606846976
one row more, without numexpr: 1000001 equal 0.1, 0 above it; times 0.1 float32; 2**30 times 4 is 0 (int32), squared 0
END
diff expected found
echo "found: with numexpr installed, pandas computes more than a million rows by other rules"
