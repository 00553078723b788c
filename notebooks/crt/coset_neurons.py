# %% [markdown]
# # What does one neuron tell apart, residues, cosets or approximate cosets?
#
# **Claim** ([C] §4.1, §5.2 and App. B). A simple neuron of frequency f fires on residues that lie few steps d from
# its shift, d = (f/g)⁻¹ mod n/g and g = gcd(f, n): a coset of the subgroup of order g if g > 1, an approximate coset
# if g = 1. Relabelling the residues, x ↦ u·x with u ≡ f/g, turns every such neuron into one slow cosine. A
# *fine-tuning* neuron is a sum of several representations, and turns into half a period. The phases of a cluster's
# neurons differ, so what they hold are projections of one representation, not the representation itself.
#
# **Method.** The strongest neuron of the strongest cluster of each sort, before and after relabelling; all neurons of
# those clusters; the strongest fine-tuning neurons (where there is none, the simple neurons nearest to it, and the
# text says so). The *level set* of a neuron, where its cosine is at least `level` of its maximum, is compared with as
# many residues on which the neuron really receives most. The pairs of phases (of A, of B) lie on a torus; *Clark and
# Evans' index*, the mean distance to the nearest neighbour over that of random points, is 1 for random pairs, below
# for clumps, 2 for a square grid.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.fourier import spectrum
from modadd.core.neurons import three_dfts
from modadd.crt.clusters import BAND, MOSTLY, cluster_table
from modadd.crt.cosets import LEVEL, coset_order, level_set, relabelling, remapped, share_on_cosets, step
from modadd.crt.several_lines import half_period, partial_sums, representations
from modadd.crt.simple_neurons import Limits, fit_simple, kinds, replaced
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, PUBLISHED, panels, save_figure, save_table, use_style

# %% tags=["parameters"]
network_file = "results/exhibits/c91_batch.safetensors"
figures = "figures/coset_neurons"
values_file = "results/values/coset_neurons.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
limits = {}  # thresholds of the test that differ from those of modadd.crt.simple_neurons.Limits, by name
level = LEVEL  # of a cosine's maximum: from here on a residue belongs to its level set
most_panels = 6  # clusters drawn, strongest first
most_terms = 6  # representations added up

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
n, x = separable.modulus, np.arange(separable.modulus)
dfts = three_dfts(separable)
kind, fit = kinds(dfts, Limits(**limits)), fit_simple(dfts)
fitted = replaced(separable, fit)
table = cluster_table(dfts, kind)
table["sort"] = np.select(
    [table.fine_tuning >= MOSTLY, table.order > 1], ["fine-tuning", "exact cosets"], "approximate cosets"
)
save_table(table, f"{figures}/clusters")
table.round(3)

# %%
strongest = (
    table.sort_values("weight", ascending=False, kind="stable").drop_duplicates("sort").set_index("sort").frequency
)
exhibits = {sort: int(strongest[sort]) for sort in ("approximate cosets", "exact cosets") if sort in strongest}
exhibits = exhibits or {"strongest frequency": int(strongest.iloc[0]) if len(strongest) else 1}
of = {f: np.flatnonzero((dfts.frequency == f) & (kind.alive | kind.dead.all()) & ~kind.idle) for f in exhibits.values()}
shown = {f"f = {f}, {sort}": int(of[f][dfts.weight[of[f]].argmax()]) for sort, f in exhibits.items()}
tuning = kind.fine_tuning & ~kind.idle
beside = np.maximum(dfts.beside_A, dfts.beside_B)
nearest = np.where(tuning, dfts.weight, 0) if tuning.any() else np.where(kind.simple & ~kind.idle, beside, 0)
word = "fine-tuning" if tuning.any() else "nearest to fine-tuning"
pair = np.argsort(-nearest, kind="stable")[:2]
shown[f"f = {dfts.frequency[pair[0]]}, {word}"] = int(pair[0])
exhibits, shown  # frequencies, and the neuron drawn for each

