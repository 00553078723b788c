#!/usr/bin/env bash
# One would expect: default_rng([7]), default_rng([7, 0]) and default_rng([7, 0, 0]) draw other numbers, as other lists of integers.
# What happens: they draw the same numbers, bit for bit, and so does default_rng(7). A list of up to four words of 32 bits is filled up with
# zeros. A large integer is cut into such words: 2^32 is the list [0, 1]. A zero in front, [0, 7], does count.
# Versions: numpy 2.4.6, Python 3.11 to 3.13.
# Source: the manual ("Parallel random number generation") offers lists such as [worker, seed], and [seed, worker] as less flexible, with
# the same safety against equal streams as spawning; it does not say that zeros at the end are lost. Its authors know of the zeros:
# https://github.com/numpy/numpy/issues/27380; spawning had the same fault: https://github.com/numpy/numpy/pull/16551.
# Why it matters: part 0 of a simulation, [seed, 0], repeats what the seed alone drew; two samples taken for independent are one.
# What we do: the last label of a stream is never 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 2> /dev/null
cd "$folder"
cat > seeds.py <<'PY'
import numpy as np


def compare(one, other):
    equal = np.array_equal(np.random.default_rng(one).random(10**5), np.random.default_rng(other).random(10**5))
    print(f"{one} and {other}: {'equal' if equal else 'other'} numbers")


compare(7, [7, 0])
compare([7], [7, 0, 0])
compare([7, 59], [7, 59, 0])
compare(2**32, [0, 1])
compare([3, 2**32], [3, 0, 1])
compare(7, [0, 7])
compare([7, 1], [7, 2])
PY
"$folder/venv/bin/python" seeds.py | tee found
cat > expected <<'END'
7 and [7, 0]: equal numbers
[7] and [7, 0, 0]: equal numbers
[7, 59] and [7, 59, 0]: equal numbers
4294967296 and [0, 1]: equal numbers
[3, 4294967296] and [3, 0, 1]: equal numbers
7 and [0, 7]: other numbers
[7, 1] and [7, 2]: other numbers
END
diff expected found
echo "found: seeds of NumPy that differ by zeros at the end draw the same numbers"
