# %% [markdown]
# # How does the number of clusters grow with the width and with the modulus?
#
# **Claim** ([C] App. B.6, B.7 and Conjecture 1). Networks learn O(ln n) clusters. More neurons, from 128 up to 8192, do
# not change that, in batches of n or with all training pairs at once (Fig. 29). Over the moduli the number of clusters
# is *reasonably upper bounded by* ln n (Fig. 30, 200 networks at each point). Earlier models need O(n) frequencies. So
# five laws are compared, three that O(ln n) allows and two that outgrow it:
#
# $$ a, \qquad a - b / n, \qquad a + b \ln n, \qquad a + b \sqrt{n}, \qquad a + b \, n $$
#
# **Method.** Clusters are counted in each network: alive neurons of one frequency make one. Only networks that answer
# every input right count, since an unfinished network has more clusters; the others are reported. The number of clusters
# also depends on the number of updates, which [C] does not state: networks with few updates have more clusters. In batches
# of n the published learning rate leaves ever more neurons dead as n grows, so a quarter of it is tried besides. All
# networks of one modulus deviate from a law in the same way, so many networks of few moduli would make a small misfit
# look certain. So each law is fitted by least squares to the means of the moduli, one datum each, and its standard
# errors include the lack of fit. Akaike's criterion with its correction for few data (AICc) gives the *weight of
# evidence* of every law; the weights sum to 1. Its interval comes from networks drawn again within each modulus. Each
# modulus is left out in turn, to see how often each law is best. An
# F test compares each law, fitted to all networks, with a separate mean for every modulus. A wide network has many weak
# neurons, and one of them is enough for a cluster. So clusters that carry at least a hundredth of the network's weight
# Σ r·α are counted besides.

# %%
from dataclasses import asdict, fields

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.growth import LAWS, Law, best_without_one, fit_laws, r_squared_resampled, weights_resampled
from modadd.core.statistics import difference_of_means, mean_of
from modadd.ledger.record import record
from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, PAGE, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import read_population

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
figures = "figures/cluster_scaling"
values_file = "results/values/cluster_scaling.json"
published = {}  # no number is printed
most = 200  # networks at one point, as in [C] Fig. 30; of a larger population the first
least_weight = 0.01  # share of the network's weight from which a cluster is a strong one
seed = 0  # of the networks drawn again, for intervals

# %%
use_style()
network = load_network(network_file)
n, h = network.recipe.modulus, network.recipe.d_mlp
titles = {"batch": "batches of n", "full": "full batch", "slow": "batches of n, lower learning rate"}
point = ["regime", "modulus", "d_mlp"]
rows = pd.concat([read_population(*files) for name, files in datasets.items()], ignore_index=True)
slow = rows.learning_rate < network.recipe.learning_rate
rows["regime"] = np.where(rows.batch_size == 0, "full", np.where(slow, "slow", "batch"))
regimes = [regime for regime in titles if (rows.regime == regime).any()]
rows["strong_clusters"] = [int((np.asarray(weights) >= least_weight).sum()) for weights in rows.cluster_weights]
rows = rows.assign(passes=rows.accuracy == 1, train_share=rows.train_pairs / rows.modulus**2)
rows = rows[rows.steps == rows.groupby(point).steps.transform("max")]  # one length: the longest
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
widths = sorted(rows[rows.modulus == n].d_mlp.unique())
counts = np.arange(1, int(rows[rows.modulus == n].clusters.max()) + 2)
figure, axes = plt.subplots(
    len(widths), 2, figsize=(PAGE, 1.3 * len(widths)), sharex=True, sharey=True, squeeze=False, layout="constrained"
)
bars = []
for line, width in zip(axes, widths, strict=True):
    for ax, regime in zip(line, ("batch", "full"), strict=True):  # no other width has a lower learning rate
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
fits, best = {}, {}
for kind in ("clusters", "strong_clusters"):
    for regime, part in ((regime, of_width[of_width.regime == regime]) for regime in regimes):
        fits[kind, regime] = fit_laws(part.modulus.to_numpy(), part[kind].to_numpy(float))
        best[kind, regime] = best_without_one(part.modulus.to_numpy(), part[kind].to_numpy(float))
