# %% [markdown]
# # What does one neuron tell apart, residues, cosets or approximate cosets?
#
# **Claim** ([C] §4.1, §5.2 and App. B). A simple neuron of frequency f and shift s fires on the residues few steps d
# from s, d = (f/g)⁻¹ mod n/g and g = gcd(f, n): a coset of the subgroup of order g if g > 1, an approximate coset if
# g = 1. Relabelling the residues, x ↦ u·x, turns every such neuron into one slow cosine:
#
# $$ \cos\frac{2\pi f (a - s)}{n} = \cos\frac{2\pi g (u a - u s)}{n}, \qquad u \equiv \frac{f}{g} \pmod{n/g}. $$
#
# A *fine-tuning* neuron is a sum of several representations, and turns into half a period. The phases of a cluster's
# neurons differ, so what they hold are projections of one representation, not the representation itself.
#
# **Method.** Of each sort of cluster, the strongest one is drawn: its strongest neuron before and after relabelling,
# then all its neurons. The fine-tuning neurons drawn are the strongest of another network, which has a cluster of them as
# the one of [C] has (or, where there is none, the simple ones nearest to it).
# The *level set* of a neuron, where its cosine is close to its maximum, is compared with as many residues on which it
# really receives most. The pairs of phases (of A, of B) lie on a torus. *Clark and Evans' index*, the mean distance to
# the nearest neighbour over that of many random points, is below 1 for clumps and 2 for a square grid. A few random
# pairs often exceed 1. So the index is compared with that of as many random pairs as the cluster has neurons: p is the
# share of these with an index at least as large.

# %%
from types import SimpleNamespace

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.fourier import spectrum
from modadd.core.neurons import three_dfts
from modadd.crt.clusters import BAND, MOSTLY, cluster_table
from modadd.crt.coset_measures import constant_on_cosets, half_minus_one_period, level_set_overlap
from modadd.crt.cosets import LEVEL, coset_order, firing, firing_rows, relabelling, spread_p, step
from modadd.crt.several_lines import partial_sums, relabelled_half_period, strongest_lines
from modadd.crt.simple_neurons import fit_simple, kinds, replaced
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, PUBLISHED_LINE, panels, pi_ticks, save_figure, save_table, use_style
from modadd.page.prose import about, say

# %% tags=["parameters"]
network_file = "results/exhibits/c91_batch.safetensors"
others = {"fine_tuning_mlp/seed314": "results/networks/fine_tuning_mlp/seed314.safetensors"}
figures = "figures/coset_neurons"
values_file = "results/values/coset_neurons.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
level = LEVEL  # of a cosine's maximum: from here on a residue belongs to its level set
most_panels = 6  # clusters drawn, strongest first
most_terms = 6  # representations added up
draws = 2000  # random sets of phases

# %%
use_style()


def read(network):
    """The tables of a network, the DFTs of its neurons, their kinds, and the simple neurons that fit them."""
    separable = network.separable()
    dfts = three_dfts(separable)
    return SimpleNamespace(separable=separable, dfts=dfts, kind=kinds(dfts), fit=fit_simple(dfts))


network = load_network(network_file)
(tuned_name,) = others
this, tuned = read(network), read(load_network(others[tuned_name]))
separable, dfts, kind, fit = this.separable, this.dfts, this.kind, this.fit
n, x = separable.modulus, np.arange(separable.modulus)
table = cluster_table(dfts, kind)
table["sort"] = np.where(table.order > 1, "exact cosets", "approximate cosets")
table.loc[table.fine_tuning >= MOSTLY, "sort"] = "fine-tuning"
working = lambda f: np.flatnonzero((dfts.frequency == f) & (kind.alive | kind.dead.all()) & ~kind.idle)
period = lambda f, n=n: n // coset_order(f, n)
place = lambda f, n=n: relabelling(f, n) * np.arange(n) % period(f, n)  # where relabelling puts each residue
by_weight = table.sort_values("weight", ascending=False, kind="stable")
strongest = by_weight.drop_duplicates("sort").set_index("sort").frequency
exhibits = {sort: int(strongest[sort]) for sort in ("approximate cosets", "exact cosets") if sort in strongest}
exhibits = exhibits or {"strongest frequency": int(strongest.iloc[0]) if len(strongest) else 1}
shown = [(f"f = {f}, {sort}", this, int(working(f)[dfts.weight[working(f)].argmax()])) for sort, f in exhibits.items()]
tuning = tuned.kind.fine_tuning & ~tuned.kind.idle
simple = tuned.kind.simple & ~tuned.kind.idle
beside = np.where(simple, np.maximum(tuned.dfts.beside_A, tuned.dfts.beside_B), 0)
word, rank = ("fine-tuning", tuned.dfts.weight * tuning) if tuning.any() else ("nearest to fine-tuning", beside)
pair = np.argsort(-rank, kind="stable")[:2]
shown.append((f"f = {tuned.dfts.frequency[pair[0]]}, {word}", tuned, int(pair[0])))
table.round(3)

