# %% [markdown]
# # Do the claims hold for every seed?
#
# **Claim** ([QR], Appendix C of the later version). The papers show one network, the *mainline*, and say of 150 more,
# which differ in their seed alone, that most agree with its formula for the weights: one frequency per neuron, and
# ψ = 2φ. They print no number for the others.
#
# **Method.** Every number that is printed of the mainline is measured on every network of the population. Where a
# number exists once per key frequency, a claim holds for a network only if it holds at all of them. The *share* of
# networks for which a claim holds comes with its Wilson interval at 95 %, which says how far the share among all seeds
# may be from the one among these. Networks short of accuracy 1 are counted and kept apart: the claims are about
# networks that have learned the task. Networks are trained here, or *kept*: their rows, of the same recipe, come with
# the repository.

# %%
from operator import ge, gt, le, lt

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from scipy.stats import chisquare

from modadd.core.statistics import compare, share
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, PAGE, panels, published_line, save_figure, save_table, use_style
from modadd.populations.rows import row_of
from modadd.populations.tables import by_frequency, faultless, over_frequencies, read_population

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
populations = {"q_seeds": "results/populations/q_seeds.parquet"}
kept = {}
figures = "figures/seeds"
values_file = "results/values/seeds.json"
published = {}  # what is printed of the mainline, by the name of the number; empty where the recipe is another one

# %%
use_style()
network = load_network(network_file)
mainline = pd.DataFrame([row_of(network)])
rows = read_population(populations["q_seeds"], kept.get("q_seeds"))
judged = faultless(rows).reset_index(drop=True)
learned = (judged.accuracy == 1).all()
here = (judged.trained == "here").to_numpy()
key_frequencies = judged.frequencies.map(len).to_numpy()
standing = f"{len(judged)} networks ({here.sum()} trained here, {(~here).sum()} kept)"
standing += "" if learned else "; none has accuracy 1"
rows.loc[rows.accuracy < 1, ["seed", "trained", "accuracy", "held_out_loss"]]

# %% [markdown]
# ## Every number, over the seeds
# Bars count networks, or, in the second figure, key frequencies of all networks. A triangle marks the mainline, a
# dashed line what the papers print of it: the two differ where rounding decides. What stands at the edge of a panel is
# the mainline's own, not the recipe's.

# %%
of_network = {
    "r2_full_pizza": "R², full logits, pizza",
    "r2_full_clock": "R², full logits, clock",
    "r2_mlp_pizza": "R², no residual, pizza",
    "r2_mlp_clock": "R², no residual, clock",
    "r2_absolute_pizza": "R², absolute part, pizza",
    "r2_absolute_clock": "R², absolute part, clock",
    "median_share_preactivation": "share of variance of A,\nmedian neuron",
    "median_share_neuron_logit": "share of variance of W,\nmedian neuron",
    "smallest_share_preactivation": "share of variance of A,\nworst neuron",
    "smallest_share_neuron_logit": "share of variance of W,\nworst neuron",
    "identity_mass": "power of logit_id1\nat ±(2k, −k)",
    "margin_ratio": "smallest margin, with over\nwithout identity part",
    "smallest_margin_full": "smallest margin (logits)",
    "smallest_certified_margin": "smallest certified margin,\nk and 2k (logits)",
    "certified_share_k": "share of inputs certified,\nk alone",
    "certified_share_k_2k": "share of inputs certified,\nk and 2k",
    "certified_share_identity_kept": "share of inputs certified,\nthe same, identity kept",
    "certified_share_channels": "share of inputs certified,\nchannels",
    "smallest_certified_margin_channels": "smallest certified margin,\nchannels (logits)",
    "share_one_frequency": "share of neurons\nwith one frequency",
    "distance_irrelevance": "distance irrelevance [Z]",
    "gradient_symmetricity": "gradient symmetricity [Z]",
    "circularity": "circularity [Z]",
    "held_out_loss": "held-out loss (nats)",
}
of_frequency = {
    "neurons": "neurons",
    "secondary_share": "share of variance of A at 2k",
    "absolute_coefficients": "C_k (logits)",
    "identity_coefficients": "D_k (logits)",
    "phase_line_slope": "slope of the phase line",
    "rms_mismatch": "rms of ψ − 2φ (rad)",
    "interval_mean": "interval of angles, mean (rad)",
    "interval_std": "interval of angles, std (rad)",
    "angle_term": "angle term",
    "lipschitz_bound": "Lipschitz bound, folded",
    "lipschitz_unfolded": "Lipschitz bound, unfolded",
    "naive_error": "naive error (mean)",
    "actual_error": "actual error, cosine",
    "actual_modulus": "actual error, modulus",
    "identity_part": "identity part (largest)",
    "spectral_64": "spectral bound, M = 64,\nrelative to 4/3",
}
linear = {"neurons", "identity_coefficients", "phase_line_slope", "naive_error"}
logarithmic = {"held_out_loss"} | set(of_frequency) - linear

