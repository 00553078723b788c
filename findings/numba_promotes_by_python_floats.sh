#!/usr/bin/env bash
# One would expect: a function of float32 numbers gives the same bits compiled by numba as by Python: since NumPy 2 a float32 times the
# number 0.1 is a float32, and one expects the same of code that numba compiles.
# What happens: numba gives a number that is written in the function, and a Python float that is passed, 64 bits. Sums and products with
# it are of float64, and are rounded to float32 once, where they are stored: many of the results of a step of descent differ.
# An array of float32 times 0.1 is an array of float64, and uint8 times 200 does not wrap, as it does in NumPy.
# Versions: numba 0.68.1, llvmlite 0.50.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: NumPy's NEP 50, "Promotion rules for Python scalars", which numba does not follow.
# Why it matters: a training step that is tried in Python and compiled by numba trains other networks.
# What we do: every number in a compiled step is made a float32 by name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > promoted.py <<'PY'
import numpy as np
from numba import njit


@njit
def decayed(weights, gradients, rate):
    for i in range(weights.size):
        weights[i] = weights[i] - rate * (gradients[i] + 0.3 * weights[i])
    return weights


@njit
def scaled(array):
    return array * 0.1


@njit
def counted(array):
    return array * 200


rng = np.random.default_rng(0)
weights, gradients = rng.standard_normal((2, 100_000)).astype(np.float32)
compiled, interpreted = (step(weights.copy(), gradients, 0.1) for step in (decayed, decayed.py_func))
print("a step of descent, both float32:", compiled.dtype, interpreted.dtype)
print("numbers that differ, per cent:", round(100 * np.mean(compiled != interpreted)))
print("float32 array times 0.1:", scaled(weights).dtype, scaled.py_func(weights).dtype)
bytes_ = np.arange(4, dtype=np.uint8)
print("uint8 times 200:", counted(bytes_).tolist(), counted.py_func(bytes_).tolist())
PY
"$folder/venv/bin/python" promoted.py | tee found
grep -q 'both float32: float32 float32' found
grep -q 'float32 array times 0.1: float64 float32' found
grep -q 'uint8 times 200: \[0, 200, 400, 600\] \[0, 200, 144, 88\]' found
test "$(sed -n 's/.*per cent: //p' found)" -ge 5
echo "found: compiled by numba, numbers written in the function are float64"
