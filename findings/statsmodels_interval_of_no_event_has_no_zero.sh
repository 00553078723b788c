#!/usr/bin/env bash
# One would expect: the interval for a rate at which no event was seen begins at 0, the estimate itself, and has a width.
# What happens: confint_poisson(0, 10) by "midp-c" is [0.29957, 0.29957]: both ends are the upper one, and the lower one should be 0. By
# "sqrt" it is [0.096, 0.096], and by "wald" [0, 0]. For 1 event and more "midp-c" is right; for none "exact-c" is.
# Versions: statsmodels 0.15.0, scipy 1.17.1, numpy 2.4.6, pandas 3.1.1, Python 3.11 and 3.13.
# Source: confint_poisson and _invert_test_confint in statsmodels/stats/rates.py: the lower end is looked for as a root, there is none at 0,
# and the search ends at the upper one. https://github.com/statsmodels/statsmodels/issues/8252 collects what is open at zero counts.
# Why it matters: "none of our runs failed" is a usual count; its interval then leaves out what was seen, and has no width, without a word.
# What we do: a share of seeds has Wilson's interval, and that of none is made to begin at 0. For a rate: "exact-c".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="statsmodels==0.15.0 scipy==1.17.1 numpy==2.4.6 pandas==3.1.1"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > rates.py <<'PY'
import numpy as np
from scipy.optimize import brentq
from scipy.stats import poisson
from statsmodels.stats.rates import confint_poisson


def by_mid_p(count, exposure, tail=0.025):
    """Ends of the mid-p interval, each by its own equation; the lower end of no event is 0."""
    half = lambda rate: poisson.pmf(count, exposure * rate) / 2  # noqa: E731
    upper = brentq(lambda rate: poisson.cdf(count, exposure * rate) - half(rate) - tail, 1e-9, 10)
    return 0.0 if count == 0 else brentq(lambda rate: poisson.sf(count - 1, exposure * rate) - half(rate) - tail, 1e-9, 10), upper


found = {}
for count in (0, 1, 5):
    for method in ("midp-c", "sqrt", "wald", "exact-c"):
        found[count, method] = np.array(confint_poisson(count, 10, method=method))
        print(f"{count} events of 10, {method}: {found[count, method].round(5)}", end="; ")
    print("mid-p by hand:", np.round(by_mid_p(count, 10), 5))
assert np.allclose(found[0, "midp-c"], by_mid_p(0, 10)[1], atol=1e-6)
assert np.ptp(found[0, "sqrt"]) == 0 and found[0, "sqrt"][0] > 0.09
assert found[0, "exact-c"][0] == 0 < found[0, "exact-c"][1]
for count in (1, 5):
    assert np.allclose(found[count, "midp-c"], by_mid_p(count, 10), atol=1e-6)
PY
"$folder/venv/bin/python" rates.py
echo "found: statsmodels' mid-p interval for a rate of no event leaves out 0 and has no width"
