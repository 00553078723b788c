# %% [markdown]
# # What do populations of networks have in common?
#
# **Claim** ([C] §4.1, Figs. 3 and 5). With batches of n pairs about 5 % of the embedding weights lie outside [−1, 1],
# with the full batch less than 0.5 %, and small batches leave more weights near 0: no rotation matrices. The number of
# clusters agrees with ln n:
#
# $$ \operatorname{mean}(\textrm{clusters}) \approx \ln n, \qquad \ln 91 = 4.51, \quad \ln 89 = 4.49 $$
#
# One cluster alone answers right now and then, and how often varies a lot. Fine-tuning neurons do not occur at every seed. In
# 100,000 networks each frequency is found about 11,500 times (App. B.3.1; §4.1 says about 10,000). The phases of a cluster
# are spread out uniformly about half the time (App. B.3).
#
# **Method.** Networks of both moduli and both regimes of batches. Networks short of accuracy 1 are counted and dropped.
# Weights are all entries of both embeddings, counted in bins of 0.025, so that ±1, ±1.5, ±2 and ±0.025 are edges. The
# *rank* of the right answer is the number of answers to which a cluster alone gives no lower logit, over all inputs
# and clusters. Intervals (95 %) are for means over networks, as weights and clusters of one network are dependent.
#
# A network has fine-tuning neurons if any of them is not idle, and a fine-tuning cluster if a cluster carries most of its
# weight in them. For [C] "spread out uniformly" is an impression. Here the pairs of phases of a cluster count as evenly
# spread if they keep further apart than random pairs: if their mean distance to the nearest neighbour (Clark and Evans'
# index) is above that of 95 % of random sets of as many pairs on the torus. That quantile is ours, set before looking. Of the
# share of clusters the distance from one half is judged, by regime.
#
# The number of clusters and the weights depend on how long networks are trained, and [C] does not state the number of
# updates. [recipe_sensitivity](recipe_sensitivity.html) shows what it decides, and judges what [C] prints of batches of n.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.statistics import Estimate, distance_from_zero, mean_of, ratio_of, share
from modadd.crt.cosets import random_spread
from modadd.crt.embedding_weights import EDGES, LEFT_OUT, share_beyond
from modadd.ledger.networks import claims_by_network, criterion, mostly_judged
from modadd.ledger.record import record
from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.page.claims_map import draw_claims_map
from modadd.page.figures import COLOURS, DASHES, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import read_populations

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
figures = "figures/cluster_populations"
values_file = "results/values/cluster_populations.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
shown_ranks = 30
even_from = 0.95  # quantile of the index of random pairs above which phases count as evenly spread
fewest = 3  # working neurons of a cluster whose phases are looked at
items = {"C/ln_n_is_four_and_a_half": 4.5}  # what this item of the source prints; filled in by the workflow
draws = 2000  # random sets for each number of neurons
seed = 0

# %%
use_style()
network = load_network(network_file)
tables, networks, n_of, titles = read_populations(datasets)
full = {name: rows.batch_size.iloc[0] == 0 for name, rows in networks.items()}
of_mean = lambda of, word: {word: (found := mean_of(of)).value, "low": found.low, "high": found.high}
inside = lambda rows: pd.Series([1 - share_beyond(of, LEFT_OUT) for of in rows.embedding_counts], dtype=float)
standing = [
    (name, len(rows), (rows.accuracy < 1).sum(), rows.accuracy.min(), (rows.trained == "here").sum())
    for name, rows in tables.items()
]
standing = pd.DataFrame(standing, columns=["population", "networks", "dropped", "worst", "trained here"])
standing

# %% [markdown]
# ## Which networks break which claims
# Networks across, sorted by the number of claims that they break, and claims down. Rows that were kept before a number
# could be measured do not have it. Shown are the networks on which at least half of the claims can be judged; controls,
# which take long, are measured on the first networks only. A claim about one regime is asked of its networks alone.

# %%
everyone = pd.concat([rows.assign(population=name) for name, rows in networks.items()], ignore_index=True)
if (everyone.accuracy < 1).any():  # of networks that have not learned the task, whatever they do
    claims = [claim | {"needs_accuracy": 0} for claim in claims]
holds = claims_by_network(claims, everyone)
for claim in (claim for claim in claims if claim["id"] in holds):
    holds.loc[~everyone.population.isin(claim["judged_on"]), claim["id"]] = pd.NA
