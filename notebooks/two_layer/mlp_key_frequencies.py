# %% [markdown]
# # Which frequencies does the two-layer MLP use?
#
# **Claim** ([M]). The rows of W_U are made of sines and cosines of thirteen key frequencies. The map from tokens to
# preactivations, W_neur = W_E W_in, has the same ones, and so have the products in activations and logits.
#
# **Method.** *Power* is the sum of squared coefficients of a map in the orthonormal Fourier basis, over the neurons ([M]
# calls it norm), sine and cosine together. *Key* frequencies stand above the widest gap; no threshold is needed.
#
# Rounding decides which of the competing frequencies survive. So the same network is trained again, in full length, from
# initial weights changed by a relative 1e-7: the recipe and the training pairs are the published ones.
#
# A config may stop the network before its 50,000 updates, at which its frequencies are not yet those that [M] lists. Then
# the figures show one of these retrainings in its place, which is kept with its weights.

# %%
import numpy as np
import pandas as pd
from matplotlib.colors import SymLogNorm

from modadd.core import basis
from modadd.core.statistics import share
from modadd.networks.foreign import beside_published
from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.rounding import (
    FULL_LENGTH,
    frequencies_against_printed,
    has_frequencies,
    listed,
    trained_in_full,
)
from modadd.populations.tables import read_population
from modadd.populations.witnesses import in_full_length
from modadd.two_layer import basis_measures as measures
from modadd.two_layer.readout import ranking
from paper.ledger.judge.networks import claims_by_network, criterion
from paper.notebook import about, record, say
from paper.page.claims_map import draw_claims_map, in_words

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
others = {"m_rounding/witness": "data/populations/witnesses/m_rounding.safetensors"}  # a retraining of full length
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "m_rounding": ["results/populations/m_rounding.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
claims_elsewhere = []  # those that are judged on networks of other studies: which of them hold of these, too?
external = {}  # published weights by name; those of a two-layer MLP mod the same n stand beside the retrained one
figures = "results/by_hand/mlp_key_frequencies"
values_file = "results/by_hand/mlp_key_frequencies.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one

# %%
use_style()
network = load_network(network_file)
shown = in_full_length(network, load_network(others["m_rounding/witness"], kept=True))
n = shown.recipe.modulus
compared = beside_published(shown, external)
neurons = {name: neurons_in(weights) for name, weights in compared.items()}
maps = {}
for name, weights in compared.items():
    maps |= {(name, "W_U"): weights.W.T, (name, "W_neur"): weights.A}
rankings = {pair: ranking(f) for pair, f in maps.items()}
printed = published.get("published_weights_W_U_frequencies", [])  # those of the notebook's table, in its order


def title(name, words):
    """The title of a panel: with the network's name, if two are compared."""
    return f"{name}: {words}" if len(compared) > 1 else words


# %% [markdown]
# ## The two maps in the basis
# Each row is a neuron; the rows are in order of frequency and phase, in [M] in the order of training. Colours are
# linear up to a twentieth of the largest coefficient and logarithmic beyond.

# %%
coefficients = {pair: basis.transform(f) for pair, f in maps.items()}
labels, every = basis.names(n), np.arange(0, n // 2 + 1, 10)
drawn = {}
figure, axes = panels(len(maps), height=3.2)
for ax, ((name, table), f) in zip(axes, coefficients.items(), strict=True):
    frequency, top = neurons[name].frequency, np.abs(f).max()
    order = np.lexsort((neurons[name].phi, frequency))
    colours = SymLogNorm(top / 20, vmin=-top, vmax=top)
    image = ax.imshow(f.T[order], aspect="auto", norm=colours, cmap="RdBu_r", interpolation="nearest")
    ax.set(title=title(name, table), xlabel="frequency", ylabel="neuron, in order of frequency and phase")
    ax.set_xticks(2 * every, every)
    ticks = [-top, -top / 20, 0, top / 20, top]
    figure.colorbar(image, ax=ax, label="coefficient", ticks=ticks, format="{x:.2g}").minorticks_off()
    ax.label_outer()
    drawn[name, table] = pd.DataFrame(f.T, columns=labels).assign(frequency=frequency)
whole = pd.concat(drawn, names=["network", "map", "neuron"]).reset_index()
save_figure(figure, f"{figures}/maps_in_basis", whole, digits=3)

# %% [markdown]
# ## How strong is each component?
# Power of every function of the basis over all neurons. Vertical lines mark the printed key frequencies.

# %%
powers = {pair: np.square(f).sum(axis=1) for pair, f in coefficients.items()}
figure, axes = panels(len(maps), height=2.4, sharex=True)
for ax, ((name, table), power) in zip(axes, powers.items(), strict=True):
    for kind, colour, marker, face in (("sin", COLOURS[0], "o", None), ("cos", COLOURS[1], "s", "none")):
        of_kind = [label.startswith(kind) for label in labels]
        style = {"color": colour, "markersize": 3, "markerfacecolor": face, "label": kind}
        ax.plot(basis.basis_frequencies(n)[of_kind], power[of_kind], marker, **style)
    for k in printed:
        ax.axvline(k, color="0.8", linewidth=0.8, zorder=0, label="published" if k == printed[0] else None)
    ax.set(title=title(name, table), xlabel="frequency", ylabel="power over all neurons", yscale="log")
    ax.minorticks_off()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
components = pd.DataFrame({"function": labels} | {": ".join(pair): power for pair, power in powers.items()})
save_figure(figure, f"{figures}/norms_of_components", components)

# %% [markdown]
# Three rules for what a key frequency is: above the widest gap of W_U, above that of W_neur, or, as in the other
# studies, that of neurons which together carry at least 1 % of Σ αβ. *gap* is how many times the weakest key frequency
# is as strong as the next one.

# %%
rules = [
    (name, f"widest gap of {table}", found.key_frequencies, found.gap) for (name, table), found in rankings.items()
]
rules += [(name, "neurons with 1 % of Σ αβ", read.key_frequencies(), np.nan) for name, read in neurons.items()]
rules = [(name, rule, len(found), listed(found), round(gap, 2)) for name, rule, found, gap in rules]
rules = pd.DataFrame(rules, columns=["network", "rule", "number", "frequencies", "gap"])
save_table(rules, f"{figures}/key_frequencies", digits=2)
rules

# %% [markdown]
# ## Which frequencies does rounding decide?
# One row for each retraining of full length, and for the network shown if it is one. *missing* are the printed frequencies
# that it does not have, *more* the others that it has.

# %%
rows = trained_in_full(network, read_population(*datasets["m_rounding"]))
sets = frequencies_against_printed(rows, printed)
save_table(sets, f"{figures}/sets", digits=5)
sets

# %% [markdown]
# ## Which networks break which claims
# All networks of full length, and the claims that their rows can be asked: those of [M], and those that other notebooks
# judge on the networks of other studies; the table has the marks of these. Claims that hold for every network are not drawn;
# the table has them.

# %%
asked = [*claims, *claims_elsewhere]
holds = claims_by_network(asked, rows)
asked = [claim for claim in asked if claim["id"] in holds]
answers = pd.DataFrame(
    {
        "studies": ", ".join(claim.get("studies", ["M"])),
        "claim": criterion(claim),
        "holds": int(holds[claim["id"]].sum()),
        "networks": int(holds[claim["id"]].count()),
    }
    for claim in asked
)
if asked:
    save_table(answers, f"{figures}/claims")
    labels = {claim["id"]: in_words(claim) for claim in asked}
    count = f"{len(rows)} networks ({(rows.trained == 'here').sum()} trained here)"
    key_frequencies, names = rows.found.map(len).rename("frequencies"), rows.perturbation.rename("retraining")
    figure = draw_claims_map(holds, labels, key_frequencies, count, names)
    save_figure(figure, f"{figures}/claims_by_network", rows[["seed", "perturbation", "trained"]].join(holds))
answers

# %% [markdown]
# ## Result
# Claimed: thirteen frequencies, the same in W_U and W_neur, in activations and logits.
#
# **Caveat.** Recipe, initial weights and training pairs are the published ones to the last bit, and the loss follows
# the published log. But rounding errors grow over thousands of updates and decide which of the competing frequencies
# survive. So a network retrained by other arithmetic may keep other frequencies than the published one. How much the
# frequencies explain is asked in the next notebook.

# %%
agreement = (measures.frequencies_agree, measures.products_agree)
values = {measure.__name__: measure(network.separable()) for measure in agreement}
if "published weights" in compared:
    theirs = compared["published weights"]
    values |= {f"published_weights_{measure.__name__}": measure(theirs) for measure in agreement}
    values["published_weights_W_U_frequencies"] = measures.W_U_frequencies(theirs)
values["printed_set"] = share(has_frequencies(rows, printed))
record(values_file, network, values)
values

# %%
say(about(shown))
for name in compared:
    found, of_input = rankings[name, "W_U"].key_frequencies, rankings[name, "W_neur"].key_frequencies
    say(
        f"**{name.capitalize()}**. Key frequencies of W_U ({len(found)}): {listed(found)}. The weakest has "
        f"{rankings[name, 'W_U'].gap:.2f} times the power of the next one. Printed ones that are missing: "
        f"{listed({*printed} - {*found})}; others: {listed({*found} - {*printed})}. "
        f"W_neur has {'the same ones' if of_input == found else f'{len(of_input)}, not the same ones'}."
    )
say(
    f"{values['printed_set'].holds} of {len(rows)} networks of {FULL_LENGTH:,} updates have exactly the printed frequencies."
)
