# %% [markdown]
# # What do populations of networks have in common?
#
# **Claim** ([C] §4.1, Figs. 3 and 5). With batches of n pairs about 5 % of the embedding weights lie outside [−1, 1],
# with the full batch less than 0.5 %, and small batches leave more weights near 0: no rotation matrices. The number of
# clusters agrees with ln n:
#
# $$ \operatorname{mean}(\textrm{clusters}) \approx \ln n, \qquad \ln 91 = 4.51, \quad \ln 89 = 4.49 $$
#
# One cluster alone answers right now and then, and how often varies a lot.
#
# **Method.** Networks of both moduli and both regimes of batches. Networks short of accuracy 1 are counted and dropped.
# Weights are all entries of both embeddings, counted in bins of 0.025, so that ±1, ±1.5, ±2 and ±0.025 are edges. The
# *rank* of the right answer is the number of answers to which a cluster alone gives a greater logit, over all inputs
# and clusters. Intervals are for means over networks, since weights and clusters of one network are not independent.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator
from scipy.stats import t

from modadd.core.statistics import CONFIDENCE, share
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, PUBLISHED, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.rows import EDGES, share_beyond
from modadd.populations.tables import faultless, read_population, regime_of

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
populations = {  # tables of trained networks, by name; filled in by the workflow
    name: f"results/populations/{name}.parquet" for name in ("c91_batch", "c91_full", "c89_batch", "c89_full")
}
kept = {}  # committed tables of those populations
figures = "figures/cluster_populations"
values_file = "results/values/cluster_populations.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
shown_ranks = 30
near_zero = 0.025  # the bin that [C] leaves out

# %%
use_style()
network = load_network(network_file)
tables = {name: read_population(file, kept.get(name)) for name, file in populations.items()}
networks = {name: faultless(rows) for name, rows in tables.items()}
n_of = {name: int(rows.modulus.iloc[0]) for name, rows in networks.items()}
full = {name: rows.batch_size.iloc[0] == 0 for name, rows in networks.items()}
titles = {name: regime_of(rows) for name, rows in networks.items()}
half_width = lambda of: t.ppf((1 + CONFIDENCE) / 2, max(len(of) - 1, 1)) * of.sem()
standing = pd.DataFrame(
    {"population": name, "networks": len(rows), "dropped": (rows.accuracy < 1).sum(), "worst": rows.accuracy.min()}
    | {"trained here": (rows.trained == "here").sum()}
    for name, rows in tables.items()
)
standing

# %% [markdown]
# ## Weights of the embeddings
# Share of the weights per bin of 0.05. The scale is logarithmic, so that nothing need be left out; the bin in the
# middle is (−0.025, 0.025). The dashed lines are ±1.

# %%
counts = {name: np.stack(rows.embedding_counts).sum(axis=0) for name, rows in networks.items()}
figure, axes = panels(len(set(n_of.values())), height=2.4, sharey=True)
density = []
for ax, n in zip(axes, dict.fromkeys(n_of.values()), strict=True):
    for name, style in zip((name for name in networks if n_of[name] == n), ((0, 0), (1, 1)), strict=False):
        wide = counts[name][1:-1].reshape(-1, 2).sum(axis=1) / counts[name].sum()
        centre = EDGES[2:-2:2]
        seen = wide > 0
        colour, dash = COLOURS[style[0]], DASHES[style[1]]
        label = titles[name].split(", ")[1]
        ax.plot(centre[seen], wide[seen], color=colour, linestyle=dash, label=label, drawstyle="steps-mid")
        density.append(pd.DataFrame({"population": name, "weight": centre, "share": wide}))
    for edge in (-1, 1):
        ax.axvline(edge, **PUBLISHED)
    ax.set(title=f"n = {n}", xlabel="embedding weight", yscale="log", xlim=(-2.2, 2.2))
    ax.yaxis.set_minor_locator(NullLocator())
axes[0].set_ylabel("share of the weights\nper bin of 0.05")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/weights", pd.concat(density))

