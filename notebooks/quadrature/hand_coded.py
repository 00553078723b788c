# %% [markdown]
# # What is the smallest network built by hand that adds, and what does the second frequency buy?
#
# **Claim** (future work of [Q] §7 and App. B). If neurons are the nodes of a quadrature, networks that add can be
# written down from frequencies, evenly spaced angles and equal widths. How small can they be, how clear are their
# answers, and does the trained network lie near them? And what is the weak second harmonic for, that every trained
# neuron carries at twice its frequency?
#
# **Method.** With t = w_k a + φ_i every neuron of the family has A_i(a) = B_i(a) = cos t − s cos 2t + c and W_i(c) =
# cos(w_k c + 2φ_i), φ_i evenly spaced around the circle, C = D = 0. The amplitude s of the *second harmonic* and the
# *constant* c are read off the trained network. The *margin* of an input is its right logit less the best wrong one.
# The *relative margin* of a network is its smallest margin divided by its scale (√2/n) Σ_i ‖(A_i, B_i)‖ ‖W_i‖: it does
# not change when the weights grow, and it charges for harmonic and constant.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import NullLocator

from modadd.certificates.certify import certify
from modadd.core.fourier import signed_frequency
from modadd.core.neurons import neurons_of
from modadd.core.separable import Separable, accuracy, margins
from modadd.handmade.build import Wave, hand_coded, overtone, scale, wave_of, without
from modadd.handmade.search import (
    PLAIN,
    best,
    frequency_sets,
    least_margins,
    limit_margins,
    limit_response,
    neurons_needed,
    response,
    shortlist,
    smallest,
    widest_turn,
)
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "figures/hand_coded"
values_file = "results/values/hand_coded.json"
published = {}  # nothing is printed about such networks: they are the papers' future work
most_frequencies = 6  # of a network built by hand; of the trained one, the strongest so many
moduli = [59, 89, 91, 113]  # for the smallest networks
secondaries, constants = [0.05, 0.1, 0.15], [0.05, 0.1]  # pairs (s, c) tried, besides none and the one read off
grid = [3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 128]  # neurons per frequency
largest = 40  # neurons, in the search for the smallest networks
most_sets, draws, seed = 30_000, 3_000, 0  # sets of frequencies: how many are listed, and drawn where there are more
keep = 10  # sets that meet a finite number of neurons
growth = [11, 31, 101, 301, 1001, 3001, 10001, 30001]  # moduli for the networks of one frequency

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
neurons = neurons_of(separable)
n, h, key = separable.modulus, separable.width, neurons.strongest(most_frequencies)
members = np.isin(neurons.frequency, key)
bar = margins(separable.logits()).min() / scale(separable)  # the trained network's relative margin
rounding = 1e-9  # a relative margin counts as positive above it
read = wave_of(separable, neurons, members)
waves = {"without harmonic": [PLAIN], "with harmonic": [Wave(s, c) for s in secondaries for c in constants] + [read]}
{"key frequencies": key, "relative margin": bar, "read off": read}

# %% [markdown]
# ## The second harmonic of the trained network
# What neuron i holds at 2k_i is written as α_i Re(z e^{2i(w_k x + φ_i)}) for A and B, β_i Re(z e^{2i(w_k x + ψ_i/2)})
# for W: modulus relative to the neuron's own amplitude, phase relative to 2φ or ψ. In the family z = −s for A and B,
# and 0 for W. The read-off s and c are those of A + B, weighted with αβ over the neurons of the key frequencies.

