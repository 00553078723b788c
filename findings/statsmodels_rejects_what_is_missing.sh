#!/usr/bin/env bash
# One would expect: of p-values 0.001, 0.002 and one that is missing, a correction for many tests rejects the first two and not the
# third, or says that it takes no NaN.
# What happens: Holm's and Holm–Šidák's corrections reject all three. Those by false discoveries and by Simes–Hochberg reject the first
# two, and return NaN for every corrected p-value. Hommel's rejects nothing. Bonferroni's and Šidák's are right. There is no warning.
# Versions: statsmodels 0.15.0, numpy 2.4.6, scipy 1.17.1, pandas 3.1.1, Python 3.11.
# Source: multipletests in statsmodels/stats/multitest.py sorts the p-values, with NaN as the last; the step-down procedures look for the
# first p-value above its level, and NaN is above none.
# Why it matters: a network whose neurons are all dead has no p-value. It would be counted among those that show the effect.
# What we do: nothing is corrected by it. Whoever does: take out NaN first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="statsmodels==0.15.0 numpy==2.4.6 scipy==1.17.1 pandas==3.1.1"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > missing.py <<'PY'
import numpy as np
from statsmodels.stats.multitest import multipletests

for method in ("bonferroni", "sidak", "holm", "holm-sidak", "simes-hochberg", "hommel", "fdr_bh", "fdr_by"):
    rejected, corrected, *_ = multipletests([0.001, 0.002, np.nan], method=method)
    print(f"{method}: rejected {rejected.tolist()}, corrected {[round(float(p), 4) for p in corrected]}")
PY
"$folder/venv/bin/python" -W error missing.py | tee found
cat > expected <<'END'
bonferroni: rejected [True, True, False], corrected [0.003, 0.006, nan]
sidak: rejected [True, True, False], corrected [0.003, 0.006, nan]
holm: rejected [True, True, True], corrected [0.003, 0.004, nan]
holm-sidak: rejected [True, True, True], corrected [0.003, 0.004, nan]
simes-hochberg: rejected [True, True, False], corrected [nan, nan, nan]
hommel: rejected [False, False, False], corrected [nan, nan, nan]
fdr_bh: rejected [True, True, False], corrected [nan, nan, nan]
fdr_by: rejected [True, True, False], corrected [nan, nan, nan]
END
diff expected found
echo "found: by Holm's correction statsmodels rejects a p-value that is missing"
