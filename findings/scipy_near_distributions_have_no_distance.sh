#!/usr/bin/env bash
# One would expect: jensenshannon of two distributions that are nearly the same is a small number, and in float32 right to a few digits.
# What happens: it is the root of a difference of sums of order one, so below 1e-8 the result is chance: half of the time NaN, the rest
# of the time too large, twofold at 1e-9 and 600-fold at 3e-12. In float32, as softmax of a network gives it, this begins at 1e-4: at
# 1e-5 half are NaN and the others 5 times too large on average, at 1e-6 50 times. A mean that leaves NaN out, as pandas takes it, is of
# the large ones. cdist computes with the same float32 numbers in float64 and is right there; of float64 it fares no better.
# Versions: scipy 1.17.1, numpy 2.4.6, Python 3.11 and 3.13.
# Source: jensenshannon in scipy/spatial/distance.py; https://github.com/scipy/scipy/issues/20083 calls the NaN cherry-picked; pull request
# 24664 is not merged. It puts 0 for NaN, and computes in float64.
# Why it matters: how far the answers of two networks, or of one at two steps, are apart is measured by this; when training has settled
# it is small, and the mean distance stops falling at 5e-5.
# What we do: nothing is measured by it. Near 0 the distance in float64 is sqrt(sum((p - q)**2 / (p + q)) / 4), which loses no digits.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > distances.py <<'PY'
import warnings

import numpy as np
from scipy.spatial.distance import cdist, jensenshannon

warnings.simplefilter("ignore")


def compare(kind, size):
    """Of a thousand pairs: how many have no distance, and the mean of the others in units of the mean that is right."""
    rng = np.random.default_rng(0)
    found = []
    for _ in range(1000):
        p = rng.dirichlet(np.ones(113))
        step = rng.normal(size=113) * p
        q = p + size * (step - p * step.sum())
        near = np.sqrt(((p - q) ** 2 / (p + q)).sum() / 4)
        p, q = p.astype(kind), q.astype(kind)
        found.append([near, jensenshannon(p, q), cdist([p], [q], "jensenshannon")[0, 0]])
    near, alone, together = np.array(found, float).T
    none, ratio, by_cdist = np.isnan(alone).sum(), np.nanmean(alone) / near.mean(), np.nanmean(together) / near.mean()
    print(f"{kind}, distance {near.mean():.1e}: {none} of 1000 NaN, the others {ratio:.5g} times it;", end=" ")
    print(f"cdist {np.isnan(together).sum()} NaN, {by_cdist:.5g}")
    return none, ratio, by_cdist


for size, enough in ((1e-3, True), (3e-9, False), (1e-11, False)):
    none, ratio, _ = compare("float64", size)
    assert (none == 0 and abs(ratio - 1) < 1e-5) if enough else (none > 300 and ratio > 1.5)
for size, enough in ((1e-2, True), (3e-5, False), (3e-6, False)):
    none, ratio, by_cdist = compare("float32", size)
    assert (none == 0 and abs(ratio - 1) < 1e-3) if enough else (none > 300 and ratio > 3)
    assert abs(by_cdist - 1) < 0.01
PY
"$folder/venv/bin/python" distances.py
echo "found: half of SciPy's Jensen-Shannon distances of near distributions are NaN, and the others too large"
