# %% [markdown]
# # How does the number of clusters grow with the width and with the modulus?
#
# **Claim** ([C] App. B.6, B.7 and Conjecture 1). Networks learn O(ln n) clusters. More neurons, from 128 up to 8192, do
# not change that, in batches of n or with all training pairs at once (Fig. 29). Over the moduli the number of clusters
# is *reasonably upper bounded by* ln n (Fig. 30, 200 networks at each point). Earlier models need O(n) frequencies.
#
# **Method.** Clusters are counted in each network: alive neurons of one frequency make one. Only networks that answer
# every input right count, since an unfinished network has more clusters; the others are reported. The number of clusters
# also depends on the number of updates, which [C] does not state: networks with few updates have more clusters.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.growth import LAWS, fit_laws
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style
from modadd.populations.cluster_scaling import (
    BATCH,
    FULL,
    growth_of_clusters,
    laws_table,
    networks_of_points,
    points_table,
    shares_by_count,
)
from modadd.populations.tables import read_population
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
    "c_width_batch": ["results/populations/c_width_batch.parquet"],
    "c_width_full": ["results/populations/c_width_full.parquet"],
    "c_moduli_batch": ["results/populations/c_moduli_batch.parquet"],
    "c_moduli_full": ["results/populations/c_moduli_full.parquet"],
}
figures = "results/by_hand/cluster_scaling"
values_file = "results/by_hand/cluster_scaling.json"
published = {}  # no number is printed
most = 200  # networks at one point, as in [C] Fig. 30; of a larger population the first
least_weight = 0.01  # share of the network's weight from which a cluster is a strong one
seed = 0  # of the networks drawn again, for intervals

# %%
use_style()
network = load_network(network_file)
n, h = network.recipe.modulus, network.recipe.d_mlp
titles = {"batch": "batches of n", "full": "full batch", "slow": "batches of n, lower learning rate"}
every = pd.concat([read_population(*files) for files in datasets.values()], ignore_index=True)
rows = networks_of_points(every, network.recipe.learning_rate, least_weight, most)
passing = rows[rows.passes]
regimes = [regime for regime in titles if (rows.regime == regime).any()]
points = points_table(rows)
table = points.reset_index()
table["ln_n"] = np.log(table.modulus)
save_table(table.round(4), f"{figures}/points")
table.round(3)

# %% [markdown]
# ## Width
# A wide network has many weak neurons, and one of them is enough for a cluster. So clusters that carry at least a
# hundredth of the network's weight Σ r·α are counted besides. Bars: the number of clusters at each width, as a share of
# the networks that pass. The dashed line is ln n.

# %%
widths = sorted(rows[rows.modulus == n].d_mlp.unique())
largest = int(rows[rows.modulus == n].clusters.max()) + 1
bars = shares_by_count(passing[passing.modulus == n], widths, largest)
kinds = {
    "clusters": {"label": "all", "color": COLOURS[0]},
    "strong_clusters": {"label": f"with ≥ {least_weight:g} of the weight", "color": COLOURS[2]},
}


def draw_width(ax, width, regime):
    """The shares of networks with each number of clusters, all and strong ones."""
    shown = bars[(bars.width == width) & (bars.regime == regime)]
    for (kind, style), aside in zip(kinds.items(), (-0.2, 0.2), strict=True):
        shares = shown[shown.kind == kind]
        ax.bar(shares.clusters + aside, shares.share, 0.4, **style)
    ax.axvline(np.log(n), color="black", linestyle=(0, (4, 2)), linewidth=1, label="ln n")
    passed, tried = (points[column].get((regime, n, width), 0) for column in ("passing", "networks"))
    ax.set_title(f"{width} neurons, {titles[regime]}: {passed} of {tried} networks", loc="left")


# %%
figure, axes = panels(2 * len(widths), columns=2, height=1.3, sharex=True, sharey=True)
grid = [(width, regime) for width in widths for regime in (BATCH, FULL)]  # no other width has a lower learning rate
for ax, (width, regime) in zip(axes, grid, strict=True):
    draw_width(ax, width, regime)
axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
for ax in axes[-2:]:
    ax.set_xlabel(f"clusters, n = {n}")
