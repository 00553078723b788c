# %% [markdown]
# # How often do fine-tuning neurons, each frequency and evenly spread phases occur?
#
# **Claim** ([C] §4.1, App. B.3 and B.3.1). Fine-tuning neurons do not occur at every seed. Each frequency occurs about
# 10,000 times in 100,000 networks. The phases of a cluster are spread out uniformly only about half the time:
#
# $$ P(\textrm{evenly spread}) \approx \tfrac{1}{2} $$
#
# **Method.** Networks of both moduli and both regimes of batches; networks short of accuracy 1 are dropped. A network has
# fine-tuning neurons if any of them is not idle, and a fine-tuning cluster if a cluster carries most of its weight in
# them. How often a frequency occurs is the number of clusters over the number of frequencies. For [C] "spread out
# uniformly" is an impression. Here the pairs of phases of a cluster count as evenly spread if they keep further apart
# than random pairs: if their mean distance to the nearest neighbour (Clark and Evans' index) is above that of 95 % of
# random sets of as many pairs on the torus. That quantile is ours, set before looking.

# %%
import numpy as np
import pandas as pd

from modadd.core.statistics import mean_of, ratio_of
from modadd.crt.cosets import random_spread
from modadd.ledger.record import record
from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, PUBLISHED_LINE, panels, save_figure, save_table, use_style
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
figures = "figures/cluster_details"
values_file = "results/values/cluster_details.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
even_from = 0.95  # quantile of the index of random pairs above which phases count as evenly spread
fewest = 3  # working neurons of a cluster that is looked at
draws = 2000  # random sets for each number of neurons
seed = 0

# %%
use_style()
network = load_network(network_file)
tables, networks, _, titles = read_populations(datasets)
rng = np.random.default_rng(seed_for(seed, "random pairs of phases"))

# %% [markdown]
# ## Evenly spread phases
# Left, the index of every cluster against its number of working neurons, with the quantile of random pairs (dashed).
# Right, the share of clusters with an index below each value.

# %%
clusters = pd.concat(
    rows[["seed", "cluster_working", "cluster_phase_spread"]]
    .explode(["cluster_working", "cluster_phase_spread"])
    .assign(population=name)
    for name, rows in networks.items()
).astype({"cluster_working": float, "cluster_phase_spread": float})
clusters = clusters[clusters.cluster_working >= fewest]
sizes = sorted(clusters.cluster_working.astype(int).unique())
random = {m: random_spread(m, draws, rng) for m in sizes}
limit = pd.Series({m: np.quantile(index, even_from) for m, index in random.items()}, dtype=float)
clusters["even"] = clusters.cluster_phase_spread > clusters.cluster_working.map(limit)
figure, (left, right) = panels(2, height=2.4)
for (name, rows), colour, dash in zip(clusters.groupby("population", sort=False), COLOURS, DASHES, strict=False):
    left.plot(rows.cluster_working, rows.cluster_phase_spread, ".", color=colour, markersize=3)
    index = np.sort(rows.cluster_phase_spread)
    right.plot(index, np.arange(1, len(index) + 1) / len(index), color=colour, linestyle=dash, label=titles[name])
left.plot(limit, **PUBLISHED_LINE)
left.set(xlabel="working neurons of the cluster", ylabel="Clark and Evans' index")
right.set(xlabel="Clark and Evans' index", ylabel="share of clusters with less")
figure.legend(*right.get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/phases", clusters)

# %% [markdown]
# ## The numbers

# %%
rows_of = []
for name, rows in networks.items():
    own = clusters[clusters.population == name].groupby("seed").even.agg(["sum", "count"])
    each = mean_of(100 * rows.clusters / (rows.modulus // 2))
    tuning = {"neurons": rows.share_fine_tuning_working > 0, "clusters": rows.fine_tuning_clusters > 0}
    even = ratio_of(own["sum"].to_numpy(float), own["count"].to_numpy(float))
    rows_of.append({"population": name, "networks": len(rows), "each frequency": each, "even": even} | tuning)
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
# Read how many networks have fine-tuning neurons at all, how often each frequency occurs, and which share of the clusters
# has evenly spread phases.
#
# **Caveat.** [C] says about 10,000 in one sentence and reads 11,500 off its figure in another; the second one is judged. What counts as evenly
# spread is our reading of a picture, so [C]'s half is not judged: only that phases keep apart more often than random ones.

# %%
values = {
    "without_fine_tuning_neurons": [int((~of["neurons"]).sum()) for of in rows_of],
    "each_frequency": [of["each frequency"] for of in rows_of],
    "evenly_spread": [of["even"] for of in rows_of],
}
record(values_file, network, values, list(tables.values()))
values

# %%
say(
    "\n".join(
        f"- {titles[of['population']]}: {of['neurons'].sum()} of {of['networks']} networks have a fine-tuning neuron that is "
        f"not idle, {of['clusters'].sum()} a fine-tuning cluster. In 100,000 networks each frequency would occur "
        f"{of['each frequency'].value:.1f} thousand times. {100 * of['even'].value:.0f} % of the clusters have evenly "
        f"spread phases (95 %: {100 * of['even'].low:.0f} to {100 * of['even'].high:.0f} %)."
        for of in rows_of
    ),
)
