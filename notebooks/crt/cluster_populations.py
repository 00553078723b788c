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
# 100,000 networks each frequency is found about 11,500 times (App. B.3.1, which also says about 10,000). The phases of a cluster
# are spread out uniformly about half the time (App. B.3).
#
# **Method.** Networks of both moduli and both regimes of batches. Networks short of accuracy 1 are counted and dropped.
# Intervals (95 %) are for means over networks, as weights and clusters of one network are dependent.
#
# The number of clusters and the weights depend on how long networks are trained, and [C] does not state the number of
# updates. [recipe_sensitivity](recipe_sensitivity.html) shows what it decides, and judges what [C] prints of batches of n.

# %%
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.crt.embedding_weights import LEFT_OUT
from modadd.networks.store import load_network
from modadd.plots.figures import (
    COLOURS,
    DASHES,
    MARKERS,
    PUBLISHED_LINE,
    draw_shares_below,
    panels,
    save_figure,
    save_table,
    use_style,
)
from modadd.populations import cluster_populations
from modadd.populations.tables import read_populations
from paper.ledger.judge.networks import claims_by_network, mostly_judged
from paper.notebook import interval, record, say
from paper.page.claims_map import draw_claims_map, in_words

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
figures = "results/by_hand/cluster_populations"
values_file = "results/by_hand/cluster_populations.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
shown_ranks = 30
even_quantile = 0.95  # of the index of random pairs, above which phases count as evenly spread
fewest = 3  # working neurons of a cluster whose phases are looked at
items = {"C/ln_n_is_four_and_a_half": 4.5}  # what this item of the source prints; filled in by the workflow
draws = 2000  # random sets for each number of neurons
seed = 0

# %%
use_style()
network = load_network(network_file)
tables, networks, n_of, titles = read_populations(datasets)
standing = cluster_populations.standing_table(tables)
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
judged = [claim for claim in claims if claim["id"] in holds]
for claim in judged:
    holds.loc[~everyone.population.isin(claim["judged_on"]), claim["id"]] = pd.NA
holds = holds[mostly_judged(holds)]
shown = everyone.loc[holds.index]
title = f"{len(shown)} of {len(everyone)} networks ({(shown.trained == 'here').sum()} trained here)"
if judged:
    labels = {claim["id"]: in_words(claim) for claim in judged}
    figure = draw_claims_map(holds, labels, shown.clusters.rename("clusters"), title)
    save_figure(figure, f"{figures}/claims_by_network", shown[["modulus", "batch_size", "seed", "trained"]].join(holds))

# %% [markdown]
# ## Weights of the embeddings
# Weights are all entries of both embeddings, counted in bins of 0.025, so that ±1, ±1.5, ±2 and ±0.025 are edges. Drawn is
# their share per bin of 0.05. The scale is logarithmic, so that nothing need be left out; the bin in the middle is
# (−0.025, 0.025). The dashed lines are ±1.

# %%
shares = {name: cluster_populations.shares_of_weights(rows) for name, rows in networks.items()}
figure, axes = panels(len(set(n_of.values())), height=2.4, sharey=True)
for ax, n in zip(axes, dict.fromkeys(n_of.values()), strict=True):
    of_modulus = [name for name in networks if n_of[name] == n]
    for name, colour, dash in zip(of_modulus, COLOURS, DASHES, strict=False):
        some = shares[name][shares[name].share > 0]
        style = {"color": colour, "linestyle": dash, "label": titles[name].split(", ")[1]}
        ax.plot(some.weight, some.share, drawstyle="steps-mid", **style)
    ax.vlines((-1, 1), 0, 1, transform=ax.get_xaxis_transform(), **PUBLISHED_LINE)
    ax.set(title=f"n = {n}", xlabel="embedding weight", yscale="log", xlim=(-2.2, 2.2))
    ax.yaxis.set_minor_locator(NullLocator())
