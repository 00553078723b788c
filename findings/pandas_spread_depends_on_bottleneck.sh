#!/usr/bin/env bash
# One would expect: a package that a script does not name changes none of its numbers.
# What happens: where bottleneck is installed, pandas computes std, var and sem of a float32 column with it, without a word. Its sums run
# in one float32: of a million numbers near 10 the fourth digit of std is wrong. The mean stays right.
# Without it, or with the option compute.use_bottleneck off, seven digits are right.
# Versions: pandas 3.1.1, bottleneck 1.6.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: _bn_ok_dtype in pandas/core/nanops.py keeps bottleneck from sum, product and mean, for their precision, but not from std and
# var. pandas' manual recommends the package for speed.
# Why it matters: the same notebook prints another spread in an environment that has one package more.
# What we do: the environment lists every package, and bottleneck is none of them; spreads are taken in float64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
cd "$folder"
cat > spread.py <<'PY'
import numpy as np
import pandas as pd

column = pd.Series(np.random.default_rng(0).normal(10, 0.1, 10**6).astype(np.float32))
print(f"std {column.std():.6f}, right {column.astype(np.float64).std():.6f}, mean {column.mean():.5f}")
PY
pip="$folder/venv/bin/pip install --quiet --disable-pip-version-check"
$pip pandas==3.1.1 numpy==2.4.6 2> /dev/null
"$folder/venv/bin/python" spread.py | tee without
$pip bottleneck==1.6.0 numpy==2.4.6 2> /dev/null
"$folder/venv/bin/python" spread.py | tee with
python3 - without with <<'PY'
import sys
(std, right, mean), (other, _, same) = ([float(part.split()[-1]) for part in open(file).read().split(",")] for file in sys.argv[1:])
assert abs(std / right - 1) < 1e-5 < 1e-4 < abs(other / right - 1) and mean == same
PY
echo "found: pandas' std of a float32 column is another number once bottleneck is installed"
