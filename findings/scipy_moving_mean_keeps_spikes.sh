#!/usr/bin/env bash
# One would expect: a moving mean of width 5 depends on five numbers, and that of positive numbers is positive.
# What happens: uniform_filter1d carries one sum along the line: what a spike rounds away, or a NaN spoils, is wrong to the end of the
# line. Of numbers 1e-7 with one of 1e10 among them, every mean after the spike is 0.0; after a NaN every one is NaN. Of a loss that
# falls from 10 to 1e-17 the last means are −8e-16. Before the spike, or with the line turned round, they are right. uniform_filter
# goes along each axis in the same way.
# Versions: scipy 1.17.1, numpy 2.4.6, pandas 3.1.1, Python 3.11 and 3.13.
# Source: NI_UniformFilter1D in scipy/ndimage/src/ni_filters.c. Of NaN: https://github.com/scipy/scipy/issues/7818, closed by a note in
# the manual of uniform_filter that NaN is undefined; uniform_filter1d has no note, and none speaks of finite numbers.
# Why it matters: a loss curve that is smoothed for a log axis spans many powers of ten; a spike in training is no rarity. The curve
# after it ends, or stays flat at the rounding of the spike.
# What we do: no curve is smoothed by it. In its place: np.convolve, or rolling of pandas, which carries along what was rounded away.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6 pandas==3.1.1 2> /dev/null
cd "$folder"
cat > spikes.py <<'PY'
import numpy as np
import pandas as pd
from scipy.ndimage import uniform_filter1d


def show(title, numbers, width):
    means = uniform_filter1d(numbers, width)
    back = uniform_filter1d(numbers[::-1], width)[::-1]
    summed = np.convolve(numbers, np.full(width, 1 / width), "valid")
    rolled = pd.Series(numbers).rolling(width).mean()
    print(f"{title}: last mean {means[-width]:.3g}, of the line turned round {back[-width]:.3g},", end=" ")
    print(f"convolve {summed[-1]:.3g}, pandas {rolled.iloc[-1]:.3g}")
    return means, summed


losses = np.full(40, 1e-7)
losses[10] = 1e10
means, summed = show("one spike", losses, 5)
assert np.allclose(means[:8], 1e-7) and (means[13:] == 0).all() and np.allclose(summed[11:], 1e-7)
losses[10] = np.nan
means, summed = show("one NaN", losses, 5)
assert np.isfinite(means[:8]).all() and np.isnan(means[8:]).all() and np.allclose(summed[11:], 1e-7)
losses = 10 * np.exp(-np.arange(2000) / 40) + 1e-17
means, summed = show("a falling loss", losses, 50)
print("means below zero:", (means < 0).sum(), "of", means.size)
assert (means < 0).sum() > 100 and (summed > 0).all()
PY
"$folder/venv/bin/python" spikes.py
echo "found: SciPy's moving mean is wrong from a spike to the end of the line"