# %%
phases = {"A": neurons.phi, "B": neurons.phi, "W": neurons.psi / 2}
amplitudes = {"A": neurons.alpha, "B": neurons.alpha, "W": neurons.beta}
tables = {"A": separable.A, "B": separable.B, "W": separable.W.T}
z = {
    (name, multiple): overtone(tables[name], neurons.frequency, phases[name], multiple)[members]
    / amplitudes[name][members]
    for name in "ABW"
    for multiple in (0, 1, 2)
}
both = [z["A", multiple] + z["B", multiple] for multiple in (0, 1, 2)]
parts = pd.DataFrame({"frequency": neurons.frequency[members], "weight": (neurons.alpha * neurons.beta)[members]})
parts = parts.assign(
    **{f"{part} {name}": f(z[name, 2]) for name in "ABW" for part, f in (("Re", np.real), ("Im", np.imag))}
)
parts = parts.assign(s=-(both[2] / both[1]).real, c=(both[0] / both[1]).real)
by_frequency = parts.groupby("frequency").median().drop(columns="weight").add_prefix("median ").reset_index()
save_table(by_frequency, f"{figures}/second_harmonic", digits=4)
by_frequency.round(4)

# %%
figure, axes = panels(2, height=2.6)
for name, colour, marker in zip("ABW", COLOURS, MARKERS, strict=False):
    style = {"color": colour, "markersize": 2.5, "alpha": 0.5, "markeredgewidth": 0}
    axes[0].plot(parts[f"Re {name}"], parts[f"Im {name}"], marker, label=name, **style)
for (k, own), colour, marker in zip(parts.groupby("frequency"), COLOURS, MARKERS, strict=False):
    style = {"color": colour, "markersize": 3, "alpha": 0.5, "markeredgewidth": 0}
    axes[1].plot(own.s, own.c, marker, label=f"k = {k}", **style)
axes[1].plot(*read, "+", color="black", markersize=9, markeredgewidth=1.5, label="read off")
axes[0].set(xlabel="Re z", ylabel="Im z", title="second harmonic of every neuron")
axes[0].axhline(0, color="0.6", linewidth=0.6, zorder=0)
axes[0].set_aspect("equal", adjustable="datalim")
axes[1].set(
    xlabel="second harmonic s of A + B", ylabel="constant c of A + B", title="harmonic and constant go together"
)
for ax in axes:
    ax.legend(loc="upper right" if ax is axes[0] else "upper left", markerscale=1.3)
save_figure(figure, f"{figures}/second_harmonic_of_neurons", parts)

# %% [markdown]
# ## What it buys
# From the trained network all neurons' second harmonics are removed, or their constants, or both, with and without the
# residual streams C and D. Its *twin by hand* has the same frequencies and about as many neurons, all equal.
#
# A frequency of many neurons answers m(d) cos(w_k(a+b−c)), d = a − b. With u = w_k(a+b)/2 + φ the preactivation is 2
# [cos(w_k d/2) cos u − s cos(w_k d) cos 2u + c]. Without s and c, m(d) = (2/3π)|cos(w_k d/2)|, and nothing is heard of
# the inputs with w_k d = π. There the harmonic leaves 2s cos(w_k(a+b) + 2φ): the pattern that W looks for, doubled
# already, and c lifts it above the kink of the ReLU. Near d = 0 it takes something away.

# %%
bare = Separable(separable.A, separable.B, separable.W, 0 * separable.C, 0 * separable.D)
shapes = {
    "s and c read off": read,
    "c alone": Wave(0.0, read.constant),
    "s alone": Wave(read.secondary),
    "neither": PLAIN,
}
cut = {"without second harmonics": [2], "without constants": [0], "without both": [2, 0]}
compared = {}
for streams, start in (("with C, D", separable), ("without C, D", bare)):
    compared["as trained", streams] = start
    for name, multiples in cut.items():
        compared[name, streams] = start
        for multiple in multiples:
            compared[name, streams] = without(compared[name, streams], neurons.frequency, multiple)
for name, wave in shapes.items():
    compared[f"twin, {name}", "–"] = hand_coded(n, key, round(h / len(key)), 1.0, *wave)
