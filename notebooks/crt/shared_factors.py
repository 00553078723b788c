# %% [markdown]
# # Does a network prefer frequencies that share a factor with n?
#
# **Claim** ([C1] Fig. 9, App. G.7). If a frequency f shares a factor g with n, a cluster of it answers by exact cosets. [C1] says of n = 66 that such
# frequencies are preferred, and that those of the largest factors, 22 and 33, need fewer neurons. This is asked of the networks mod 66
# that are trained by the recipe of [C1] Fig. 4, and of n = 91 = 7 · 13, of which thousands of networks are kept.
#
# [C1] App. G.3 asks another question: in about half of the clusters the phases lie like a grid, in the others not, and it is open why.
# A shared factor is a candidate cause, so it is tried here.
#
# **Method.** Clusters of all networks that answer every input right. *How often*: clusters of a class of frequencies with equal
# g = gcd(f, n), over the number of frequencies in the class and of networks; against the same of the frequencies coprime to n. *Neurons*: those
# that are not idle. *Grid*: Clark and Evans' index of the pairs of phases, 1 for many random ones, 2 on a square grid, below 1 for clumps. Intervals
# are at 95 %, Student's over networks and Welch's for differences of clusters. Mod 66, where neurons have no biases, a frequency counts
# that has at least a hundredth of Σ r, the amplitudes of its neurons. With one-hot inputs a network learns most frequencies, so that its
# choice says little; behind an embedding it learns few, so that little can be said of 22 and 33. Which of the two judges what was fixed
# before these networks were trained (`data/why_few/predictions.yaml`).

# %%
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

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
    "c1_one_hot": ["results/populations/c1_one_hot.parquet"],
    "c1_embedding": ["results/populations/c1_embedding.parquet"],
}
figures = "figures/shared_factors"
values_file = "results/values/shared_factors.json"
published = {}  # "preferred" and "fewer" are no numbers
fewest = 5  # neurons of a cluster whose phases are looked at

# %%
use_style()
network = load_network(network_file)
titles = {
    "c91_batch": "mod 91, batches of n",
    "c91_full": "mod 91, full batch",
    "c1_one_hot": "mod 66, one-hot inputs",
    "c1_embedding": "mod 66, an embedding",
}
n_of = {name: 66 if name.startswith("c1") else 91 for name in titles}
measures = {
    91: {"frequency": "cluster_frequencies", "neurons": "cluster_working", "index": "cluster_phase_spread"},
    66: {"frequency": "characters", "neurons": "character_neurons"},
}
networks, clusters = {}, {}
for name, files in datasets.items():
    n = n_of[name]
    rows = read_population(*files)
    rows = rows[of_kept_recipe(rows) & (rows.modulus == n)]
    networks[name] = rows = faultless_or_all(rows).reset_index(drop=True)
    own = pd.DataFrame({what: rows[column] for what, column in measures[n].items()})
    own = own.explode(list(measures[n])).dropna(subset="frequency").astype({"frequency": int, "neurons": int})
    own["index"] = own["index"].astype(float) if "index" in own else np.nan
    clusters[name] = own.assign(g=np.gcd(own.frequency, n), network=own.index)
of_class = {n: classes(n) for n in measures}

# %% [markdown]
# ## How often, with how many neurons, how evenly
# One point for each frequency; colours are the common factor g. Above, batches of n; below, full batch.

# %%
often, number, spread = "clusters in a network", "neurons", "Clark and Evans' index"
shown = {}
for name, own in clusters.items():
    of_n, many = of_class[n_of[name]], own[own.neurons >= fewest]
    at = pd.DataFrame({"g": of_n}, index=np.arange(1, len(of_n) + 1))
    at[often] = own.frequency.value_counts().reindex(at.index, fill_value=0) / max(len(networks[name]), 1)
    at[number] = own.groupby("frequency").neurons.mean()
    at[spread] = many.groupby("frequency")["index"].mean()
    shown[name] = at


def draw(n: int, numbers: list[str]) -> tuple[Figure, pd.DataFrame]:
    names = [name for name in titles if n_of[name] == n]
    figure, axes = panels(len(numbers) * len(names), columns=len(numbers), height=2.0, sharex=True)
    for place, name in enumerate(names):
        for ax, what in zip(axes[len(numbers) * place :], numbers, strict=False):
            for kind, (g, of) in enumerate(shown[name].groupby("g")):
                label = f"gcd(f, n) = {g}"
                ax.plot(of.index, of[what], MARKERS[kind], color=COLOURS[kind], markersize=3.5, label=label)
            ax.set(ylabel=what, title=titles[name])
    for ax in axes[-len(numbers) :]:
        ax.set_xlabel("frequency")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    drawn = [shown[name].rename_axis("frequency").reset_index().assign(population=name) for name in names]
    return figure, pd.concat(drawn)