# %% [markdown]
# ## Before and after relabelling
# Left, what a neuron receives from the first number; filled, as many residues as its level set has, on which it
# receives most. Right, the same values over u·a mod n/g, where residues of one coset fall on one place, with the
# cosine that fits best, and for the fine-tuning neuron half a period besides (the cut, where it jumps, is fitted
# too).

# %%
drawn = pd.concat(
    pd.DataFrame({"sort": label, "neuron": i, "frequency": dfts.frequency[i], "residue": x, "A": separable.A[:, i]})
    .assign(
        relabelled=relabelling(f := int(dfts.frequency[i]), n) * x % (n // coset_order(f, n)),
        cosine=fitted.A[:, i] + separable.A[:, i].mean(),
    )
    .assign(in_level_set=np.isin(x, level_set(int(dfts.frequency[i]), float(fit.s_A[i]), n, level)))
    for label, i in shown.items()
)
drawn["strongest"] = drawn.groupby("sort").A.rank(ascending=False, method="first") <= drawn.groupby(
    "sort"
).in_level_set.transform("sum")
figure, axes = panels(2 * len(shown), height=1.7)
for (label, i), before, after in zip(shown.items(), axes[::2], axes[1::2], strict=True):
    rows = drawn[drawn.sort == label]
    moved, f = rows.sort_values(["relabelled", "residue"]), int(dfts.frequency[i])
    strong = rows[rows.strongest]
    before.plot(rows.residue, rows.A, color="0.7", linewidth=0.6)
    before.plot(rows.residue, rows.A, "o", color=COLOURS[0], markersize=2.5, markerfacecolor="white")
    before.plot(strong.residue, strong.A, "o", color=COLOURS[0], markersize=3)
    after.plot(moved.relabelled, moved.A, "o", color=COLOURS[0], markersize=2.5, markerfacecolor="white")
    after.plot(moved.relabelled, moved.cosine, color=COLOURS[1], linestyle=DASHES[1], label="cosine")
    if label.endswith("fine-tuning"):
        period = n // coset_order(f, n)
        halves = half_period(remapped(separable.A[:, i], f), period).values[:period]
        after.plot(np.arange(period), halves, color=COLOURS[3], label="half a period", zorder=0)
    before.set(title=f"neuron {i}: {label}", xlabel="a", ylabel="A(a)")
    after.set(
        title=f"relabelled, u = {relabelling(f, n)}, d = {step(f, n)}", xlabel=f"u·a mod {n // coset_order(f, n)}"
    )
    after.legend(loc="upper left", bbox_to_anchor=(1, 1))
save_figure(figure, f"{figures}/remap", drawn)

# %% [markdown]
# ## The level sets
# *overlap*: share of the level set that is among the residues on which the neuron receives most.

# %%
overlaps = pd.DataFrame(
    {
        "neuron": i,
        "f": (f := int(dfts.frequency[i])),
        "g": coset_order(f, n),
        "d": step(f, n),
        "side": side,
        "s": shift[i],
        "level set": (predicted := level_set(f, float(shift[i]), n, level)),
        "strongest": np.sort(np.argsort(-tables[:, i], kind="stable")[: len(predicted)]),
    }
    for i in np.flatnonzero(kind.simple & ~kind.idle)
    for side, tables, shift in (("A", separable.A, fit.s_A), ("B", separable.B, fit.s_B))
)
if len(overlaps):
    overlaps["overlap"] = [np.isin(a, b).mean() for a, b in zip(overlaps["level set"], overlaps.strongest, strict=True)]
    for column in ("level set", "strongest"):
        overlaps[column] = [" ".join(map(str, residues)) for residues in overlaps[column]]
save_table(overlaps, f"{figures}/level_sets")
overlaps[overlaps.neuron.isin(shown.values())] if len(overlaps) else overlaps

# %% [markdown]
# ## A cluster of simple neurons
# All neurons of the clusters above, one row each, in the order of their phase. With the residues in their usual order
# those on which a neuron fires look scattered; in the order of u·a mod n/g, coset by coset, each row is one slow
# wave, and the rows are its shifts.

# %%
ordered = {
    (f, side): of[f][np.argsort(-cosine.phase[of[f]], kind="stable")]
    for f in exhibits.values()
    for side, cosine in (("A", dfts.A), ("B", dfts.B))
}
waves = {(f, side): (separable.A if side == "A" else separable.B)[:, i] for (f, side), i in ordered.items()}
slowly = {f: np.argsort(relabelling(f, n) * x % (n // coset_order(f, n)), kind="stable") for f in exhibits.values()}
for name in ("simple_cluster", "simple_cluster_remapped"):
    figure, axes = panels(len(waves), height=1.9)
    for ((f, side), values), ax in zip(waves.items(), axes, strict=True):
        residues, letter = slowly[f] if name.endswith("remapped") else x, side.lower()
        image = ax.imshow(values[residues].T, aspect="auto", interpolation="nearest", rasterized=True)
        order = f"{letter}, by {relabelling(f, n)}{letter} mod {n // coset_order(f, n)}"
        ax.set(title=f"f = {f}: what neurons receive from {letter}", ylabel="neuron, by phase")
        ax.set(xlabel=order if name.endswith("remapped") else letter)
        ax.yaxis.set_major_locator(MaxNLocator(integer=True))
        if name.endswith("remapped"):
            ax.set_xticks([])
        figure.colorbar(image, ax=ax, label=f"{side} of the neuron")
    csv = pd.concat(
        pd.DataFrame(values, columns=ordered[f, side])
        .assign(residue=x, frequency=f, side=side, place=np.argsort(slowly[f], kind="stable"))
        .melt(["residue", "frequency", "side", "place"], var_name="neuron", value_name="value")
        for (f, side), values in waves.items()
    )
    save_figure(figure, f"{figures}/{name}", csv)

# %% [markdown]
# ## The phases of a cluster's neurons
# Left, a histogram of the phases of one cluster; right, the pairs, each neuron a point of the torus. Below, the pairs
# of every cluster.

# %%
f = next(iter(exhibits.values()))
at_a, at_b = dfts.A.phase[of[f]], dfts.B.phase[of[f]]
edges, ticks = np.linspace(-np.pi, np.pi, 13), ([-np.pi, 0, np.pi], ["−π", "0", "π"])
figure, axes = panels(2, height=2.5)
axes[0].hist([at_a, at_b], edges, color=COLOURS[:2], label=["phase of A", "phase of B"])
axes[0].axhline(len(at_a) / 12, color="0.5", linestyle=":", label="uniform")
axes[0].set(title=f"f = {f}: {len(at_a)} neurons", xlabel="phase (rad)", ylabel="neurons")
axes[0].legend(loc="upper left", bbox_to_anchor=(0, 1.0), ncols=1)
axes[0].margins(y=0.35)
axes[0].yaxis.set_major_locator(MaxNLocator(integer=True))
axes[1].plot(at_a, at_b, "o", color=COLOURS[0], markersize=4, clip_on=False)
axes[1].set(xlabel="phase of A (rad)", ylabel="phase of B (rad)", xlim=(-np.pi, np.pi), ylim=(-np.pi, np.pi))
axes[1].set_aspect("equal")
for axis in (axes[0].xaxis, axes[1].xaxis, axes[1].yaxis):
    axis.set_ticks(*ticks)
save_figure(figure, f"{figures}/phases", pd.DataFrame({"neuron": of[f], "phase_A": at_a, "phase_B": at_b}))

# %%
drawn_clusters = table.sort_values("weight", ascending=False, kind="stable").head(most_panels).sort_values("frequency")
phases = pd.DataFrame({"frequency": dfts.frequency, "phase_A": dfts.A.phase, "phase_B": dfts.B.phase})
phases = phases[kind.alive & ~kind.idle].rename_axis("neuron").reset_index()
figure, axes = panels(max(1, len(drawn_clusters)), columns=3, height=2.2, sharex=True, sharey=True)
for ax, row in zip(axes, drawn_clusters.itertuples(), strict=False):
    points = phases[phases.frequency == row.frequency]
    ax.plot(points.phase_A, points.phase_B, "o", color=COLOURS[0], markersize=3.5, clip_on=False)
    ax.set(title=f"f = {row.frequency}: {row.working} neurons, index {row.phase_spread:.2f}")
for ax in axes:
    ax.set(xlim=(-np.pi, np.pi), ylim=(-np.pi, np.pi), xlabel="phase of A (rad)", ylabel="phase of B (rad)")
    ax.set_aspect("equal")
    ax.xaxis.set_ticks(*ticks)
    ax.yaxis.set_ticks(*ticks)
    ax.label_outer()
save_figure(figure, f"{figures}/phase_pairs", phases)

# %% [markdown]
# ## Fine-tuning neurons
# What the two neurons receive from a and from b, and its DFT. Dashed, the magnitudes between which [C] looks for the
# lines of fine-tuning neurons.

# %%
sides = [(int(i), side, table_of[:, i]) for i in pair for side, table_of in (("a", separable.A), ("b", separable.B))]
figure, axes = panels(len(sides), height=1.5, sharex=True)
for ax, (i, number, values) in zip(axes, sides, strict=True):
    ax.plot(x, values, "o-", color=COLOURS[0], markersize=2, linewidth=0.7)
    ax.set(title=f"neuron {i} ({word}), from {number}", xlabel="residue", ylabel="value")
    ax.label_outer()
csv = pd.concat(pd.DataFrame({"neuron": i, "from": number, "residue": x, "value": f}) for i, number, f in sides)
save_figure(figure, f"{figures}/fine_tuning_neurons", csv)

# %%
k = np.arange(1, n // 2 + 1)
figure, axes = panels(len(sides), height=1.5, sharex=True, sharey=True)
for ax, (i, number, values) in zip(axes, sides, strict=True):
    magnitude = np.abs(spectrum(values))[1:]
    ax.vlines(k, 0, magnitude, color=COLOURS[0], linewidth=2)
    for edge in BAND:
        ax.axhline(edge, **PUBLISHED, label="7.5 and 30 ([C])" if edge == BAND[0] else None)
    for line in k[magnitude >= min(max(BAND[0], magnitude.max() / 6), magnitude.max())]:
        ax.annotate(str(line), (line, magnitude[line - 1]), (0, 1), textcoords="offset points", ha="center", size=6)
    ax.set(title=f"neuron {i} ({word}), from {number}", xlabel="frequency", ylabel="|DFT|")
    ax.margins(y=0.15)
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center")
csv = pd.concat(
    pd.DataFrame({"neuron": i, "from": number, "frequency": k, "magnitude": np.abs(spectrum(f))[1:]})
    for i, number, f in sides
)
save_figure(figure, f"{figures}/fine_tuning_spectra", csv)

# %% [markdown]
# Built from representations: the strongest line, the two strongest, and so on, against what the first of the two
# neurons receives from a. The share is that of its variance.

# %%
built = separable.A[:, pair[0]]
lines, sums = representations(built, most_terms), partial_sums(built, most_terms)
save_table(lines, f"{figures}/representations_table")
figure, axes = panels(max(1, len(lines)), columns=3, height=1.6, sharex=True, sharey=True)
for ax, total, row in zip(axes, sums, lines.itertuples(), strict=False):
    ax.plot(x, built, "o", color="0.6", markersize=2)
    ax.plot(x, total, color=COLOURS[1])
    ax.set(
        title=f"{'' if row.Index == 0 else '+ '}f = {row.frequency}: {100 * row.share:.1f} %", xlabel="a", ylabel="A(a)"
    )
    ax.label_outer()
save_figure(
    figure, f"{figures}/representations", pd.DataFrame(np.vstack([built, sums]).T).rename_axis("a").reset_index()
)
lines.round(3)

# %% [markdown]
# ## Result
# Claimed: neurons fire on (approximate) cosets, their phases differ, and fine-tuning neurons are sums of
# representations that become half a period. Read *overlap* for the first; for clusters on exact cosets the share of
# the variance of A, B and W that is constant on them; the index of the phase pairs; R² of half a period against one.
#
# **Caveat.** Half a period is the shape of a fine-tuning neuron whose second line stands at 2f. Others have theirs at
# 3f, a wave with flattened or sharpened crests that no half period fits better than one period does. [C] finds phases
# "nice and spread out uniformly" only about half the time. Rayleigh's test (column *phase_p*) sees phases that crowd
# on one side only, and so many points as even as these pass it easily; an index above 1 says more, that the pairs
# keep away from each other like the nodes of a quadrature over two angles.

# %%
exact = table[(table.sort == "exact cosets")]
members = {
    row.frequency: np.flatnonzero((dfts.frequency == row.frequency) & ~kind.idle & kind.alive)
    for row in exact.itertuples()
}
constant = pd.DataFrame(
    {
        "frequency": row.frequency,
        "table": name,
        "share": np.median(share_on_cosets(values[:, members[row.frequency]], row.order)),
    }
    for row in exact.itertuples()
    for name, values in (("A", separable.A), ("B", separable.B), ("W", separable.W.T))
)
tuned = [(int(dfts.frequency[i]), values) for i, _, values in sides if tuning[i]]
halves = [half_period(remapped(values, f), n // coset_order(f, n)).r_squared for f, values in tuned]
ones = [float(representations(values, 1).share[0]) for _, values in tuned]
enough = table[table.working >= 4]
values = {
    "level_set_overlap": float(overlaps.overlap.mean()) if len(overlaps) else np.nan,
    "constant_on_cosets": float(constant.share.min()) if len(constant) else np.nan,
    "phase_spread": enough.phase_spread.tolist(),
    "one_period_r_squared": ones,
    "half_minus_one_period": float(np.mean(halves) - np.mean(ones)) if halves else np.nan,
}
record(values_file, network, values)
values

# %%
print(f"Network: accuracy {network.results['accuracy']:.4f} over all {n}² inputs after {network.recipe.steps} updates.")
for row in drawn_clusters.itertuples():
    print(
        f"f = {row.frequency}: {row.working} working neurons, {row.sort}, g = {row.order}, step d = {row.step};",
        end=" ",
    )
    print(f"phases of A and B uniform with p ≥ {row.phase_p:.2f}, index {row.phase_spread:.2f}.")
if len(overlaps):
    print(f"Simple neurons receive most on {100 * values['level_set_overlap']:.1f} % of their level sets (mean).")
if len(constant):
    print(
        f"On exact cosets A, B, W are constant up to {100 * (1 - values['constant_on_cosets']):.2f} % of the variance."
    )
if tuning.any():
    print(f"{tuning.sum()} working fine-tuning neurons; of the first, lines {lines.frequency.tolist()} carry", end=" ")
    print(f"{', '.join(f'{100 * share:.1f}' for share in lines.share)} % one by one.")
    print(f"R² of half a period {', '.join(f'{value:.3f}' for value in halves)} (A and B of the two drawn),", end=" ")
    print(f"of one period {', '.join(f'{value:.3f}' for value in values['one_period_r_squared'])}.")
else:
    print(
        "No working neuron is a fine-tuning one; drawn instead are the simple ones with the strongest other line,",
        end=" ",
    )
    print(f"{beside[pair[0]]:.2f} of the first.")
