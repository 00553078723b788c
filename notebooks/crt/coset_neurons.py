# %% [markdown]
# # What does one neuron tell apart, residues, cosets or approximate cosets?
#
# **Claim** ([C] §4.1, §5.2 and App. B). A simple neuron of frequency f and shift s fires on the residues few steps d
# from s, d = (f/g)⁻¹ mod n/g and g = gcd(f, n): a coset of the subgroup of order g if g > 1, an approximate coset if
# g = 1. Relabelling the residues, x ↦ u·x, turns every such neuron into one slow cosine:
#
# $$ \cos\frac{2\pi f (a - s)}{n} = \cos\frac{2\pi g (u a - u s)}{n}, \qquad u \equiv \frac{f}{g} \pmod{n/g}. $$
#
# The phases of a cluster's neurons differ, so what they hold are projections of one representation, not the representation
# itself.
#
# **Method.** Of each sort of cluster, the strongest one is drawn: its strongest neuron before and after relabelling,
# then all its neurons. Next to them stands the strongest fine-tuning neuron of another network, which turns into half a period
# instead (or, where there is none, the simple one nearest to it); it has a notebook of its own.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.crt.coset_measures import constant_on_cosets, level_set_overlap
from modadd.crt.cosets import LEVEL, firing, firing_rows, relabelling, spread_p, step
from modadd.crt.exhibits import (
    clusters_by_sort,
    nearest_to_fine_tuning,
    period,
    places,
    read,
    received_by_phase,
    strongest_of_sorts,
    working_neurons,
)
from modadd.crt.several_lines import relabelled_half_period
from modadd.crt.simple_neurons import replaced
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, pi_ticks, save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/exhibits/c91_batch.safetensors"
others = {"fine_tuning_mlp/seed314": "results/networks/fine_tuning_mlp/seed314.safetensors"}
figures = "results/by_hand/coset_neurons"
values_file = "results/by_hand/coset_neurons.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
level = LEVEL  # of a cosine's maximum: from here on a residue belongs to its level set
most_panels = 6  # clusters drawn, strongest first
draws = 2000  # random sets of phases

# %%
use_style()
network = load_network(network_file)
(tuned_file,) = others.values()
reading, tuned = read(network), read(load_network(tuned_file))
separable, dfts, kind, fit = reading
n = separable.modulus
table = clusters_by_sort(reading)
exhibits = strongest_of_sorts(table)
members = {f: working_neurons(reading, f) for f in exhibits.values()}
pair, word = nearest_to_fine_tuning(tuned)
table.round(3)

# %% [markdown]
# ## Before and after relabelling
# Left, what a neuron receives from the first number; filled, as many residues as its level set has, on which it
# receives most. Right, the same over u·a mod n/g, where residues of one coset fall on one place, with the cosine that
# fits best, and for the fine-tuning neuron half a period (its cut is fitted too).
#
# The *level set* of a neuron, where its cosine is close to its maximum, is compared with as many residues on which it
# really receives most. *overlap*: share of the level set that is among the residues on which the neuron receives most. *top
# is a coset*: whether the g residues with most are one.

# %%
shown = []
for sort, f in exhibits.items():
    shown.append((f"f = {f}, {sort}", reading, int(members[f][dfts.weight[members[f]].argmax()])))
shown.append((f"f = {tuned.dfts.frequency[pair[0]]}, {word}", tuned, int(pair[0])))


def one_neuron(label, of, i):
    """What is drawn of a neuron: what it receives of every residue, where relabelling puts it, and the cosine that fits."""
    A, f = of.separable.A[:, i], int(of.dfts.frequency[i])
    level_set, most = firing(A, f, float(of.fit.s_A[i]), level)
    columns = {"sort": label, "neuron": i, "frequency": f, "residue": np.arange(len(A)), "A": A}
    columns |= {"relabelled": places(f, len(A)), "cosine": replaced(of.separable, of.fit).A[:, i] + A.mean()}
    in_sets = {"in_level_set": np.isin(columns["residue"], level_set), "strongest": np.isin(columns["residue"], most)}
    return pd.DataFrame(columns | in_sets)