# %%
weights = pd.DataFrame(
    {
        "population": name,
        "networks": len(rows),
        "weights": counts[name].sum(),
        "outside 1": share_beyond(counts[name], 1.0),
        "give or take": half_width(rows.embedding_outside_one),
        "outside 1.5": share_beyond(counts[name], 1.5),
        "outside 2": share_beyond(counts[name], 2.0),
        "inside 0.025": 1 - share_beyond(counts[name], near_zero),
        "largest": rows.embedding_largest.max(),
    }
    for name, rows in networks.items()
)
save_table(weights, f"{figures}/weights_table", digits=4)
weights.round(4)

# %% [markdown]
# ## Clusters per network
# The dashed line is ln n. App. B.3.1 of [C] gives a count of its own: 43 frequencies that occur about 11,500 times each
# in 100,000 networks. In all these are 494,500, which is 4.95 clusters per network. But n = 91 has 45 frequencies and n
# = 89 has 44; with these numbers it is 5.18 and 5.06.

# %%
figure, axes = panels(len(networks), columns=4, height=1.9, sharex=True)
most = max(rows.clusters.max() for rows in networks.values())
histogram = []
for ax, (name, rows) in zip(axes, networks.items(), strict=True):
    number = np.arange(most + 2)
    found = rows.clusters.value_counts(normalize=True).reindex(number, fill_value=0)
    ax.bar(number, found, 0.8, color=COLOURS[6])
    ax.axvline(np.log(n_of[name]), **PUBLISHED, label="ln n")
    ax.axvline(rows.clusters.mean(), color=COLOURS[1], linestyle=DASHES[2], linewidth=1.5, label="mean")
    ax.set(title=f"{titles[name]}\n{len(rows)} networks", xlabel="clusters")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    histogram.append(pd.DataFrame({"population": name, "clusters": number, "share": found}))
axes[0].set_ylabel("share of networks")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/clusters", pd.concat(histogram))

# %%
clusters = pd.DataFrame(
    {
        "population": name,
        "networks": len(rows),
        "mean": rows.clusters.mean(),
        "give or take": half_width(rows.clusters),
        "std": rows.clusters.std(),
        "fewest": rows.clusters.min(),
        "most": rows.clusters.max(),
        "ln n": np.log(n_of[name]),
    }
    for name, rows in networks.items()
)
save_table(clusters, f"{figures}/clusters_table")
clusters.round(3)

# %% [markdown]
# ## What a cluster alone answers
# Left, how often the right answer has each rank, over all clusters and inputs; a cluster that knew nothing would give
# every rank 1/n. Right, how often a cluster is right alone (rank 0), over the clusters.

# %%
ranks = {name: np.stack(rows.rank_counts).sum(axis=0) for name, rows in networks.items()}
alone = {name: np.concatenate(rows.cluster_rank_zero.to_numpy()).astype(float) for name, rows in networks.items()}
figure, (left, right) = panels(2, height=2.4)
spread = []
for index, name in enumerate(networks):
    of_rank = ranks[name] / max(ranks[name].sum(), 1)
    style = {"color": COLOURS[index], "linestyle": DASHES[index], "marker": MARKERS[index], "markersize": 3}
    left.plot(of_rank[:shown_ranks], linewidth=0.9, label=titles[name], **style)
    right.plot(np.sort(alone[name]), np.linspace(0, 1, len(alone[name])), color=COLOURS[index], linestyle=DASHES[index])
    spread.append(pd.DataFrame({"population": name, "rank": np.arange(len(of_rank)), "share": of_rank}))
left.axhline(1 / max(n_of.values()), **PUBLISHED, label="by chance")
left.set(xlabel="rank of the right answer, one cluster alone", ylabel="share of inputs and clusters")
right.set(xlabel="share of inputs that a cluster answers alone", ylabel="share of clusters with less", xlim=(0, None))
figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/ranks", pd.concat(spread))

