# %% [markdown]
# # Do all networks add in the same way?
#
# **Claim** (this project's; each paper looks at one network). [Q] reads the neurons of the pizza transformer as a
# quadrature scheme. Nobody has tried this on the two-layer MLP [M] or on the embedding MLP [C]. The second reads each
# number through an embedding of its own, so that its neurons have two input phases, φ_a and φ_b. We claim that all of
# them are quadrature schemes with ψ = φ_a + φ_b,
#
# $$ \sum_i w_i \left| \cos \left( \frac{w_k d}{2} + \delta_i \right) \right|
# \left| \cos \left( \frac{\theta}{2} + \sigma_i \right) \right| e^{i \psi_i} \approx \frac{4}{3} m(d) e^{-i\theta} , $$
#
# where d = a − b, θ = w_k(a + b), δ = (φ_a − φ_b)/2, σ = (φ_a + φ_b)/2, and m(d) is the mean of |cos(w_k d/2 + δ_i)|.
# Two kinds of integral occur: one looks like a pizza, the other like a clock.
#
# **Method.** ReLU(u) is |u|/2 + u/2, and a neuron reads cos(w_k a + φ_a) + cos(w_k b + φ_b) = 2 cos(w_k d/2 + δ)
# cos(θ/2 + σ). The sum of the moduli stands for the integral if ψ = 2σ and σ is spread evenly whatever δ is.
# *Diagonal*: φ_a = φ_b, and all neurons have the factor |cos(w_k d/2)|, as in [Q]. The answer fades where it vanishes,
# as in a pizza. *Torus*: φ_a and φ_b are spread independently, and m(d) = 2/π at every d. The factor no longer depends
# on the difference, as in a clock, although nothing is multiplied. We compare the sums with both integrals at every
# input. The weights are w_i = 2π r_i/Σr, r_i = (α_a + α_b)/2 · β. Nothing is fitted to the logits except in the
# regressions.

# %%
import numpy as np
import pandas as pd

from modadd.networks.foreign import load_external
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, panels, pi_ticks, save_figure, save_table, use_style
from modadd.populations import side_by_side
from modadd.quadrature.scheme_measures import rms_mismatch
from modadd.quadrature.torus import LAWFUL, UNRELATED
from modadd.quadrature.torus_measures import (
    INTEGRAL_SIZES,
    factor_in_the_hole,
    factor_in_the_hole_without_either,
    factors_in_the_hole,
    r2_better_integrals,
    rms_two_phases,
    weight_below_integral,
)
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
    "group_mlp/seed0": "results/networks/group_mlp/seed0.safetensors",
}
external = {}  # published weights by the name that the config gives them
figures = "results/by_hand/cross_study"
values_file = "results/by_hand/cross_study.json"
published = {}  # no paper prints any of these numbers
most_frequencies = 16  # looked at in each network, strongest first; a network that has not learned has many
explained_limit = 0.9  # of the R² of the absolute-value part, predicted without fitting

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
ours = {one.recipe.architecture: one for one in (network, *further.values())}
theirs = {name: load_external(path) for name, path in sorted(external.items())}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP", "group_mlp": "T, ReLU on the group"}
titles = {name: name for name in ours | theirs} | titles
embedded = {titles[name]: one.embedded() for name, one in (ours | theirs).items()}
separables = {titles[name]: one.separable() for name, one in (ours | theirs).items()}
reads = {}
for label, separable in separables.items():
    if separable is not None and (read := side_by_side.strongest_schemes(separable, most_frequencies)).schemes:
        reads[label] = read
keys = {}
for label, function in embedded.items():
    keys[label] = side_by_side.key_frequencies(function, reads.get(label), most_frequencies)
inseparable = ", ".join(label for label in embedded if label not in reads) or "none"
say(f"Weights that the config names: {', '.join(theirs) or 'none'}. Networks without separable form: {inseparable}.")


def network_axis(ax, labels, **options):
    """Networks as the ticks of an axis."""
    ax.set_xlim(-0.5, len(labels) - 0.5)
    ax.set_xticks(range(len(labels)), [label.replace(", ", ",\n") for label in labels], **options)
    ax.minorticks_off()


