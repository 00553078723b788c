# %% [markdown]
# # How does the number of clusters grow with the width and with the modulus?
#
# **Claim** ([C] App. B.6, B.7 and Conjecture 1). Networks learn O(ln n) clusters. More neurons, from 128 up to 8192, do
# not change that, in batches of n or with all training pairs at once (Fig. 29). Over the moduli the number of clusters
# is *reasonably upper bounded by* ln n (Fig. 30, 200 networks at each point). Earlier models need O(n) frequencies. So
# two laws are compared:
#
# $$ \textrm{clusters} = a + b \ln n \qquad \textrm{or} \qquad \textrm{clusters} = a + b \, n $$
#
# **Method.** Clusters are counted in each network: alive neurons of one frequency make one. Only networks that answer
# every input right count, since an unfinished network has more clusters; the others are reported. Both laws are fitted
# to the counts of all networks by least squares, and compared by Akaike's criterion with its correction for few data
# (AICc). A difference above 10 leaves the worse law next to no support (Burnham and Anderson). Both laws have as many
# parameters, so the difference is that of their fits alone. Networks of one modulus share its deviation from any law,
# and many networks of few moduli make a small misfit look certain. So the difference is also given over the means of
# the moduli, one datum each. The counts spread about as much at every n and far less than Poisson counts of their size
# (variance over mean, below), so networks are weighed alike. A wide network has many weak neurons, and one of them is
# enough for a cluster. So clusters that carry at least a hundredth of the network's weight Σ r·α are counted besides.

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.statistics import LAWS, fit_laws
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, PAGE, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import read_population

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
populations = {
    "c91_batch": "results/populations/c91_batch.parquet",
    "c91_full": "results/populations/c91_full.parquet",
    "c89_batch": "results/populations/c89_batch.parquet",
    "c89_full": "results/populations/c89_full.parquet",
    "c_width_batch": "results/populations/c_width_batch.parquet",
    "c_width_full": "results/populations/c_width_full.parquet",
    "c_moduli_batch": "results/populations/c_moduli_batch.parquet",
    "c_moduli_full": "results/populations/c_moduli_full.parquet",
}
kept = {}
figures = "figures/cluster_scaling"
values_file = "results/values/cluster_scaling.json"
published = {}  # no number is printed
most = 200  # networks at one point, as in [C] Fig. 30; of a larger population the first
least_weight = 0.01  # share of the network's weight from which a cluster is a strong one

# %%
use_style()
network = load_network(network_file)
n, h = network.recipe.modulus, network.recipe.d_mlp
REGIMES = ("batch", "full")
point = ["regime", "modulus", "d_mlp"]
rows = pd.concat([read_population(path, kept.get(name)) for name, path in populations.items()], ignore_index=True)
rows["regime"] = np.where(rows.batch_size > 0, *REGIMES)
rows["strong_clusters"] = [int((np.asarray(weights) >= least_weight).sum()) for weights in rows.cluster_weights]
rows["passes"] = rows.accuracy == 1
rows["train_share"] = rows.train_pairs / rows.modulus**2
rows = rows.sort_values([*point, "seed"]).groupby(point).head(most).reset_index(drop=True)
passing = rows[rows.passes]
every = rows.groupby(point).agg(
    train_share=("train_share", "max"),
    steps=("steps", "max"),
    networks=("passes", "size"),
    kept=("trained", lambda origin: int((origin == "kept").sum())),
    passing=("passes", "sum"),
    lowest_accuracy=("accuracy", "min"),
)
found = passing.groupby(point).agg(
    mean=("clusters", "mean"),
    std=("clusters", "std"),
    fewest=("clusters", "min"),
    most=("clusters", "max"),
    variance_over_mean=("clusters", lambda counts: counts.var() / counts.mean()),
    strong=("strong_clusters", "mean"),
    share_dead=("share_dead", "mean"),
    share_simple_of_alive=("share_simple_of_alive", "mean"),
)
summary = every.join(found)
table = summary.reset_index().assign(ln_n=lambda t: np.log(t.modulus))
save_table(table.round(4), f"{figures}/points")
table.round(3)

# %% [markdown]
# ## Width
# The number of clusters at each width, as a share of the networks that pass. The dashed line is ln n.