# %% [markdown]
# ## Before and after relabelling
# Left, what a neuron receives from the first number; filled, as many residues as its level set has, on which it
# receives most. Right, the same over u·a mod n/g, where residues of one coset fall on one place, with the cosine that
# fits best, and for the fine-tuning neuron half a period (its cut is fitted too). *overlap*: share of the level set that
# is among the residues on which the neuron receives most. *top is a coset*: whether the g residues with most are one.

# %%
figure, axes = panels(2 * len(shown), height=1.7)
drawn = []
for (label, of, i), before, after in zip(shown, axes[::2], axes[1::2], strict=True):
    residue, A, f = np.arange(of.separable.modulus), of.separable.A[:, i], int(of.dfts.frequency[i])
    predicted, most = firing(A, f, float(of.fit.s_A[i]), level)
    moved, cosine = place(f, len(A)), replaced(of.separable, of.fit).A[:, i] + A.mean()
    order = np.argsort(moved, kind="stable")
    before.plot(residue, A, "o", color=COLOURS[0], markersize=2.5, markerfacecolor="white")
    before.plot(most, A[most], "o", color=COLOURS[0], markersize=3)
    after.plot(moved[order], A[order], "o", color=COLOURS[0], markersize=2.5, markerfacecolor="white")
    after.plot(moved[order], cosine[order], color=COLOURS[1], linestyle=DASHES[1], label="cosine")
    if label.endswith("fine-tuning"):
        half = relabelled_half_period(A, f).values[: period(f, len(A))]
        after.plot(half, color=COLOURS[3], label="half a period", zorder=0)
    before.set(title=f"neuron {i}: {label}", xlabel="a", ylabel="A(a)")
    relabelled = f"relabelled, u = {relabelling(f, len(A))}, d = {step(f, len(A))}"
    after.set(title=relabelled, xlabel=f"u·a mod {period(f, len(A))}")
    after.legend(loc="upper left", bbox_to_anchor=(1, 1))
    columns = {"sort": label, "neuron": i, "frequency": f, "residue": residue, "A": A}
    columns |= {"relabelled": moved, "cosine": cosine}
    columns |= {"in_level_set": np.isin(residue, predicted), "strongest": np.isin(residue, most)}
    drawn.append(pd.DataFrame(columns))
save_figure(figure, f"{figures}/remap", pd.concat(drawn))
of_side = {"A": (separable.A, fit.s_A), "B": (separable.B, fit.s_B)}
overlaps = pd.DataFrame(firing_rows(of_side, fit.frequency, np.flatnonzero(kind.simple & ~kind.idle), level))
save_table(overlaps, f"{figures}/level_sets")
overlaps.head()

# %% [markdown]
# ## A cluster of simple neurons
# All their neurons, one row each, in the order of their phase. With the residues in their usual order a row looks
# scattered. In the order of u·a mod n/g, coset by coset, it is one slow wave, and the rows are its shifts.

# %%
slowly, waves, csv = {f: np.argsort(place(f), kind="stable") for f in exhibits.values()}, {}, []
for f, side in ((f, side) for f in exhibits.values() for side in "AB"):
    by_phase = working(f)[np.argsort(-getattr(dfts, side).phase[working(f)], kind="stable")]
    waves[f, side] = pd.DataFrame(getattr(separable, side)[:, by_phase], columns=by_phase)
    rows = waves[f, side].assign(residue=x, frequency=f, side=side, place=np.argsort(slowly[f], kind="stable"))
    csv.append(rows.melt(["residue", "frequency", "side", "place"], var_name="neuron", value_name="value"))
pictures = {}
for remapped in (False, True):
    pictures[remapped], axes = panels(len(waves), height=1.9)
    for ((f, side), values), ax in zip(waves.items(), axes, strict=True):
        residues, letter = values.loc[slowly[f]] if remapped else values, side.lower()
        image = ax.imshow(residues.T, aspect="auto", interpolation="nearest", rasterized=True)
        ax.set(title=f"f = {f}: what neurons receive from {letter}", ylabel="neuron, by phase", xlabel=letter)
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        if remapped:
            ax.set(xlabel=f"{letter}, by {relabelling(f, n)}{letter} mod {period(f)}", xticks=[])
        pictures[remapped].colorbar(image, ax=ax, label=f"{side} of the neuron")