figure.supylabel("share of networks", fontsize=8)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
save_figure(figure, f"{figures}/widths", bars)

# %% [markdown]
# ## Modulus
# Five laws are compared, three that O(ln n) allows and two that outgrow it:
#
# $$ a, \qquad a - b / n, \qquad a + b \ln n, \qquad a + b \sqrt{n}, \qquad a + b \, n $$
#
# In batches of n the published learning rate leaves ever more neurons dead as n grows, so a quarter of it is tried besides.
#
# Discs are networks, the larger the more of them have this count. Bars are mean and standard deviation. Crosses are
# moduli at which no network passes, with the mean count of those that do not. The dotted line is ⌊n/2⌋, all the
# frequencies there are.

# %%
of_width = passing[passing.d_mlp == h]
moduli = np.sort(rows[rows.d_mlp == h].modulus.unique())
along = np.geomspace(moduli[0], moduli[-1], 200)
whole = np.arange(moduli[0], moduli[-1] + 1)
means = table[table.d_mlp == h].set_index("modulus").drop(columns=["d_mlp", "ln_n"])


def draw_counts(ax, regime):
    """The counts of networks at every modulus, and their mean and standard deviation."""
    networks, points = of_width[of_width.regime == regime], means[means.regime == regime]
    shares = networks.groupby("modulus").clusters.value_counts(normalize=True)
    modulus, count = (shares.index.get_level_values(level) for level in range(2))
    ax.scatter(modulus, count, 90 * shares, color=COLOURS[6], alpha=0.5, linewidth=0)
    style = {"fmt": "o", "color": COLOURS[0], "markersize": 4, "capsize": 2}
    ax.errorbar(points.index, points["mean"], points["std"], label="mean ± std", **style)
    failed = rows[(rows.d_mlp == h) & (rows.regime == regime) & rows.modulus.isin(points.index[points.passing == 0])]
    if len(failed):
        ax.plot(failed.groupby("modulus").clusters.mean(), "x", color=COLOURS[1], label="none passes")


