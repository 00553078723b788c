# %% [markdown]
# # Do all networks add in the same way?
#
# **Claim** (this project's; the papers each look at one network). [Q] reads the neurons of the pizza transformer as a
# quadrature scheme: ReLU(u) = |u|/2 + u/2, and the sum over neurons of |cos(w_k a + φ) + cos(w_k b + φ)| cos(w_k c + 2φ)
# stands for an integral over φ. Nobody has tried this on the two-layer MLP [M] or on the embedding MLP [C]. The second
# reads each number through an embedding of its own, so that its neurons have two phases, φ_a and φ_b. We claim that all
# of them are quadrature schemes with ψ = φ_a + φ_b, and that two kinds of integral occur, one of which looks like a
# pizza and the other like a clock.
#
# **Method.** A neuron reads cos(w_k a + φ_a) + cos(w_k b + φ_b) = 2 cos(w_k d/2 + δ) cos(θ/2 + σ) with d = a − b,
# θ = w_k(a + b), δ = (φ_a − φ_b)/2, σ = (φ_a + φ_b)/2. If ψ = 2σ and σ is spread evenly whatever δ is, the weighted sum
# of |cos(w_k d/2 + δ_i)| |cos(θ/2 + σ_i)| e^{iψ_i} stands for (4/3) m(d) e^{−iθ}, m(d) the mean of |cos(w_k d/2 + δ_i)|.
# *Diagonal*: φ_a = φ_b, one factor |cos(w_k d/2)| common to all neurons, as in [Q]; the answer fades where the factor
# vanishes, as in a pizza. *Torus*: φ_a and φ_b are spread independently, no factor is common, their mean is 2/π at every
# d, and the difference no longer matters, as in a clock, although nothing is multiplied. Sums are compared with both
# integrals at every input; weights are w_i = 2π r_i/Σr, r_i = (α_a + α_b)/2 · β. Nothing is fitted to the logits
# except in the regressions.

# %%
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.ticker import NullLocator

from modadd.attention.measures import attention_measures, embedding_frequencies
from modadd.certificates.explained import kept
from modadd.core.fourier import fit, share_of_variance
from modadd.core.neurons import multiples_of, neurons_of, three_dfts
from modadd.core.separable import accuracy, margins
from modadd.ledger.record import record
from modadd.networks.architectures import embedded_of
from modadd.networks.importers import load_external
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.measures import certified
from modadd.quadrature.bounds import angle_term, boxes
from modadd.quadrature.scheme import INTEGRAL, phase_mismatch, schemes_of
from modadd.quadrature.torus import (
    FACTORS,
    MEAN,
    diagonal_factor,
    error_of_random_angles,
    pair_error,
    pair_schemes,
    predicted,
    r_squared,
    shown_factor,
    torus_bound,
)

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
external = {}  # published weights by the name that the config gives them
figures = "figures/cross_study"
values_file = "results/values/cross_study.json"
published = {}  # no paper prints any of these numbers
most_frequencies = 16  # looked at in each network, strongest first; a network that has not learned has many
law_limit = 0.18  # rad, of the rms of ψ − φ_a − φ_b: a tenth of π/√3, that of phases which know nothing
explained_limit = 0.9  # of the R² of the absolute-value part, predicted without fitting

# %%
use_style()
network = load_network(network_file)
ours = {own.recipe.architecture: own for own in (network, *map(load_network, others.values()))}
published_weights = {name: load_external(path) for name, path in sorted(external.items())}
embedded = {name: embedded_of(name, own.parameters) for name, own in ours.items()}
embedded |= {name: own.embedded() for name, own in published_weights.items()}
separables = {name: own.separable() for name, own in (ours | published_weights).items()}
separables = {name: own for name, own in separables.items() if own is not None}
labels = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
labels |= {"embedding_mlp": "C, embedding MLP"}
labels = {name: labels.get(name, name) for name in embedded}
missing = [name for name in ("zhong_model_a", "zhong_model_b", "kissane") if name not in external]
print("Published weights that are not given, and skipped:", ", ".join(missing) or "none", end=".\n")
print("Not a sum of two tables before one ReLU, logits and embedding only:", end=" ")
print(", ".join(set_aside) if (set_aside := [labels[n] for n in embedded if n not in separables]) else "none", end=".")


