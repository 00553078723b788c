# %% [markdown]
# # Why do some pairs of principal components show a circle, and others do not?
#
# **Claim** ([C] §5.5 and App. B.1). The embedding holds the waves of the network's clusters and nothing else. Each
# principal component of it is a wave of one cluster's frequency. Two components of the same frequency draw a circle,
# two of different ones a Lissajous curve. What [Z] calls non-circular embeddings are components of different clusters.
# For a pair of components x and y, each scaled to variance 1, let
#
# $$ \rho^2 = \frac{x^2 + y^2}{2}, \quad \operatorname{std} \rho^2 = \begin{cases}
# 0 & \textrm{for one frequency,} \\ \frac{1}{2} & \textrm{for two frequencies.} \end{cases} $$
#
# **Method.** The two embeddings stand side by side, one row per pair (a, a), and give the principal components. The
# frequency of a component is the strongest line of its DFT. On a circle ρ² is 1 throughout; for waves of two different
# frequencies its standard deviation is ½. A pair is called circular if the standard deviation is below ⅓.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import FuncFormatter

from modadd.core.fourier import plane_ratio, spectrum, variance_by_frequency
from modadd.core.neurons import three_dfts
from modadd.crt import components as principal
from modadd.crt.clusters import MOSTLY, cluster_table, clusters_of, strongest
from modadd.crt.cosets import coset_order, relabelling
from modadd.crt.projections import fourfold, roundness
from modadd.crt.simple_neurons import kinds
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/exhibits/c91_batch.safetensors"
others = {"fine_tuning_mlp/seed314": "results/networks/fine_tuning_mlp/seed314.safetensors"}
figures = "results/by_hand/cluster_embeddings"
values_file = "results/by_hand/cluster_embeddings.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
most_panels = 6  # clusters drawn, strongest first

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
n, x = separable.modulus, np.arange(separable.modulus)
dfts = three_dfts(separable)
kind = kinds(dfts)
table, clusters = cluster_table(dfts, kind), clusters_of(dfts)
drawn = strongest(dfts, clusters, most_panels)
table[["frequency", "order", "working", "weight", "fine_tuning"]].round(3)

# %% [markdown]
# ## The spectra of the clusters
# |DFT| of what every working neuron of a cluster receives from a (up) and from b (down), in a network that has a
# fine-tuning cluster, as the one of [C] has.