# %%
quantile = lambda counts, q: int(np.searchsorted(np.cumsum(counts), q * counts.sum()))
exact = {name: np.concatenate(rows.cluster_orders.to_numpy()).astype(int) > 1 for name, rows in networks.items()}
typical = lambda of, q: float(np.quantile(of, q)) if len(of) else np.nan
answers = pd.DataFrame(
    {
        "population": name,
        "clusters": len(alone[name]),
        "rank 0": ranks[name][0] / max(ranks[name].sum(), 1),
        "median rank": quantile(ranks[name], 0.5),
        "95 % rank": quantile(ranks[name], 0.95),
        "alone, 5 %": typical(alone[name], 0.05),
        "alone, median": typical(alone[name], 0.5),
        "alone, 95 %": typical(alone[name], 0.95),
        "alone, best": typical(alone[name], 1),
        "median, exact cosets": typical(alone[name][exact[name]], 0.5),
    }
    for name in networks
)
save_table(answers, f"{figures}/answers")
answers.round(3)

# %% [markdown]
# ## Result
# Compare *outside 1* with 5 % (batch n) and 0.5 % (full batch); *inside 0.025* shows the sparsity. The figure caption
# of [C] gives 2.4 million weights near 0 for 10,000 networks, which have 58 million in all. Its text speaks of a range
# (−2, 2) and of weights larger than 2 in one sentence. Compare *mean* with *ln n* and 4.95, and read the spread of what
# clusters answer alone.
#
# **Caveat.** How large an embedding weight is, is decided together with the layer behind it: scaling one up and the
# other down changes no answer, and the penalty only balances them. [C] does not state initialisation, epochs and order
# of batches, and these leave their mark on the weights.

# %%
by = lambda table, column, which: [row[column] for _, row in table.iterrows() if full[row.population] == which]
near = [by(weights, "inside 0.025", which) for which in (False, True)]
values = {
    "share_right": share(np.concatenate([rows.accuracy == 1 for rows in tables.values()])),
    "outside_one_batch": by(weights, "outside 1", False),
    "outside_one_full": by(weights, "outside 1", True),
    "outside_one_ratio": np.divide(*(np.mean(by(weights, "outside 1", which)) or np.nan for which in (False, True))),
    "outside_one_and_a_half_full": by(weights, "outside 1.5", True),
    "largest_batch": max(by(weights, "largest", False), default=np.nan),
    "near_zero_batch": near[0],
    "near_zero_ratio": np.divide(*(np.mean(of) or np.nan for of in near)),
    "clusters_mean": clusters["mean"],
    "clusters_less_ln_n": clusters["mean"] - clusters["ln n"],
    "alone_spread": (answers["alone, 95 %"] - answers["alone, 5 %"]) / answers["alone, median"],
    "alone_best": answers["alone, best"],
}
record(values_file, network, values, list(tables.values()))
values

# %%
of = [table.set_index("population").to_dict("index") for table in (standing, weights, clusters, answers)]
say(
    "\n".join(
        f"- **{titles[name]}**: {found['networks']} networks, {found['networks'] - found['trained here']} of them from "
        f"data/populations. Networks short of accuracy 1: {found['dropped']} (worst {found['worst']:.4f}), "
        f"{'dropped' if found['dropped'] < found['networks'] else 'shown, since there is no other'}. "
        f"{100 * weight['outside 1']:.2f} ± {100 * weight['give or take']:.2f} % of the weights lie outside [−1, 1], "
        f"{100 * weight['outside 1.5']:.3f} % outside [−1.5, 1.5] and {100 * weight['inside 0.025']:.1f} % inside "
        f"±{near_zero:g}; the largest is {weight['largest']:.2f}. "
        f"A network has {many['mean']:.2f} ± {many['give or take']:.2f} clusters ({many['fewest']} to {many['most']}); "
        f"ln n is {many['ln n']:.2f}. A cluster alone is right on {100 * single['rank 0']:.1f} % of the inputs; "
        f"its median rank is {single['median rank']}. Most clusters (5 to 95 %) are right on "
        f"{100 * single['alone, 5 %']:.0f} to {100 * single['alone, 95 %']:.0f} %, the best on "
        f"{100 * single['alone, best']:.0f} %."
        for name in networks
        for found, weight, many, single in [[table[name] for table in of]]
    )
)