# %%
def draw_remap(before, after, neuron):
    """A neuron over the residues, and over the places where relabelling puts them."""
    points, f, modulus = {"color": COLOURS[0], "linestyle": ""}, int(neuron.frequency[0]), len(neuron)
    most, label = neuron[neuron.strongest], neuron["sort"][0]
    before.plot(neuron.residue, neuron.A, marker="o", markersize=2.5, markerfacecolor="white", **points)
    before.plot(most.residue, most.A, marker="o", markersize=3, **points)
    moved = neuron.sort_values("relabelled", kind="stable")
    after.plot(moved.relabelled, moved.A, marker="o", markersize=2.5, markerfacecolor="white", **points)
    after.plot(moved.relabelled, moved.cosine, color=COLOURS[1], linestyle=DASHES[1], label="cosine")
    if label.endswith("fine-tuning"):
        half = relabelled_half_period(neuron.A.to_numpy(), f).values[: period(f, modulus)]
        after.plot(half, color=COLOURS[3], label="half a period", zorder=0)
    before.set(title=f"neuron {neuron.neuron[0]}: {label}", xlabel="a", ylabel="A(a)")
    relabelled = f"relabelled, u = {relabelling(f, modulus)}, d = {step(f, modulus)}"
    after.set(title=relabelled, xlabel=f"u·a mod {period(f, modulus)}")
    after.legend(loc="upper left", bbox_to_anchor=(1, 1))


# %%
neurons = [one_neuron(*one) for one in shown]
figure, axes = panels(2 * len(shown), height=1.7)
for neuron, before, after in zip(neurons, axes[::2], axes[1::2], strict=True):
    draw_remap(before, after, neuron)
save_figure(figure, f"{figures}/remap", pd.concat(neurons))

# %%
sides = {"A": (separable.A, fit.s_A), "B": (separable.B, fit.s_B)}
overlaps = pd.DataFrame(firing_rows(sides, fit.frequency, np.flatnonzero(kind.simple & ~kind.idle), level))
save_table(overlaps, f"{figures}/level_sets")
overlaps.head()

# %% [markdown]
# ## A cluster of simple neurons
# All their neurons, one row each, in the order of their phase. With the residues in their usual order a row looks
# scattered. In the order of u·a mod n/g, coset by coset, it is one slow wave, and the rows are its shifts.

# %%
waves = {(f, side): received_by_phase(reading, neurons, side) for f, neurons in members.items() for side in "AB"}


def draw_cluster(remapped):
    """All neurons of the clusters shown, over the residues in their usual order or relabelled."""
    figure, axes = panels(len(waves), height=1.9)
    for ((f, side), values), ax in zip(waves.items(), axes, strict=True):
        letter = side.lower()
        order = np.argsort(places(f, n), kind="stable") if remapped else np.arange(n)
        image = ax.imshow(values.loc[order].T, aspect="auto", interpolation="nearest", rasterized=True)
        ax.set(title=f"f = {f}: what neurons receive from {letter}", ylabel="neuron, by phase", xlabel=letter)
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        if remapped:
            ax.set(xlabel=f"{letter}, by {relabelling(f, n)}{letter} mod {period(f, n)}", xticks=[])
        figure.colorbar(image, ax=ax, label=f"{side} of the neuron")
    return figure


# %%
tables = []
for (f, side), values in waves.items():
    place = np.argsort(np.argsort(places(f, n), kind="stable"), kind="stable")
    rows = values.assign(residue=np.arange(n), frequency=f, side=side, place=place)
    tables.append(rows.melt(["residue", "frequency", "side", "place"], var_name="neuron", value_name="value"))
save_figure(draw_cluster(remapped=False), f"{figures}/simple_cluster", pd.concat(tables))
save_figure(draw_cluster(remapped=True), f"{figures}/simple_cluster_remapped", pd.concat(tables))

# %% [markdown]
# ## The phases of a cluster's neurons
# Left, a histogram of one cluster; right, its pairs of phases (of A, of B), each neuron a point of the torus.

# %%
pi = (-np.pi, np.pi)
torus = {"xlabel": "phase of A (rad)", "ylabel": "phase of B (rad)", "xlim": pi, "ylim": pi, "aspect": "equal"}
phases = pd.DataFrame({"frequency": dfts.frequency, "phase_A": dfts.A.phase, "phase_B": dfts.B.phase})
phases = phases.rename_axis("neuron").reset_index()
f, neurons = next(iter(members.items()))
cluster = phases.loc[neurons]
labels = ["phase of A", "phase of B"]
figure, (histogram, pairs) = panels(2, height=2.5)
histogram.hist([cluster.phase_A, cluster.phase_B], np.linspace(*pi, 13), color=COLOURS[:2], label=labels)
histogram.axhline(len(cluster) / 12, color="0.5", linestyle=":", label="uniform")
histogram.set(title=f"f = {f}: {len(cluster)} neurons", xlabel="phase (rad)", ylabel="neurons")
histogram.legend(loc="upper left")
histogram.margins(y=0.35)
histogram.yaxis.set_major_locator(MaxNLocator(integer=True))
pairs.plot(cluster.phase_A, cluster.phase_B, "o", color=COLOURS[0], markersize=4, clip_on=False)
pairs.set(**torus)
for axis in (histogram.xaxis, pairs.xaxis, pairs.yaxis):
    pi_ticks(axis, -1, 0, 1)
