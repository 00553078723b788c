#!/usr/bin/env bash
# One would expect: a cache of results keeps two functions apart that give different results, or says that it cannot.
# What happens: joblib.Memory knows a function by its file, its name and its text. Two functions made by one line from different values
# of a closure have all three in common, so the second gets the results of the first, in the same run and in every later one, without a
# warning: the residue of 200 modulo 97 is 87, as it is modulo 113, and the cached cosine of 1 is its sine. A global constant that
# changed is passed over as well. A value that is an argument, with a default or not, is seen.
# Versions: joblib 1.6.0, Python 3.11 and 3.13.
# Source: MemorizedFunc._check_previous_func_code in joblib/memory.py compares the text; of a helper function that was edited:
# https://github.com/joblib/joblib/issues/1287; none was found of closures, and the manual warns of methods, not of them.
# Why it matters: an analysis that is made for each modulus, frequency or checkpoint by a function around it is cached once for all.
# What we do: no result is kept by joblib. Where it is used: all that a result depends on is an argument.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check joblib==1.6.0 2> /dev/null
cd "$folder"
cat > made.py <<'PY'
import warnings

from joblib import Memory

warnings.simplefilter("error")
memory = Memory("cache", verbose=0)


def residue_of(modulus):
    @memory.cache
    def residue(x):
        return x % modulus

    return residue


def with_cache(function):
    @memory.cache
    def cached(x):
        return function(x)

    return cached


def scaled_by(factor):
    @memory.cache
    def scaled(x, factor=factor):
        return factor * x

    return scaled


@memory.cache
def power(x):
    return x**exponent


PY
cat > first.py <<'PY'
import math

import made

residues = [made.residue_of(modulus)(200) for modulus in (113, 97)]
print("200 modulo 113 and 97:", *residues, "right", 200 % 113, 200 % 97)
waves = [made.with_cache(function)(1.0) for function in (math.sin, math.cos)]
print("sine and cosine of 1:", *(round(x, 4) for x in waves), "right", round(math.sin(1), 4), round(math.cos(1), 4))
powers = []
for made.exponent in (2, 3):
    powers.append(made.power(10))
print("10 to a global exponent, 2 and 3:", *powers)
arguments = [made.scaled_by(factor)(10) for factor in (2, 3)]
print("10 times a default argument, 2 and 3:", *arguments)
assert residues == [87, 87] and waves[0] == waves[1] == math.sin(1) and powers == [100, 100] and arguments == [20, 30]
PY
cat > later.py <<'PY'
import made

residues = [made.residue_of(modulus)(200) for modulus in (97, 113)]
print("200 modulo 97 and 113:", *residues, "right", 200 % 97, 200 % 113)
assert residues == [87, 87]
PY
"$folder/venv/bin/python" first.py
echo "a later run asks modulo 97 first:"
"$folder/venv/bin/python" later.py
echo "found: joblib.Memory hands one closure the results of another"