holds = holds[mostly_judged(holds)]
shown = everyone.loc[holds.index]
words = {claim["id"]: criterion(claim) for claim in claims if claim["id"] in holds}
count = f"{len(shown)} of {len(everyone)} networks ({(shown.trained == 'here').sum()} trained here)"
if len(holds.columns):
    figure = draw_claims_map(holds, words, shown.clusters.rename("clusters"), count)
    save_figure(figure, f"{figures}/claims_by_network", shown[["modulus", "batch_size", "seed", "trained"]].join(holds))

# %% [markdown]
# ## Weights of the embeddings
# Share of the weights per bin of 0.05. The scale is logarithmic, so that nothing need be left out; the bin in the
# middle is (−0.025, 0.025). The dashed lines are ±1.

# %%
counts = {name: np.stack(rows.embedding_counts).sum(axis=0) for name, rows in networks.items()}
(figure, axes), density = panels(len(set(n_of.values())), height=2.4, sharey=True), []
for ax, n in zip(axes, dict.fromkeys(n_of.values()), strict=True):
    for i, name in enumerate(name for name in networks if n_of[name] == n):
        wide, centre = counts[name][1:-1].reshape(-1, 2).sum(axis=1) / counts[name].sum(), EDGES[2:-2:2]
        line = {"color": COLOURS[i], "linestyle": DASHES[i], "label": titles[name].split(", ")[1]}
        ax.plot(centre[wide > 0], wide[wide > 0], drawstyle="steps-mid", **line)
        density.append(pd.DataFrame({"population": name, "weight": centre, "share": wide}))
    ax.vlines((-1, 1), 0, 1, transform=ax.get_xaxis_transform(), **PUBLISHED_LINE)
    ax.set(title=f"n = {n}", xlabel="embedding weight", yscale="log", xlim=(-2.2, 2.2))
    ax.yaxis.set_minor_locator(NullLocator())