# %%
frequencies = by_frequency(judged, ["seed", "trained", *of_frequency])
own = by_frequency(mainline, list(of_frequency))
distributions = {"networks": (of_network, judged, mainline), "frequencies": (of_frequency, frequencies, own)}
for name, (labels, everyone, exhibit) in distributions.items():
    figure, axes = panels(len(labels), columns=4, height=1.35)
    for ax, (number, label) in zip(axes, labels.items(), strict=True):
        found = everyone[number].dropna()
        scale, back = (np.log10, lambda x: 10**x) if number in logarithmic else (np.asarray, np.asarray)
        edges = back(np.histogram_bin_edges(scale(found[found > 0] if number in logarithmic else found), 16))
        ax.hist(found, edges, color=COLOURS[6])
        for value in np.ravel(published.get(number, [])):
            published_line(ax, value, axis="x")
        ax.plot(exhibit[number], 0 * exhibit[number], "^", color=COLOURS[1], markeredgecolor="black", clip_on=False)
        ax.set(xlabel=label, xscale="log" if number in logarithmic else "linear")
        if number in logarithmic:
            subs = (1, 3) if edges[-1] < 100 * edges[0] else (1,)
            ax.xaxis.set(major_locator=LogLocator(subs=subs), minor_locator=NullLocator(), major_formatter="{x:g}")
        ax.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        ax.tick_params(labelsize=6)
    figure.supylabel("networks" if name == "networks" else "key frequencies of all networks", fontsize=8)
    figure.suptitle(f"{standing}; ▲ the mainline, dashed: as published", fontsize=8)
    save_figure(figure, f"{figures}/{name}", everyone[["seed", "trained", *labels]])

# %% [markdown]
# ## The share of seeds for which each claim holds
# The claims are those judged on the mainline in the other notebooks, with the same limits. *Worst* is the number of the
# network that is furthest on the wrong side, or nearest to it.


# %%
def least(number):
    return over_frequencies(judged[number], np.min)


def most(number):
    return over_frequencies(judged[number], np.max)