save_figure(figure, f"{figures}/phases", cluster.drop(columns="frequency"))

# %% [markdown]
# Below, the strongest clusters. *Clark and Evans' index*, the mean distance to the nearest neighbour over that of many random
# points, is below 1 for clumps and 2 for a square grid. A few random pairs often exceed 1. So the index is compared with that
# of as many random pairs as the cluster has neurons: p is the share of these with an index at least as large.

# %%
rng = np.random.default_rng(0)
table["spread_p"] = [
    spread_p([index], [neurons], draws, rng) if neurons > 1 else np.nan
    for index, neurons in zip(table.phase_spread, table.working, strict=True)
]
save_table(table, f"{figures}/clusters")
working_phases = phases[kind.alive & ~kind.idle]
by_weight = table.sort_values("weight", ascending=False, kind="stable")
largest = table.loc[by_weight.index[:most_panels]].sort_values("frequency", kind="stable")
figure, axes = panels(max(1, len(largest)), columns=3, height=2.2, sharex=True, sharey=True)
for ax, row in zip(axes, largest.itertuples(), strict=False):
    points = working_phases[working_phases.frequency == row.frequency]
    ax.plot(points.phase_A, points.phase_B, "o", color=COLOURS[0], markersize=3.5, clip_on=False)
    index = f"index {row.phase_spread:.2f}, p = {row.spread_p:.2g}"
    ax.set(title=f"f = {row.frequency}: {row.working} neurons\n{index}", **torus)
    pi_ticks(ax.xaxis, -1, 0, 1)
    pi_ticks(ax.yaxis, -1, 0, 1)
    ax.label_outer()
save_figure(figure, f"{figures}/phase_pairs", working_phases)

# %% [markdown]
# ## Result
# That neurons fire on (approximate) cosets is judged by *overlap*, and clusters on exact cosets by the share of the
# variance of A, B and W that is constant on them. The network shown was chosen by a rule and only illustrates; the claims
# are judged on all networks of four populations. The p of the mean index is that of all clusters of at least four neurons;
# phases are judged in [cluster_populations](cluster_populations.html).
#
# **Caveat.** [C] finds phases "nice and spread out uniformly" only about half the time. Rayleigh's test sees only phases
# that crowd on one side, and points as even as these pass it easily. A small p of the index says more: the pairs keep apart
# like the nodes of a quadrature.

# %%
values = {measure.__name__: measure(network) for measure in (level_set_overlap, constant_on_cosets)}
record(values_file, network, values)
values

# %%
paragraphs, several = [about(network)], table[table.working >= 4]
if len(overlaps):
    overlap = 100 * values["level_set_overlap"]
    paragraphs.append(f"Simple neurons receive most on {overlap:.1f} % of their level sets (mean).")
if np.isfinite(values["constant_on_cosets"]):
    varying = 100 * (1 - values["constant_on_cosets"])
    paragraphs.append(f"On exact cosets A, B and W are constant up to {varying:.2f} % of the variance.")
if len(overlaps) and (overlaps.g > 1).any():
    top = 100 * overlaps["top is a coset"][overlaps.g > 1].mean()
    paragraphs.append(f"There, the g residues with most are one coset in {top:.1f} % of the sides of simple neurons.")
if len(largest):
    index = ", ".join(f"{spread:.2f}" for spread in largest.phase_spread)
    p = largest.phase_p.min()
    paragraphs.append(f"The clusters drawn have the index {index}; Rayleigh's test of their phases has p ≥ {p:.2f}.")
if len(several):
    p = spread_p(several.phase_spread, several.working, draws, rng)
    paragraphs.append(f"Of {len(several)} clusters the mean index has p = {p:.2g} (random pairs).")
say(*paragraphs)