# %%
def strongest(schemes):
    most = sorted(schemes, key=lambda k: schemes[k].total)[-most_frequencies:]
    return {k: schemes[k] for k in sorted(most)}


schemes = {name: strongest(pair_schemes(separable)) for name, separable in separables.items()}
keys = {name: list(own) for name, own in schemes.items()}
keys |= {
    name: sorted(embedding_frequencies(own.concatenated())[:most_frequencies])
    for name, own in embedded.items()
    if name not in separables
}
weights = {name: np.array([scheme.total for scheme in own.values()]) for name, own in schemes.items()}
weights = {name: total / total.sum() for name, total in weights.items()}  # share of each key frequency
strongest_key = {name: keys[name][int(np.argmax(own))] for name, own in weights.items() if len(own)}
{labels[name]: own for name, own in keys.items()}

# %% [markdown]
# ## Where the angles lie
# φ_b against φ_a of the neurons of each network's strongest frequency; the area of a point is the neuron's weight. On the
# dashed line φ_a = φ_b.

# %%
figure, axes = panels(len(strongest_key), columns=3, height=2.4, sharex=True, sharey=True)
rows = []
for ax, (name, k) in zip(axes, strongest_key.items(), strict=True):
    scheme = schemes[name][k]
    size = 60 * scheme.weight / scheme.weight.max()
    ax.plot([-np.pi, np.pi], [-np.pi, np.pi], color="0.5", linestyle=(0, (4, 2)), linewidth=1)
    ax.scatter(scheme.phi_a, scheme.phi_b, size, color=COLOURS[0], alpha=0.6, linewidth=0)
    ax.set(title=f"{labels[name]}, k = {k}", xlabel="φ_a (rad)", ylabel="φ_b (rad)", aspect="equal")
    ax.set_xticks([-np.pi, 0, np.pi], ["−π", "0", "π"])
    ax.set_yticks([-np.pi, 0, np.pi], ["−π", "0", "π"])
    ax.tick_params(labelbottom=True)
    angles = {"phi_a": scheme.phi_a, "phi_b": scheme.phi_b, "psi": scheme.psi, "weight": scheme.weight}
    rows.append(pd.DataFrame({"network": labels[name], "frequency": k} | angles))
save_figure(figure, f"{figures}/angles", pd.concat(rows))

# %% [markdown]
# ## Every key frequency
# *rms, two phases* is that of ψ − φ_a − φ_b over the neurons by their weights, *rms, one phase* that of ψ − 2φ_a.
# *Coherence* is |Σ w e^{i(φ_a − φ_b)}|/Σw: 1 on the diagonal, 0 on the torus. *Errors* are the largest over all inputs of
# the modulus of sum less integral, divided by 4/3; the integral itself is then 1 on the diagonal, where the factor is
# largest, and 2/π on the torus. The published bound (angle term and folded Lipschitz bound, from φ_a alone) is about the
# diagonal; the torus has a spectral bound, from 64 harmonics of each angle. *of random angles*: root mean square of the
# error over that of as many angles drawn at random. *constant* and *ratio* say what the reading leaves out: the mean of
# the preactivation over α_a + α_b, and the smaller of α_a and α_b over the larger.

