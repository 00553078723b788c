#!/usr/bin/env bash
# One would expect: a mean of right and wrong answers is the accuracy, and a paired test of two columns has the same p-value either way
# round, whatever type the counts are stored in.
# What happens: scipy.stats.tmean of three right answers of four is 1 if they are bools, as True + True is True. Of counts stored in uint8
# it is their sum modulo 256 over their number, 31.5 for a mean of 95.5. ttest_rel subtracts unsigned counts without a sign: a count less
# by one is greater by 255. Of eight pairs its p-value is 0.341 or 0.011 by the order, where 0.104 is right. wilcoxon makes floats of them
# first, and ttest_ind subtracts means only: both are right.
# Versions: scipy 1.17.1, numpy 2.4.6, Python 3.11 and 3.13.
# Source: tmean and ttest_rel in scipy/stats/_stats_py.py, of which the first passes dtype=a.dtype to its sums. The same was mended in
# other functions: https://github.com/scipy/scipy/issues/7255 (circmean) and pull request 24855 (describe).
# Why it matters: answers are bools, and counts that come out of Parquet, a database or a tokenizer are often unsigned.
# What we do: means are NumPy's, which counts bools; no paired test is SciPy's, and no count is unsigned.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check scipy==1.17.1 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > counts.py <<'PY'
import numpy as np
from scipy import stats

right = np.array([True, False, True, True])
print("mean of answers:", right.mean(), "tmean:", stats.tmean(right))
for kind in ("uint8", "int64"):
    counts = np.array([100, 90, 95, 97], kind)
    print(f"mean of {kind}:", counts.mean(), "tmean:", stats.tmean(counts))
one, other = [7, 5, 6, 4, 8, 6, 5, 7], [6, 5, 5, 5, 7, 6, 4, 6]
for kind in ("uint8", "uint16", "int64"):
    first, second = np.array(one, kind), np.array(other, kind)
    for name in ("ttest_rel", "wilcoxon", "ttest_ind"):
        test = getattr(stats, name)
        print(f"{name} of {kind}: p = {test(first, second).pvalue:.3f}, and {test(second, first).pvalue:.3f} the other way round")
PY
"$folder/venv/bin/python" counts.py | tee found
cat > expected <<'END'
mean of answers: 0.75 tmean: 1.0
mean of uint8: 95.5 tmean: 31.5
mean of int64: 95.5 tmean: 95.5
ttest_rel of uint8: p = 0.341, and 0.011 the other way round
wilcoxon of uint8: p = 0.219, and 0.219 the other way round
ttest_ind of uint8: p = 0.393, and 0.393 the other way round
ttest_rel of uint16: p = 0.351, and 0.011 the other way round
wilcoxon of uint16: p = 0.219, and 0.219 the other way round
ttest_ind of uint16: p = 0.393, and 0.393 the other way round
ttest_rel of int64: p = 0.104, and 0.104 the other way round
wilcoxon of int64: p = 0.219, and 0.219 the other way round
ttest_ind of int64: p = 0.393, and 0.393 the other way round
END
diff expected found
echo "found: SciPy's tmean of bools is 1, and the p-value of its paired t-test of unsigned counts depends on their order"