# %%
titles = {"batch": "batches of n", "full": "full batch"}
widths = sorted(rows[rows.modulus == n].d_mlp.unique())
counts = np.arange(1, int(rows[rows.modulus == n].clusters.max()) + 2)
figure, axes = plt.subplots(
    len(widths), 2, figsize=(PAGE, 1.3 * len(widths)), sharex=True, sharey=True, squeeze=False, layout="constrained"
)
bars = []
for line, width in zip(axes, widths, strict=True):
    for ax, regime in zip(line, REGIMES, strict=True):
        here = passing[(passing.modulus == n) & (passing.d_mlp == width) & (passing.regime == regime)]
        for kind, colour, left in (("clusters", COLOURS[0], -0.2), ("strong_clusters", COLOURS[2], 0.2)):
            shares = np.array([(here[kind] == count).mean() if len(here) else 0.0 for count in counts])
            label = "all" if kind == "clusters" else f"with ≥ {least_weight:g} of the weight"
            ax.bar(counts + left, shares, 0.4, color=colour, label=label)
            bars += [(regime, width, kind, count, share) for count, share in zip(counts, shares, strict=True)]
        ax.axvline(np.log(n), color="black", linestyle=(0, (4, 2)), linewidth=1, label="ln n")
        tried = int(((rows.modulus == n) & (rows.d_mlp == width) & (rows.regime == regime)).sum())
        ax.set_title(f"{width} neurons, {titles[regime]}: {len(here)} of {tried} networks", loc="left")
axes[0, 0].xaxis.set_major_locator(MaxNLocator(integer=True))
for ax in axes[-1]:
    ax.set_xlabel(f"clusters, n = {n}")
figure.supylabel("share of networks", fontsize=8)
figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
save_figure(figure, f"{figures}/widths", pd.DataFrame(bars, columns=["regime", "width", "kind", "clusters", "share"]))

# %% [markdown]
# ## Modulus
# Discs are networks, the larger the more of them have this count. Bars are mean and standard deviation. Crosses are
# moduli at which no network passes, with the mean count of those that do not. The dotted line is ⌊n/2⌋, all the
# frequencies there are.