# %%
rows = []
for name, separable in separables.items():
    dfts = three_dfts(separable)
    table_shares = {T: share_of_variance(getattr(separable, T), dfts.frequency) for T in "AB"}
    table_shares["W"] = share_of_variance(separable.W.T, dfts.frequency)
    reach = dfts.A.amplitude + dfts.B.amplitude
    constant = np.abs(separable.A.mean(axis=0) + separable.B.mean(axis=0)) / np.where(reach > 0, reach, 1)
    for (k, scheme), weight in zip(schemes[name].items(), weights[name], strict=True):
        members = dfts.frequency == k
        error = {reading: pair_error(scheme, factor(scheme)) for reading, factor in FACTORS.items()}
        one_sided = scheme.one_sided
        bounds = {"diagonal": angle_term(one_sided) + boxes(one_sided, folded=True).lipschitz_bound}
        bounds |= {"torus": torus_bound(scheme)}
        one_law = scheme.rms(phase_mismatch(scheme.phi_a, scheme.psi))
        chance = {of: error_of_random_angles(scheme, of == "diagonal") for of in ("diagonal", "torus")}
        rows.append(
            {"name": name, "network": labels[name], "frequency": k, "neurons": int(members.sum())}
            | {"effective neurons": scheme.effective_neurons, "weight": weight, "coherence": scheme.coherence}
            | {"rms, two phases": scheme.rms(scheme.mismatch), "rms, one phase": one_law}
            | {f"error, {reading}": np.abs(of).max() / INTEGRAL for reading, of in error.items()}
            | {f"bound, {of}": bound / INTEGRAL for of, bound in bounds.items()}
            | {f"of random angles, {of}": np.sqrt(np.mean(np.abs(error[of]) ** 2)) / chance[of] for of in chance}
            | {f"share of {T}": np.average(share[members], weights=scheme.weight) for T, share in table_shares.items()}
            | {"constant": np.average(constant[members], weights=scheme.weight)}
            | {"ratio": np.average(dfts.ratio[members], weights=scheme.weight)}
        )
by_frequency = pd.DataFrame(rows)
save_table(by_frequency.drop(columns="name"), f"{figures}/frequencies")
by_frequency.drop(columns="name").round(3)

# %% [markdown]
# ## Does the phase law hold?
# A point for each key frequency, its area the frequency's share of the network's weight. Phases that have nothing to do
# with each other have an rms of π/√3 (upper line); the law counts as holding below a tenth of that (lower line).

# %%
places = {name: place for place, name in enumerate(separables)}
figure, (ax,) = panels(1, columns=1, height=2.8)
laws = {"rms, two phases": "ψ − φ_a − φ_b", "rms, one phase": "ψ − 2φ_a"}
for (column, law), colour, marker, shift in zip(laws.items(), COLOURS, MARKERS, (-0.15, 0.15), strict=False):
    x = by_frequency.name.map(places) + shift
    size = 15 + 250 * by_frequency.weight
    ax.scatter(x, by_frequency[column], size, color=colour, marker=marker, alpha=0.5, linewidth=0, label=law)
