#!/usr/bin/env bash
# One would expect: the scale of an axis changes how a picture looks, and not which numbers are in it; the bar of 1 and 100 has the height
# 50.5, whether the axis is set to "log" before it is drawn or after.
# What happens: set before, the bar is 10 high, the mean of the logarithms. So are lines and points; a box has another median and
# whiskers, and what was an outlier is none. "symlog" does it too. A shared axis is set for all panels by the first: of two panels made
# alike in a loop, each drawn and then set, one has the bar 50.5 and one the bar 10.
# Versions: seaborn 0.13.2, matplotlib 3.11.2, pandas 3.1.1, numpy 2.4.6, Python 3.11 and 3.13.
# Source: VectorPlotter.comp_data and _get_scale_transforms in seaborn/_base.py; https://github.com/mwaskom/seaborn/issues/3837 (it is meant
# so) and 3661. The manual says that the scale of the axis is used, not that means are taken on it.
# Why it matters: two lines of a notebook that change places, or sharey=True, change a mean that is published, here by a factor of 5 or 50.
# What we do: the scale is set after what is drawn on it, on an axis that is not shared; and medians are drawn, which move less.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="seaborn==0.13.2 matplotlib==3.11.2 pandas==3.1.1 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > order.py <<'PY'
import warnings

import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns

warnings.simplefilter("ignore")
runs = pd.DataFrame({"updates": [1, 1, 2, 2], "loss": [1.0, 100.0, 1.0, 1e4]})
spread = pd.DataFrame({"loss": [1.0, 2.0, 10.0, 1e3, 1e4, 1e7]})


def drawn(draw, scale, before):
    ax = plt.figure().subplots()
    if before:
        ax.set_yscale(scale)
    draw(ax)
    if not before:
        ax.set_yscale(scale)
    return ax


def bar(ax):
    sns.barplot(runs, x="updates", y="loss", errorbar=None, ax=ax)


def line(ax):
    sns.lineplot(runs, x="updates", y="loss", errorbar=None, ax=ax)


def box(ax):
    sns.boxplot(spread, y="loss", ax=ax)


found = {}
for scale in ("log", "symlog"):
    for before in (False, True):
        bars = [float(patch.get_height()) for patch in drawn(bar, scale, before).patches]
        lines = [float(y) for y in drawn(line, scale, before).lines[0].get_ydata()]
        parts = drawn(box, scale, before).lines
        boxes = float(parts[4].get_ydata()[0]), len(parts[5].get_ydata())
        print(f"{scale} set {'before' if before else 'after'}: bars {[round(b, 1) for b in bars]}", end=", ")
        print(f"line {[round(y, 1) for y in lines]}, box with median {boxes[0]:.1f} and {boxes[1]} outlier")
        found[scale, before] = bars, lines, boxes
for scale in ("log", "symlog"):
    assert found[scale, False][0] == [50.5, 5000.5] and found[scale, False][1] == [50.5, 5000.5]
    assert found[scale, True][0][0] < 15 and found[scale, True][1][1] < 200
panels = plt.figure().subplots(1, 2, sharey=True)
for ax in panels:
    sns.barplot(runs[:2], x="updates", y="loss", errorbar=None, ax=ax)
    ax.set_yscale("log")
shared = [round(float(ax.patches[0].get_height()), 1) for ax in panels]
print("the same two runs in two panels that share their axis, each set to log after it is drawn: bars", shared)
assert shared == [50.5, 10.0]
assert found["log", False][2] == (505.0, 1) and abs(found["log", True][2][0] - 100) < 1e-6 and found["log", True][2][1] == 0
PY
MPLBACKEND=agg "$folder/venv/bin/python" order.py
echo "found: seaborn's means change with the moment at which an axis is set to log"
