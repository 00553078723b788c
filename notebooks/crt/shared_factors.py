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
# are at 95 %, Student's over networks: clusters of one network are not independent. Mod 66, where neurons have no biases, a frequency counts
# that has at least a hundredth of Σ r, the amplitudes of its neurons. With one-hot inputs a network learns most frequencies, so that its
# choice says little; behind an embedding it learns few, so that little can be said of 22 and 33. Which of the two judges what was fixed
# before these networks were trained (`data/why_few/predictions.yaml`).
#
# **Seen mod 66, and asked again.** These networks behind an embedding were seen to have the frequency 33, half of n. A cluster of it tells
# even sums from odd ones. So networks of Study C were trained mod 60, 66 and 90. **Said before any of these networks was trained**
# (`data/shared_factors/predictions.yaml`): at each n at least three quarters of the networks that answer every input right have the
# frequency n/2, and its clusters have fewer neurons than others.

# %%
import pandas as pd

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.shared_factors import (
    INDEX,
    NEURONS,
    OFTEN,
    answers_to_fig_9,
    clusters_of_rows,
    halves,
    numbers_by_class,
    numbers_by_frequency,
    shared_against_coprime,
    with_half,
)
from modadd.populations.tables import faultless_or_all, read_population, without_others
from paper.notebook import record, say, with_interval

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c1_one_hot": ["results/populations/c1_one_hot.parquet"],
    "c1_embedding": ["results/populations/c1_embedding.parquet"],
    "c_even": ["results/populations/c_even.parquet"],
}
figures = "results/by_hand/shared_factors"
values_file = "results/by_hand/shared_factors.json"
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
networks, clusters = {}, {}
for name in titles:
    rows = without_others(read_population(*datasets[name]))
    networks[name] = faultless_or_all(rows[rows.modulus == n_of[name]]).reset_index(drop=True)
    clusters[name] = clusters_of_rows(networks[name], n_of[name])
sizes = {name: len(rows) for name, rows in networks.items()}

# %% [markdown]
# ## How often, with how many neurons, how evenly
# One point for each frequency; colours are the common factor g. Above, batches of n; below, full batch.

# %%
by_frequency = {
    name: numbers_by_frequency(clusters[name], sizes[name], n_of[name], fewest).rename_axis("frequency")
    for name in titles
}


def draw(populations, numbers):
    """A row of panels for each population, a column for each number; and what is drawn."""
    figure, axes = panels(len(numbers) * len(populations), columns=len(numbers), height=2.0, sharex=True)
    grid = [(name, number) for name in populations for number in numbers]
    for ax, (name, number) in zip(axes, grid, strict=True):
        for (g, table), marker, colour in zip(by_frequency[name].groupby("g"), MARKERS, COLOURS, strict=False):
            ax.plot(table.index, table[number], marker, color=colour, markersize=3.5, label=f"gcd(f, n) = {g}")
        ax.set(ylabel=number, title=titles[name])
    for ax in axes[-len(numbers) :]:
        ax.set_xlabel("frequency")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return figure, pd.concat(by_frequency[name].reset_index().assign(population=name) for name in populations)


# %%
figure, drawn = draw(["c91_batch", "c91_full"], [OFTEN, NEURONS, INDEX])
save_figure(figure, f"{figures}/frequencies", drawn)

# %% [markdown]
# ## The same mod 66, with one-hot inputs and behind an embedding

# %%
figure, drawn = draw(["c1_one_hot", "c1_embedding"], [OFTEN, NEURONS])
for ax in figure.axes[::2]:
    ax.set_ylim(0, 1.1)
save_figure(figure, f"{figures}/mod_66", drawn)

# %% [markdown]
# ## By class
# The same for each class of frequencies with equal g, with intervals.

# %%
table = pd.concat(
    numbers_by_class(clusters[name], sizes[name], n_of[name], fewest).assign(population=title)
    for name, title in titles.items()
)
table = table[["population", *table.columns[:-1]]].reset_index(drop=True)
save_table(table, f"{figures}/classes")
table.round(3)

# %% [markdown]
# ## Half of an even n
# Networks of Study C: those that answer every input right, how many of these have the frequency n/2, the share that would have it by
# chance, their number of clusters, and the neurons of a cluster of n/2 and of others.

# %%
even = without_others(read_population(*datasets["c_even"]))
of_even = with_half(even)
save_table(of_even, f"{figures}/half")
of_even.round(2)

# %% [markdown]
# ## Result
# All frequencies that share a factor with n against all that do not; mod 66 also the two of the largest factors, 22 and 33, against all
# others.
#
# **Caveat.** Mod 66 there are few networks here. Those by the penalty of [C1] Fig. 9, which is ten times as large, are in
# [another notebook](launchers.html). A cluster of few neurons has no phases that could be a grid. Mod 66 a neuron that has died is
# counted, too: at the frequency of what the penalty has left of its weights.

# %%
comparisons = shared_against_coprime(clusters, sizes, n_of, fewest)
values = answers_to_fig_9(comparisons, clusters, sizes) | halves(even)
mod_91 = [networks["c91_batch"], networks["c91_full"]]
record(values_file, network, values, mod_91)  # mod 66 is another recipe, as it is printed
values


# %%
def in_words(comparison, name):
    """A comparison of one population with its interval."""
    return with_interval(comparisons[comparison][name])


paragraphs = []
for name, size in sizes.items():
    sentence = (
        f"**{titles[name]}**, {size} networks: frequencies that share a factor with n occur {in_words('preferred', name)} "
        f"times as often as others. The neurons of their clusters differ by {in_words('fewer_neurons', name)} (negative: fewer)"
    )
    if n_of[name] == 91:
        sentence += f", their index by {in_words('less_even', name)}."
    else:
        sentence += f", those of 22 and 33 from all others by {in_words('fewer_of_largest', name)}."
    paragraphs.append(sentence)
frequencies = len(clusters["c1_embedding"]) / max(values["networks_mod_66"], 1)
paragraphs.append(
    f"**Seen afterwards**: of {values['networks_mod_66']} networks behind an embedding {values['with_33']} have the "
    f"frequency 33, half of n, and {values['with_22']} have 22, while one has {frequencies:.1f} of 33 frequencies on average."
)
paragraphs += [
    f"**Mod {line['modulus']:.0f}**, Study C: {line['with_half']:.0f} of {line['right']:.0f} networks have the frequency {line['modulus'] / 2:.0f}, of "
    f"{line['number']:.1f} clusters on average; by chance {100 * line['by_chance']:.0f} % would have it. A cluster of it has {line['of_half']:.1f} neurons, another one {line['of_others']:.1f}."
    for line in of_even.to_dict("records")
]
say(*paragraphs)