moduli = np.sort(rows[rows.d_mlp == h].modulus.unique())
ticks = moduli[np.append(True, np.diff(np.log(moduli)) > 0.2)]  # 91 would stand on 89
along = np.geomspace(moduli[0], moduli[-1], 200)
figure, axes = panels(len(regimes), columns=3, height=2.6, sharey=True)
drawn = []
for ax, regime in zip(axes, regimes, strict=True):
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
    for index, (name, law) in enumerate((fits["clusters", regime] or {}).items()):
        height = law.a + (law.b * LAWS[name](along) if LAWS[name] else 0 * along)
        ax.plot(along, height, color=COLOURS[index], linestyle=DASHES[index % len(DASHES)], linewidth=1, label=name)
    ceiling = np.arange(moduli[0], moduli[-1] + 1)
    ax.plot(ceiling, ceiling // 2, color="0.6", linestyle=":", linewidth=1, label="⌊n/2⌋")
    highest = max(6.0, 0.5 + part.clusters.max()) if len(part) else 6.0
    ax.set(title=titles[regime], xlabel="modulus n", xscale="log", xticks=ticks, ylim=(0, highest))
    ax.xaxis.set(minor_locator=NullLocator(), major_formatter="{x:g}")
    ax.tick_params(axis="x", rotation=90)
    drawn.append(at.reset_index().assign(regime=regime))
axes[0].set_ylabel(f"clusters, {h} neurons")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=5)
save_figure(figure, f"{figures}/moduli", pd.concat(drawn))

# %% [markdown]
# ## Result
# Weights of evidence are judged. *lack of fit* is the p-value of the F test: where it is small, the law does not describe
# the means, and its weight only says that the others do so less.
#
# **Caveat.** Small moduli have few pairs, which networks learn by heart. The share that is trained on rises as n falls
# (table); a modulus at which no network passes even so stands in the figure but in no fit. Some moduli, the smallest in
# full batch among them, get more updates than the others (table), and part of the growth may be that. In batches of n the
# published learning rate leaves ever more neurons dead as n grows (table), so the means bend down before nothing is
# learned any more; a lower rate has laws of its own. And networks that pass where others fail are a selection.

# %%
laws = pd.DataFrame(
    [
        {"regime": regime, "counted": kind, "law": name} | asdict(law) | {"best without one": best[kind, regime][name]}
        for (kind, regime), fit in fits.items()
        for name, law in (fit or {}).items()
    ],
    columns=["regime", "counted", "law", *(field.name for field in fields(Law)), "best without one"],
)
save_table(laws, f"{figures}/laws", digits=4)
laws

# %%
flat = found.reset_index()
values = {"moduli": {}, "largest_ratio_to_narrow": []}
said_of = {}
for regime in titles:
    own = of_width[of_width.regime == regime]
    of_moduli, fit = flat[(flat.regime == regime) & (flat.d_mlp == h)], fits.get(("clusters", regime))
    over_ln_n = of_moduli["mean"] / np.log(of_moduli.modulus.astype(float))
    said_of[regime] = {"largest": over_ln_n.max(), "smallest": over_ln_n.min()}
    drawn_again = np.random.default_rng(seed_for(seed, f"networks drawn again, {regime}"))
    counted = own.modulus.to_numpy(), own.clusters.to_numpy(float)
    weights = weights_resampled(*counted, drawn_again)
    values["moduli"][regime] = len(of_moduli)
    values[f"logarithm_r_squared_{regime}"] = r_squared_resampled("a + b ln n", *counted, drawn_again)
    values[f"logarithm_weight_{regime}"] = weights["a + b ln n"]
    values[f"levelling_weight_{regime}"] = weights["a − b/n"]
    values[f"root_weight_{regime}"] = weights["a + b √n"]
    values[f"linear_weight_{regime}"] = weights["a + b n"]
    values[f"lack_of_fit_{regime}"] = {
        name: fit[name].lack_of_fit if fit else np.nan for name in ("a − b/n", "a + b ln n")
    }
    values[f"best_without_one_{regime}"] = best.get(("clusters", regime), dict.fromkeys(LAWS, 0))

