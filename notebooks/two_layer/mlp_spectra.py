# %% [markdown]
# # What does the two-layer MLP look like in the Fourier basis?
#
# **Claim** ([M]). A neuron is a sum of nine terms of one frequency: a constant, sine and cosine of w_k a and of w_k b, and
# their four products. The products are the ReLU's work, since before it there are linear terms only. The logits have
# the products almost alone. All of it happens at a few *key frequencies*.
#
# **Method.** A change of basis, nothing is fitted: a table f(a, b) is written in products of the orthonormal functions
# const, sin 1, cos 1, sin 2, … of a and of b. *Power* is the sum of squared coefficients over all neurons, or answers, each
# less its mean over the inputs (what [M] labels norm). Shares are of that power, so of variance. Key frequencies are those
# of W_U above the widest gap in log power; the notebook on key frequencies looks at this rule.

# %%
from itertools import product

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm, SymLogNorm

from modadd.core.neurons import neurons_of
from modadd.ledger.record import record
from modadd.networks.importers import load_external
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style, visible
from modadd.two_layer.readout import basis, frequencies, names, own_terms, power, ranking, shares_of_terms, transform_2d

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
external = (
    {}
)  # files of published weights, by name; those of a two-layer MLP mod the same n are set beside the retrained one
figures = "figures/mlp_spectra"
values_file = "results/values/mlp_spectra.json"
published = {}  # nothing is printed about these spectra but pictures and words
exhibits = 3  # neurons and answers shown one by one

# %%
use_style()
network = load_network(network_file)
separables = {"retrained": network.separable()}
n = network.recipe.modulus
for weights in map(load_external, external.values()):
    if (weights.format, weights.modulus) == ("two_layer_mlp", n):
        separables["published weights"] = weights.separable()
key = {name: ranking(separable.W.T).key_frequencies for name, separable in separables.items()}
neurons = {name: neurons_of(separable) for name, separable in separables.items()}
tables = {
    name: {"pre": s.preactivations(), "post": np.maximum(s.preactivations(), 0), "logits": s.logits()}
    for name, s in separables.items()
}
spectra = {name: {stage: transform_2d(table) for stage, table in own.items()} for name, own in tables.items()}
key

# %% [markdown]
# ## Neurons over all inputs
# [M] draws three neurons at random. Here: of each of the strongest frequencies the neuron with the greatest αβ, the
# product of the amplitudes of its preactivation and of its row of W_U.

# %%
count = min(len(own.strongest(exhibits)) for own in neurons.values())
strength = {name: pd.Series(own.alpha * own.beta) for name, own in neurons.items()}
shown = [
    (name, k, int(strength[name][own.frequency == k].idxmax()))
    for name, own in neurons.items()
    for k in own.strongest(count)
]
prefix = {name: f"{name}\n" if len(separables) > 1 else "" for name in separables}
figure, axes = panels(len(shown), columns=count, height=2.3, sharex=True, sharey=True)
top = max(tables[name]["post"][..., i].max() for name, _, i in shown)
for ax, (name, k, i) in zip(axes, shown, strict=True):
    image = ax.imshow(tables[name]["post"][..., i], vmin=0, vmax=top, origin="lower", interpolation="nearest")
    ax.set(title=f"{prefix[name]}neuron {i}, k = {k}", xlabel="b", ylabel="a")
    ax.label_outer()
figure.colorbar(image, ax=axes, label="activation", shrink=0.8)
inputs = pd.MultiIndex.from_product([range(n), range(n)], names=["a", "b"])
drawn = {f"{name}: neuron {i}": tables[name]["post"][..., i].ravel() for name, _, i in shown}
save_figure(figure, f"{figures}/neuron_activations", pd.DataFrame(drawn, index=inputs).reset_index())

# %% [markdown]
# ## The basis
# The first five of n functions. Frequency 1 goes round once while x runs through the residues; all have norm 1, and any
# two are orthogonal.