save_figure(pictures[False], f"{figures}/simple_cluster", pd.concat(csv))
save_figure(pictures[True], f"{figures}/simple_cluster_remapped", pd.concat(csv))

# %% [markdown]
# ## The phases of a cluster's neurons
# Left, a histogram of one cluster; right, its pairs, each neuron a point of the torus. Below, the strongest clusters.

# %%
f, pi = next(iter(exhibits.values())), (-np.pi, np.pi)
phases = pd.DataFrame({"frequency": dfts.frequency, "phase_A": dfts.A.phase, "phase_B": dfts.B.phase})
phases = phases.rename_axis("neuron").reset_index()
own, phases = phases.loc[working(f)], phases[kind.alive & ~kind.idle]
torus = {"xlabel": "phase of A (rad)", "ylabel": "phase of B (rad)", "xlim": pi, "ylim": pi, "aspect": "equal"}
figure, axes = panels(2, height=2.5)
axes[0].hist([own.phase_A, own.phase_B], np.linspace(*pi, 13), color=COLOURS[:2], label=["phase of A", "phase of B"])
axes[0].axhline(len(own) / 12, color="0.5", linestyle=":", label="uniform")
axes[0].set(title=f"f = {f}: {len(own)} neurons", xlabel="phase (rad)", ylabel="neurons")
axes[0].legend(loc="upper left")
axes[0].margins(y=0.35)
axes[0].yaxis.set_major_locator(MaxNLocator(integer=True))
axes[1].plot(own.phase_A, own.phase_B, "o", color=COLOURS[0], markersize=4, clip_on=False)
axes[1].set(**torus)
for axis in (axes[0].xaxis, axes[1].xaxis, axes[1].yaxis):
    pi_ticks(axis, -1, 0, 1)
save_figure(figure, f"{figures}/phases", own.drop(columns="frequency"))
rng = np.random.default_rng(0)
at_random = lambda of: spread_p(of.phase_spread, of.working, draws, rng)
table["spread_p"] = [at_random(table[i : i + 1]) if m > 1 else np.nan for i, m in enumerate(table.working)]
largest = table.loc[by_weight.index[:most_panels]].sort_values("frequency")
figure, axes = panels(max(1, len(largest)), columns=3, height=2.2, sharex=True, sharey=True)
for ax, row in zip(axes, largest.itertuples(), strict=False):
    points = phases[phases.frequency == row.frequency]
    ax.plot(points.phase_A, points.phase_B, "o", color=COLOURS[0], markersize=3.5, clip_on=False)
    ax.set(
        title=f"f = {row.frequency}: {row.working} neurons\nindex {row.phase_spread:.2f}, p = {row.spread_p:.2g}",
        **torus,
    )
    pi_ticks(ax.xaxis, -1, 0, 1)
    pi_ticks(ax.yaxis, -1, 0, 1)
    ax.label_outer()
save_figure(figure, f"{figures}/phase_pairs", phases)
save_table(table, f"{figures}/clusters")

# %% [markdown]
# ## Fine-tuning neurons
# Two neurons of the other network: what they receive from a and from b, and its DFT; dashed, the magnitudes between which
# [C] looks for their lines. Then the first neuron is built from its strongest representations, with the share of its variance.

# %%
inward = (("a", tuned.separable.A), ("b", tuned.separable.B))
sides = [(int(i), number, values[:, i]) for i in pair for number, values in inward]
residues = np.arange(tuned.separable.modulus)
figure, axes = panels(len(sides), height=1.5, sharex=True)
for ax, (i, number, values) in zip(axes, sides, strict=True):
    ax.plot(residues, values, "o", color=COLOURS[0], markersize=2.5)
    ax.set(title=f"neuron {i} ({word}), from {number}", xlabel="residue", ylabel="preactivation")
    ax.label_outer()