# %% [markdown]
# ## The strongest frequency of each network
# Angles: φ_b against φ_a of its neurons; the area of a point is the neuron's weight. On the dashed line φ_a = φ_b.
# Factors: points are the coefficient of cos(w_k(a + b − c)) in the absolute-value part of the logits at every
# difference, in units of the neurons' summed amplitudes; no phase enters. Lines: what the phases make of it, integrals.

# %%
figure, axes = panels(len(reads), columns=3, height=2.4, sharex=True, sharey=True)
rows = []
for ax, (label, read) in zip(axes, reads.items(), strict=True):
    scheme, k = read.strongest, read.strongest.frequency
    ax.plot([-np.pi, np.pi], [-np.pi, np.pi], color="0.5", linestyle=(0, (4, 2)), linewidth=1)
    share = scheme.weight / scheme.weight.max()
    ax.scatter(scheme.phi_a, scheme.phi_b, 60 * share, color=COLOURS[0], alpha=0.6, linewidth=0)
    ax.set(title=f"{label}, k = {k}", xlabel="φ_a (rad)", ylabel="φ_b (rad)", aspect="equal")
    pi_ticks(ax.xaxis, -1, 0, 1)
    pi_ticks(ax.yaxis, -1, 0, 1)
    ax.tick_params(labelbottom=True)
    angles = {"phi_a": scheme.phi_a, "phi_b": scheme.phi_b, "psi": scheme.psi, "weight": scheme.weight}
    rows.append(pd.DataFrame({"network": label, "frequency": k} | angles))
save_figure(figure, f"{figures}/angles", pd.concat(rows))

# %%
figure, axes = panels(len(reads), columns=3, height=1.9, sharex=True, sharey=True)
rows = []
for ax, (label, read) in zip(axes, reads.items(), strict=True):
    k, curves = read.strongest.frequency, side_by_side.factor_curves(read)
    ax.plot(curves.turn, curves.own, color="0.8", linewidth=4, label="from φ_a and φ_b")
    ax.plot(curves.turn, curves.diagonal, color=COLOURS[2], linestyle=(0, (4, 1)), label="diagonal, |cos(w_k d/2)|")
    ax.plot(curves.turn, curves.torus, color=COLOURS[3], linestyle=(0, (1, 1)), label="torus, 2/π")
    ax.plot(curves.turn, curves.logits, "o", color=COLOURS[1], markersize=2, label="in the logits")
    ax.set(title=f"{label}, k = {k}", xlabel="w_k(a − b) mod 2π (rad)", ylabel="factor m(d)", ylim=(0, None))
    pi_ticks(ax.xaxis, 0, 1, 2)
    ax.tick_params(labelbottom=True)
    rows.append(curves.assign(network=label, frequency=k))
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/factors", pd.concat(rows))

# %% [markdown]
# ## Every key frequency
# *rms, two phases* is that of ψ − φ_a − φ_b over the neurons by weight, *rms, one phase* that of ψ − 2φ_a. The law
# counts as holding below a tenth of the π/√3 of unrelated phases. *Coherence*, |Σ w e^{i(φ_a − φ_b)}|/Σw, is 1 on the
# diagonal, 0 on the torus. *Error*: the largest modulus of sum less integral over all inputs, divided by 4/3. The
# integral is then 1 on the diagonal, where the factor is largest, and 2/π on the torus; with a larger error nothing is
# learned from the integral. The published *bound* (angle term, folded Lipschitz bound, from φ_a alone) is about the
# diagonal; the torus has a spectral one, from 64 harmonics of each angle. *of random angles*: rms error over that of
# angles drawn at random. *constant*, the mean preactivation over α_a + α_b, and *ratio*, the smaller of α_a and α_b
# over the larger, are left out of the reading. The area of a point is the frequency's share of the network's weight.

# %%
every = pd.concat({label: read.by_frequency for label, read in reads.items()}, names=["network", "row"])
every = every.reset_index("network").reset_index(drop=True)
x, area = every.network.map({label: index for index, label in enumerate(reads)}), 15 + 250 * every.weight
save_table(every, f"{figures}/frequencies")
every.round(3)