# %%
(tuned_name,) = others
tuned = load_network(others[tuned_name]).separable()
dfts_of_tuned = three_dfts(tuned)
kind_of_tuned = kinds(dfts_of_tuned)
tuned_table = cluster_table(dfts_of_tuned, kind_of_tuned)
mostly_tuning = tuned_table.frequency[tuned_table.fine_tuning >= MOSTLY].tolist()
spectra = {"a": np.abs(spectrum(tuned.A))[1:], "b": np.abs(spectrum(tuned.B))[1:]}
at_frequency = np.arange(1, tuned.modulus // 2 + 1)


# %%
def spectra_of(f, members):
    """A line for each side, neuron and frequency: the magnitude of what the neuron receives."""
    tables = []
    for side, magnitude in spectra.items():
        table = pd.DataFrame(magnitude[:, members], columns=members).assign(frequency=at_frequency)
        table = table.melt("frequency", var_name="neuron", value_name="magnitude")
        tables.append(table.assign(cluster=f, number=side))
    return pd.concat(tables)


def without_sign(magnitude, _):
    """The label of a magnitude that is drawn upwards or downwards."""
    return f"{abs(magnitude):g}"


def sort_of(f):
    """The sort of a cluster: fine-tuning, on exact cosets, or neither."""
    g = coset_order(f, tuned.modulus)
    return ", fine-tuning" if f in mostly_tuning else f", exact cosets of {g}" if g > 1 else ""


# %%
clusters_of_tuned = strongest(dfts_of_tuned, clusters_of(dfts_of_tuned), most_panels)
figure, axes = panels(max(1, len(clusters_of_tuned)), height=1.6, sharex=True, sharey=True)
tables = [pd.DataFrame()]
for ax, (f, members) in zip(axes, clusters_of_tuned.items(), strict=False):
    members = members[~kind_of_tuned.idle[members]]
    for side, sign, colour in (("a", 1, COLOURS[0]), ("b", -1, COLOURS[1])):
        ax.plot(at_frequency, sign * spectra[side][:, members], color=colour, linewidth=0.6)
        ax.plot([], [], color=colour, label=f"from {side}")
    tables.append(spectra_of(f, members))
    ax.axhline(0, color="0.8", linewidth=0.7)
    ax.set(title=f"f = {f}: {len(members)} neurons{sort_of(f)}")
for ax in axes:
    ax.set(xlabel="frequency", ylabel="|DFT|")
    ax.yaxis.set_major_formatter(FuncFormatter(without_sign))
    ax.label_outer()
if clusters_of_tuned:
    axes[0].legend(loc="upper right", ncols=2)
save_figure(figure, f"{figures}/cluster_spectra", pd.concat(tables))

# %% [markdown]
# ## What the embedding holds
# The variance of the concatenated embedding at each frequency. The colour says whether a cluster has that frequency.

# %%
k = np.arange(1, n // 2 + 1)
names = ARCHITECTURES[network.recipe.architecture].embeddings
E_a, E_b = (network.parameters[name].astype(float) for name in names)
variance = variance_by_frequency(principal.embedding(network)).sum(axis=1)[1:]
of_cluster = np.isin(k, list(clusters))
shares = variance / max(variance.sum(), np.finfo(float).tiny)
held = pd.DataFrame({"frequency": k, "variance": shares, "cluster": of_cluster})
figure, (ax,) = panels(1, columns=1, height=2.0)
for chosen, colour, label in ((of_cluster, COLOURS[0], "a cluster's"), (~of_cluster, COLOURS[2], "no cluster's")):
    ax.bar(k[chosen], held.variance[chosen], color=colour, label=label)
ax.set(xlabel="frequency", ylabel="share of the embedding's\nvariance")
if variance.any():
    ax.set(yscale="log", ylim=(1e-6, 1))
    ax.minorticks_off()
ax.legend(loc="upper right", bbox_to_anchor=(1, 1.15), ncols=2)
save_figure(figure, f"{figures}/embedding_spectrum", held)

# %% [markdown]
# ## Rotation matrices?
# If an embedding holds the rotation by w_f x, then its part of frequency f turns in a plane of its space. σ₂/σ₁ of the real
# and the imaginary part of row f of its DFT is 1 if that plane is held evenly, whatever the basis, and 0 if only one
# projection is. Neurons that received the entries of a rotation matrix would have phases that are quarter turns apart:
# |Σ r e^{4iφ}|/Σ r would be 1. For m random phases it is about 1/√m.

# %%
planes = {name: [plane_ratio(E, f) for f in drawn] for name, E in (("E_a", E_a), ("E_b", E_b))}
working = {f: members[~kind.idle[members]] for f, members in drawn.items()}
chance = [1 / np.sqrt(max(len(members), 1)) for members in working.values()]
turns = pd.DataFrame({"cluster": list(drawn), **planes})
for name, side in (("fourfold, A", dfts.A), ("fourfold, B", dfts.B)):
    turns[name] = [fourfold(side.phase[members], side.amplitude[members]) for members in working.values()]
turns.round(3)

# %% [markdown]
# ## Pairs of principal components
# The first six components by pairs, as in [C] Figs. 8 to 16. Each point is a residue, coloured by its value. The line
# joins the residues in the order in which the first component's frequency takes them. The next figure shows the DFT of
# each component.

# %%
components, frequencies, share = principal.components(network)
std_of_rho2 = roundness(components)
chosen = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (2, 4), (2, 5), (3, 4), (4, 5)]
chosen = [pair for pair in chosen if max(pair) < len(frequencies)]
figure, axes = panels(max(1, len(chosen)), columns=3, height=2.2)
for ax, (i, j) in zip(axes, chosen, strict=False):
    walk = np.argsort(relabelling(int(frequencies[i]), n) * x % n, kind="stable")
    ax.plot(components[walk, i], components[walk, j], color="0.8", linewidth=0.5, zorder=0)
    ax.scatter(components[:, i], components[:, j], c=x, s=6)
    same = frequencies[i] == frequencies[j]
    ax.set(xlabel=f"PC{i + 1} (f = {frequencies[i]})", ylabel=f"PC{j + 1} (f = {frequencies[j]})")
    ax.set_title(f"{'same cluster' if same else 'two clusters'}: std ρ² = {std_of_rho2[i, j]:.2f}")
    ax.set_aspect("equal", "datalim")
scores = pd.DataFrame(components, columns=[f"PC{i + 1}" for i in range(components.shape[1])]).rename_axis("residue")
save_figure(figure, f"{figures}/pca_pairs", scores.reset_index())

# %%
first = min(6, len(frequencies))
lines = np.abs(spectrum(components))[1:] if components.size else np.zeros((len(k), 0))
figure, axes = panels(max(1, first), columns=3, height=1.5, sharex=True, sharey=True)
for i, ax in zip(range(first), axes, strict=False):
    ax.vlines(k, 0, lines[:, i], color=COLOURS[0], linewidth=1.5)
    ax.set(title=f"PC{i + 1}: f = {frequencies[i]}, {100 * share[i]:.1f} %", xlabel="frequency", ylabel="|DFT|")
    ax.label_outer()
csv = pd.DataFrame(lines, columns=scores.columns).assign(frequency=k)
save_figure(figure, f"{figures}/pca_spectra", csv)

# %% [markdown]
# ## Circular or not: the rule for all pairs
# Every pair of the components, against the purity of the less pure one. A component is *pure* if 95 % of its variance or more
# lie at its frequency. Less pure components are mixtures, and a pair of them is neither a circle nor a Lissajous curve. A component can mix frequencies because their
# variances are nearly equal, and then break the rule. Neurons obey it, too, where [C] says so: what two simple neurons of
# different clusters receive from a draws a Lissajous curve if both are pure and the curve is not circular.

# %%
pairs = principal.component_pairs(network)
save_table(pairs, f"{figures}/pairs")
pairs.groupby(["pure", "same cluster", "circular"]).size().unstack(fill_value=0) if len(pairs) else pairs

# %%
figure, (ax,) = panels(1, columns=1, height=2.6)
if len(pairs):
    for same, colour, marker, label in (
        (True, COLOURS[0], "o", "same frequency"),
        (False, COLOURS[1], "x", "two frequencies"),
    ):
        rows = pairs[pairs["same cluster"] == same]
        ax.plot(rows["smaller share"], rows["std of rho2"], marker, color=colour, markersize=4, label=label)
    ax.axhline(principal.CIRCULAR, color="0.5", linestyle=":", label="circular below")
    ax.axvline(principal.PURE, color="0.5", linestyle=(0, (4, 2)), label="pure from")
    ax.axhline(0.5, color="0.8", linewidth=0.7, zorder=0)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1))