least = {name: margins(one.logits()) / scale(one) for name, one in compared.items()}  # every input's, per scale
ablation = pd.DataFrame(
    {"network": name, "residual streams": streams, "accuracy": (found > 0).mean(), "relative margin": found.min()}
    | {"scale": scale(compared[name, streams])}
    for (name, streams), found in least.items()
)
relative = {name: float(found.min()) for name, found in least.items()}
proofs = {name: certify(compared[name]) for name in (("as trained", "with C, D"), ("twin, s and c read off", "–"))}
certified = [proof.margin.min() / scale(compared[name]) for name, proof in proofs.items()]
save_table(ablation, f"{figures}/what_it_buys", digits=4)
ablation.round(4)

# %%
turn = np.arange(201) * 2 / 401
responses = pd.DataFrame({name: limit_response(401, wave)[:201] for name, wave in shapes.items()}, index=turn)
pairs = {
    "trained network": {
        "as trained": ("as trained", "with C, D"),
        "without 2nd harmonics": ("without second harmonics", "with C, D"),
    },
    "twin by hand": {"s and c read off": ("twin, s and c read off", "–"), "neither": ("twin, neither", "–")},
}
difference = abs(signed_frequency(np.subtract.outer(np.arange(n), np.arange(n)), n)).ravel()
lines = {(title, label): least[name].ravel() for title, names in pairs.items() for label, name in names.items()}
by_difference = pd.DataFrame(lines).groupby(difference).min()
figure, axes = panels(3, columns=3, height=2.6)
shown = [responses, by_difference["trained network"], by_difference["twin by hand"]]
for ax, part, title in zip(axes, shown, ["one frequency, many neurons", *pairs], strict=True):
    for (name, curve), colour, dashes in zip(part.items(), COLOURS, DASHES, strict=False):
        ax.plot(curve, color=colour, linestyle=dashes, label=name)
    ax.set(title=title, xlabel="|a − b| mod n", ylabel="smallest margin/scale")
    ax.set_ylim(min(0, np.min(part)) - 0.01, 1.45 * np.max(part))
    ax.axhline(0, color="0.6", linewidth=0.6, zorder=0)
    ax.legend(loc="upper right")
axes[0].set(xlabel="w_k(a − b)/π", ylabel="response m(d)/scale")
columns = {": ".join(name): by_difference[name] for name in lines}
save_figure(figure, f"{figures}/response_and_margin", pd.DataFrame(columns).rename_axis("difference").reset_index())
save_table(responses.rename_axis("w_k(a − b)/π").reset_index(), f"{figures}/responses")

# %% [markdown]
# ## How much second harmonic?
# The twin with other amplitudes s and other numbers of neurons per frequency, at the constant read off. Stars: the
# trained network, as it is (at its read-off s) and without its second harmonics (at 0).

# %%
by_amplitude = pd.DataFrame(
    {
        "neurons per frequency": count,
        "s": s,
        "relative margin": least_margins(response(n, count, Wave(s, read.constant)), np.array([key]))[0],
    }
    | {"accuracy": accuracy(hand_coded(n, key, count, 1.0, s, read.constant).logits())}
    for count in (4, 5, 6, 8, 32)
    for s in np.linspace(0, 0.3, 16)
)
figure, axes = panels(2, height=2.5)
for (count, own), colour, dashes in zip(by_amplitude.groupby("neurons per frequency"), COLOURS, DASHES, strict=False):
    for ax, column in zip(axes, ("relative margin", "accuracy"), strict=True):
        ax.plot(own.s, own[column], color=colour, linestyle=dashes, label=f"{count}")
        ax.set(xlabel="amplitude s of the second harmonic", ylabel=column)
stars = [bar, relative["without second harmonics", "with C, D"]]
axes[0].plot([read.secondary, 0], stars, "*", color="black", markersize=8, clip_on=False, label="trained")
axes[0].axhline(0, color="0.6", linewidth=0.6, zorder=0)
axes[0].set_ylim(-0.08, 0.08)
figure.legend(
    *axes[0].get_legend_handles_labels(), title="neurons per\nfrequency", title_fontsize=7, loc="outside right upper"
)
save_figure(figure, f"{figures}/amplitude", by_amplitude)

