"""The numbers of frequencies of networks in several arms of an experiment, one under the other."""

from collections.abc import Mapping

import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes

from modadd.plots.figures import COLOURS


def draw_arms(ax: Axes, n: int, networks: pd.DataFrame, arms: pd.DataFrame, titles: Mapping[str, str]) -> None:
    """The networks mod n by arm, the means of the arms with their intervals, and the number of all frequencies.

    networks: rows with `arm`, `modulus` and `frequencies`. arms: a line for each arm and modulus, with mean, low and high.
    titles: the arms in their order, from above, with what stands beside each.
    """
    means = arms[arms.modulus == n].set_index("arm").reindex(titles)
    own = networks[networks.modulus == n]
    style = {"color": "0.75", "size": 2.2, "warn_thresh": 1, "zorder": 1}
    sns.swarmplot(own, x="frequencies", y="arm", order=titles, orient="h", ax=ax, **style)
    places, distances = range(len(titles)), [means["mean"] - means.low, means.high - means["mean"]]
    style = {"fmt": "o", "color": COLOURS[0], "markersize": 4, "capsize": 3}
    ax.errorbar(means["mean"], places, xerr=distances, label="mean (95 %)", **style)
    ax.axvline(n // 2, color="black", linestyle=(0, (4, 2)), linewidth=1, label="all, ⌊n/2⌋")
    ax.set(title=f"n = {n}", xlabel="frequencies", ylabel="", xlim=(0, n // 2 * 1.1))
    ax.set_yticks(places, list(titles.values()))