ax.axhline(np.pi / np.sqrt(3), color="0.6", linewidth=1, zorder=0, label="unrelated phases")
ax.axhline(law_limit, color="0.6", linewidth=1, linestyle=(0, (2, 2)), zorder=0, label="limit")
ax.set(yscale="log", ylabel="root mean square (rad)", xlim=(-0.5, len(places) - 0.5))
ax.set_xticks(list(places.values()), [labels[name].replace(", ", ",\n") for name in places])
ax.yaxis.set(minor_locator=NullLocator())
figure.legend(loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/phase_law", by_frequency[["network", "frequency", "weight", *laws]])

# %% [markdown]
# ## Which factor do the logits show?
# Points: the coefficient of cos(w_k(a + b − c)) in the absolute-value part of the logits at every difference, for the
# strongest frequency, in units of what the neurons' amplitudes add up to; no phase enters. Lines: what the phases make
# of it, and the two integrals.

# %%
absolute = {name: separable.absolute_part() for name, separable in separables.items()}
figure, axes = panels(len(strongest_key), columns=3, height=1.9, sharex=True, sharey=True)
rows = []
for ax, (name, k) in zip(axes, strongest_key.items(), strict=True):
    scheme = schemes[name][k]
    turn = np.mod(k * np.arange(scheme.modulus), scheme.modulus)
    order = np.argsort(turn, kind="stable")
    curves = {"logits": shown_factor(absolute[name], scheme)} | {of: factor(scheme) for of, factor in FACTORS.items()}
    curve = pd.DataFrame({"turn": 2 * np.pi * turn / scheme.modulus} | curves).iloc[order]
    ax.plot(curve.turn, curve.own, color="0.8", linewidth=4, label="from φ_a and φ_b")
    ax.plot(curve.turn, curve.diagonal, color=COLOURS[2], linestyle=(0, (4, 1)), label="diagonal, |cos(w_k d/2)|")
    ax.plot(curve.turn, curve.torus, color=COLOURS[3], linestyle=(0, (1, 1)), label="torus, 2/π")
    ax.plot(curve.turn, curve.logits, "o", color=COLOURS[1], markersize=2, label="in the logits")
    ax.set(title=f"{labels[name]}, k = {k}", xlabel="w_k(a − b) mod 2π (rad)", ylabel="factor m(d)", ylim=(0, None))
    ax.set_xticks([0, np.pi, 2 * np.pi], ["0", "π", "2π"])
    ax.tick_params(labelbottom=True)
    rows.append(curve.assign(network=labels[name], frequency=k))
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/factors", pd.concat(rows))

# %% [markdown]
# ## What fills the hole?
# At w_k d = π the diagonal's factor vanishes; that of the logits does not. There a neuron's own frequency cancels
# between a and b, and what else the neuron carries is all there is. The table gives the factor in the logits at this
# difference, averaged over the key frequencies by weight, with parts of A and B left out. A part at
# 2k alone is no help: it reads cos(θ + 2φ) there, the modulus of which has harmonics e^{4imφ} in φ, and the output phase
# ψ = 2φ picks out none of them. A constant c beside it, in |c + cos(θ + 2φ)|, brings in e^{±2iφ}.


# %%
def reduced(separable, multiples, constant):
    lines = multiples_of(three_dfts(separable).frequency, multiples, separable.modulus)
    tables = [kept(table, lines) for table in (separable.A, separable.B)]
    A, B = tables if constant else [table - table.mean(axis=0) for table in tables]
    return replace(separable, A=A, B=B)


def at_hole(logits, scheme):
    return shown_factor(logits, scheme)[np.argmin(diagonal_factor(scheme))]


# %%
kinds = {"k": (1, False), "constant and k": (1, True), "k and 2k": (2, False), "constant, k and 2k": (2, True)}
holes = {}
for name, separable in separables.items():
    parts = {kind: reduced(separable, *of).absolute_part() for kind, of in kinds.items()} | {"all": absolute[name]}
    found = {kind: [at_hole(part, scheme) for scheme in schemes[name].values()] for kind, part in parts.items()}
    holes[name] = {kind: float(weights[name] @ factors) for kind, factors in found.items()}
filled = pd.DataFrame({"network": labels[name], **hole} for name, hole in holes.items())
save_table(filled, f"{figures}/hole")
filled.round(3)

# %% [markdown]
# ## How far are the sums from the integrals?
# Filled, the largest actual error at each key frequency, its area the frequency's share of the weight; open, the bound.
# The line is the size of the integral: an error above it says nothing is learned from the integral at this frequency.

# %%
sizes = {"diagonal": 1.0, "torus": MEAN}
figure, axes = panels(2, height=3.0, sharey=True)
for ax, (reading, size) in zip(axes, sizes.items(), strict=True):
    x, area = by_frequency.name.map(places), 15 + 250 * by_frequency.weight
    ax.scatter(x - 0.15, by_frequency[f"error, {reading}"], area, color=COLOURS[0], alpha=0.6, linewidth=0)
    ax.scatter(x + 0.15, by_frequency[f"bound, {reading}"], area, edgecolor=COLOURS[1], facecolor="none", marker="s")
    ax.axhline(size, color="0.6", linewidth=1, linestyle=(0, (2, 2)), zorder=0)
    ax.set(title=f"{reading}: factor {'|cos(w_k d/2)|' if reading == 'diagonal' else '2/π'}", yscale="log")
    ax.set(ylabel="error divided by 4/3", xlim=(-0.5, len(places) - 0.5))
    ax.set_xticks(
        list(places.values()), [labels[name].replace(", ", ",\n") for name in places], rotation=30, ha="right"
    )
    ax.yaxis.set(minor_locator=NullLocator(), major_formatter="{x:g}")
    ax.label_outer()
axes[0].scatter([], [], 40, color=COLOURS[0], alpha=0.6, linewidth=0, label="actual error, largest over inputs")
axes[0].scatter([], [], 40, edgecolor=COLOURS[1], facecolor="none", marker="s", label="bound")
axes[0].plot([], [], color="0.6", linewidth=1, linestyle=(0, (2, 2)), label="size of the integral")
figure.legend(loc="outside upper center", ncols=3)
columns = ["network", "frequency", "weight", *(f"{kind}, {of}" for kind in ("error", "bound") for of in sizes)]
save_figure(figure, f"{figures}/errors", by_frequency[columns])

# %% [markdown]
# ## What the logits are made of
# R² of three regressions, with one coefficient for each key frequency and an intercept ([Q] §6): pizza terms
# |cos(w_k d/2)| cos(w_k(a+b−c)), clock terms cos(w_k(a+b−c)), cosine terms cos(w_k d) cos(w_k(a+b−c)). Then the R² of
# what the two integrals predict, with no coefficient fitted, of the absolute-value part. The two are near each other: of
# a network that is exactly one of them, the other predicts 8/π² = 0.81 (the torus, on the diagonal) or 2 − π²/8 = 0.77
# (the diagonal, on the torus).

# %%
logits = {name: separables[name].logits() if name in separables else own.logits() for name, own in embedded.items()}
rows = []
for name in embedded:
    parts = {"full": logits[name]} | ({"absolute": absolute[name]} if name in absolute else {})
    for part, values_of in parts.items():
        for kind in ("pizza", "clock", "cosine"):
            rows.append((name, part, f"{kind} terms", fit(values_of, kind, keys[name]).r_squared))
    for reading in sizes if name in absolute and schemes[name] else ():
        factors = [FACTORS[reading](scheme) for scheme in schemes[name].values()]
        explained = r_squared(absolute[name], predicted(schemes[name].values(), factors))
        rows.append((name, "absolute", f"{reading}, nothing fitted", explained))
explained = pd.DataFrame(rows, columns=["name", "part", "model", "R²"])
figure, axes = panels(2, height=3.0, sharey=True)
for ax, part in zip(axes, ("full", "absolute"), strict=True):
    here = [name for name in embedded if (explained.name[explained.part == part] == name).any()]
    for model, colour, marker in zip(explained.model.unique(), COLOURS, MARKERS, strict=False):
        own = explained[(explained.part == part) & (explained.model == model)]
        x = own.name.map({name: place for place, name in enumerate(here)})
        face = "none" if "fitted" in model else colour
        ax.plot(x, own["R²"], marker, color=colour, markerfacecolor=face, markersize=6, label=model)
    ax.set(
        title=f"{part} logits" if part == "full" else "absolute-value part", ylabel="R²", xlim=(-0.5, len(here) - 0.5)
    )
    ax.set_xticks(range(len(here)), [labels[name].replace(", ", ",\n") for name in here], rotation=30, ha="right")
    ax.label_outer()
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/explained", explained.assign(name=explained.name.map(labels)))

# %% [markdown]
# ## All networks, side by side
# *weight below the integral*: share of the network's weight in key frequencies whose actual error, by the reading that
# predicts more, is smaller than the integral; *weight bounded*: the same of the bound. *Certified*: share of the inputs
# whose answer is proven right from the constant and the frequencies k, or k and 2k, of every neuron, and from exact
# activations through few channels for each frequency. Dashes: not a sum of two tables.


# %%
def below(name, kind, reading):
    own = by_frequency[by_frequency.name == name]
    return float(own.weight[own[f"{kind}, {reading}"] < sizes[reading]].sum())


# %%
rows = []
for name, own in embedded.items():
    r2 = explained[explained.name == name].set_index(["part", "model"])["R²"]
    row = {"network": labels[name], "n": own.modulus, "key frequencies": len(keys[name])}
    row |= {"accuracy": accuracy(logits[name]), "smallest margin": margins(logits[name]).min()}
    row |= {f"R² {part}, {model}": value for (part, model), value in r2.items()}
    row |= {key.replace("_", " "): value for key, value in attention_measures(own).items()}
    if name in separables and schemes[name]:
        per_k, proven = by_frequency[by_frequency.name == name], certified(separables[name])
        row |= {f"mean {column}": per_k.weight @ per_k[column] for column in ("share of A", "share of B", "share of W")}
        row |= {column: per_k.weight @ per_k[column] for column in ("coherence", "constant", "ratio")}
        row |= {f"largest {column}": per_k[column].max() for column in laws}
        row |= {f"mean error, {reading}": per_k.weight @ per_k[f"error, {reading}"] for reading in FACTORS}
        better = max(sizes, key=lambda reading: r2["absolute", f"{reading}, nothing fitted"])
        row |= {"reading": better, "of random angles": per_k.weight @ per_k[f"of random angles, {better}"]}
        row |= {"weight below the integral": below(name, "error", better)}
        row |= {"weight bounded": below(name, "bound", better)}
        row |= {"predicted": r2["absolute", f"{better}, nothing fitted"]}
        row |= {"certified, k": proven["certified_share_k"], "certified, k and 2k": proven["certified_share_k_2k"]}
        row |= {"certified, channels": proven["certified_share_channels"]}
        row |= {"smallest explained margin": proven["smallest_explained_margin"]}
        row |= {"smallest certified margin, channels": proven["smallest_certified_margin_channels"]}
    rows.append({"name": name} | row)
table = pd.DataFrame(rows)
groups = {
    "neurons": [
        *("n", "key frequencies", "mean share of A", "mean share of B", "mean share of W"),
        *("constant", "ratio", "coherence", "largest rms, two phases", "largest rms, one phase"),
    ],
    "sums": [
        *("reading", "mean error, diagonal", "mean error, torus", "mean error, own", "of random angles"),
        *("weight below the integral", "weight bounded"),
        *(column for column in table if column.startswith("R² absolute")),
    ],
    "proofs": [
        *("smallest margin", "smallest explained margin", "certified, k", "certified, k and 2k"),
        *("certified, channels", "smallest certified margin, channels"),
    ],
    "logits": [
        *("n", "key frequencies", "accuracy", "smallest margin"),
        *(column for column in table if column.startswith("R² full")),
        *("distance irrelevance", "gradient symmetricity", "circularity"),
    ],
}
seen = {group: table if group == "logits" else table[table.name.isin(separables)] for group in groups}
for group, columns in groups.items():
    save_table(seen[group][["network", *columns]], f"{figures}/{group}")
whole = pd.concat({group: seen[group].set_index("network")[columns].T for group, columns in groups.items()})
whole.astype(object).where(whole.notna(), "–")


# %% [markdown]
# ## Result
# Claimed: in every network ψ = φ_a + φ_b to within a tenth of what unrelated phases give, and one of the two integrals
# predicts more than nine tenths of the absolute-value part with nothing fitted: the diagonal for the networks with one
# embedding, the torus for the one with two. Verdicts below are computed, network by network.
#
# **What is not claimed.** The law is about sums, and a sum of few neurons may be far from its integral: frequencies whose
# error exceeds the integral are learned in the sense that neurons have them and obey the law, not in the sense that their
# sum is a quadrature. The published bound charges every neuron for the steepest slope; with fewer neurons for each
# frequency it says less than taking the integral to be 0. Certificates from k and 2k need what else the neurons carry to
# be small; where it is not they prove nothing, whatever the network's accuracy.
#
# **Caveat.** A few networks are not a population. Which neurons have which phases is a matter of initial weights and of
# rounding. Nothing forces the φ_a and φ_b of two embeddings to be independent; the coherence of every frequency, in the
# table above, says how far they are from it.

# %%
values = {}
read = table[table.name.isin(strongest_key)].set_index("name")
recorded = {
    "mean_coherence": "coherence",
    "of_random_angles": "of random angles",
    "weight_below_integral": "weight below the integral",
    "weight_bounded": "weight bounded",
    "predicted_diagonal": "R² absolute, diagonal, nothing fitted",
    "predicted_torus": "R² absolute, torus, nothing fitted",
    "certified_share_k_2k": "certified, k and 2k",
    "certified_share_channels": "certified, channels",
}
for name in read.index:
    values |= {f"{name}_{value}": read[column][name] for value, column in recorded.items()}
    per_k, hole = by_frequency[by_frequency.name == name], holes[name]
    values |= {f"{name}_rms_mismatch": per_k["rms, two phases"], f"{name}_one_sided_rms": per_k["rms, one phase"]}
    values |= {f"{name}_hole": hole["all"]}
    values |= {f"{name}_hole_without_either": max(abs(hole["constant and k"]), abs(hole["k and 2k"]))}
    # As [Q] has it: every neuron counts alike, and φ is that of the first number.
    off = [phase_mismatch(scheme.phi, scheme.psi) for scheme in schemes_of(neurons_of(separables[name])).values()]
    values |= {f"{name}_rms_alike": [np.sqrt(np.square(angle).mean()) for angle in off]}
record(values_file, network, values, others={name: load_network(file) for name, file in others.items()})
values

# %%
for name, row in read.iterrows():
    per_k, hole, reading = by_frequency[by_frequency.name == name], holes[name], row["reading"]
    two, one = (per_k[column] for column in laws)
    holds = "holds" if row["predicted"] >= explained_limit else "does not hold"
    below_integral, bounded = 100 * row["weight below the integral"], 100 * row["weight bounded"]
    shares = [100 * row[f"certified, {of}"] for of in ("k", "k and 2k", "channels")]
    print(f"{labels[name]}: coherence {row['coherence']:.3f}, better read by the {reading} than by the other integral.")
    print(f"  ψ = φ_a + φ_b holds at {(two <= law_limit).sum()} of {len(two)} key frequencies", end=" ")
    print(f"(largest rms {two.max():.3f}), ψ = 2φ_a at {(one <= law_limit).sum()} (largest rms {one.max():.3f}).")
    print(f"  The {reading} predicts R² {row['predicted']:.3f} of the absolute part: the reading {holds}.")
    print(
        f"  The error is below the integral for {below_integral:.0f} % of the weight, the bound for {bounded:.0f} %;",
        end=" ",
    )
    print(f"its rms is {100 * row['of random angles']:.0f} % of that of random angles.")
    print(f"  Certified: {shares[0]:.1f} % of the inputs from k, {shares[1]:.1f} % from k and 2k,", end=" ")
    print(f"{shares[2]:.1f} % through channels; smallest margin {row['smallest margin']:.2f}.")
    print(f"  Where |cos(w_k d/2)| vanishes the logits' factor is {hole['all']:.3f};", end=" ")
    print(f"{hole['k and 2k']:.3f} without constants, {hole['constant and k']:.3f} without 2k.")