# %% [markdown]
# ## Frequencies against neurons
# Networks of m frequencies with h_k neurons each. Sets of frequencies count up to k ↦ ±uk, u a unit mod n, which only
# renames the residues. All of them (or, where more than `most_sets` hold the frequency 1, `draws` random ones) are
# ranked in the limit of many neurons; the best `keep` are tried with h_k neurons at offset 0. With harmonic: the best
# of the pairs (s, c) of the parameters and the pair read off. Where not all answers are right, the accuracy is shown.

# %%
rng = np.random.default_rng(seed)
counts = range(1, most_frequencies + 1)
listed = {m: frequency_sets(n, m, rng, most_sets, draws) for m in counts}
shorts = {(kind, m): shortlist(n, found.sets, waves[kind], keep) for m, found in listed.items() for kind in waves}
tried = {(kind, m, count): best(n, count, shorts[kind, m]) for kind in waves for m in counts for count in grid}
cells = pd.DataFrame(
    {
        "kind": kind,
        "m": m,
        "h_k": count,
        "neurons": found.neurons,
        "frequencies": ", ".join(map(str, found.frequencies)),
    }
    | {"s": found.wave.secondary, "c": found.wave.constant, "relative margin": found.margin}
    | {"accuracy": 1.0 if found.margin > rounding else accuracy(found.network().logits())}
    for (kind, m, count), found in tried.items()
)
right = cells[cells.accuracy == 1]

# %%
figure, axes = panels(2, columns=1, height=1.9, sharex=True)
top = cells["relative margin"].max()
for ax, (kind, own) in zip(axes, cells.groupby("kind", sort=False), strict=True):
    values = own.pivot(index="m", columns="h_k", values="relative margin").clip(lower=0)
    image = ax.imshow(values, vmin=0, vmax=top, aspect="auto", origin="lower")
    for m, count, margin, share in own[["m", "h_k", "relative margin", "accuracy"]].itertuples(index=False):
        words = f"{margin:.2g}" if share == 1 else f"{100 * share:.0f} %"
        tone = "black" if margin > top / 2 else "white"
        ax.text(grid.index(count), m - 1, words, color=tone, size=6, ha="center", va="center")
    ax.set(ylabel="frequencies m", title=f"{kind}: best relative margin, or accuracy")
    ax.set_yticks(range(len(counts)), counts)
axes[1].set_xticks(range(len(grid)), grid)
axes[1].set_xlabel("neurons per frequency h_k")
figure.colorbar(image, ax=axes, label="relative margin").minorticks_off()
save_figure(figure, f"{figures}/frequencies_and_neurons", cells)

# %% [markdown]
# ## Where the trained network lies
# Left: the networks of accuracy 1 by their neurons in all. Right: relative margins, in the limit of many neurons, of
# all sets of as many frequencies as the trained network has, and (lines) of its own. The rank says how good a choice
# training has made, at the wave read off; one network says nothing about training in general.

# %%
own = np.array([key])
ranks = {}
for kind, wave in (("without harmonic", PLAIN), ("with harmonic", read)):
    limit = limit_response(n, wave)
    everyone, mine = limit_margins(limit, listed[len(key)].sets), limit_margins(limit, own)[0]
    ranks[kind] = {"margins": everyone, "own": mine, "rank": 1 + int((everyone > mine + rounding).sum())}
figure, axes = panels(2, height=2.8)
for (kind, part), dashes in zip(right.groupby("kind"), DASHES, strict=False):
    for m, line in part.groupby("m"):
        style = {"color": COLOURS[m - 1], "marker": MARKERS[m - 1], "markersize": 3, "linestyle": dashes}
        axes[0].plot(
            line.neurons, line["relative margin"], label=f"m = {m}" if kind == "with harmonic" else None, **style
        )
