#!/usr/bin/env bash
# One would expect: the norms of the rows of a matrix are the norms of its rows, taken one by one.
# What happens: of a float16 row of a hundred weights of 1.2e-4 NumPy's norm is 1.2e-3 alone and 0 as a row of a matrix (`axis=1`). The
# squares are rounded to float16, where whatever is below 3e-8 is 0; a single vector goes another way, which sums in float32. std and var,
# of a matrix or of a vector, are 0 likewise, also those of a pandas column. Of weights twice as large all are right, so a matrix may be
# right in most of its rows. np.mean sums float16 in float32.
# Versions: numpy 2.4.6, pandas 3.1.1, Python 3.11 and 3.13.
# Source: norm in numpy/linalg/_linalg.py and _var in numpy/_core/_methods.py. https://github.com/numpy/numpy/issues/8775 and 21941 are of
# the other end, where the norm or the variance of large float16 numbers is infinite: that is seen.
# Why it matters: networks are stored in float16, and a small norm of a neuron's weights is how one counts neurons that are dead.
# What we do: a network that is given in float16 is widened as it is read, before anything is measured.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 pandas==3.1.1 2> /dev/null
cd "$folder"
cat > norms.py <<'PY'
import numpy as np
import pandas as pd

signs = np.tile([1, -1], 50)
weights = (np.array([2.0**-12, 2.0**-13])[:, None] * signs).astype(np.float16)
columns = pd.DataFrame(weights.T)
for row, neuron in enumerate(weights):
    print(f"a hundred weights of {abs(neuron[0]):.3g}")
    exact = neuron.astype(np.float64)
    print(f"norm: {np.linalg.norm(exact):.3g}, float16 alone {np.linalg.norm(neuron):.3g},", end=" ")
    print(f"in the matrix {np.linalg.norm(weights, axis=1)[row]:.3g}")
    print(f"std: {exact.std():.3g}, float16 alone {neuron.std():.3g}, in the matrix {weights.std(axis=1)[row]:.3g},", end=" ")
    print(f"pandas {columns.std(ddof=0)[row]:.3g}")
PY
"$folder/venv/bin/python" norms.py | tee found
cat > expected <<'END'
a hundred weights of 0.000244
norm: 0.00244, float16 alone 0.00244, in the matrix 0.00244
std: 0.000244, float16 alone 0.000244, in the matrix 0.000244, pandas 0.000244
a hundred weights of 0.000122
norm: 0.00122, float16 alone 0.00122, in the matrix 0
std: 0.000122, float16 alone 0, in the matrix 0, pandas 0
END
diff expected found
echo "found: NumPy's norms of the rows of a float16 matrix, and its std, are 0 where the weights are not"
