#!/usr/bin/env bash
# One would expect: a histogram counts a number in the bin whose edges, which it returns, enclose the number.
# What happens: compiled by numba, with a number of bins and a range, 0.29 and 0.58 of a hundred bins on [0, 1] are counted one bin too
# low, though the edges are exactly 0.29 and 0.58. Of 10^5 numbers of two decimals 8 % are in a wrong bin. With those same edges handed
# over as the bins, numba counts right, as NumPy does in both ways.
# Versions: numba 0.68.1, llvmlite 0.50.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: np_histogram in numba/np/arraymath.py takes the floor of a quotient; NumPy compares with the edges afterwards, see
# https://github.com/numpy/numpy/issues/7628. numba's manual lists numpy.histogram, and names missing arguments only.
# Why it matters: shares and counts that were rounded to decimals lie on edges; the same counts are others compiled and not.
# What we do: no histogram is taken in compiled code.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > counts.py <<'PY'
import numpy as np
from numba import njit


@njit
def by_number(numbers):
    return np.histogram(numbers, 100, (0.0, 1.0))


@njit
def by_edges(numbers, edges):
    return np.histogram(numbers, edges)[0]


for number in (0.29, 0.58):
    one = np.array([number])
    counts, edges = by_number(one)
    place, right = counts.argmax(), by_edges(one, edges).argmax()
    print(f"{number}: counted between {edges[place]:.15g} and {edges[place + 1]:.15g}, by the edges from {edges[right]:.15g}")
numbers = np.random.default_rng(0).integers(0, 100, 10**5) / 100
counts, edges = by_number(numbers)
sure, (theirs, same) = by_edges(numbers, edges), np.histogram(numbers, 100, (0.0, 1.0))
print("edges as NumPy's:", np.array_equal(edges, same), "- counts by edges as NumPy's:", np.array_equal(sure, theirs))
print("counts as NumPy's:", np.array_equal(counts, theirs), "- in a wrong bin:", int(np.abs(counts - theirs).sum()) // 2)
PY
"$folder/venv/bin/python" counts.py | tee found
cat > expected <<'END'
0.29: counted between 0.28 and 0.29, by the edges from 0.29
0.58: counted between 0.57 and 0.58, by the edges from 0.58
edges as NumPy's: True - counts by edges as NumPy's: True
counts as NumPy's: False - in a wrong bin: 7968
END
diff expected found
echo "found: numba's histogram counts numbers outside the bins that it returns"