off = over_frequencies(judged.phase_line_slope, lambda slopes: np.abs(slopes - 2).max())
straight = least("phase_line_r_squared")
claims = {  # name: (statement, source, number of each network, relation, limit)
    "one_frequency": ("share of neurons with one frequency", "[Q] §3", judged.share_one_frequency, ge, 1),
    "variance_preactivation": (
        "variance of A, median neuron",
        "[Q2] Fig. 4",
        judged.median_share_preactivation,
        gt,
        0.99,
    ),
    "variance_neuron_logit": (
        "variance of W, median neuron",
        "[Q2] Fig. 4",
        judged.median_share_neuron_logit,
        gt,
        0.99,
    ),
    "variance_everywhere": (
        "variance of A and W, every neuron",
        "[Q2] Fig. 4",
        np.minimum(judged.smallest_share_preactivation, judged.smallest_share_neuron_logit),
        gt,
        0.99,
    ),
    "phase_line": ("R² of the phase line", "[Q2] Fig. 3", straight, gt, 0.99),
    "phase_slope": ("its slope, distance from 2", "[Q2] Fig. 3", off, le, 0.02),
    "law_only_at_own_frequency": (
        "ψ − 2φ elsewhere over own",
        "[Q] Fig. 1",
        least("mismatch_elsewhere_over_own"),
        gt,
        10,
    ),
    "bound_is_valid": ("actual error over bound", "[Q] §5", most("actual_over_bound"), le, 1),
    "bound_beats_naive": ("bound over naive error", "[Q] §5", most("bound_over_naive"), lt, 1),
    "absolute_part_is_pizza": (
        "absolute part: R² pizza − clock",
        "[Q] §6",
        judged.r2_absolute_pizza - judged.r2_absolute_clock,
        gt,
        0,
    ),
    "whole_is_clock": ("full logits: R² clock − pizza", "[Q] §6", judged.r2_full_clock - judged.r2_full_pizza, gt, 0),
    "absolute_part_suffices": ("accuracy of the absolute part", "[Q] §6", judged.accuracy_absolute_part, ge, 1),
    "identity_negative": ("largest D_k", "[Q] §6", judged.largest_identity_coefficient, lt, 0),
    "identity_spectrum": ("power of logit_id1 at ±(2k, −k)", "[Q] §6", judged.identity_mass, gt, 0.5),
    "identity_phase": ("its |imaginary| over |real|", "[Q] §6", judged.identity_imaginary_ratio, lt, 0.1),
    "identity_part_helps": ("margin with over without identity", "[Q] §6", judged.margin_ratio, gt, 1),
    "certified_k_2k": ("share certified, k and 2k", "beyond", judged.certified_share_k_2k, ge, 1),
    "certified_channels": ("share certified, channels", "beyond", judged.certified_share_channels, ge, 1),
    "spectral_bound": ("spectral bound, M = 64", "beyond", most("spectral_64"), le, 0.07),
}
signs = {gt: ">", ge: "≥", lt: "<", le: "≤"}
numbers = pd.DataFrame({name: np.asarray(number, float) for name, (_, _, number, _, _) in claims.items()})
holds = pd.DataFrame({name: relation(numbers[name], limit) for name, (*_, relation, limit) in claims.items()})
shares = {"accuracy": share(rows.accuracy == 1)} | {name: share(holds[name]) for name in claims}
criteria = {name: f"{statement} {signs[r]} {limit:g}" for name, (statement, _, _, r, limit) in claims.items()}
table = pd.DataFrame(
    {
        "claim": ["accuracy ≥ 1 (all networks)", *criteria.values()],
        "source": ["[Q] §2", *(source for _, source, *_ in claims.values())],
        "holds": [found.holds for found in shares.values()],
        "of": [found.of for found in shares.values()],
        "share": [found.share for found in shares.values()],
        "low": [found.low for found in shares.values()],
        "high": [found.high for found in shares.values()],
        "worst": [
            rows.accuracy.min(),
            *(numbers[name].min() if r in (gt, ge) else numbers[name].max() for name, (*_, r, _) in claims.items()),
        ],
    }
)
save_table(table, f"{figures}/shares")
table

# %%
figure, (ax,) = panels(1, columns=1, height=4.4)
place = np.arange(len(table))
ax.hlines(place, table.low, table.high, color=COLOURS[6], linewidth=4)
ax.plot(table["share"], place, "o", color=COLOURS[0], markersize=4)
for row, (count, of) in enumerate(zip(table.holds, table.of, strict=True)):
    ax.text(1.04, row, f"{count} of {of}", va="center", size=7)
ax.hlines(place[:-1] + 0.5, 0, 1, color="0.9", linewidth=0.7, zorder=0)
ax.set(xlim=(-0.02, 1.02), ylim=(len(table) - 0.5, -0.5), xlabel="share of networks for which the claim holds")
ax.set_yticks(place, [f"{claim}  {source}" for claim, source in zip(table.claim, table.source, strict=True)])
ax.set_title(f"{standing}; bars: 95 % intervals")
save_figure(figure, f"{figures}/shares", table)

# %% [markdown]
# ## The seeds for which a claim does not hold
# One column per network, sorted by the number of claims it breaks, and above it how many key frequencies it has. Of a
# claim about every key frequency, the table names the frequency that breaks it worst and its rank by C_k, 1 for the
# strongest.

