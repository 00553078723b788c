# %% [markdown]
# # Which frequencies does the two-layer MLP use, and how much do they explain?
#
# **Claim** ([M]). The rows of W_U are made of sines and cosines of thirteen key frequencies, with more than 98 % of its
# Frobenius norm. What W_U reads off the activations along sin w_k c and cos w_k c is sin w_k(a+b) and cos w_k(a+b), by more
# than 84 % of its power at each of them. The map from tokens to preactivations, W_neur = W_E W_in, has the same
# frequencies.
#
# **Method.** Both maps are written in the orthonormal Fourier basis of the residues; *power* is the sum of squared
# coefficients over the neurons (what [M] labels norm). Frequencies are ranked by it, sine and cosine together, and the
# *key* ones are those above the widest gap: where one is most times as strong as the next. The rule has no threshold and
# knows nothing of the printed list.

# %%
import numpy as np
import pandas as pd
from matplotlib.colors import SymLogNorm

from modadd.core.neurons import neurons_of
from modadd.ledger.record import record
from modadd.networks.importers import load_external
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, PUBLISHED, panels, save_figure, save_table, use_style, visible
from modadd.two_layer.readout import names, norm_ratio, projections, ranking, transform, variance_explained

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
external = (
    {}
)  # files of published weights, by name; those of a two-layer MLP mod the same n are set beside the retrained one
figures = "figures/mlp_key_frequencies"
values_file = "results/values/mlp_key_frequencies.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
tabled = [1, 3, 17, 19, 21, 23, 28, 29, 33, 35, 37, 42, 44]  # the frequencies of the notebook's table, in its order
exhibits = 3  # frequencies whose projections are drawn, the first ones as in [M]

# %%
use_style()
network = load_network(network_file)
separables = {"retrained": network.separable()}
n = network.recipe.modulus
for weights in map(load_external, external.values()):
    if (weights.format, weights.modulus) == ("two_layer_mlp", n):
        separables["published weights"] = weights.separable()
tabled = [k for k in tabled if 2 * k < n]
maps = {(name, table): f for name, s in separables.items() for table, f in (("W_U", s.W.T), ("W_neur", s.A))}
ranks = {place: ranking(f) for place, f in maps.items()}
key = {name: ranks[name, "W_U"].key_frequencies for name in separables}
prefix = {name: f"{name}: " if len(separables) > 1 else "" for name in separables}
key

# %% [markdown]
# ## The two maps in the basis
# A row for each neuron, in order of its frequency and of its phase, where [M] leaves them in the order of training. Colours
# are linear up to a twentieth of the largest coefficient and logarithmic beyond.