# %%
def draw_laws(ax, regime):
    """ln n, the laws fitted to the means, and all the frequencies there are."""
    networks = of_width[of_width.regime == regime]
    laws = fit_laws(networks.modulus.to_numpy(), networks.clusters.to_numpy(float)) or {}
    ax.plot(along, np.log(along), color="black", linestyle=(0, (4, 2)), linewidth=1, label="ln n")
    for (name, law), colour, dash in zip(laws.items(), COLOURS, DASHES, strict=False):
        height = law.a + (law.b * LAWS[name](along) if LAWS[name] else 0 * along)
        ax.plot(along, height, color=colour, linestyle=dash, linewidth=1, label=name)
    ax.plot(whole, whole // 2, color="0.6", linestyle=":", linewidth=1, label="⌊n/2⌋")


# %%
figure, axes = panels(len(regimes), columns=3, height=2.6, sharey=True)
ticks = moduli[np.append(True, np.diff(np.log(moduli)) > 0.2)]  # 91 would stand on 89
highest = max(6.0, 0.5 + of_width.clusters.max()) if len(of_width) else 6.0
for ax, regime in zip(axes, regimes, strict=True):
    draw_counts(ax, regime)
    draw_laws(ax, regime)
    ax.set(title=titles[regime], xlabel="modulus n", xscale="log", xticks=ticks, ylim=(0, highest))
    ax.xaxis.set(minor_locator=NullLocator(), major_formatter="{x:g}")
    ax.tick_params(axis="x", rotation=90)
axes[0].set_ylabel(f"clusters, {h} neurons")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
drawn = pd.concat(means[means.regime == regime].drop(columns="regime").assign(regime=regime) for regime in regimes)
save_figure(figure, f"{figures}/moduli", drawn.reset_index())

# %% [markdown]
# ## The evidence for each law
# All networks of one modulus deviate from a law in the same way, so many networks of few moduli would make a small misfit
# look certain. So each law is fitted by least squares to the means of the moduli, one datum each, and its standard
# errors include the lack of fit. Akaike's criterion with its correction for few data (AICc) gives the *weight of
# evidence* of every law; the weights sum to 1. *weight of networks* is the same of a fit to all networks. *lack of fit* is
# the p-value of an F test that compares such a fit with a separate mean for every modulus. *best without one*: each modulus
# is left out in turn, to see how often each law is best.

# %%
laws = laws_table(of_width, regimes)
save_table(laws, f"{figures}/laws", digits=4)
laws

# %% [markdown]
# ## Result
# Weights of evidence are judged; their intervals come from networks drawn again within each modulus. Where the *lack of fit*
# is small, the law does not describe the means, and its weight only says that the others do so less.
#
# **Caveat.** Small moduli have few pairs, which networks learn by heart. The share that is trained on rises as n falls
# (table); a modulus at which no network passes even so stands in the figure but in no fit. Some moduli, the smallest in
# full batch among them, get more updates than the others (table), and part of the growth may be that. In batches of n the
# published learning rate leaves ever more neurons dead as n grows (table), so the means bend down before nothing is
# learned any more; a lower rate has laws of its own. And networks that pass where others fail are a selection.

# %%
values = growth_of_clusters(passing, n, h, seed)
record(values_file, network, values, [rows[rows.regime != FULL], rows[rows.regime == FULL]])
values


# %%
def passing_in_words(regime):
    """At which moduli how many networks pass, and at which none does."""
    points = table[(table.regime == regime) & (table.d_mlp == h)]
    some, none = points[points.passing > 0].itertuples(), points[points.passing == 0].itertuples()
    passed = ", ".join(f"{point.passing} of {point.networks} at n = {point.modulus}" for point in some)
    failed = ", ".join(f"{point.modulus} (accuracy from {point.lowest_accuracy:.3f})" for point in none)
    return f"Networks that pass: {passed or 'none'}; none pass at {failed or 'none'}."


# %%
def laws_in_words(regime):
    """The weights of evidence, and how the best law and the logarithm fit."""
    fits = laws[(laws.regime == regime) & (laws.counted == "clusters")].set_index("law", drop=False)
    if not fits.weight.notna().any():
        return "These are too few moduli to compare laws."
    points = table[(table.regime == regime) & (table.d_mlp == h) & (table.passing > 0)]
    best, log, over_ln_n = fits.loc[fits.weight.idxmax()], fits.loc["a + b ln n"], points["mean"] / points.ln_n
    return (
        f"The weights of evidence are {', '.join(f'{fit.weight:.3f} for {fit.law}' for fit in fits.itertuples())}. The best "
        f"law is {best.law}, with a = {best.a:.2f} ± {best.a_error:.2f}, b = {best.b:.3g} ± {best.b_error:.2g} and lack of "
        f"fit p = {best.lack_of_fit:.2g}; the logarithm has a = {log.a:.2f} ± {log.a_error:.2f}, b = {log.b:.2f} ± "
        f"{log.b_error:.2f} and p = {log.lack_of_fit:.2g}. With one modulus left out, {best.law} is best in "
        f"{best['best without one']} of {len(points)} cases. Fitted to networks, as if those of one modulus shared no "
        f"deviation, its weight is {best.weight_of_networks:.3f}. The means lie between {over_ln_n.min():.2f} and "
        f"{over_ln_n.max():.2f} times ln n."
    )


# %%
of_widths = []
for point in table[table.modulus == n].itertuples():
    sentence = f"- {titles[point.regime]}, {point.d_mlp} neurons: {point.passing} of {point.networks} pass"
    if point.passing:
        sentence += (
            f"; {point.mean:.2f} clusters ({point.fewest:.0f} to {point.most:.0f}), {point.strong:.2f} of them strong"
        )
        sentence += f", dead {point.share_dead:.2f}"
    of_widths.append(sentence)
say(
    f"Of each point the first {most} networks with the most updates are looked at: {len(rows)} of {len(every)}, of which "
    f"{(rows.trained == 'kept').sum()} were kept. {len(rows) - len(passing)} are dropped, because they do not answer every "
    "input right.",
    *(f"**{titles[regime]}, {h} neurons.** {passing_in_words(regime)} {laws_in_words(regime)}" for regime in regimes),
    f"Networks of each width, n = {n}:",
    "\n".join(of_widths),
)