axes[0].set_ylabel("share of the weights\nper bin of 0.05")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/weights", pd.concat(density))
weights = pd.DataFrame(
    {
        "population": name,
        "networks": len(rows),
        "weights": counts[name].sum(),
        **of_mean(rows.embedding_outside_one, "outside 1"),
        "outside 1.5": share_beyond(counts[name], 1.5),
        "outside 2": share_beyond(counts[name], 2.0),
        "inside 0.025": mean_of(inside(rows)).value,
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
(figure, axes), histogram = panels(len(networks), columns=4, height=1.9, sharex=True), []
most = max(rows.clusters.max() for rows in networks.values())
for ax, (name, rows) in zip(axes, networks.items(), strict=True):
    found = rows.clusters.value_counts(normalize=True).reindex(number := np.arange(most + 2), fill_value=0)
    ax.bar(number, found, 0.8, color=COLOURS[6])
    ax.axvline(np.log(n_of[name]), **PUBLISHED_LINE, label="ln n")
    ax.axvline(rows.clusters.mean(), color=COLOURS[1], linestyle=DASHES[2], linewidth=1.5, label="mean")
    ax.set(title=f"{titles[name]}\n{len(rows)} networks", xlabel="clusters")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    histogram.append(pd.DataFrame({"population": name, "clusters": number, "share": found}))
axes[0].set_ylabel("share of networks")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/clusters", pd.concat(histogram))
clusters = pd.DataFrame(
    {
        "population": name,
        "networks": len(rows),
        **of_mean(rows.clusters, "mean"),
        **rows.clusters.agg(["std", "min", "max"]),
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
(figure, (left, right)), spread = panels(2, height=2.4), []
for index, name in enumerate(networks):
    of_rank = ranks[name] / max(ranks[name].sum(), 1)
    style = {"color": COLOURS[index], "linestyle": DASHES[index], "marker": MARKERS[index], "markersize": 3}
    left.plot(of_rank[:shown_ranks], linewidth=0.9, label=titles[name], **style)
    right.plot(np.sort(alone[name]), np.linspace(0, 1, len(alone[name])), color=COLOURS[index], linestyle=DASHES[index])
    spread.append(pd.DataFrame({"population": name, "rank": np.arange(len(of_rank)), "share": of_rank}))
left.axhline(1 / max(n_of.values()), **PUBLISHED_LINE, label="by chance")
left.set(xlabel="rank of the right answer, one cluster alone", ylabel="share of inputs and clusters")
right.set(xlabel="share of inputs that a cluster answers alone", ylabel="share of clusters with less", xlim=(0, None))
figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/ranks", pd.concat(spread))
quantile = lambda counts, q: int(np.searchsorted(np.cumsum(counts), q * counts.sum()))
exact = {name: np.concatenate(rows.cluster_orders.to_numpy()).astype(int) > 1 for name, rows in networks.items()}
quantiles = {"5 %": 0.05, "median": 0.5, "95 %": 0.95, "best": 1}
typical = lambda of, q: float(np.quantile(of, q)) if len(of) else np.nan
answers = pd.DataFrame(
    {
        "population": name,
        "clusters": len(alone[name]),
        "rank 0": ranks[name][0] / max(ranks[name].sum(), 1),
        "median rank": quantile(ranks[name], 0.5),
        "95 % rank": quantile(ranks[name], 0.95),
        **{f"alone, {word}": typical(alone[name], q) for word, q in quantiles.items()},
        "median, exact cosets": typical(alone[name][exact[name]], 0.5),
    }
    for name in networks
)
save_table(answers, f"{figures}/answers")
answers.round(3)

# %% [markdown]
# ## Evenly spread phases
# Left, the index of every cluster against its number of working neurons, with the quantile of random pairs (dashed).
# Right, the share of clusters with an index below each value.

# %%
rng = np.random.default_rng(seed_for(seed, "random pairs of phases"))
spreads = pd.concat(
    rows[["seed", "cluster_working", "cluster_phase_spread"]]
    .explode(["cluster_working", "cluster_phase_spread"])
    .assign(population=name)
    for name, rows in networks.items()
).astype({"cluster_working": float, "cluster_phase_spread": float})
spreads = spreads[spreads.cluster_working >= fewest]
sizes = sorted(spreads.cluster_working.astype(int).unique())
random = {m: random_spread(m, draws, rng) for m in sizes}
limit = pd.Series({m: np.quantile(index, even_from) for m, index in random.items()}, dtype=float)
spreads["even"] = spreads.cluster_phase_spread > spreads.cluster_working.map(limit)
figure, (left, right) = panels(2, height=2.4)
for (name, rows), colour, dash in zip(spreads.groupby("population", sort=False), COLOURS, DASHES, strict=False):
    left.plot(rows.cluster_working, rows.cluster_phase_spread, ".", color=colour, markersize=3)
    index = np.sort(rows.cluster_phase_spread)
    right.plot(index, np.arange(1, len(index) + 1) / len(index), color=colour, linestyle=dash, label=titles[name])
left.plot(limit, **PUBLISHED_LINE)
left.set(xlabel="working neurons of the cluster", ylabel="Clark and Evans' index")
right.set(xlabel="Clark and Evans' index", ylabel="share of clusters with less")
figure.legend(*right.get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/phases", spreads)

# %% [markdown]
# ## Fine-tuning neurons, each frequency, evenly spread phases
# How often a frequency occurs is the number of clusters over the number of frequencies. Numbers that differ between the
# regimes are recorded for batches of n and for full batch apart, mod 91 and mod 89.

# %%
rows_of = []
ln_n = items["C/ln_n_is_four_and_a_half"]
for name, rows in networks.items():
    own = spreads[spreads.population == name].groupby("seed").even.agg(["sum", "count"])
    each = mean_of(100 * rows.clusters / (rows.modulus // 2))
    tuning = {"neurons": rows.share_fine_tuning_working > 0, "clusters": rows.fine_tuning_clusters > 0}
    even = ratio_of(own["sum"].to_numpy(float), own["count"].to_numpy(float))
    from_half = distance_from_zero(Estimate(even.value - 0.5, even.low - 0.5, even.high - 0.5, even.of))
    many = mean_of(rows.clusters)
    from_ln_n = distance_from_zero(Estimate(many.value - ln_n, many.low - ln_n, many.high - ln_n, many.of))
    found = {
        "clusters per network": many,
        "from ln n": from_ln_n,
        "each frequency": each,
        "even": even,
        "from half": from_half,
    }
    rows_of.append({"population": name, "networks": len(rows), "full": full[name]} | found | tuning)
table = pd.DataFrame(
    {
        "population": of["population"],
        "networks": of["networks"],
        "with fine-tuning neurons": of["neurons"].mean(),
        "with fine-tuning clusters": of["clusters"].mean(),
        "thousand times in 100,000": of["each frequency"].value,
        "evenly spread": of["even"].value,
    }
    for of in rows_of
)
save_table(table, f"{figures}/numbers", digits=4)
table.round(3)

# %% [markdown]
# ## Result
# [C] prints 5 % (batch n) and 0.5 % (full batch) *outside 1*, 2.4 million of 58 million weights *inside 0.025* (Fig. 3,
# 10,000 networks), and *mean* against *ln n*. Its text has a range (−2, 2) and weights larger than 2; how large they get
# depends on the number of updates. Of the clusters it prints two numbers: 494,500 in 100,000 networks, and about 4.5 in each, as ln n.
# Our full batch stops after 1,500 updates, before this number has settled; [the recipe](recipe_sensitivity.html) has longer runs.
#
# **Caveat.** Scaling an embedding up and the layer behind it down changes no answer; only the penalty balances them. [C]
# does not state initialisation, epochs and order of batches, and these leave their mark on the weights. What counts as
# evenly spread is our reading of a picture; another quantile gives another share.

# %%
values = {
    "share_right": share(np.concatenate([rows.accuracy == 1 for rows in tables.values()])),
    "outside_one_and_a_half_full": weights["outside 1.5"][weights.population.map(full)],
    "outside_two_batch": weights["outside 2"][~weights.population.map(full)],
    "alone_spread": (answers["alone, 95 %"] - answers["alone, 5 %"]) / answers["alone, median"],
    "without_fine_tuning_neurons": [int((~of["neurons"]).sum()) for of in rows_of],
    "clusters_per_network": [of["clusters per network"] for of in rows_of if not of["full"]],
    "clusters_per_network_full": [of["clusters per network"] for of in rows_of if of["full"]],
    "clusters_from_ln_n": [of["from ln n"] for of in rows_of if not of["full"]],
    "runs_with_fine_tuning": [mean_of(of["neurons"].to_numpy(float)) for of in rows_of],
    "runs_with_any_fine_tuning": [(rows.share_fine_tuning > 0).mean() for rows in networks.values()],
    "evenly_spread": [of["even"] for of in rows_of],
    "evenly_spread_from_half": [of["from half"] for of in rows_of if not of["full"]],
    "evenly_spread_from_half_full": [of["from half"] for of in rows_of if of["full"]],
}
record(values_file, network, values, list(tables.values()))
values

# %%
of = [table.set_index("population").to_dict("index") for table in (standing, weights, clusters, answers)]
percent = lambda share, digits=1: f"{100 * share:.{digits}f} %"
say(
    "\n".join(
        f"- **{titles[name]}**: {found['networks']} networks, {found['trained here']} of them trained here. {found['dropped']} "
        f"are short of accuracy 1 (worst {found['worst']:.4f}) and left out, unless all are. Of the weights, "
        f"{percent(weight['outside 1'], 2)} lie outside [−1, 1] (95 %: {percent(weight['low'], 2)} to "
        f"{percent(weight['high'], 2)}) and {percent(weight['inside 0.025'])} inside ±{LEFT_OUT:g}; the largest is "
        f"{weight['largest']:.2f}. A network has {many['mean']:.2f} clusters (95 %: {many['low']:.2f} to {many['high']:.2f}; "
        f"the networks have {many['min']} to {many['max']}); ln n is {many['ln n']:.2f}. A cluster alone is right on "
        f"{percent(single['rank 0'])} of the inputs; its median rank is {single['median rank']}. Most clusters (5 to 95 %) "
        f"are right on {percent(single['alone, 5 %'])} to {percent(single['alone, 95 %'])}."
        for name in networks
        for found, weight, many, single in [[table[name] for table in of]]
    ),
)
say(
    "\n".join(
        f"- {titles[of['population']]}: {of['neurons'].sum()} of {of['networks']} networks have a fine-tuning neuron that is "
        f"not idle, {of['clusters'].sum()} a fine-tuning cluster. In 100,000 networks each frequency would occur "
        f"{of['each frequency'].value:.1f} thousand times. {100 * of['even'].value:.0f} % of the clusters have evenly "
        f"spread phases (95 %: {100 * of['even'].low:.0f} to {100 * of['even'].high:.0f} %)."
        for of in rows_of
    ),
)