figure, drawn = draw(91, [often, number, spread])
save_figure(figure, f"{figures}/frequencies", drawn)

# %% [markdown]
# ## The same mod 66, with one-hot inputs and behind an embedding

# %%
figure, drawn = draw(66, [often, number])
for ax in figure.axes[::2]:
    ax.set_ylim(0, 1.1)
save_figure(figure, f"{figures}/mod_66", drawn)

# %%
lines = []
for name, own in clusters.items():
    of_n, rows = of_class[n_of[name]], networks[name]
    for g in np.unique(of_n).tolist():
        these = own[own.g == g]
        each = these.groupby("network").size().reindex(range(len(rows)), fill_value=0) / (of_n == g).sum()
        line = {"population": titles[name], "g": g, "frequencies": int((of_n == g).sum()), "clusters": len(these)}
        for what, of in (
            ("clusters a frequency", each),
            ("neurons", these.neurons),
            ("index", these[these.neurons >= fewest]["index"].dropna()),
        ):
            found = mean_of(of.to_numpy(float))
            line |= {what: found.value, f"{what}, low": found.low, f"{what}, high": found.high}
        lines.append(line)
table = pd.DataFrame(lines)
save_table(table, f"{figures}/classes")
table.round(3)

# %% [markdown]
# ## Result
# All frequencies that share a factor with n against all that do not; mod 66 also the two of the largest factors, 22 and 33, against all
# others.
#
# **Caveat.** Mod 66 there are few networks, and by another recipe than that of [C1] Fig. 9, whose penalty is ten times as large. A cluster
# of few neurons has no phases that could be a grid.

# %%
preferred, fewer_neurons, less_even, fewer_of_largest = {}, {}, {}, {}
for name, own in clusters.items():
    counts = [np.bincount(own.network[(own.g > 1) == of], minlength=len(networks[name])) for of in (True, False)]
    in_class = [(of_class[n_of[name]] > 1).sum(), (of_class[n_of[name]] == 1).sum()]
    preferred[name] = ratio_of(*(count / of for count, of in zip(counts, in_class, strict=True)))
    apart = lambda these, those, what: difference_of_means(these[what].to_numpy(float), those[what].to_numpy(float))
    fewer_neurons[name] = apart(own[own.g > 1], own[own.g == 1], "neurons")
    many = own[own.neurons >= fewest]
    less_even[name] = apart(many[many.g > 1], many[many.g == 1], "index")
    largest = own.g >= n_of[name] / 3
    fewer_of_largest[name] = apart(own[largest], own[~largest], "neurons")
both = ("c91_batch", "c91_full")
values = {
    "preferred": [preferred[name] for name in both],
    "fewer_neurons": [fewer_neurons[name] for name in both],
    "less_even": [less_even[name] for name in both],
    "preferred_mod_66": preferred["c1_embedding"],
    "fewer_neurons_at_22_and_33": fewer_of_largest["c1_one_hot"],
    "all_of_mod_66": {"preferred": preferred["c1_one_hot"], "fewer_neurons": fewer_of_largest["c1_embedding"]},
    "networks_mod_66": len(networks["c1_embedding"]),
    "with_33": int((clusters["c1_embedding"].frequency == 33).sum()),
    "with_22": int((clusters["c1_embedding"].frequency == 22).sum()),
}
record(values_file, network, values, [networks[name] for name in both])  # mod 66 is another recipe, as it is printed
values

# %%
interval = lambda found: f"{found.value:.2f} (95 %: {found.low:.2f} to {found.high:.2f})"
said = []
for name, rows in networks.items():
    said.append(
        f"**{titles[name]}**, {len(rows)} networks: frequencies that share a factor with n occur {interval(preferred[name])} times "
        f"as often as others. Their clusters have {interval(fewer_neurons[name])} neurons more"
    )
    if name in both:
        said[-1] += f", and an index that is larger by {interval(less_even[name])}."
    else:
        said[-1] += f"; those of 22 and 33 have {interval(fewer_of_largest[name])} more than all others."
said.append(
    f"**Seen afterwards**: of {values['networks_mod_66']} networks behind an embedding {values['with_33']} have the frequency 33, half of "
    f"n, and {values['with_22']} have 22, while one has {len(clusters['c1_embedding']) / max(values['networks_mod_66'], 1):.1f} of 33 "
    "frequencies on average."
)
say(*said)
