#!/usr/bin/env bash
# One would expect: in a table of groups, var is the square of std, and both are those of the group alone.
# What happens: of a float32 column, var of a group is summed number by number in float32, and std in float64. Of a million numbers near
# 10, sorted, var is four times the square of std, side by side in one call of agg; in random order it is 5e-4 off, and 8e-4 of ten
# thousand sorted ones. std, and the var of the column without groups, are right to five digits and more.
# Versions: pandas 3.1.1, numpy 2.4.6, Python 3.11 to 3.13; no other package is involved.
# Source: group_var in pandas/_libs/groupby.pyx keeps the type of the column; std casts to float64, see
# https://github.com/pandas-dev/pandas/issues/43330. The manual says nothing of it.
# Why it matters: losses and logits of networks are float32, and a table is often sorted by them; shares of variance between groups follow.
# What we do: the numbers of kept tables are float64, and no variance of groups is taken of others.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pandas==3.1.1 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > groups.py <<'PY'
import numpy as np
import pandas as pd


def compare(title, numbers):
    table = pd.DataFrame({"group": 0, "x": numbers.astype(np.float32)})
    var, std = table.groupby("group").x.agg(["var", "std"]).iloc[0]
    print(f"{title}: var {var:.7f}, std squared {std**2:.7f}, var of the column {table.x.var():.7f}")


numbers = np.random.default_rng(0).normal(10, 0.1, 10**6)
compare("a million, sorted", np.sort(numbers))
compare("a million, not sorted", numbers)
compare("ten thousand, sorted", np.sort(numbers[:10000]))
PY
"$folder/venv/bin/python" groups.py | tee found
python3 - found <<'PY'
import sys
found = [[float(part.split()[-1]) for part in line.split(": ")[1].split(",")] for line in open(sys.argv[1])]
for var, squared, column in found:
    assert abs(squared / column - 1) < 1e-5
by_sorted, by_chance, few = (abs(var / squared - 1) for var, squared, _ in found)
assert by_sorted > 1 and by_chance > 1e-4 and few > 1e-4, (by_sorted, by_chance, few)
PY
echo "found: pandas' var of a group of float32 numbers is not the square of its std"
