#!/usr/bin/env bash
# One would expect: a bandwidth by Scott's or Silverman's rule goes with the spread of the data, so a density in other units is the same
# curve. That is what the rules are, and what scipy and seaborn do by the same names.
# What happens: scikit-learn's KernelDensity(bandwidth="scott") asks for the number of data alone. Of 1,000 numbers it is 0.25, be their
# standard deviation 0.2 or 200. Two groups, at 0.3 and at 0.7 with nothing between, become one hill. In percent the same two are a row
# of thirty needles. scipy draws two hills of both. No warning is given.
# Versions: scikit-learn 1.9.1, scipy 1.17.1, numpy 2.4.6, Python 3.11.
# Source: fit in sklearn/neighbors/_kde.py; https://github.com/scikit-learn/scikit-learn/issues/26658 and 25623, both open. The manual names
# the rules and does not say that the data must have variance 1.
# Why it matters: shares, losses and angles have a spread far from 1: whether they form one group or two is then a matter of units.
# What we do: no density is estimated. With scikit-learn: divide the data by their standard deviation, or give the width as a number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="scikit-learn==1.9.1 scipy==1.17.1 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > peaks.py <<'PY'
import numpy as np
from scipy.signal import argrelmax
from scipy.stats import gaussian_kde
from sklearn.neighbors import KernelDensity

rng = np.random.default_rng(0)
shares = np.concatenate([rng.normal(0.3, 0.03, 500), rng.normal(0.7, 0.03, 500)])
places = np.linspace(0, 1, 5001)


def count(curve):
    peaks = len(argrelmax(curve)[0])
    return peaks if peaks < 20 else "20 or more"


for title, factor in (("shares", 1), ("percent", 100), ("per mille", 1000)):
    data, at = shares * factor, places * factor
    print(f"{title}:", end=" ")
    for rule in ("scott", "silverman"):
        ours = KernelDensity(bandwidth=rule).fit(data[:, None])
        curve, other = np.exp(ours.score_samples(at[:, None])), gaussian_kde(data, rule)
        width = other.factor * data.std(ddof=1)
        print(f"{rule} {ours.bandwidth_:.3f} with {count(curve)} peaks,", end=" ")
        print(f"by scipy {width:.3g} with {count(other(at))};", end=" " if rule == "scott" else "\n")
PY
"$folder/venv/bin/python" -W error::UserWarning peaks.py | tee found
cat > expected <<'END'
shares: scott 0.251 with 1 peaks, by scipy 0.0506 with 2; silverman 0.266 with 1 peaks, by scipy 0.0536 with 2;
percent: scott 0.251 with 20 or more peaks, by scipy 5.06 with 2; silverman 0.266 with 20 or more peaks, by scipy 5.36 with 2;
per mille: scott 0.251 with 20 or more peaks, by scipy 50.6 with 2; silverman 0.266 with 20 or more peaks, by scipy 53.6 with 2;
END
diff expected found
echo "found: scikit-learn's bandwidth by Scott's rule does not know the spread of the data"
