#!/usr/bin/env bash
# One would expect: a quantile is between the least and the largest number, and that of one half is the median.
# What happens: of int8 -100 and 100 the quantile of one half is 128, which no int8 is, and the median 0. Where two neighbours are further
# apart than their type holds, their difference wraps before it is multiplied. pandas' describe has a first quartile of -114 and a third
# of 114 of them, and a box of matplotlib has its median above its third quartile. int16 and int32 wrap likewise. NumPy warns of it where
# one quantile of one column is asked for, and neither of several nor of rows.
# Versions: numpy 2.4.6, pandas 3.1.1, matplotlib 3.11.2, Python 3.11 and 3.13.
# Source: _lerp in numpy/lib/_function_base_impl.py; https://github.com/numpy/numpy/issues/29315, pull request 30376 is not merged.
# Why it matters: weights and logits that are stored in 8 bits are on both sides of 0 and far apart; their quartiles are what a table or a
# box plot of them shows.
# What we do: quantiles are of floats and of int64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 pandas==3.1.1 matplotlib==3.11.2 2> /dev/null
cd "$folder"
cat > quartiles.py <<'PY'
import numpy as np
import pandas as pd
from matplotlib.cbook import boxplot_stats

print("two numbers: quantile of one half, median")
for kind, numbers in (("int8", [-100, 100]), ("int16", [-30000, 30000]), ("int32", [-(2**31), 2**31 - 2]), ("int64", [-100, 100])):
    stored = np.array(numbers, kind)
    print(f"{kind} {numbers}: {np.quantile(stored, [0.5])[0]:.16g}, {np.median(stored):.16g}")
print("least, three quartiles and largest of -100 and 100 by pandas' describe")
for kind in ("int8", "int64"):
    print(kind, *pd.Series([-100, 100], dtype=kind).describe().iloc[3:])
print("quartiles of a box of eight logits by matplotlib")
for kind in ("int8", "int64"):
    box = boxplot_stats(np.array([-128, -120, -110, -100, 90, 100, 110, 127], kind))[0]
    print(kind, box["q1"], box["med"], box["q3"])
PY
"$folder/venv/bin/python" quartiles.py | tee found
cat > expected <<'END'
two numbers: quantile of one half, median
int8 [-100, 100]: 128, 0
int16 [-30000, 30000]: 32768, 0
int32 [-2147483648, 2147483646]: 2147483647, -1
int64 [-100, 100]: 0, 0
least, three quartiles and largest of -100 and 100 by pandas' describe
int8 -100.0 -114.0 128.0 114.0 100.0
int64 -100.0 -50.0 0.0 50.0 100.0
quartiles of a box of eight logits by matplotlib
int8 -112.5 123.0 102.5
int64 -112.5 -5.0 102.5
END
diff expected found
echo "found: NumPy's quantile of int8, int16 or int32 leaves the range of the numbers"
