#!/usr/bin/env bash
# One would expect: where matrix_rank of NumPy says that a float32 matrix has rank 10, lstsq and pinv use ten directions of it.
# What happens: of 80 inputs' activations, made of 10 waves and rounded to float32, lstsq says rank 80, and its weights are millions of
# times those that are right. lstsq and pinv leave out what is below the rounding of float64, whatever the matrix: the rounding errors of
# float32 are 10^8 times that, count as 70 further features, and are used to fit the noise of the target to its last digit. On inputs held
# out R² is 0.95 by lstsq and far below 0 by pinv, where 0.997 is right. With a tolerance of float32, given by hand, both are right.
# Versions: numpy 2.4.6, Python 3.11 and 3.13.
# Source: in numpy/linalg/_linalg.py lstsq asks _commonType, which answers double for every real matrix, for the precision; pinv has 1e-15
# for every matrix. The manual speaks of the machine precision, and does not say of which type. SciPy and torch take float32's.
# Why it matters: activations are float32, and of low rank in networks that add by few frequencies. A probe of them has a poor score on
# inputs held out, and its weights are read as directions that the network does not have.
# What we do: matrices are float64 and computed as such; the one pseudo-inverse of weights is of two rows that are independent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.4.6 2> /dev/null
cd "$folder"
cat > probe.py <<'PY'
import numpy as np

N, WIDTH, TRAINED = 113, 128, 80
turns = 2 * np.pi * np.outer((4, 11, 14, 26, 35), np.arange(N)) / N
waves = np.concatenate([np.cos(turns), np.sin(turns)])
rng = np.random.default_rng(0)
activations = (waves.T @ rng.normal(size=(10, WIDTH))).astype(np.float32)
target = (waves.sum(0) + 0.1 * rng.normal(size=N)).astype(np.float32)
order = rng.permutation(N)
seen, held_out = order[:TRAINED], order[TRAINED:]
features = activations[seen]
tolerance = max(features.shape) * np.finfo(np.float32).eps


def show(title, weights, rank=""):
    missed = activations[held_out] @ weights - target[held_out]
    score = 1 - missed.var() / target[held_out].var()
    size = "above 100,000" if np.abs(weights).max() > 1e5 else "below 1" if np.abs(weights).max() < 1 else "else"
    print(f"{title}:{rank} weights {size}, R² held out {'above 0.99' if score > 0.99 else 'below 0.99' if score > 0 else 'below 0'}")


print("matrix_rank:", np.linalg.matrix_rank(features))
for title, given in (("lstsq", None), ("lstsq with a tolerance", tolerance)):
    weights, _, rank, _ = np.linalg.lstsq(features, target[seen], rcond=given)
    show(title, weights, f" rank {rank},")
show("pinv", np.linalg.pinv(features) @ target[seen])
show("pinv with a tolerance", np.linalg.pinv(features, rcond=tolerance) @ target[seen])
PY
"$folder/venv/bin/python" probe.py | tee found
cat > expected <<'END'
matrix_rank: 10
lstsq: rank 80, weights above 100,000, R² held out below 0.99
lstsq with a tolerance: rank 10, weights below 1, R² held out above 0.99
pinv: weights above 100,000, R² held out below 0
pinv with a tolerance: weights below 1, R² held out above 0.99
END
diff expected found
echo "found: NumPy's least squares of a float32 matrix fit its rounding errors"