axes[0].plot(h, bar, "*", color="black", markersize=9, label="trained")
axes[0].axhline(bar, color="0.6", linestyle=":", linewidth=0.8, zorder=0)
axes[0].set(
    xscale="log", xlabel="neurons in all", ylabel="relative margin", title="solid: with harmonic; dashed: without"
)
axes[0].legend(loc="upper left", ncols=2, columnspacing=1)
axes[0].set_ylim(top=1.4 * top)
axes[0].set_xticks([5, 10, 30, 100, 300, 1000], [5, 10, 30, 100, 300, 1000])
axes[0].xaxis.set_minor_locator(NullLocator())
span = np.concatenate([found["margins"] for found in ranks.values()])
bins = np.linspace(span.min(), span.max() + rounding, 41)
for (kind, found), colour, dashes in zip(ranks.items(), (COLOURS[2], COLOURS[0]), DASHES, strict=False):
    style = {"color": colour, "linestyle": dashes}
    axes[1].hist(
        found["margins"],
        bins,
        histtype="step",
        label=f"{kind}: rank {found['rank']} of {len(found['margins'])}",
        **style,
    )
    axes[1].axvline(found["own"], 0, 0.75, linewidth=0.8, **style)
axes[1].set(
    xlabel="relative margin, many neurons", ylabel="sets of frequencies", title=f"lines: {', '.join(map(str, key))}"
)
axes[1].set_ylim(top=1.3 * axes[1].get_ylim()[1])
axes[1].legend(loc="upper right")
histogram = pd.DataFrame({kind: found["margins"] for kind, found in ranks.items()}).assign(trained=bar)
save_figure(figure, f"{figures}/where_the_trained_one_lies", histogram)

# %% [markdown]
# ## The smallest networks
# For every modulus all sizes up to `largest` neurons are tried in ascending order, with the sets of frequencies and
# pairs (s, c) as above, until all answers are right, or the relative margin is half that of the trained network, or all
# of it; without the harmonic, and with any of the pairs. *Exhaustive*: every number of frequencies up to
# `most_frequencies`, every number of neurons, every set of frequencies up to renaming where the column says so. *Not
# exhaustive*: offsets, (s, c) beyond the grid, unequal widths, and sets that only a small number of neurons would
# favour. Relative margin and accuracy are measured on all n³ logits; the certified ones are proven from the explained
# network (constant, k and 2k), with all rounding errors taken off: these networks hold nothing else, so that the proof
# should lose nothing.

# %%
goals = {"right": rounding} | ({"half as clear": bar / 2, "as clear": bar} if bar > rounding else {})
found, exhaustive = {}, {}
for p in moduli:
    sets = {m: frequency_sets(p, m, rng, most_sets, draws) for m in counts}
    options = {m: shortlist(p, listing.sets, sum(waves.values(), []), keep) for m, listing in sets.items()}
    exhaustive |= {(p, m): listing.exhaustive for m, listing in sets.items()}
    plain = {m: {PLAIN: shorts[PLAIN]} for m, shorts in options.items()}
    for goal, above in goals.items():
        found[p, goal, "no"] = smallest(p, plain, above, largest)
        found[p, goal, "allowed"] = smallest(p, options, above, largest)
rows = [
    {
        "n": p,
        "goal": goal,
        "harmonic": harmonic,
        "neurons": one.neurons,
        "frequencies": ", ".join(map(str, one.frequencies)),
    }
    | {"h_k": one.neurons_per_frequency, "s": one.wave.secondary, "c": one.wave.constant}
    | {"all sets": exhaustive[p, len(one.frequencies)]}
    | {"relative margin": margins(built.logits()).min() / scale(built), "accuracy": accuracy(built.logits())}
    | {"certified share": proof.share, "certified margin": proof.margin.min() / scale(built)}
    for (p, goal, harmonic), one in found.items()
    if one is not None
    for built in [one.network()]
    for proof in [certify(built)]
]
table = pd.DataFrame(rows)
save_table(table, f"{figures}/smallest_networks", digits=7)
table