# %%
for regime in ("batch", "full"):  # no network of a lower learning rate is wider
    of_widths = passing[(passing.regime == regime) & (passing.modulus == n)]
    clusters = {width: mean_of(of.clusters) for width, of in of_widths.groupby("d_mlp")}
    wide = [of.high for width, of in clusters.items() if width > h]
    widest = of_widths[of_widths.d_mlp == max(clusters, default=h)]
    values["largest_ratio_to_narrow"].append(max(wide, default=np.nan) / clusters.get(h, mean_of([])).low)
    narrow = of_widths[of_widths.d_mlp == h]
    values[f"widest_less_narrow_{regime}"] = difference_of_means(widest.clusters, narrow.clusters)
values["logarithm_r_squared"] = [values["logarithm_r_squared_batch"], values["logarithm_r_squared_full"]]
values["linear_weights"] = [values["linear_weight_batch"], values["linear_weight_full"]]
record(values_file, network, values, [rows[rows.regime != "full"], rows[rows.regime == "full"]])
values

# %%
kept_ones, listed = (rows.trained == "kept").sum(), lambda texts: ", ".join(texts) or "none"
paragraphs = [
    f"{len(rows) - len(passing)} of {len(rows)} networks ({kept_ones} kept) are dropped, because they do not answer "
    "every input right."
]
for regime in regimes:
    at, fit = table[(table.regime == regime) & (table.d_mlp == h)], fits["clusters", regime]
    some, none = at[at.passing > 0], at[at.passing == 0]
    said = (
        f"**{titles[regime]}, {h} neurons.** Networks that pass: "
        f"{listed(f'{p.passing} of {p.networks} at n = {p.modulus}' for p in some.itertuples())}; none pass at "
        f"{listed(f'{p.modulus} (accuracy from {p.lowest_accuracy:.3f})' for p in none.itertuples())}."
    )
    if fit and np.isfinite(fit["a"].weight):
        first = max(fit, key=lambda name: fit[name].weight)
        law, log = fit[first], fit["a + b ln n"]
        said += (
            f" The weights of evidence are {listed(f'{law.weight:.3f} for {name}' for name, law in fit.items())}. The best "
            f"law is {first}, with a = {law.a:.2f} ± {law.a_error:.2f}, b = {law.b:.3g} ± {law.b_error:.2g} and lack of "
            f"fit p = {law.lack_of_fit:.2g}; the logarithm has a = {log.a:.2f} ± {log.a_error:.2f}, b = {log.b:.2f} ± "
            f"{log.b_error:.2f} and p = {log.lack_of_fit:.2g}. With one modulus left out, {first} is best in "
            f"{best['clusters', regime][first]} of {len(some)} cases. Fitted to networks, as if those of one modulus shared "
            f"no deviation, its weight is {law.weight_of_networks:.3f}. The means lie between "
            f"{said_of[regime]['smallest']:.2f} and {said_of[regime]['largest']:.2f} times ln n."
        )
    else:
        said += " These are too few moduli to compare laws."
    paragraphs.append(said)
widths_said = [
    f"- {titles[width.regime]}, {width.d_mlp} neurons: {width.passing} of {width.networks} pass"
    + (f"; {width.mean:.2f} clusters ({width.fewest:.0f} to {width.most:.0f}), " if width.passing else "")
    + (f"{width.strong:.2f} of them strong, dead {width.share_dead:.2f}" if width.passing else "")
    for width in table[table.modulus == n].itertuples()
]
say(*paragraphs, f"Networks of each width, n = {n}:", "\n".join(widths_said))
