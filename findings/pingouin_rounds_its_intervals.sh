#!/usr/bin/env bash
# One would expect: a 95 % interval that is returned as numbers holds the estimate, and an effect size has the sign of the difference.
# What happens: the numbers of pingouin's CI95 are rounded to hundredths, as numbers and not only in print. The difference of two losses of
# order 1e-3, seven standard errors from 0, has the interval [0, 0]; a correlation of 0.99992 has [1, 1], which leaves it out. And ttest's
# Cohen's d is 1.8 whichever sample is named first; compute_effsize has the sign.
# Versions: pingouin 0.7.0, numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, Python 3.11.
# Source: the option `round.column.CI95`, which is 2 unless it is set (pingouin/config.py); ttest in pingouin/parametric.py takes the
# absolute value.
# Why it matters: losses, errors of quadrature and R² near 1 are such numbers. By this interval a difference is exactly nought.
# What we do: intervals are SciPy's or our own. Whoever takes pingouin: pingouin.options["round.column.CI95"] = None.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="pingouin==0.7.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > interval.py <<'PY'
import numpy as np
import pingouin
from scipy import stats

rng = np.random.default_rng(0)
one, other = rng.normal(0.002, 0.001, 30), rng.normal(0, 0.001, 30)
x = np.arange(30)
y = x + 0.1 * rng.normal(size=30)


def show(title):
    difference, correlation = pingouin.ttest(one, other).iloc[0], pingouin.corr(x, y).iloc[0]
    print(f"{title}: difference {difference.CI95.round(5).tolist()}, correlation {correlation.CI95.round(5).tolist()}")


right = stats.ttest_ind(one, other).confidence_interval(), stats.pearsonr(x, y).confidence_interval()
print("SciPy: difference", np.round(right[0], 5).tolist(), "correlation", np.round(right[1], 5).tolist())
print(f"estimates: difference {one.mean() - other.mean():.5f}, correlation {np.corrcoef(x, y)[0, 1]:.5f}")
show("pingouin")
pingouin.options["round.column.CI95"] = None
show("pingouin, not rounded")
for first, second in ((one, other), (other, one)):
    print(f"Cohen's d: ttest {pingouin.ttest(first, second).cohen_d.iloc[0]:.3f}", end=", ")
    print(f"compute_effsize {pingouin.compute_effsize(first, second):.3f}")
PY
"$folder/venv/bin/python" interval.py 2> /dev/null | tee found
cat > expected <<'END'
SciPy: difference [0.00114, 0.00206] correlation [0.99983, 0.99996]
estimates: difference 0.00160, correlation 0.99992
pingouin: difference [0.0, 0.0], correlation [1.0, 1.0]
pingouin, not rounded: difference [0.00114, 0.00206], correlation [0.99983, 0.99996]
Cohen's d: ttest 1.800, compute_effsize 1.800
Cohen's d: ttest 1.800, compute_effsize -1.800
END
diff expected found
echo "found: pingouin's interval of a difference of 0.0016 is [0, 0]"