# %% [markdown]
# ## One frequency, five neurons
# Without the harmonic, one frequency answers |cos(w(a−b)/2)| g(θ), θ = w(a + b), and as n is odd the cosine is never 0.
# All answers are right if and only if g points less than half a residue, π/n, off the right direction. With h evenly
# spaced nodes the rule mistakes the orders −2 + jh for −2; an odd h is left with the even ones among them, of which the
# first two, 2h − 2 and 2h + 2, turn g by 3/((2h−2)²−1) − 3/((2h+2)²−1) ≈ 3/h³. So h ≈ (3n/π)^(1/3) neurons do for any
# odd n, five at least: with h_k = 1, 2 or 4 nodes e^{2iφ} is real at offset 0, and c and −c get the same logit however
# many frequencies there are; three neurons of one frequency take the identity part for the signal, −2 + 3 = 1. At k = 1
# these margins shrink like 1/n³; adding frequencies and the harmonic is what makes the answers clear.

# %%
turns = pd.DataFrame(
    {"n": p, "h": count, "parity": "odd" if count % 2 else "even", "turn": widest_turn(p, count)}
    for p in moduli
    for count in range(3, 34)
)
needed = pd.DataFrame({"n": growth, "neurons": [neurons_needed(p) for p in growth]})
needed["formula"] = (3 * needed.n / np.pi) ** (1 / 3)
large = needed[needed.n > 100]
exponent = np.polyfit(np.log(large.n), np.log(large.neurons), 1)[0]
figure, axes = panels(2, height=2.6)
worst = turns.groupby(["parity", "h"]).turn.max()
for parity, colour, marker in zip(("odd", "even"), COLOURS, MARKERS, strict=False):
    axes[0].plot(worst[parity], marker, color=colour, markersize=3, label=f"{parity} h")
count = np.arange(3, 34)
axes[0].plot(count, 3.0 / count**3, color=COLOURS[0], linestyle=DASHES[1], label="3/h³")
axes[0].plot(count, 24.0 / count**3, color=COLOURS[1], linestyle=DASHES[2], label="3/(h/2)³")
for p in (min(moduli), max(moduli)):
    axes[0].axhline(np.pi / p, color="0.5", linewidth=0.7, zorder=0)
    axes[0].text(1.01, np.pi / p, f"π/{p}", transform=axes[0].get_yaxis_transform(), size=7, va="center")
axes[0].set(xscale="log", yscale="log", xlabel="neurons h of the one frequency", ylabel="widest turn (rad)")
axes[0].set_xticks([3, 5, 10, 20, 30], [3, 5, 10, 20, 30])
axes[0].xaxis.set_minor_locator(NullLocator())
axes[1].plot(needed.n, needed.neurons, "o", color=COLOURS[0], markersize=4, label="fewest neurons, all right")
axes[1].plot(needed.n, needed.formula, color=COLOURS[1], linestyle=DASHES[1], label="(3n/π)^(1/3)")
axes[1].set(xscale="log", yscale="log", xlabel="modulus n", ylabel="neurons")
axes[1].set_yticks([2, 5, 10, 20, 30], [2, 5, 10, 20, 30])
for axis in (axes[0].yaxis, axes[1].xaxis, axes[1].yaxis):
    axis.set_minor_locator(NullLocator())
for ax in axes:
    ax.legend(loc="upper right" if ax is axes[0] else "upper left")
save_figure(figure, f"{figures}/one_frequency", turns)
save_table(needed, f"{figures}/neurons_needed")

# %% [markdown]
# ## Result
# The paper expected a large family of hand-coded networks that do the task well, near what training finds. Read *right*
# for the first half of that, and *relative margin ... of the twin* for the second. Where far fewer neurons than the
# trained network has are as clear as it is, its other neurons buy small quadrature errors, which the margin hardly
# feels. What is left of a margin without the harmonic says how much the answers at w_k(a − b) ≈ π rest on it.
#
# **Caveat.** Removing a part of a trained network is not training without it. The smallest networks are smallest in
# this family, by the rule stated; a network free of it, or with residual streams, may do with less. C and D help the
# trained network's margin and are not charged to its scale.


