#!/usr/bin/env bash
# One would expect: a function compiled with `cache=True` is compiled again when a function that it calls is edited.
# What happens: numba compares the time and size of the caller's own file alone. If the callee stands in another file, the
# cached machine code of the caller, which holds the old callee, is used without a word.
# Versions: numba 0.68.1, llvmlite 0.50.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: numba's documentation, "Notes on Caching": cached functions do not see changes of functions in other files.
# What we do: a hash of all compiled modules is part of the name of each cached function.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6 2>/dev/null
cd "$folder"
export NUMBA_CACHE_DIR="$folder/cache"

cat > callee.py <<'PY'
from numba import njit


@njit
def factor():
    return 1
PY
cat > caller.py <<'PY'
from numba import njit

from callee import factor


@njit(cache=True)
def product(x):
    return factor() * x


if __name__ == "__main__":
    print(product(10), "compiled, interpreted:", factor.py_func() * 10)
PY
first=$("$folder/venv/bin/python" caller.py)
sed -i 's/return 1/return 2/' callee.py
second=$("$folder/venv/bin/python" caller.py)
echo "before the edit: $first"
echo "after the edit:  $second"
test "$first" = "10 compiled, interpreted: 10"
test "$second" = "10 compiled, interpreted: 20"
echo "found: the cached caller still computes with the old callee"