# %%
F, labels = basis(n), names(n)
figure, (ax,) = panels(1, height=2.2)
for row, (label, colour, dash) in enumerate(zip(labels[:5], COLOURS, DASHES, strict=False)):
    ax.plot(F[row], color=colour, linestyle=dash, label=label)
ax.set(xlabel="residue x", ylabel="value")
figure.legend(loc="outside right upper")
save_figure(
    figure, f"{figures}/fourier_basis", pd.DataFrame(F[:5].T, columns=labels[:5]).rename_axis("x").reset_index()
)

# %% [markdown]
# ## Single neurons in that basis, before and after the ReLU
# All n² coefficients of the same neurons; colours are linear up to a hundredth of the largest and logarithmic beyond.
# The lines along the edges are terms of one input alone, at frequency 0 of the other; squares on the diagonal are products
# at one frequency.

# %%
terms = pd.MultiIndex.from_product([labels, labels], names=["function of a", "function of b"])
every = np.arange(0, n // 2 + 1, 10)
axis = {"xticks": 2 * every, "xticklabels": every, "yticks": 2 * every, "yticklabels": every}
axis |= {"xlim": (-3, n), "ylim": (-3, n)}  # off the frame, so that the lines at frequency 0 are seen
stages = {"pre": "before the ReLU", "post": "after the ReLU"}
single = {
    (name, k, i, stage): spectra[name][stage][..., i]
    for own_name in separables
    for stage in stages
    for name, k, i in shown
    if name == own_name
}
top = max(np.abs(coefficients).max() for coefficients in single.values())
signed = {"cmap": "RdBu_r", "origin": "lower", "interpolation": "nearest"}
figure, axes = panels(len(single), columns=count, height=2.4, sharex=True, sharey=True)
for ax, ((name, k, i, stage), coefficients) in zip(axes, single.items(), strict=True):
    image = ax.imshow(coefficients, norm=SymLogNorm(top / 100, vmin=-top, vmax=top), **signed)
    ax.set(xlabel="frequency of b", ylabel="frequency of a", **axis)
    ax.set_title(f"{prefix[name]}neuron {i}, k = {k}\n{stages[stage]}")
    ax.label_outer()
figure.colorbar(image, ax=axes, label="coefficient", shrink=0.6).minorticks_off()
drawn = {f"{name}: neuron {i}, {stage}": coefficients.ravel() for (name, _, i, stage), coefficients in single.items()}
save_figure(figure, f"{figures}/neurons_in_basis", visible(pd.DataFrame(drawn, index=terms), 1e-3).reset_index())

# %% [markdown]
# The nine terms of the neuron's own frequency, cut out of these maps. The title says how much of the neuron's variance
# they hold (the constant is none).

# %%
own = pd.DataFrame(
    {(name, stage): own_terms(spectra[name][stage], neurons[name].frequency) for name in separables for stage in stages}
)
figure, axes = panels(len(single), columns=count, height=2.2)
for ax, ((name, k, i, stage), coefficients) in zip(axes, single.items(), strict=True):
    rows = np.flatnonzero(np.isin(frequencies(n), (0, k)))
    block = np.round(coefficients[np.ix_(rows, rows)], 1) + 0.0  # no −0
    top = np.abs(block).ravel()[1:].max()
    ax.imshow(block, vmin=-top, vmax=top, cmap="RdBu_r")
    for (row, column), value in np.ndenumerate(block):
        colour = "white" if abs(value) > 0.6 * top else "black"
        ax.text(column, row, f"{value:.1f}".replace("-", "−"), ha="center", va="center", color=colour, size=7)
    ax.set_xticks(range(len(rows)), [labels[row] for row in rows])
    ax.set_yticks(range(len(rows)), [labels[row] for row in rows])
    ax.set(xlabel="function of b", ylabel="function of a")
    ax.set_title(f"{prefix[name]}neuron {i}, {stages[stage]}\n{100 * own[name, stage][i]:.1f} % of its variance")
rows = [
    (name, i, stages[stage], labels[r], labels[c], coefficients[r, c])
    for (name, k, i, stage), coefficients in single.items()
    for r, c in product(np.flatnonzero(np.isin(frequencies(n), (0, k))), repeat=2)
]
columns = ["network", "neuron", "stage", "function of a", "function of b", "coefficient"]
save_figure(figure, f"{figures}/nine_terms", pd.DataFrame(rows, columns=columns))

# %% [markdown]
# The same share for every neuron. A neuron's frequency is the strongest one of its preactivation. Those that are never
# active have no variance, and share 0, after the ReLU.

# %%
bins = np.linspace(np.floor(10 * own.min().min()) / 10, 1, 41)
figure, axes = panels(len(separables), height=2.2, sharex=True, sharey=True)
for ax, name in zip(axes, separables, strict=True):
    ax.hist(own[name, "pre"], bins=bins, histtype="step", color=COLOURS[1], linewidth=1.4, label=stages["pre"])
    ax.hist(own[name, "post"], bins=bins, color=COLOURS[6], alpha=0.8, label=stages["post"])
    ax.set(title=prefix[name].strip(), xlabel="share of variance in the nine terms", ylabel="neurons", yscale="log")
    ax.set(ylim=(0.7, 2000), yticks=[1, 10, 100, 1000], yticklabels=["1", "10", "100", "1000"])
    ax.minorticks_off()
    ax.legend(loc="upper left")
shares = own.rename_axis("neuron").reset_index()
shares.columns = [": ".join(filter(None, column)) for column in shares.columns]
save_figure(figure, f"{figures}/share_of_nine_terms", shares)

# %% [markdown]
# ## All neurons, before and after the ReLU
# Power at every pair of functions, over all neurons. Before the ReLU a preactivation is a function of a plus the same
# function of b, so that the products are zero whatever the weights; what they are after it, the ReLU has made.

# %%
norms = {(name, stage): power(table) for name in separables for stage, table in spectra[name].items()}
for table in norms.values():
    table[0, 0] = 0  # less the mean over the inputs
neural = [(name, stage) for name in separables for stage in stages]
figure, axes = panels(len(neural), height=3.2, sharex=True, sharey=True)
for ax, (name, stage) in zip(axes, neural, strict=True):
    top = norms[name, stage].max()
    colours = {"norm": LogNorm(top / 1e4, top), "interpolation": "nearest"}
    image = ax.imshow(np.maximum(norms[name, stage], top / 1e4), origin="lower", **colours)
    ax.set(title=f"{prefix[name]}{stages[stage]}", xlabel="frequency of b", ylabel="frequency of a", **axis)
    figure.colorbar(image, ax=ax, label="power over all neurons", extend="min", shrink=0.8).minorticks_off()
    ax.label_outer()
drawn = {f"{name}: {stage}": norms[name, stage].ravel() for name, stage in neural}
save_figure(figure, f"{figures}/norms_of_neurons", visible(pd.DataFrame(drawn, index=terms), 1e-4).reset_index())

# %% [markdown]
# ## Logits
# Three answers spread over the residues, then all of them. If the answer is read off cos(w_k(a + b − c)), each answer has
# the four products of the key frequencies and nothing along the edges. Colours are linear up to a twentieth of the largest
# coefficient.

# %%
chosen = [(name, c) for name in separables for c in np.arange(exhibits) * n // exhibits]
top = max(np.abs(spectra[name]["logits"][..., c]).ravel()[1:].max() for name, c in chosen)
figure, axes = panels(len(chosen), columns=exhibits, height=2.4, sharex=True, sharey=True)
for ax, (name, c) in zip(axes, chosen, strict=True):
    image = ax.imshow(spectra[name]["logits"][..., c], norm=SymLogNorm(top / 20, vmin=-top, vmax=top), **signed)
    ax.set(title=f"{prefix[name]}answer {c}", xlabel="frequency of b", ylabel="frequency of a", **axis)
    ax.label_outer()
marks = top * np.array([-1, -0.05, 0, 0.05, 1])
bar = figure.colorbar(image, ax=axes, label="coefficient (logits)", shrink=0.8, ticks=marks, format="{x:.2g}")
bar.minorticks_off()
drawn = {f"{name}: answer {c}": spectra[name]["logits"][..., c].ravel() for name, c in chosen}
save_figure(figure, f"{figures}/logits_in_basis", visible(pd.DataFrame(drawn, index=terms), 1e-3).reset_index())

# %%
figure, axes = panels(len(separables), height=3.2, sharex=True, sharey=True)
for ax, name in zip(axes, separables, strict=True):
    top = norms[name, "logits"].max()
    colours = {"norm": LogNorm(top / 1e4, top), "interpolation": "nearest"}
    image = ax.imshow(np.maximum(norms[name, "logits"], top / 1e4), origin="lower", **colours)
    ax.set(title=f"{prefix[name]}logits", xlabel="frequency of b", ylabel="frequency of a", **axis)
    figure.colorbar(image, ax=ax, label="power over all answers", extend="min", shrink=0.8).minorticks_off()
    ax.label_outer()
drawn = {name: norms[name, "logits"].ravel() for name in separables}
save_figure(figure, f"{figures}/norms_of_logits", visible(pd.DataFrame(drawn, index=terms), 1e-4).reset_index())

# %% [markdown]
# ## How much of it is which term
# Linear: sine or cosine of one input, at a key frequency. Quadratic: products of both inputs at one key frequency. Rest:
# products of two frequencies, and everything at other frequencies, the double 2k of a key frequency among them.

# %%
kinds = {(name, stage): shares_of_terms(table, key[name]) for (name, stage), table in norms.items()}
table = pd.DataFrame(kinds).T.rename_axis(["network", "stage"]).reset_index()
save_table(table, f"{figures}/terms", digits=4)
table.round(4)

# %% [markdown]
# ## Result
# Claimed: neurons are nine terms of one frequency; the products are missing before the ReLU; in the logits they outweigh the
# linear terms. The second is no finding about this network: A[a] + A[b] has no products, whatever has been learned. The
# ReLU makes them of *any* preactivation; that they stand at one frequency per neuron, and that W_U cancels the linear terms
# that they come with, is what training has brought about.
#
# **Slips in [M].** The nine terms are printed with cos(w_k a) twice; one is cos(w_k b). The products fill squares of 2 × 2
# functions, not 4 × 4.
#
# **Caveat.** The ReLU also makes terms that no list of nine has, at 2k above all: they are in *rest*. "Almost alone" is a
# matter of degree, so the shares are given, and the rest is not small where they say so.

# %%
of_retrained = {stage: kinds["retrained", stage] for stage in (*stages, "logits")}
values = {
    "nine_terms_median": own["retrained", "post"].median(),
    "quadratic_share_pre": of_retrained["pre"]["quadratic"],
    "quadratic_over_linear_logits": of_retrained["logits"]["quadratic"] / of_retrained["logits"]["linear"],
}
record(values_file, network, values)
values

# %%
print(f"Network: accuracy {network.results['accuracy']:.4f} over all {n}² inputs after {network.recipe.steps} updates.")
for name in separables:
    share = own[name, "post"]
    print(
        f"{name}, {len(key[name])} key frequencies. After the ReLU the nine terms hold {100 * share.median():.1f} %",
        end=" ",
    )
    print(f"of a neuron's variance in the median, {100 * share.min():.1f} % at the least.")
    for stage, words in (*stages.items(), ("logits", "in the logits")):
        part = {kind: f"{100 * value:.2f} %" for kind, value in kinds[name, stage].items()}
        print(f"  {words}: linear {part['linear']}, quadratic {part['quadratic']}, rest {part['rest']}.")