# %%
def total(goal, harmonic):
    return [one.neurons if (one := found.get((p, goal, harmonic))) else None for p in moduli]


harmonics = np.concatenate([z["A", 2], z["B", 2]])
values = {
    "harmonic_phase_error": np.sqrt(np.mean(np.angle(-harmonics) ** 2)),
    "harmonic_of_W": np.median(abs(z["W", 2])),
    "twin_relative_margin": relative["twin, s and c read off", "–"],
    "twin_over_trained": relative["twin, s and c read off", "–"] / bar if bar > rounding else None,
    "trained_without_harmonic": relative["without second harmonics", "with C, D"] / bar if bar > rounding else None,
    "twin_without_harmonic": relative["twin, neither", "–"] / relative["twin, s and c read off", "–"],
    "accuracy_without_harmonic": float((least["without second harmonics", "with C, D"] > 0).mean()),
    "smallest_certified_share": table["certified share"].min(),
    "lost_by_certificate": (1 - table["certified margin"] / table["relative margin"]).max(),
    "smallest_right": total("right", "allowed"),
    "smallest_as_clear": total("as clear", "allowed"),
    "smallest_half_as_clear": total("half as clear", "allowed"),
    "smallest_half_as_clear_without_harmonic": total("half as clear", "no"),
    "growth_exponent": exponent,
}
record(values_file, network, values)
values

# %%
show = lambda sizes: ", ".join("none" if size is None else str(size) for size in sizes)
print(f"Network: accuracy {network.results['accuracy']:.4f} over all {n}² inputs after {network.recipe.steps} updates.")
print(
    f"Its neurons have s = {read.secondary:.3f} and c = {read.constant:.3f} in A + B; the harmonic stands within",
    end=" ",
)
print(f"{values['harmonic_phase_error']:.3f} rad (rms) of 2φ + π, and W has {values['harmonic_of_W']:.4f} of it.")
print(f"Relative margin {bar:.4f}, of the twin by hand {values['twin_relative_margin']:.4f}. Without second", end=" ")
print(f"harmonics {relative['without second harmonics', 'with C, D']:.4f}, accuracy", end=" ")
print(f"{values['accuracy_without_harmonic']:.4f}, without C and D too", end=" ")
print(f"{relative['without second harmonics', 'without C, D']:.4f}; the twin without harmonic and constant", end=" ")
print(f"{relative['twin, neither', '–']:.4f}.")
print(f"Certified from the constant, k and 2k: trained network {certified[0]:.4f}, twin {certified[1]:.4f},", end=" ")
print(f"smallest networks {100 * values['smallest_certified_share']:.0f} % of the inputs, with a share of", end=" ")
print(f"{values['lost_by_certificate']:.1e} of the smallest margin lost at most.")
for kind, one in ranks.items():
    print(f"Its frequencies rank {one['rank']} of {len(one['margins'])} sets {kind} ({one['own']:.4f};", end=" ")
    print(f"median {np.median(one['margins']):.4f}, best {one['margins'].max():.4f}).")
print(f"Fewest neurons for n = {show(moduli)}: all right {show(values['smallest_right'])};", end=" ")
print(f"half as clear as the trained network {show(values['smallest_half_as_clear'])}", end=" ")
print(f"(without harmonic {show(values['smallest_half_as_clear_without_harmonic'])});", end=" ")
print(
    f"as clear {show(values['smallest_as_clear'])} (without: {show(total('as clear', 'no'))}; searched to {largest})."
)
print(
    f"One frequency needs {show(needed.neurons)} neurons for n = {show(growth)}: exponent {exponent:.3f} above n = 100."
)
