#!/usr/bin/env bash
# One would expect: a local regression of right and wrong answers, 1 and 0, runs along the share of right ones. So of answers of which
# every fifth is right, seaborn's regplot with lowess=True draws a line near 0.2.
# What happens: it draws 0. statsmodels' lowess fits anew three times unless told otherwise, each time with less weight on what is far from
# the line: what is rare. A share of 0.1 or 0.2 becomes 0, one of 0.8 or 0.9 becomes 1, and a slow rise from 0 to 1 a steep one. Losses
# that are distributed exponentially with mean 1 get a line at 0.76. There is no warning. With it=0 all are right, but regplot has no
# such option.
# Versions: statsmodels 0.15.0, seaborn 0.13.2, matplotlib 3.11.2, pandas 3.1.1, scipy 1.17.1, numpy 2.4.6, Python 3.11.
# Source: the argument `it` of lowess in statsmodels/nonparametric/smoothers_lowess.py, 3 by default; fit_lowess in seaborn/regression.py
# leaves it so. https://github.com/statsmodels/statsmodels/issues/2108, open, is about such data.
# Why it matters: whether an answer is right, a neuron is alive, a seed has grokked is 0 or 1, and is drawn so over a property.
# What we do: no line is drawn by lowess. With statsmodels: it=0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="statsmodels==0.15.0 seaborn==0.13.2 matplotlib==3.11.2 pandas==3.1.1 scipy==1.17.1 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > right.py <<'PY'
import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from statsmodels.nonparametric.smoothers_lowess import lowess

rng = np.random.default_rng(0)
size = np.arange(1000.0)


def show(title, values):
    lines = [lowess(values, size)[:, 1], lowess(values, size, it=0)[:, 1]]
    lines.append(sns.regplot(x=size, y=values, lowess=True, ax=plt.figure().add_subplot()).lines[0].get_ydata())
    default, plain, drawn = (line.mean() for line in lines)
    print(f"{title}: mean {values.mean():.2f}, lowess {default:.2f}, with it=0 {plain:.2f}, drawn by seaborn {drawn:.2f}")
    return lines[:2]


for share in (0.1, 0.2, 0.8, 0.9):
    show(f"of every ten {10 * share:.0f} right", (rng.random(1000) < share).astype(float))
show("losses", rng.exponential(size=1000))
for title, line in zip(("lowess", "with it=0"), show("rising", (rng.random(1000) < size / 1000).astype(float)), strict=True):
    print(f"where 0.2, 0.3, 0.7 and 0.8 are right, {title}:", *(f"{line[at]:.2f}" for at in (200, 300, 700, 800)))
PY
"$folder/venv/bin/python" -W error::UserWarning -W error::RuntimeWarning right.py | tee found
cat > expected <<'END'
of every ten 1 right: mean 0.09, lowess 0.00, with it=0 0.09, drawn by seaborn 0.00
of every ten 2 right: mean 0.23, lowess 0.00, with it=0 0.23, drawn by seaborn 0.00
of every ten 8 right: mean 0.80, lowess 1.00, with it=0 0.80, drawn by seaborn 1.00
of every ten 9 right: mean 0.92, lowess 1.00, with it=0 0.92, drawn by seaborn 1.00
losses: mean 1.01, lowess 0.76, with it=0 1.01, drawn by seaborn 0.76
rising: mean 0.51, lowess 0.51, with it=0 0.51, drawn by seaborn 0.51
where 0.2, 0.3, 0.7 and 0.8 are right, lowess: 0.07 0.16 0.87 0.95
where 0.2, 0.3, 0.7 and 0.8 are right, with it=0: 0.19 0.29 0.74 0.84
END
diff expected found
echo "found: statsmodels' lowess and seaborn's line of it leave out what is rare"