# %%
every = np.arange(0, n // 2 + 1, 10)
labels = names(n)
neurons = {name: neurons_of(separable) for name, separable in separables.items()}
order = {name: np.lexsort((own.phi, own.frequency)) for name, own in neurons.items()}
marks = np.array([-1, -0.05, 0, 0.05, 1])  # on the colour bar, in units of the largest coefficient
figure, axes = panels(len(maps), height=3.2)
for ax, ((name, table), f) in zip(axes, maps.items(), strict=True):
    coefficients = transform(f)[:, order[name]].T
    top = np.abs(coefficients).max()
    colours = {"norm": SymLogNorm(top / 20, vmin=-top, vmax=top), "cmap": "RdBu_r", "interpolation": "nearest"}
    image = ax.imshow(coefficients, aspect="auto", **colours)
    ax.set(title=f"{prefix[name]}{table}", xlabel="frequency", ylabel="neuron, in order of frequency and phase")
    ax.set_xticks(2 * every, every)
    bar = figure.colorbar(image, ax=ax, label="coefficient", ticks=top * marks, format="{x:.2g}")
    bar.minorticks_off()
    ax.label_outer()
drawn = pd.concat(
    {
        place: pd.DataFrame(transform(f).T, columns=labels)
        .assign(frequency=neurons[place[0]].frequency)
        .rename_axis("neuron")
        for place, f in maps.items()
    },
    names=["network", "map"],
)
save_figure(figure, f"{figures}/maps_in_basis", drawn.reset_index())

# %% [markdown]
# ## How strong is each component?
# Power of every function of the basis over all neurons. Vertical lines mark the printed key frequencies.

# %%
components = pd.DataFrame({place: np.square(transform(f)).sum(axis=1) for place, f in maps.items()}, index=labels)
figure, axes = panels(len(maps), height=2.4, sharex=True)
for ax, place in zip(axes, maps, strict=True):
    for kind, colour, marker in (("sin", COLOURS[0], "o"), ("cos", COLOURS[1], "s")):
        some = components.filter(like=kind, axis=0)[place]
        some.index = [int(label[4:]) for label in some.index]
        style = {"markersize": 3, "markerfacecolor": "none" if kind == "cos" else None}
        ax.plot(some.index, some, marker, color=colour, label=kind, **style)
    printed = published.get("frequencies", [])
    for k, label in zip(printed, ["published", *["_"] * n], strict=False):
        ax.axvline(k, color="0.8", linewidth=0.8, zorder=0, label=label)
    ax.set(title=prefix[place[0]] + place[1], xlabel="frequency", ylabel="power over all neurons", yscale="log")
    ax.minorticks_off()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
drawn = components.rename_axis("function").reset_index()
drawn.columns = [": ".join(filter(None, column)) for column in drawn.columns]
save_figure(figure, f"{figures}/norms_of_components", drawn)

# %% [markdown]
# ## Where is the gap?
# The same power, sine and cosine together, from the strongest frequency down. Frequencies are named at the points; the
# shaded ones are key, by the widest gap.

# %%
figure, axes = panels(len(maps), height=2.6)
for ax, (place, rank) in zip(axes, ranks.items(), strict=True):
    seen = min(len(rank.power), max(2 * rank.key, 12))
    printed = np.isin(rank.frequency, published.get("frequencies", []))[:seen]
    x, power = np.arange(1, seen + 1), rank.power[:seen]
    ax.axvspan(0.5, rank.key + 0.5, color="0.93", zorder=0, label="key frequencies")
    style = {"color": COLOURS[0], "markersize": 3.5}
    ax.plot(x, power, "o", markerfacecolor="none", label="other" if printed.any() else None, **style)
    ax.plot(x[printed], power[printed], "o", label="published" if printed.any() else None, **style)
    for position, k, value in zip(x, rank.frequency, power, strict=False):
        ax.annotate(k, (position, value), (0, 4), textcoords="offset points", ha="center", size=5.5)
    ax.set(title=prefix[place[0]] + place[1], xlabel="rank", ylabel="power of sine and cosine", yscale="log")
    ax.set(xlim=(0.5, seen + 0.5), ylim=(None, 2 * power[0]))
    ax.minorticks_off()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
ranked = {
    place: pd.DataFrame(
        {"frequency": rank.frequency, "power": rank.power, "key": np.arange(len(rank.power)) < rank.key}
    )
    for place, rank in ranks.items()
}
save_figure(figure, f"{figures}/ranked_powers", pd.concat(ranked, names=["network", "map", "rank"]).reset_index())

# %%
rules = [
    {
        "network": name,
        "rule": rule,
        "number": len(found),
        "frequencies": ", ".join(map(str, found)),
        "gap": round(gap, 2),
    }
    for name in separables
    for rule, found, gap in (
        ("widest gap of W_U", key[name], ranks[name, "W_U"].gap),
        ("widest gap of W_neur", ranks[name, "W_neur"].key_frequencies, ranks[name, "W_neur"].gap),
        ("neurons with 1 % of Σ αβ", neurons[name].key_frequencies(), np.nan),
    )
]
rules = pd.DataFrame(rules)
save_table(rules, f"{figures}/key_frequencies", digits=2)
rules

# %% [markdown]
# ## How much of W_U is that?
# Frobenius norm of W_U restricted to some frequencies over that of all of it: to the key frequencies found here, and to the
# printed ones.

# %%
ratios = {
    (name, kept): norm_ratio(maps[name, "W_U"], frequencies) if frequencies else np.nan
    for name in separables
    for kept, frequencies in (("key", key[name]), ("printed", tabled))
}
norms = pd.DataFrame(
    {"network": name, "frequencies": kept, "‖W_U‖": np.linalg.norm(separables[name].W), "ratio": ratio}
    for (name, kept), ratio in ratios.items()
)
norms.insert(3, "‖W_U restricted‖", norms["‖W_U‖"] * norms.ratio)
norms["published ratio"] = float(published.get("norm_ratio", np.nan))
save_table(norms, f"{figures}/norm_ratio", digits=5)
norms

# %% [markdown]
# ## Does W_U read off sin w_k(a+b) and cos w_k(a+b)?
# If the logits are Σ cos w_k(a+b−c) = Σ cos w_k(a+b) cos w_k c + sin w_k(a+b) sin w_k c, then projecting W_U on sin w_k c
# and on cos w_k c leaves these functions of the inputs: one pair of products each, sin·cos + cos·sin and cos·cos − sin·sin.

# %%
every_frequency = {name: sorted({*key[name], *tabled}) for name in separables}
projected = {
    name: projections(np.maximum(s.preactivations(), 0), s.W, every_frequency[name]) for name, s in separables.items()
}
drawn = {
    (name, k, kind): projected[name][every_frequency[name].index(k), column]
    for name in separables
    for column, kind in enumerate(("sin", "cos"))
    for k in key[name][:exhibits]
}
top = max(np.abs(coefficients).max() for coefficients in drawn.values())
figure, axes = panels(len(drawn), columns=min(exhibits, *map(len, key.values())), height=2.4, sharex=True, sharey=True)
for ax, ((name, k, kind), coefficients) in zip(axes, drawn.items(), strict=True):
    colours = {"norm": SymLogNorm(top / 100, vmin=-top, vmax=top), "cmap": "RdBu_r", "interpolation": "nearest"}
    image = ax.imshow(coefficients, origin="lower", **colours)
    ax.set(xlabel="frequency of b", ylabel="frequency of a", xlim=(-3, n), ylim=(-3, n))
    ax.set(xticks=2 * every, xticklabels=every, yticks=2 * every, yticklabels=every)
    ax.set_title(f"{prefix[name]}{kind} w_k c, k = {k}".replace(": ", "\n"))
    ax.label_outer()
figure.colorbar(image, ax=axes, label="coefficient", shrink=0.6).minorticks_off()
terms = pd.MultiIndex.from_product([labels, labels], names=["function of a", "function of b"])
drawn = {f"{name}: {kind} {k}": coefficients.ravel() for (name, k, kind), coefficients in drawn.items()}
save_figure(figure, f"{figures}/projections", visible(pd.DataFrame(drawn, index=terms), 1e-3).reset_index())

# %% [markdown]
# ## Fraction of variance explained
# As in [M]: the power of the two products in question, each with its own coefficient, over all power of the projection,
# constant included. *Sum alone* asks for more, one coefficient for both products: cos w_k(a−b), and with it any dependence
# on a − b, then counts as unexplained. For the sine the two agree, since the network treats a and b alike. Listed are the
# key frequencies and the printed ones; a star marks a printed one that is not key.

# %%
fractions = {name: variance_explained(projected[name], every_frequency[name]) for name in separables}
columns = {
    f"{prefix[name]}{kind}{words}": pd.Series(fraction[:, column], every_frequency[name])
    for name, found in fractions.items()
    for words, fraction in (("", found.products), (", sum alone", found.sums))
    for column, kind in enumerate(("sin", "cos"))
}
table = pd.DataFrame(columns).rename_axis("frequency")
for kind in ("sin", "cos"):
    if np.size(published.get(f"fve_{kind}", [])) == len(tabled):
        table[f"published {kind}"] = pd.Series([float(value) for value in published[f"fve_{kind}"]], tabled)
table.insert(0, "key", [", ".join(name for name in separables if k in key[name]) for k in table.index])
save_table(table.reset_index().round(6), f"{figures}/variance_explained", digits=5)
table.round(3)

# %%
figure, axes = panels(2, columns=1, height=2.0, sharex=True, sharey=True)
for ax, kind in zip(axes, ("sin", "cos"), strict=True):
    place, shifts = np.arange(len(table)), np.arange(len(separables)) * 0.25 - (len(separables) - 1) * 0.125
    for name, colour, marker, shift in zip(separables, COLOURS, MARKERS, shifts, strict=False):
        measured, alone = table[f"{prefix[name]}{kind}"], table[f"{prefix[name]}{kind}, sum alone"]
        ax.plot(place + shift, measured, marker, color=colour, markersize=3.5, label=name)
        ax.plot(
            place + shift, alone, marker, color=colour, markersize=6.5, fillstyle="none", label=f"{name}, sum alone"
        )
    if f"published {kind}" in table:
        ax.plot([], [], **PUBLISHED, label="published")
        ax.hlines(table[f"published {kind}"], place - 0.4, place + 0.4, **PUBLISHED)
    ax.set(ylabel=f"explained, {kind} w_k(a+b)", xlabel="frequency k")
    ax.set_xticks(place, [f"{k}*" if not keys else k for k, keys in table.key.items()])
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/fractions_explained", table.reset_index())

# %% [markdown]
# ## Result
# Claimed: thirteen frequencies, the same in W_U and W_neur, with 98 % of the norm of W_U, and at each of them more than 84 %
# of what W_U reads off is the sine and the cosine of w_k(a+b). Compare the sets found with the printed one, the ratio for the
# frequencies *this* network uses, and the fractions frequency by frequency.
#
# **How fixed are the frequencies?** Recipe, initial weights and training pairs are the published ones to the last bit, and
# the loss follows the published log. Which of the rivalling frequencies survive is settled over thousands of updates, in
# which rounding errors grow: a network retrained elsewhere may keep one more or one less than the published one. What it
# reads off at the others can still be compared.
#
# **Slips in [M].** Its summary says more than 84 % for each key frequency; its own table has one below, the sine of 35.
# What its figures label norm is the sum of squares.
#
# **Caveat.** The fractions count the constant of each projection in the whole, and allow the two products a coefficient each,
# so that cos w_k(a−b) passes as explained. *Sum alone* does not.

# %%
fraction = table.rename(columns={f"{prefix['retrained']}{kind}": kind for kind in ("sin", "cos")})
differences = [
    abs(fraction[kind] - fraction[f"published {kind}"]).dropna()
    for kind in ("sin", "cos")
    if f"published {kind}" in table
]
difference = pd.concat(differences) if differences else pd.Series(dtype=float)
values = {
    "frequencies": key["retrained"],
    "frequencies_agree": float(key["retrained"] == ranks["retrained", "W_neur"].key_frequencies),
    "printed_frequencies_found": len({*tabled} & {*key["retrained"]}),
    "norm_ratio": ratios["retrained", "key"],
    "fve_sin": fraction.sin.reindex(tabled),
    "fve_cos": fraction.cos.reindex(tabled),
    "fve_smallest": fraction.loc[key["retrained"], ["sin", "cos"]].min().min(),
    "fve_median_difference": difference.median(),
}
if "published weights" in separables:
    products = pd.DataFrame(
        fractions["published weights"].products, every_frequency["published weights"], ["sin", "cos"]
    )
    values |= {f"published_weights_fve_{kind}": products[kind].reindex(tabled) for kind in products}
    values["published_weights_frequencies"] = key["published weights"]
    values["published_weights_norm_ratio"] = ratios["published weights", "key"]
record(values_file, network, values)
values

# %%
print(f"Network: accuracy {network.results['accuracy']:.4f} over all {n}² inputs after {network.recipe.steps} updates.")
for name in separables:
    found, W_neur = key[name], ranks[name, "W_neur"].key_frequencies
    more, less = sorted({*found} - {*tabled}), sorted({*tabled} - {*found})
    print(f"{name}: {len(found)} key frequencies in W_U, {', '.join(map(str, found))};", end=" ")
    print(f"the weakest has {ranks[name, 'W_U'].gap:.2f} times the power of the next.")
    print(f"  Printed ones that are missing: {', '.join(map(str, less)) or 'none'};", end=" ")
    print(
        f"others: {', '.join(map(str, more)) or 'none'}. W_neur has {'the same' if W_neur == found else f'{len(W_neur)}, not the same'}."
    )
    print(
        f"  Norm ratio {ratios[name, 'key']:.5f}, for the printed frequencies {ratios[name, 'printed']:.5f}.", end=" "
    )
    own = fractions[name].products[[every_frequency[name].index(k) for k in found]]
    print(
        f"Explained: median {np.median(own):.3f}, smallest {own.min():.3f}; {(own < 0.84).sum()} of {own.size} below 84 %."
    )
if len(difference):
    worst = difference.groupby(level=0).max().idxmax()
    print(f"Retrained against published fractions: median difference {difference.median():.4f},", end=" ")
    print(f"largest {difference.max():.4f}, at frequency {worst}.")
