#!/usr/bin/env bash
# One would expect: PCA() of float32 numbers takes off the mean first, and is good to a few digits if the mean is not far from the spread.
# What happens: where rows are ten times as many as columns, the default adds up products of the numbers as they are, in their own type,
# and takes off those of the means at the end. With mean 10 and spreads from 1 to 0.01, the smallest variance is 0 in place of 1e-4; with
# mean 1000 the largest was five times too large here. With fewer rows the default is another method, and right; so is svd_solver="full".
# In float64 the same happens at means of a million.
# Versions: scikit-learn 1.9.1, numpy 2.4.6, scipy 1.17.1, Python 3.11 and 3.13.
# Source: PCA._fit_full in sklearn/decomposition/_pca.py, method covariance_eigh, the default since 1.5; the manual says of it that the
# covariance is of centred data, and that it is less stable. https://github.com/scikit-learn/scikit-learn/issues/29534 is of small
# variances alone.
# Why it matters: activations and embeddings of networks are float32 and have a mean; shares of variance and directions are read off them.
# What we do: no PCA of scikit-learn. Where one needs it: float64 less the mean of each column, or svd_solver="full".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1 2> /dev/null
cd "$folder"
cat > parts.py <<'PY'
import numpy as np
from sklearn.decomposition import PCA


def compare(rows, mean, kind):
    """Largest and smallest variance: by the default, by the full method, and in float64 after the mean is off."""
    numbers = (mean + np.random.default_rng(0).normal(size=(rows, 5)) * [1, 0.5, 0.1, 0.05, 0.01]).astype(kind)
    exact = numbers.astype(float)
    right = np.linalg.svd(exact - exact.mean(axis=0))[1] ** 2 / (rows - 1) if rows < 100 else np.linalg.eigvalsh(np.cov(exact.T))[::-1]
    default, full = (PCA(svd_solver=solver).fit(numbers).explained_variance_ for solver in ("auto", "full"))
    print(f"{np.dtype(kind).name}, {rows} rows, mean {mean:g}: largest and smallest", end=" ")
    print("; ".join(f"{name} {v[0]:.5g} and {v[-1]:.3g}" for name, v in (("default", default), ("full", full), ("right", right))))
    assert np.allclose(full, right, rtol=0.05)
    return default / right


assert np.allclose(compare(10000, 0, np.float32), 1, rtol=0.01)
assert np.allclose(compare(49, 10, np.float32), 1, rtol=0.05)
assert compare(10000, 10, np.float32)[-1] < 0.5
assert compare(10000, 100, np.float32)[-1] < 0.5
assert abs(compare(10000, 1000, np.float32)[0] - 1) > 0.2
assert compare(10000, 1e6, np.float64)[-1] < 0.5
PY
"$folder/venv/bin/python" parts.py
echo "found: scikit-learn's PCA of float32 numbers that have a mean loses small variances and makes up large ones"
