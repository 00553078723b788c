#!/usr/bin/env bash
# One would expect: of five runs of which two never got there, drawn as 100, 200, 300 and twice infinity, the median is 300, and a curve of
# the share that got there ends at 0.6. That is why one writes infinity and not NaN.
# What happens: seaborn leaves infinity out as if it were missing, without a warning. The curve of ecdfplot ends at 1, the median of
# barplot, pointplot and lineplot is 200, a histogram's shares add up to 1 over three runs. matplotlib's ecdf ends at 0.6, pandas' median is
# 300, and so is that of seaborn.objects.
# Versions: seaborn 0.13.2, matplotlib 3.11.2, pandas 3.1.1, numpy 2.4.6, Python 3.11 and 3.13.
# Source: VectorPlotter.comp_data in seaborn/_base.py turns infinity into NaN and drops it; https://github.com/mwaskom/seaborn/pull/3424
# kept that when the option of pandas that it used went.
# Why it matters: when a network groks is drawn this way, and so is a ratio whose lower part may be 0. The picture leaves out the worst.
# What we do: we drew such a ratio so, which is infinite where a neuron's line at its frequency is exactly 0. `draw_shares_below` draws
# with matplotlib's ecdf, and a test asks for the share of all.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="seaborn==0.13.2 matplotlib==3.11.2 pandas==3.1.1 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > never.py <<'PY'
import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns
import seaborn.objects as so

runs = pd.DataFrame({"arm": "a", "steps": [100, 200, 300, np.inf, np.inf]})
across = {"data": runs, "x": "arm", "y": "steps", "estimator": "median", "errorbar": None}


def drawn(draw, **named):
    figure, ax = plt.subplots()
    draw(ax=ax, **named)
    return ax


curve = drawn(sns.ecdfplot, data=runs, x="steps").lines[0].get_xydata()
other = plt.figure().add_subplot().ecdf(runs.steps).get_xydata()
share = [float(np.interp(300, *line[np.isfinite(line[:, 0])].T)) for line in (curve, other)]
print("share of runs that got there by 300: ecdfplot", share[0], "matplotlib", share[1])
heights = [bar.get_height() for bar in drawn(sns.histplot, data=runs, x="steps", stat="proportion", bins=2).patches]
print("shares of histplot:", [round(float(height), 3) for height in heights])
medians = {"barplot": drawn(sns.barplot, **across).patches[0].get_height()}
medians |= {draw.__name__: drawn(draw, **across).lines[0].get_ydata()[0] for draw in (sns.pointplot, sns.lineplot)}
plot = so.Plot(runs, "arm", "steps").add(so.Dot(), so.Agg("median")).on(plt.figure().add_subplot()).plot()
medians |= {"seaborn.objects": plot._figure.axes[0].collections[0].get_offsets()[0, 1], "pandas": runs.steps.median()}
print("median:", ", ".join(f"{name} {float(median):g}" for name, median in medians.items()))
PY
"$folder/venv/bin/python" -W error::UserWarning -W error::RuntimeWarning never.py | tee found
cat > expected <<'END'
share of runs that got there by 300: ecdfplot 1.0 matplotlib 0.6
shares of histplot: [0.333, 0.667]
median: barplot 200, pointplot 200, lineplot 200, seaborn.objects 300, pandas 300
END
diff expected found
echo "found: seaborn leaves out what is infinite"