# %%
figure, (ax,) = panels(1, columns=1, height=2.8)
laws = {"rms, two phases": "ψ − φ_a − φ_b", "rms, one phase": "ψ − 2φ_a"}
for (column, law), colour, marker, shift in zip(laws.items(), COLOURS, MARKERS, (-0.15, 0.15), strict=False):
    ax.scatter(x + shift, every[column], area, color=colour, marker=marker, alpha=0.5, linewidth=0, label=law)
ax.axhline(UNRELATED, color="0.6", linewidth=1, zorder=0, label="unrelated phases")
ax.axhline(LAWFUL, color="0.6", linewidth=1, linestyle=(0, (2, 2)), zorder=0, label="limit")
ax.set(yscale="log", ylabel="root mean square (rad)")
network_axis(ax, reads)
figure.legend(loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/phase_law", every[["network", "frequency", "weight", *laws]])

# %%
error = {"color": COLOURS[0], "alpha": 0.6, "linewidth": 0, "label": "actual error, largest over inputs"}
bound = {"edgecolor": COLOURS[1], "facecolor": "none", "marker": "s", "label": "bound"}
integral = {"color": "0.6", "linewidth": 1, "linestyle": (0, (2, 2)), "label": "size of the integral"}
figure, axes = panels(2, height=3.0, sharey=True)
for ax, (reading, size), factor in zip(axes, INTEGRAL_SIZES.items(), ("|cos(w_k d/2)|", "2/π"), strict=True):
    ax.scatter(x - 0.15, every[f"error, {reading}"], area, **error)
    ax.scatter(x + 0.15, every[f"bound, {reading}"], area, **bound)
    ax.axhline(size, zorder=0, **integral)
    ax.set(title=f"{reading}: factor {factor}", yscale="log", ylabel="error divided by 4/3")
    network_axis(ax, reads, rotation=30, ha="right")
    ax.yaxis.set_major_formatter("{x:g}")
    ax.label_outer()
handles = [axes[0].scatter([], [], 40, **style) for style in (error, bound)] + axes[0].plot([], [], **integral)
figure.legend(handles=handles, loc="outside upper center", ncols=3)
measured = [f"{kind}, {reading}" for kind in ("error", "bound") for reading in INTEGRAL_SIZES]
save_figure(figure, f"{figures}/errors", every[["network", "frequency", "weight", *measured]])

# %% [markdown]
# ## What fills the hole?
# At w_k d = π the diagonal's factor vanishes; that of the logits does not. A neuron's own frequency cancels there, and
# only what else it carries is left. The table gives the factor in the logits at this difference, averaged over the key
# frequencies by weight, with parts of A and B left out. A part at 2k alone is no help: it reads cos(θ + 2φ), whose
# modulus has harmonics e^{4imφ}; ψ = 2φ picks out none of them. A constant c in |c + cos(θ + 2φ)| brings in e^{±2iφ}.

# %%
holes = {label: factors_in_the_hole(read.network) for label, read in reads.items()}
table = pd.DataFrame([{"network": label} | hole for label, hole in holes.items()])
save_table(table, f"{figures}/hole")
table.round(3)

# %% [markdown]
# ## All networks, side by side
# R² of regressions with one coefficient for each key frequency and an intercept ([Q] §6): cos(w_k(a+b−c)) times
# |cos(w_k d/2)| (pizza), 1 (clock) or cos(w_k d) (cosine). Then R² of what the two integrals predict of the
# absolute-value part, with nothing fitted. Of a network that is exactly one of them the other predicts much too: 8/π² =
# 0.81 (the torus, on the diagonal) or 2 − π²/8 = 0.77. *Weight below the integral*: share of the weight in key
# frequencies whose error, by the reading that predicts more, is smaller than the integral; *weight bounded*: so is the
# bound. *Certified*: share of inputs proven right from constant and k, or k and 2k.

# %%
r2 = {label: side_by_side.regressions(function, reads.get(label), keys[label]) for label, function in embedded.items()}
rows = [(label, part, model, value) for label, found in r2.items() for (part, model), value in found.items()]
explained = pd.DataFrame(rows, columns=["name", "part", "model", "R²"])

# %%
figure, axes = panels(2, height=3.0, sharey=True)
shown = {"full": ("full logits", list(embedded)), "absolute": ("absolute-value part", list(reads))}
for ax, (part, (title, labels)) in zip(axes, shown.items(), strict=True):
    for model, colour, marker in zip(explained.model.unique(), COLOURS, MARKERS, strict=False):
        points = explained[(explained.part == part) & (explained.model == model)]
        style = {"color": colour, "markerfacecolor": "none" if "fitted" in model else colour, "markersize": 6}
        ax.plot(points.name.map(labels.index), points["R²"], marker, label=model, **style)
    ax.set(title=title, ylabel="R²")
    network_axis(ax, labels, rotation=30, ha="right")
    ax.label_outer()
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/explained", explained)

# %%
tables = {
    label: side_by_side.columns_of(function, reads.get(label), keys[label], r2[label])
    for label, function in embedded.items()
}
groups = {
    group: pd.DataFrame([{"network": label} | table[group] for label, table in tables.items() if group in table])
    for group in ("neurons", "sums", "proofs", "logits")
}
save_table(groups["neurons"], f"{figures}/neurons")
save_table(groups["sums"], f"{figures}/sums")
save_table(groups["proofs"], f"{figures}/proofs")
save_table(groups["logits"], f"{figures}/logits")
whole = pd.concat({group: table.set_index("network").T for group, table in groups.items()})
whole.astype(object).where(whole.notna(), "–")

# %% [markdown]
# ## Result
# Claimed, of all networks of Studies Q and C that have these numbers: ψ = φ_a + φ_b to within a tenth of what unrelated
# phases give; and one of the two integrals predicts at least nine tenths of the absolute-value part with nothing fitted. In
# Study C it is the integral over the torus, in Study Q that on the diagonal. A sum of few neurons may be far from its
# integral, as in the theorists' network: the neurons have the frequency and obey the law, but their sum is no quadrature. The published bound charges every neuron for the steepest
# slope; with few neurons it says less than taking the integral to be 0. Certificates from k and 2k prove little where the
# neurons carry much else, whatever the accuracy.
#
# **Caveat.** The figures show one network of each study. φ_a and φ_b need not be independent; the coherence measures how
# far they are.

# %%
shown = reads.get(titles[network.recipe.architecture])  # of Study Q; none if no neuron reaches an answer
measures = (rms_two_phases, r2_better_integrals, weight_below_integral)
measures += (factor_in_the_hole, factor_in_the_hole_without_either)
values = {measure.__name__: measure(shown.network) for measure in measures} if shown else {}
values |= {
    f"{name}_rms_mismatch": rms_mismatch(reads[titles[name]].network) for name in theirs if titles[name] in reads
}
record(values_file, network, values, others=further)
values

# %%
for label, read in reads.items():
    row, hole, reading = whole[label].droplevel(0), holes[label], whole[label]["sums", "reading"]
    two, one = (read.by_frequency[column] for column in laws)
    predicted, percent = row[f"R² absolute, {reading}, nothing fitted"], 100 * pd.to_numeric(row, errors="coerce")
    say(
        f"**{label}** (accuracy {row['accuracy']:.4f}, coherence {row['coherence']:.3f}). ψ = φ_a + φ_b holds at "
        f"{(two <= LAWFUL).sum()} of {len(two)} key frequencies (largest rms {two.max():.3f} rad), ψ = 2φ_a at "
        f"{(one <= LAWFUL).sum()} ({one.max():.3f} rad). The {reading} predicts more than the other integral, R² "
        f"{predicted:.3f} of the absolute part: it {'holds' if predicted >= explained_limit else 'does not hold'}.",
        f"The error is below the integral for {percent['weight below the integral']:.0f} % of the weight, the bound "
        f"for {percent['weight bounded']:.0f} %; the rms error is {percent['of random angles']:.0f} % of that of "
        f"random angles. Where |cos(w_k d/2)| vanishes, the factor in the logits is {hole['all']:.3f}; it is "
        f"{hole['k and 2k']:.3f} without constants, and {hole['constant and k']:.3f} without 2k.",
        f"Certified are {percent['certified, k']:.1f} % of the inputs from k and {percent['certified, k and 2k']:.1f} % "
        f"from k and 2k. The smallest margin is {row['smallest margin'].iloc[0]:.2f}.",
    )