csv = pd.concat(
    pd.DataFrame({"neuron": i, "from": of, "residue": residues, "value": values}) for i, of, values in sides
)
save_figure(figure, f"{figures}/fine_tuning_neurons", csv)
figure, axes = panels(len(sides), height=1.5, sharex=True, sharey=True)
k, csv, built = np.arange(1, len(residues) // 2 + 1), [], tuned.separable.A[:, pair[0]]
behind = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}  # hides the dashed line behind a number
number_style = {"ha": "center", "size": 6, "bbox": behind}
for ax, (i, number, values) in zip(axes, sides, strict=True):
    magnitude = np.abs(spectrum(values))[1:]
    ax.vlines(k, 0, magnitude, color=COLOURS[0], linewidth=2)
    for edge in BAND:
        ax.axhline(edge, **PUBLISHED_LINE, label="7.5 and 30 ([C])" if edge == BAND[0] else None)
    for line in k[magnitude >= min(BAND[0], magnitude.max())]:
        ax.annotate(str(line), (line, magnitude[line - 1]), (0, 2), textcoords="offset points", **number_style)
    ax.set(title=f"neuron {i} ({word}), from {number}", xlabel="frequency", ylabel="|DFT|")
    ax.margins(y=0.15)
    ax.label_outer()
    csv.append(pd.DataFrame({"neuron": i, "from": number, "frequency": k, "magnitude": magnitude}))
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center")
save_figure(figure, f"{figures}/fine_tuning_spectra", pd.concat(csv))
lines, sums = strongest_lines(built, most_terms), partial_sums(built, most_terms)
save_table(lines, f"{figures}/representations_table")
figure, axes = panels(max(1, len(lines)), columns=3, height=1.6, sharex=True, sharey=True)
for ax, total, row in zip(axes, sums, lines.itertuples(), strict=False):
    ax.plot(residues, built, "o", color="0.6", markersize=3, markerfacecolor="none", label="neuron")
    ax.plot(residues, total, "o", color=COLOURS[1], markersize=1.5, label="sum of its strongest waves")
    ax.set(title=f"{'+ ' if row.Index else ''}f = {row.frequency}: {100 * row.share:.1f} %", xlabel="a", ylabel="A(a)")
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/representations", pd.DataFrame({"a": residues} | dict(enumerate([built, *sums]))))
lines.round(3)

# %% [markdown]
# ## Result
# That neurons fire on (approximate) cosets is judged by *overlap*, and clusters on exact cosets by the share of the
# variance of A, B and W that is constant on them, fine-tuning neurons by R² of half a period against one. The network
# shown was chosen by a rule and only illustrates; the claims are judged on all networks of four populations. The p of
# the mean index is that of all clusters of at least four neurons; phases are judged in
# [cluster_populations](cluster_populations.html).
#
# **Caveat.** Half a period is the shape of a fine-tuning neuron whose second line stands at 2f. Where it stands at 3f,
# crests are flattened or sharpened, and half a period fits no better than one. [C] finds phases "nice and spread out
# uniformly" only about half the time. Rayleigh's test sees only phases that crowd on one side, and points as even as
# these pass it easily. A small p of the index says more: the pairs keep apart like the nodes of a quadrature.

# %%
halves = [relabelled_half_period(of, int(tuned.dfts.frequency[i])).r_squared for i, _, of in sides if tuning[i]]
ones = [float(strongest_lines(of, 1).share[0]) for i, _, of in sides if tuning[i]]
several, on_top = table[table.working >= 4], overlaps["top is a coset"][overlaps.g > 1] if len(overlaps) else []
values = {of.__name__: of(network) for of in (level_set_overlap, constant_on_cosets, half_minus_one_period)}
record(values_file, network, values)
values

# %%
listed = lambda numbers, digits: ", ".join(f"{number:.{digits}f}" for number in numbers)
top, varying = 100 * np.mean(on_top) if len(on_top) else np.nan, 100 * (1 - values["constant_on_cosets"])
index, p, overlap = listed(largest.phase_spread, 2), largest.phase_p.min(), 100 * values["level_set_overlap"]
holds = {
    about(network): True,
    f"Simple neurons receive most on {overlap:.1f} % of their level sets (mean).": len(overlaps),
    f"On exact cosets A, B and W are constant up to {varying:.2f} % of the variance.": np.isfinite(varying),
    f"There, the g residues with most are one coset in {top:.1f} % of the sides of simple neurons.": np.isfinite(top),
    f"The clusters drawn have the index {index}; Rayleigh's test of their phases has p ≥ {p:.2f}.": len(largest),
    f"Of {len(several)} clusters the mean index has p = {at_random(several):.2g} (random pairs).": len(several),
    f"In {tuned_name} {tuning.sum()} fine-tuning neurons work. R² of half a period is {listed(halves, 3)} (A and B of "
    f"the two drawn), of one period {listed(ones, 3)}.": tuning.any(),
    f"In {tuned_name} no fine-tuning neuron works. In the simple ones drawn, another line is {beside[pair[0]]:.2f}.": not tuning.any(),
}
say(*(sentence for sentence, true in holds.items() if true))