axes[0].set_ylabel("share of the weights\nper bin of 0.05")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
drawn = pd.concat(shares, names=["population"]).reset_index("population")
save_figure(figure, f"{figures}/weights", drawn)

# %%
weights = cluster_populations.weights_table(networks)
save_table(weights, f"{figures}/weights_table", digits=4)
weights.round(4)

# %% [markdown]
# ## Clusters per network
# The dashed line is ln n. App. B.3.1 of [C] gives a count of its own: 43 frequencies that occur about 11,500 times each
# in 100,000 networks. In all these are 494,500, which is 4.95 clusters per network. But n = 91 has 45 frequencies and n
# = 89 has 44; with these numbers it is 5.18 and 5.06.

# %%
largest = max(rows.clusters.max() for rows in networks.values())
numbers = np.arange(largest + 2)
histograms = {
    name: rows.clusters.value_counts(normalize=True).reindex(numbers, fill_value=0).rename("share")
    for name, rows in networks.items()
}
figure, axes = panels(len(networks), columns=4, height=1.9, sharex=True)
for ax, (name, rows) in zip(axes, networks.items(), strict=True):
    ax.bar(numbers, histograms[name], 0.8, color=COLOURS[6])
    ax.axvline(np.log(n_of[name]), **PUBLISHED_LINE, label="ln n")
    ax.axvline(rows.clusters.mean(), color=COLOURS[1], linestyle=DASHES[2], linewidth=1.5, label="mean")
    ax.set(title=f"{titles[name]}\n{len(rows)} networks", xlabel="clusters")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
axes[0].set_ylabel("share of networks")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/clusters", pd.concat(histograms, names=["population"]).reset_index())

# %%
clusters = cluster_populations.clusters_table(networks)
save_table(clusters, f"{figures}/clusters_table")
clusters.round(3)

# %% [markdown]
# ## What a cluster alone answers
# The *rank* of the right answer is the number of answers to which a cluster alone gives no lower logit, over all inputs
# and clusters. Left, how often the right answer has each rank; a cluster that knew nothing would give every rank 1/n.
# Right, how often a cluster is right alone (rank 0), over the clusters.

# %%
ranks = {name: cluster_populations.shares_of_ranks(rows) for name, rows in networks.items()}
figure, (left, right) = panels(2, height=2.4)
for (name, rows), colour, dash, marker in zip(networks.items(), COLOURS, DASHES, MARKERS, strict=False):
    style = {"color": colour, "linestyle": dash}
    left.plot(ranks[name][:shown_ranks], linewidth=0.9, marker=marker, markersize=3, label=titles[name], **style)
    alone = np.sort(cluster_populations.right_alone(rows))
    right.plot(alone, np.linspace(0, 1, len(alone)), **style)
left.axhline(1 / max(n_of.values()), **PUBLISHED_LINE, label="by chance")
left.set(xlabel="rank of the right answer, one cluster alone", ylabel="share of inputs and clusters")
right.set(xlabel="share of inputs that a cluster answers alone", ylabel="share of clusters with less", xlim=(0, None))
figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)
drawn = pd.concat(
    {name: pd.Series(shares, name="share") for name, shares in ranks.items()}, names=["population", "rank"]
)
save_figure(figure, f"{figures}/ranks", drawn.reset_index())

# %%
answers = cluster_populations.answers_table(networks)
save_table(answers, f"{figures}/answers")
answers.round(3)

# %% [markdown]
# ## Evenly spread phases
# For [C] "spread out uniformly" is an impression. Here the pairs of phases of a cluster count as evenly spread if they keep
# further apart than random pairs: if their mean distance to the nearest neighbour (Clark and Evans' index) is above that of
# 95 % of random sets of as many pairs on the torus. That quantile is ours, set before looking. Of the share of clusters the
# distance from one half is judged, by regime.
#
# Left, the median index of clusters with a number of working neurons, with the range of nine in ten of them, and the quantile
# of random pairs (dashed).
# Right, the share of clusters with an index below each value.