# %%
of_width = passing[passing.d_mlp == h]
fits = {
    (kind, regime): fit_laws(part.modulus.to_numpy(), part[kind].to_numpy(float))
    for kind in ("clusters", "strong_clusters")
    for regime, part in ((regime, of_width[of_width.regime == regime]) for regime in REGIMES)
}
means = of_width.groupby(["regime", "modulus"]).clusters.mean().reset_index()
over_means = {
    regime: fit_laws(part.modulus.to_numpy(), part.clusters.to_numpy(float))
    for regime, part in ((regime, means[means.regime == regime]) for regime in REGIMES)
}
moduli = np.sort(rows[rows.d_mlp == h].modulus.unique())
ticks = moduli[np.append(True, np.diff(np.log(moduli)) > 0.05)]  # 91 would stand on 89
along = np.geomspace(moduli[0], moduli[-1], 200)
figure, axes = panels(2, height=3, sharey=True)
drawn = []
for ax, regime in zip(axes, REGIMES, strict=True):
    part = of_width[of_width.regime == regime]
    shares = part.groupby("modulus").clusters.value_counts(normalize=True)
    of, count = (shares.index.get_level_values(level) for level in range(2))
    ax.scatter(of, count, 90 * shares, color=COLOURS[6], alpha=0.5, linewidth=0)
    at = summary.loc[regime].xs(h, level="d_mlp") if regime in summary.index else summary.iloc[:0]
    ax.errorbar(at.index, at["mean"], at["std"], fmt="o", color=COLOURS[0], markersize=4, capsize=2, label="mean ± std")
    failed = rows[(rows.d_mlp == h) & (rows.regime == regime) & rows.modulus.isin(at.index[at.passing == 0])]
    unlearned = failed.groupby("modulus").clusters.mean()
    ax.plot(unlearned.index, unlearned, "x", color=COLOURS[1], label="none passes") if len(unlearned) else None
    ax.plot(along, np.log(along), color="black", linestyle=(0, (4, 2)), linewidth=1, label="ln n")
    if fit := fits["clusters", regime]:
        for (name, g), law, style in zip(LAWS.items(), (fit.logarithmic, fit.linear), (1, 3), strict=True):
            ax.plot(
                along, law.a + law.b * g(along), color=COLOURS[style], linestyle=DASHES[style], label=f"a + b {name}"
            )
    ceiling = np.arange(moduli[0], moduli[-1] + 1)
    ax.plot(ceiling, ceiling // 2, color="0.6", linestyle=":", linewidth=1, label="⌊n/2⌋")
    highest = max(9.0, 1.5 + part.clusters.max()) if len(part) else 9.0  # leaves room for the legend
    ax.set(title=titles[regime], xlabel="modulus n", xscale="log", xticks=ticks, ylim=(0, highest))
    ax.xaxis.set(minor_locator=NullLocator(), major_formatter="{x:g}")
    ax.tick_params(axis="x", rotation=60)
    drawn.append(at.reset_index().assign(regime=regime))
axes[0].set_ylabel(f"clusters, {h} neurons")
axes[0].legend(*axes[0].get_legend_handles_labels(), loc="upper left", ncols=2)
save_figure(figure, f"{figures}/moduli", pd.concat(drawn))

# %% [markdown]
# ## Result
# The table has the AICc of both laws and of a mean of its own for every modulus. Where the latter is lower, neither law
# describes the means fully.
#
# **Caveat.** Small moduli have few pairs, which networks learn by heart. The share that is trained on rises as n falls
# (table), and a modulus at which no network passes even so stands in the figure but in no fit. Larger moduli all get as
# many updates, and a network that has had few has more clusters (notebook on the recipe); part of the growth may be
# that. In batches of n the published learning rate leaves ever more neurons dead as n grows (table); at the largest
# moduli tried all of them are dead, and nothing is learned. The rate may be the reason why the means bend down before.
# And networks that pass where others fail are a selection.

# %%
laws = pd.DataFrame(
    [
        {"regime": regime, "counted": kind, "law": f"a + b {name}", "a": law.a, "b": law.b}
        | {"a error": law.a_error, "b error": law.b_error, "AICc": law.aicc, "AICc of free means": fit.means_aicc}
        for (kind, regime), fit in fits.items()
        if fit
        for name, law in zip(LAWS, (fit.logarithmic, fit.linear), strict=True)
    ],
    columns=["regime", "counted", "law", "a", "b", "a error", "b error", "AICc", "AICc of free means"],
)
save_table(laws, f"{figures}/laws", digits=4)
laws

# %%
values, flat = {}, found.reset_index()
for regime in REGIMES:
    part, by_means = flat[flat.regime == regime], over_means[regime]
    of_widths, of_moduli = part[part.modulus == n], part[part.d_mlp == h]
    narrow, wide = of_widths[of_widths.d_mlp == h], of_widths[of_widths.d_mlp > h]
    values |= {
        f"largest_ratio_to_narrow_{regime}": wide["mean"].max() / narrow["mean"].mean(),
        f"largest_over_ln_n_{regime}": (of_moduli["mean"] / np.log(of_moduli.modulus.astype(float))).max(),
        f"evidence_over_means_{regime}": by_means.evidence if by_means else None,
    }
values["evidence_batch"] = fits["clusters", "batch"].evidence if fits["clusters", "batch"] else None
record(
    values_file, network, values, [rows[rows.regime == regime] for regime in REGIMES if (rows.regime == regime).any()]
)
values

# %%
kept_ones, listed = (rows.trained == "kept").sum(), lambda texts: ", ".join(texts) or "none"
paragraphs = [
    f"{len(rows) - len(passing)} of {len(rows)} networks ({kept_ones} kept) are dropped, because they do not answer "
    "every input right."
]
better = lambda evidence: f"{abs(evidence):.1f} lower for the {'logarithm' if evidence > 0 else 'straight line'}"
for regime in REGIMES:
    at = table[(table.regime == regime) & (table.d_mlp == h)]
    partly, nowhere = at[at.passing.between(1, at.networks - 1)], at[at.passing == 0]
    said = (
        f"**{titles[regime]}, {h} neurons.** Every network passes at n = "
        f"{listed(map(str, at.modulus[at.passing == at.networks]))}; some pass at "
        f"{listed(f'{p.modulus} ({p.passing} of {p.networks})' for p in partly.itertuples())}; none pass at "
        f"{listed(f'{p.modulus} (accuracy from {p.lowest_accuracy:.3f})' for p in nowhere.itertuples())}."
    )
    if fit := fits["clusters", regime]:
        log, straight = fit.logarithmic, fit.linear
        said += (
            f" The laws are {log.a:.2f} ± {log.a_error:.2f} + ({log.b:.2f} ± {log.b_error:.2f}) ln n and "
            f"{straight.a:.2f} + {straight.b:.4f} n. AICc is {better(fit.evidence)}, and over the means of the moduli "
            f"{better(over_means[regime].evidence)}. "
            f"The largest mean is {values[f'largest_over_ln_n_{regime}']:.2f} times ln n."
        )
    else:
        said += " Fewer than three moduli have a network that passes, so no law is fitted."
    paragraphs.append(said)
widths_said = [
    f"- {titles[width.regime]}, {width.d_mlp} neurons: {width.passing} of {width.networks} pass"
    + (f"; {width.mean:.2f} clusters ({width.fewest:.0f} to {width.most:.0f}), " if width.passing else "")
    + (f"{width.strong:.2f} of them strong, dead {width.share_dead:.2f}" if width.passing else "")
    for width in table[table.modulus == n].itertuples()
]
say(*paragraphs, f"Networks of each width, n = {n}:", "\n".join(widths_said))
