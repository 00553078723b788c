#!/usr/bin/env bash
# One would expect: normalize gives vectors of length 1, the cosine similarity of a vector and itself is 1, and MinMaxScaler gives 0 to 1.
# What happens: a length, a range or a largest number below ten times the rounding of 1 is taken for zero, and nothing is divided. In
# float32 that is all below 1.2e-6: a vector of length 1e-6 has a cosine similarity of 1e-12 with itself, and a cosine distance of 1 from
# its multiples. MinMaxScaler and MaxAbsScaler leave a column from 0 to 1e-6 as it is. In float64 the bound is 2.2e-15. StandardScaler
# judges by the size of the numbers, and does scale them.
# Versions: scikit-learn 1.9.1, scipy 1.17.1, numpy 2.4.6, Python 3.11 and 3.13.
# Source: _handle_zeros_in_scale in sklearn/preprocessing/_data.py, since https://github.com/scikit-learn/scikit-learn/pull/19527, which
# was for columns that are constant but for rounding. No issue was found of vectors, and the manual names no bound.
# Why it matters: gradients near the end of training, losses below 1e-6 and weights under strong decay are such float32 numbers; the
# answer is that gradients of one direction are orthogonal.
# What we do: vectors are divided by their own length, by NumPy, and a column by its own range.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > lengths.py <<'PY'
import numpy as np
from sklearn.metrics.pairwise import cosine_distances, cosine_similarity
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, StandardScaler, normalize


def vector(length, kind):
    x = np.array([[0.6, 0.8]]) * length
    x = x.astype(kind)
    unit, similar, apart = np.linalg.norm(normalize(x)), cosine_similarity(x)[0, 0], cosine_distances(x, 100 * x)[0, 0]
    print(f"{kind}, length {length:g}: normalized {unit:.3g}, similarity with itself {similar:.3g},", end=" ")
    print(f"distance from a multiple {apart:.3g}")
    return unit, similar, apart


def column(width, kind):
    x = np.linspace(0, width, 5).astype(kind)[:, None]
    tops = [scaler().fit_transform(x).max() for scaler in (MinMaxScaler, MaxAbsScaler, StandardScaler)]
    print(f"{kind}, column from 0 to {width:g}: MinMax up to {tops[0]:.3g}, MaxAbs {tops[1]:.3g}, Standard {tops[2]:.3g}")
    return tops


for kind, bound in (("float32", 1e-6), ("float64", 1e-15)):
    assert np.allclose(vector(2.5 * bound, kind), (1, 1, 0), atol=1e-6)
    unit, similar, apart = vector(bound, kind)
    assert unit < 2 * bound and similar < 2 * bound and apart > 0.99
    assert np.allclose(column(2.5 * bound, kind), (1, 1, 2**0.5))
    low, high, standard = column(bound, kind)
    assert max(low, high) < 2 * bound and abs(standard - 2**0.5) < 1e-5
PY
"$folder/venv/bin/python" lengths.py
echo "found: scikit-learn takes small lengths and ranges for zero and does not divide by them"
