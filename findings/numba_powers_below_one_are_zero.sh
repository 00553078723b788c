#!/usr/bin/env bash
# One would expect: compiled by numba, 2**-k of an integer k is a fraction, as in Python, or an error, as for NumPy's integers; and the two
# numbers that divmod(a, b) returns fulfil a = quotient · b + rest.
# What happens: 2**-k and 10**-k are the integer 0 for every k from 1 on, and so is an array of integers to the power −1. And NumPy's divmod
# of 1 and 0.1 is (10, 0.1), which adds up to 1.1; floor_divide too is one too large, while the operator // between the same two is 9.
# Versions: numba 0.68.1, llvmlite 0.50.0, numpy 2.4.6, Python 3.11 and 3.13.
# Source: int_power_impl in numba/cpython/numbers.py and np_real_divmod_impl in numba/np/npyfuncs.py;
# https://github.com/numba/numba/issues/7012 (of 2021) and 8742 (of 2023), both open.
# Why it matters: a rate or a tolerance of 10**-k becomes 0 where Python, without the compiler, gives what was meant; a place in a grid of
# bins is off by one, and its rest by a whole bin.
# What we do: a base to a power that may be negative is a float, 2.0**-k, and only integers are divided with a rest.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > powers.py <<'PY'
import numpy as np
from numba import njit


def power(base, k):
    return base**-k


def of_array(numbers):
    return numbers**-1


def parts(a, b):
    quotient, rest = np.divmod(a, b)
    return quotient, rest, quotient * b + rest, np.floor_divide(a, b), a // b


for base, k in ((2, 1), (2, 10), (10, 3), (2.0, 10)):
    print(f"{base}**-{k}: Python {power(base, k)}, compiled {njit(power)(base, k)}")
compiled = njit(power)
assert compiled(2, 1) == 0 and compiled(10, 3) == 0 and compiled(2.0, 10) == 2.0**-10
print("array [2, 4] to the power -1, compiled:", njit(of_array)(np.array([2, 4])))
assert (njit(of_array)(np.array([2, 4])) == 0).all()
for name, found in (("Python", parts(1.0, 0.1)), ("compiled", njit(parts)(1.0, 0.1))):
    print(f"{name}: divmod(1, 0.1) is {found[0]:g} and {found[1]:.3g}, together {found[2]:.3g}; floor_divide {found[3]:g}, // {found[4]:g}")
assert abs(njit(parts)(1.0, 0.1)[2] - 1.1) < 1e-9 and abs(parts(1.0, 0.1)[2] - 1) < 1e-9
PY
"$folder/venv/bin/python" powers.py
echo "found: compiled by numba, 2**-k of integers is 0, and divmod does not add up"
