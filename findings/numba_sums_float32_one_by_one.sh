#!/usr/bin/env bash
# One would expect: the sum, and the mean, of a float32 array are the same compiled by numba as by NumPy, up to the last digits.
# What happens: numba adds one number after the other into a float32, where NumPy adds in pairs. From 2^24 on, adding 1 changes nothing:
# the mean of 2^25 ones is 0.5. Of a million numbers near 1 the mean is off by 2e-6, and NumPy's by 8e-8.
# Versions: numba 0.68.1, llvmlite 0.50.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: array_sum and array_mean in numba/np/arraymath.py; NumPy's manual says of numpy.sum that it adds in pairs, numba's says nothing.
# Why it matters: a loss, or a share, over all n³ logits of a network is such a mean.
# What we do: sums in compiled code are written out, with the type and the order of their additions; losses are added in float64.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > sums.py <<'PY'
import numpy as np
from numba import njit


@njit
def mean_of(numbers):
    return numbers.mean()


ones = np.ones(2**25, np.float32)
print("mean of 2^25 ones:", float(mean_of(ones)), float(ones.mean()))
numbers = np.random.default_rng(0).normal(1, 0.1, 10**6).astype(np.float32)
exact = numbers.astype(np.float64).mean()
for name, mean in (("numba", mean_of(numbers)), ("numpy", numbers.mean())):
    print(f"a million numbers near 1, {name}: off by {abs(mean - exact) / exact:.1e}")
PY
"$folder/venv/bin/python" sums.py | tee found
grep -q '^mean of 2^25 ones: 0.5 1.0$' found
python3 - found <<'PY'
import sys
off = [float(line.split()[-1]) for line in open(sys.argv[1]) if "off by" in line]
assert off[0] > 1e-6 > off[1], off
PY
echo "found: numba's mean of many float32 numbers is another number than NumPy's"
