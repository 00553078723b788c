#!/usr/bin/env bash
# One would expect: argsort leaves the order of equal numbers open, but one version of NumPy has one order; and a pandas table that is sorted by
# a column of counts is the same table on every x86-64 machine.
# What happens: NumPy chooses its sorting network by the processor. With AVX-512, with AVX2 and with neither, equal numbers come in three
# different orders. pandas' sort_values of one column hands the order on, so that "the first row of each count" is another row. Between
# AVX-512 and AVX2 a hundred numbers have one order and a thousand have two, so small tests do not see it. With kind="stable" the order is one.
# Versions: numpy 2.4.6, pandas 3.1.1, Python 3.11 to 3.13. NPY_DISABLE_CPU_FEATURES makes a processor do what an older one does.
# Source: NumPy's release notes on x86-simd-sort; DataFrame.sort_values, whose default kind is quicksort for one column.
# Why it matters: "equal bytes everywhere" is lost where rows are ranked by a count, a share or any number with ties.
# What we do: every argsort, and every sort by one column, is stable; a test reads the sources for it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 pandas==3.1.1 2> /dev/null
cd "$folder"
cat > sorted.py <<'PY'
import hashlib
import sys

import numpy as np
import pandas as pd


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array, dtype=np.int64).tobytes()).hexdigest()[:8]


few, many = (np.random.default_rng(0).integers(0, 5, size) for size in (100, 1000))
table = pd.DataFrame({"frequencies": many, "seed": range(1000)})
first = table.sort_values("frequencies").groupby("frequencies").seed.first()
print("argsort of 100", digest(np.argsort(few)), "of 1000", digest(np.argsort(many)), "| first seeds", digest(first), *first)
print("stable", digest(np.argsort(many, kind="stable")), digest(table.sort_values("frequencies", kind="stable").seed), file=sys.stderr)
PY
levels=("" "X86_V4 AVX512_ICL AVX512_SPR" "X86_V3 X86_V4 AVX512_ICL AVX512_SPR")
names=("as it is" "without AVX-512" "without AVX2")
for i in 0 1 2; do
    NPY_DISABLE_CPU_FEATURES="${levels[$i]}" venv/bin/python -W ignore sorted.py > "order$i" 2> "stable$i"
    echo "${names[$i]}: $(cat "order$i")"
done
tail -n 1 stable0
test "$(tail -n 1 stable0)" = "$(tail -n 1 stable1)"
test "$(tail -n 1 stable0)" = "$(tail -n 1 stable2)"
test "$(cut -d ' ' -f 4 order0)" = "$(cut -d ' ' -f 4 order1)"
if cmp --silent order1 order2 || cmp --silent order0 order2; then exit 1; fi
if grep -q avx512 /proc/cpuinfo && cmp --silent order0 order1; then exit 1; fi
echo "found: which of equal numbers comes first is up to the processor"