# %%
each = {  # claims about every key frequency, by the number that decides
    "phase_line": ("phase_line_r_squared", np.argmin),
    "phase_slope": ("phase_line_slope", lambda slopes: np.abs(slopes - 2).argmax()),
    "law_only_at_own_frequency": ("mismatch_elsewhere_over_own", np.argmin),
    "bound_is_valid": ("actual_over_bound", np.argmax),
    "bound_beats_naive": ("bound_over_naive", np.argmax),
    "identity_negative": ("identity_coefficients", np.argmax),
    "spectral_bound": ("spectral_64", np.argmax),
}
worst_place = {name: over_frequencies(judged[number], choose) for name, (number, choose) in each.items()}
exceptions = []
for name, network_index in ((name, index) for name in claims for index in np.flatnonzero(~holds[name])):
    case, at = judged.iloc[network_index], worst_place.get(name, np.full(len(judged), np.nan))[network_index]
    line = {"seed": case.seed, "trained": case.trained, "claim": criteria[name], "value": numbers[name][network_index]}
    line |= {"key frequencies": len(case.frequencies), "worst at k": None, "rank of C_k": None, "neurons there": None}
    if np.isfinite(at):
        at, C = int(at), case.absolute_coefficients
        line |= {
            "worst at k": case.frequencies[at],
            "rank of C_k": 1 + (C > C[at]).sum(),
            "neurons there": case.neurons[at],
        }
    exceptions.append(line)
columns = ["seed", "trained", "claim", "value", "key frequencies", "worst at k", "rank of C_k", "neurons there"]
exceptions = pd.DataFrame(exceptions, columns=columns).astype({name: "Int64" for name in columns[4:]})
exceptions = exceptions.sort_values(["seed"], kind="stable", ignore_index=True)
save_table(exceptions, f"{figures}/exceptions", digits=4)
exceptions.head(20)

# %%
broken = (~holds).sum(axis=1).to_numpy()
order = np.lexsort([judged.seed, key_frequencies, broken])
names = [name for name in claims if not holds[name].all()] or list(claims)
figure, (top, ax) = plt.subplots(
    2, 1, figsize=(PAGE, 1.1 + 0.17 * len(names)), sharex=True, height_ratios=(1, len(names) / 3), layout="constrained"
)
top.bar(np.arange(len(order)), key_frequencies[order], 0.8, color=COLOURS[3])
top.set(ylabel="key fre-\nquencies")
top.yaxis.set_major_locator(MaxNLocator(3, integer=True))
figure.suptitle(f"{standing}; dark: the claim does not hold; ▼ the mainline", fontsize=8)
ax.imshow(~holds[names].to_numpy()[order].T, cmap="Greys", vmin=0, vmax=1.4, aspect="auto", interpolation="nearest")
ax.set_yticks(range(len(names)), [criteria[name] for name in names], size=6)
ax.set(xlabel="seed, by the number of claims that its network breaks")
ax.set_xticks(range(len(order)), judged.seed.iloc[order], rotation=90, size=5 if len(order) < 60 else 2.5)
ax.hlines(np.arange(len(names) - 1) + 0.5, -0.5, len(order) - 0.5, color="white", linewidth=1)
for position in np.flatnonzero(judged.seed.iloc[order] == network.seed):
    top.plot(
        position,
        key_frequencies[order][position] + 0.6,
        "v",
        color=COLOURS[1],
        markeredgecolor="black",
        markersize=5,
        clip_on=False,
    )
map_ = holds.assign(seed=judged.seed, key_frequencies=key_frequencies, broken=broken).iloc[order]
save_figure(figure, f"{figures}/exceptions_map", map_)

# %% [markdown]
# ## How many key frequencies, and which
# The claim here is loose: *only a few frequencies occur (in many models we see 4 different frequencies used)* ([Q] §3).
# Which ones they are should not matter: for a prime n, multiplying all residues by one of them permutes the
# frequencies, and changes neither the task nor the distribution of initial weights and splits; a χ² test asks whether
# the counts in the middle agree. On the right, each point is a network, its height the number of claims it breaks, its
# place how strong its weakest key frequency is, as a share of Σ C_k. If all key frequencies were equally strong, the
# points would lie at the upright lines.