ax.set(xlabel="share of variance at the own frequency, the less pure of the two", ylabel="standard deviation of ρ²")
ax.set_ylim(bottom=0)
save_figure(figure, f"{figures}/circular_rule", pairs)

# %% [markdown]
# ## Result
# Claimed: a pair of components is circular if and only if both have one frequency, and every component has the
# frequency of some cluster. Read for how many pairs the rule holds, of all and of the pure ones. The network shown was
# chosen by a rule and only illustrates; the claims are judged on all networks of four populations.
#
# **Caveat.** Equal variance at two frequencies leaves the principal components free to turn into each other. Such mixed
# components are neither circular nor Lissajous. The table says how far the frequency of a component is its only one.

# %%
measures = (principal.components_in_clusters, principal.variance_in_clusters, principal.median_fourfold)
measures += (principal.share_of_pure_pairs_by_rule, principal.neurons_not_circular, principal.neurons_draw_lissajous)
values = {measure.__name__: measure(network) for measure in measures}
record(values_file, network, values)
values

# %%
paragraphs = [
    about(network),
    f"The clusters at f = {', '.join(map(str, list(clusters)[:20]))} carry "
    f"{100 * values['variance_in_clusters']:.2f} % of the embedding's variance. The planes of their rotations are held with "
    f"σ₂/σ₁ = {', '.join(f'{ratio:.2f}' for ratios in planes.values() for ratio in ratios)} (E_a, then E_b). The "
    f"median |Σ r e^{{4iφ}}|/Σ r of the clusters is {values['median_fourfold']:.2f}; of random phases it is about "
    f"{np.median(chance) if chance else np.nan:.2f}.",
]
if len(pairs):
    paragraphs.append(
        f"The first components have f = {', '.join(map(str, frequencies[:most_panels]))}. The rule holds for "
        f"{pairs['rule holds'].sum()} of the {len(pairs)} pairs of {len(frequencies)} components. "
        f"{pairs.circular.sum()} pairs are circular, and {pairs['same cluster'].sum()} are of one frequency. "
        f"Of the {pairs.pure.sum()} pairs of pure components it holds for {pairs['rule holds'][pairs.pure].sum()}."
    )
if np.isfinite(values["neurons_not_circular"]):
    paragraphs.append(
        f"Of the pairs of simple neurons of different clusters, {100 * values['neurons_not_circular']:.1f} % are not "
        f"circular, and {100 * values['neurons_draw_lissajous']:.1f} % draw a Lissajous curve."
    )
say(*paragraphs)
