# %% [markdown]
# # Does a network prefer frequencies that share a factor with n?
#
# **Claim** ([C1] Fig. 9, App. G.7). If a frequency f shares a factor g with n, a cluster of it answers by exact cosets. [C1] says of n = 66 that such
# frequencies are preferred, and that those of the largest factors, 22 and 33, need fewer neurons. No network mod 66 is here.
# The same is asked of n = 91 = 7 · 13, of which thousands of networks are kept.
#
# [C1] App. G.3 asks another question: in about half of the clusters the phases lie like a grid, in the others not, and it is open why.
# A shared factor is a candidate cause, so it is tried here.
#
# **Method.** Clusters of all networks that answer every input right. *How often*: clusters of a class of frequencies with equal
# g = gcd(f, n), over the number of frequencies in the class and of networks; against the same of the frequencies coprime to n. *Neurons*: those
# that are not idle. *Grid*: Clark and Evans' index of the pairs of phases, 1 for many random ones, 2 on a square grid, below 1 for clumps. Intervals
# are at 95 %, Student's over networks and Welch's for differences of clusters.

# %%
import numpy as np
import pandas as pd

from modadd.core.statistics import difference_of_means, mean_of, ratio_of
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.frequencies import classes
from modadd.populations.tables import faultless_or_all, of_kept_recipe, read_population

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
}
figures = "figures/shared_factors"
values_file = "results/values/shared_factors.json"
published = {}  # "preferred" and "fewer" are no numbers
fewest = 5  # neurons of a cluster whose phases are looked at

# %%
use_style()
network = load_network(network_file)
titles = {"c91_batch": "batches of n", "c91_full": "full batch"}
columns = {
    "cluster_frequencies": "frequency",
    "cluster_orders": "g",
    "cluster_working": "neurons",
    "cluster_phase_spread": "index",
}
networks, clusters = {}, []
for name, files in datasets.items():
    rows = read_population(*files)
    rows = faultless_or_all(rows[of_kept_recipe(rows)]).reset_index(drop=True)
    networks[name] = rows
    listed = rows[list(columns)].rename(columns=columns).explode(list(columns.values()))
    clusters.append(listed.assign(population=name, network=listed.index))
clusters = pd.concat(clusters, ignore_index=True).astype({"frequency": int, "g": int, "neurons": int, "index": float})
n = int(networks["c91_batch"].modulus.iloc[0])
of_class = classes(n)
coprime = np.flatnonzero(of_class == 1) + 1
shared = np.flatnonzero(of_class > 1) + 1

# %% [markdown]
# ## How often, with how many neurons, how evenly
# One point for each frequency; colours are the common factor g. Above, batches of n; below, full batch.

# %%
figure, axes = panels(3 * len(networks), columns=3, height=2.0, sharex=True)
drawn = []
for place, (name, rows) in enumerate(networks.items()):
    own = clusters[clusters.population == name]
    many = own[own.neurons >= fewest]
    at = pd.DataFrame({"g": of_class}, index=np.arange(1, n // 2 + 1))
    at["clusters in a network"] = own.frequency.value_counts().reindex(at.index, fill_value=0) / len(rows)
    at["neurons"] = own.groupby("frequency").neurons.mean()
    at["Clark and Evans' index"] = many.groupby("frequency")["index"].mean()
    for ax, what in zip(axes[3 * place :], at.columns[1:], strict=False):
        for kind, (g, of) in enumerate(at.groupby("g")):
            ax.plot(of.index, of[what], MARKERS[kind], color=COLOURS[kind], markersize=3.5, label=f"gcd(f, n) = {g}")
        ax.set(ylabel=what, title=titles[name])
    drawn.append(at.rename_axis("frequency").reset_index().assign(population=name))
for ax in axes[-3:]:
    ax.set_xlabel("frequency")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/frequencies", pd.concat(drawn))

# %%
lines = []
for name, rows in networks.items():
    own = clusters[clusters.population == name]
    for g in np.unique(of_class).tolist():
        these = own[own.g == g]
        each = these.groupby("network").size().reindex(range(len(rows)), fill_value=0) / (of_class == g).sum()
        often, neurons = mean_of(each.to_numpy(float)), mean_of(these.neurons.to_numpy(float))
        index = mean_of(these[these.neurons >= fewest]["index"].to_numpy(float))
        line = {"population": titles[name], "g": g, "frequencies": int((of_class == g).sum()), "clusters": len(these)}
        for what, found in (("clusters a frequency", often), ("neurons", neurons), ("index", index)):
            line |= {what: found.value, f"{what}, low": found.low, f"{what}, high": found.high}
        lines.append(line)
table = pd.DataFrame(lines)
save_table(table, f"{figures}/classes")
table.round(3)

# %% [markdown]
# ## Result
# All frequencies that share a factor with n against all that do not, in batches and in full batch.
#
# **Caveat.** The statement of [C1] is about n = 66, whose factors are smaller and more. A cluster of few neurons has no
# phases that could be a grid.

# %%
values = {"preferred": [], "fewer_neurons": [], "less_even": []}
for name, rows in networks.items():
    own = clusters[clusters.population == name]
    with_factor = own.frequency.isin(shared)
    each = own.assign(shared=with_factor).groupby(["network", "shared"]).size().unstack(fill_value=0)
    each = each.reindex(index=range(len(rows)), columns=[True, False], fill_value=0)
    values["preferred"].append(
        ratio_of(each[True].to_numpy(float) / len(shared), each[False].to_numpy(float) / len(coprime))
    )
    for what, chosen, number in (
        ("fewer_neurons", own, "neurons"),
        ("less_even", own[own.neurons >= fewest], "index"),
    ):
        apart = chosen.frequency.isin(shared)
        values[what].append(
            difference_of_means(
                chosen[apart][number].to_numpy(float),
                chosen[~apart][number].to_numpy(float),
            )
        )
record(values_file, network, values, list(networks.values()))
values

# %%
interval = lambda found: f"{found.value:.2f} (95 %: {found.low:.2f} to {found.high:.2f})"
say(
    *(
        f"**{titles[name]}**, {len(rows)} networks: frequencies that share a factor with {n} occur {interval(values['preferred'][place])} "
        f"times as often as others. Their clusters have {interval(values['fewer_neurons'][place])} neurons more, and an index that is "
        f"larger by {interval(values['less_even'][place])}."
        for place, (name, rows) in enumerate(networks.items())
    )
)