# %%
weakest = over_frequencies(judged.absolute_coefficients, lambda C: C.min() / C.sum())
figure, axes = panels(3, columns=3, height=2.3)
counts = np.arange(key_frequencies.min() - 1, key_frequencies.max() + 2)
bars = axes[0].bar(counts, [(key_frequencies == count).sum() for count in counts], 0.8, color=COLOURS[6])
axes[0].plot(len(mainline.frequencies[0]), 0, "^", color=COLOURS[1], markeredgecolor="black", clip_on=False)
axes[0].set(xlabel="key frequencies", ylabel="networks", xticks=counts, title=f"{len(judged)} networks; ▲ the mainline")
half = int(judged.modulus.iloc[0]) // 2
used = np.bincount(frequencies.frequency, minlength=half + 1)[1:]
axes[1].bar(np.arange(1, half + 1), used, 0.8, color=COLOURS[6])
axes[1].axhline(used.mean(), color=COLOURS[0], linestyle=":", label="all alike")
axes[1].set(xlabel="frequency k", ylabel="networks in which it is key")
axes[1].legend(loc="upper right")
axes[1].set_ylim(top=1.25 * max(used.max(), 1))
for count, colour, marker in zip(np.unique(key_frequencies), COLOURS, MARKERS, strict=False):
    mine = key_frequencies == count
    axes[2].plot(weakest[mine], broken[mine], marker, color=colour, markersize=4, alpha=0.8, label=f"{count}")
    axes[2].axvline(1 / max(count, 1), color=colour, linewidth=0.7, zorder=0)
axes[2].set(xlabel="smallest C_k over Σ C_k", ylabel="claims broken")
legend = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "ncols": 4, "title_fontsize": 7, "handletextpad": 0.2}
axes[2].legend(title="key frequencies", **legend)
axes[0].yaxis.set_major_locator(MaxNLocator(integer=True))
alike = chisquare(used).pvalue
summary = pd.DataFrame({"seed": judged.seed, "key_frequencies": key_frequencies, "weakest": weakest, "broken": broken})
save_figure(figure, f"{figures}/frequency_counts", summary)

# %%
by_count = judged.assign(count=key_frequencies, broken=broken, bound=most("whole_bound"), rms=most("rms_mismatch"))
by_count = by_count.groupby("count").agg(
    networks=("seed", "size"),
    claims_broken=("broken", "mean"),
    certified_k_2k=("certified_share_k_2k", "mean"),
    certified_channels=("certified_share_channels", "mean"),
    smallest_margin=("smallest_margin_full", "median"),
    largest_rms_mismatch=("rms", "median"),
    largest_bound=("bound", "median"),
    held_out_loss=("held_out_loss", "median"),
)
by_count = by_count.reset_index().rename(columns={"count": "key_frequencies"})
save_table(by_count, f"{figures}/by_count", digits=4)
by_count

# %% [markdown]
# ## Where the mainline lies, and whether the kept networks are like ours
# One number per network: the median over its key frequencies where there are several. *Below* is the share of networks
# whose number is smaller than the mainline's. Rounding differs between machines, so a network trained elsewhere is
# another network of the same distribution; the two-sample Kolmogorov–Smirnov test asks whether that is so. With few
# networks here it can only see gross differences, and among many numbers some p-value is small by chance.

# %%
single = pd.DataFrame({number: over_frequencies(judged[number], np.median) for number in of_frequency})
single = judged[list(of_network)].astype(float).join(single).assign(key_frequencies=key_frequencies)
at_mainline = {number: over_frequencies(mainline[number], np.median)[0] for number in of_frequency}
at_mainline |= {number: float(mainline[number].iloc[0]) for number in of_network}
at_mainline |= {"key_frequencies": len(mainline.frequencies[0])}
tests = {
    number: compare(single[number].to_numpy(float)[here], single[number].to_numpy(float)[~here]) for number in single
}
spread = single.quantile([0, 0.25, 0.5, 0.75, 1]).T.set_axis(
    ["least", "quarter", "median", "three quarters", "most"], axis=1
)
spread = spread.assign(
    mainline=pd.Series(at_mainline),
    below=[(single[number] < at_mainline[number]).mean() for number in single],
    distance=[test.distance for test in tests.values()],
    p=[test.p for test in tests.values()],
)
spread = spread.rename_axis("number").reset_index()
save_table(spread, f"{figures}/numbers", digits=4)
spread