# %%
spreads = cluster_populations.spreads_of_phases(networks, fewest)
limit = cluster_populations.even_from(spreads, even_quantile, draws, seed)
spreads["even"] = cluster_populations.evenly_spread(spreads, limit)
figure, (left, right) = panels(2, height=2.4)
by_neurons = {"x": "cluster_working", "y": "cluster_phase_spread", "estimator": "median", "errorbar": ("pi", 90)}
for (name, lines), colour, dash in zip(spreads.groupby("population", sort=False), COLOURS, DASHES, strict=False):
    style = {"color": colour, "linestyle": dash}
    sns.lineplot(lines, ax=left, err_kws={"alpha": 0.12}, **by_neurons, **style)
    draw_shares_below(right, lines.cluster_phase_spread, label=titles[name], **style)
left.plot(limit, **PUBLISHED_LINE)
left.set(xlabel="working neurons of the cluster", ylabel="Clark and Evans' index")
right.set(xlabel="Clark and Evans' index", ylabel="share of clusters with less")
figure.legend(*right.get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/phases", spreads)

# %% [markdown]
# ## Fine-tuning neurons, each frequency, evenly spread phases
# A network has fine-tuning neurons if any of them is not idle, and a fine-tuning cluster if a cluster carries most of its
# weight in them. How often a frequency occurs is the number of clusters over the number of frequencies. Numbers that differ
# between the regimes are recorded for batches of n and for full batch apart, mod 91 and mod 89.

# %%
ln_n = items["C/ln_n_is_four_and_a_half"]
numbers = {
    name: cluster_populations.numbers_of_population(rows, spreads[spreads.population == name], ln_n)
    for name, rows in networks.items()
}
table = cluster_populations.numbers_table(numbers, networks)
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
values = cluster_populations.answers(tables, networks, numbers)
record(values_file, network, values, list(tables.values()))
values


# %%
def percent(share, digits=1):
    """A share in per cent."""
    return f"{100 * share:.{digits}f} %"


def in_words(name):
    """How many networks of a population count, and what their weights, their clusters and single clusters are like."""
    lines = (table.set_index("population").loc[name] for table in (standing, weights, clusters, answers))
    found, weight, many, single = lines
    return (
        f"- **{titles[name]}**: {found.networks:.0f} networks, {found['trained here']:.0f} of them trained here. {found.dropped:.0f} are "
        f"short of accuracy 1 (worst {found.worst:.4f}) and left out, unless all are. Of the weights, "
        f"{percent(weight['outside 1'], 2)} lie outside [−1, 1] ({interval(weight, '.2%')}) "
        f"and {percent(weight[f'inside {LEFT_OUT:g}'])} inside ±{LEFT_OUT:g}; the largest is {weight.largest:.2f}. A network "
        f"has {many['mean']:.2f} clusters ({interval(many)}; the networks have {many['min']:.0f} to "
        f"{many['max']:.0f}); ln n is {many['ln n']:.2f}. A cluster alone is right on {percent(single['rank 0'])} of the "
        f"inputs; its median rank is {single['median rank']:.0f}. Most clusters (5 to 95 %) are right on "
        f"{percent(single['alone, 5 %'])} to {percent(single['alone, 95 %'])}."
    )


say("\n".join(in_words(name) for name in networks))

# %%
lines = []
for name, rows in networks.items():
    found, even = numbers[name], numbers[name]["even"]
    lines.append(
        f"- {titles[name]}: {(rows.share_fine_tuning_working > 0).sum()} of {len(rows)} networks have a fine-tuning neuron "
        f"that is not idle, {(rows.fine_tuning_clusters > 0).sum()} a fine-tuning cluster. In 100,000 networks each frequency "
        f"would occur {found['each_frequency'].value:.1f} thousand times. {100 * even.value:.0f} % of the clusters have "
        f"evenly spread phases ({interval(even, '.0%')})."
    )
say("\n".join(lines))