# %% [markdown]
# ## Result
# Read the shares with their intervals: the formula for the weights, the law ψ = 2φ at every key frequency, is what [QR]
# says of most; the share of variance, the compact bound against the naive error and the certificates are what the
# papers show of one network. Where the mainline lies at an edge of the distribution, what is shown of it is the best
# case.
#
# **Caveat.** All networks have the published number of updates. A frequency that is still on its way, in or out, counts
# as a key frequency like any other; a claim about *every* key frequency fails on it alone.

# %%
agrees = (holds.phase_line & holds.phase_slope).to_numpy()
values = {f"share_{name}": found for name, found in shares.items()} | {
    "share_formula": share(agrees),
    "share_four_frequencies": share(key_frequencies == 4),
    "share_few_frequencies": share(key_frequencies <= 5),
    "frequencies_alike_p": alike,
}
record(values_file, network, values, [rows])
values

# %%
print(
    f"{len(rows)} networks, {(rows.trained == 'here').sum()} trained here, {(rows.trained == 'kept').sum()} kept;",
    end=" ",
)
print(f"{(rows.accuracy < 1).sum()} short of accuracy 1", end="")
print(", kept apart." if learned else ", that is all: what follows is about networks that have not learned the task.")
print(
    f"The formula for the weights (line R² and slope at every key frequency) holds for {agrees.sum()}, a share of",
    end=" ",
)
print(f"{share(agrees).share:.2f} (95 %: {share(agrees).low:.2f} to {share(agrees).high:.2f}).")
always = [criteria[name] for name in claims if values[f"share_{name}"].share == 1]
rarely = [criteria[name] for name in claims if values[f"share_{name}"].share < 0.5]
print(f"For every network: {'; '.join(always) or 'nothing'}.")
print(f"For less than half: {'; '.join(rarely) or 'nothing'}.")
fewest, worst_seed = judged.seed[broken == broken.min()].tolist(), judged.seed[broken.argmax()]
print(
    f"Of {len(claims)} claims the fewest are broken by seeds {', '.join(map(str, fewest[:9]))} ({broken.min()}),",
    end=" ",
)
print(f"the most by seed {worst_seed} ({broken.max()}).")
print(
    f"Key frequencies: {key_frequencies.min()} to {key_frequencies.max()}, exactly 4 in {(key_frequencies == 4).sum()}."
)
for count, group in summary.groupby("key_frequencies"):
    print(f"  with {count}: {group.broken.mean():.1f} claims broken on average over {len(group)} of the networks.")
print(f"Are the key frequencies spread evenly over 1 to {half}? χ² test: p = {alike:.2g}.")
placed = exceptions.dropna(subset="worst at k")
last = (placed["rank of C_k"] == placed["key frequencies"]).sum()
print(f"Of {len(placed)} failures at a key frequency, {last} are worst at the network's weakest one.")
extreme = [number for number, below in zip(spread.number, spread.below, strict=True) if min(below, 1 - below) < 0.05]
if len(judged) >= 20:
    print(f"The mainline lies within 5 % of an end of the distribution in: {', '.join(extreme) or 'no number'}.")
else:
    print("Too few networks to say where the mainline lies among them.")

# %%
p = spread.p.dropna()
if len(p):
    smallest = spread.loc[p.idxmin()]
    print(
        f"{here.sum()} networks trained here against {(~here).sum()} kept: smallest p {smallest.p:.2g}",
        end=" ",
    )
    print(f"({smallest.number}), where {1 / (len(p) + 1):.2g} is expected of {len(p)} independent numbers;", end=" ")
    print(f"{(p < 0.05 / len(p)).sum()} below 0.05 after Bonferroni's correction.")
    if here.sum() < 20:
        print("So few networks trained here would show gross differences only.")
else:
    print("No network is kept, or none trained here: there is nothing to compare.")
