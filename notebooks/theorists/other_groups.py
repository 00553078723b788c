# %% [markdown]
# # What do networks learn on other groups?
#
# **Claim** (this project's). The quadrature of [Q] does not need the integers mod n. On any abelian group a neuron may read
# a character χ, which makes of every element an angle. If its phases are spread evenly and answer by the same law, the
# sum over neurons stands for the same integral, and the logits are
#
# $$ \sum_\chi \tfrac{4}{3} R_\chi\, m_\chi(a-b) \cos(\theta_\chi(a) + \theta_\chi(b) - \theta_\chi(c)) $$
#
# **Method, one order.** We train the network of the theorists [T], one hidden layer of ReLUs without biases, on two groups with 25
# elements: Z_25, whose characters take up to 25 values, and Z_5 × Z_5, whose characters take five. Everything else is equal.
# A neuron's character is that with most of its energy. The neurons of each character are one scheme: angles φ_a, φ_b, ψ and
# weights. *Mismatch* is the root mean square of ψ − φ_a − φ_b. *Error* is the largest distance of the sum from the integral
# over the values of the character, in units of 4/3. *R²* says how much of the absolute-value part of the logits the
# integrals explain as they stand, nothing fitted. N is the fewest characters that hold 95 % of what all hold of the logits.
# Intervals are at 95 %: Wilson's for shares, Student's for means.
#
# **Method, the smallest groups** (open problem O61 of the MAIS list, answered here). The problem specifies a pilot in full: groups C_5 and S_3,
# one hidden layer without biases,
#
# $$ f(a,b)(c) = \sum_{i=1}^m \sigma(u_i(a) + v_i(b))\, w_i(c) , $$
#
# σ = u² or ReLU, m = 2 or 8 neurons, every initial coordinate from N(0, 1/|G|). The loss is the mean cross-entropy over the
# full table and λ‖θ‖², λ = 0, 10⁻⁴ or 10⁻². Adam makes at most 20,000 updates of all inputs at once (rate 10⁻³). A network
# has *converged* when the relative changes of loss and parameters stay below 10⁻⁷ for 500 updates in a row; if not, it is
# *nonconvergent*. 100 seeds for each of the 24 configurations.
#
# Of each of these networks: b², the share of the squared norm of the centred logits along the characters of a b c⁻¹ of
# each irreducible representation (on C_5, those of k and −k together); its *key set*, those with b² ≥ 0.005; N, the fewest
# that hold 95 % of what all hold; and its *pure* neurons, of whose centred weight energy 95 % lies in one representation.
# Two limits are ours, and were set before any network was trained: a network whose centred logits are all below 10⁻³ has
# *collapsed* and has no key set; a neuron with less energy than 10⁻⁶ is pure for nothing. Intervals are Wilson's, at 95 %.
#
# Said before looking: on Z_5 × Z_5 the phases keep the law, and the integrals explain most. In the pilot, without penalty nothing converges; with λ = 10⁻⁴ most do; with λ = 10⁻² nine in ten do not
# collapse; two neurons never learn the table, eight mostly do with λ = 10⁻⁴; both neurons of C_5 prefer one frequency.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.statistics import difference_of_means, share
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, HATCHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.characters import scheme_mismatch
from modadd.populations.pilot import FLAT, key_set_probabilities, nontrivial, read_pilot, same_key_sets
from modadd.populations.tables import faultless_or_all, read_population
from modadd.quadrature.torus import LAWFUL
from modadd.training.pilot import Configuration

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_groups": ["results/populations/t_groups.parquet"],
    "pilot": ["results/pilot.parquet"],
}
figures = "figures/other_groups"
values_file = "results/values/other_groups.json"
published = {}  # no paper prints any of these numbers
least_r_squared = 0.9

# %%
use_style()
network = load_network(network_file)
groups = {"addition": "Z_25", "5x5": "Z_5 × Z_5"}
every = read_population(*datasets["t_groups"])
rows = {group: every[(every.modulus == 25) & (every.operation == group)] for group in groups}
right = {group: faultless_or_all(of) for group, of in rows.items()}
standing = [f"{title}: {(rows[group].accuracy == 1).sum()} of {len(rows[group])}" for group, title in groups.items()]
say(f"Networks that answer every input right: {'; '.join(standing)}. If there are any, the others are left out.")

# %% [markdown]
# ## The same numbers on two groups of 25 elements
# One point for each network. Dotted: the limits of the claims below.

# %%
measured = {
    "scheme_mismatch": "rms of ψ − φ_a − φ_b (rad)",
    "scheme_error": "largest error of the sum (4/3)",
    "scheme_r_squared": "R² of the integrals",
    "spectral_count": "characters that hold 95 %, N",
}
limits = {"scheme_mismatch": LAWFUL, "scheme_r_squared": least_r_squared}
figure, axes = panels(len(measured), columns=4, height=2.1)
rng = np.random.default_rng(0)
for ax, (name, label) in zip(axes, measured.items(), strict=True):
    for place, (group, colour, marker) in enumerate(zip(groups, COLOURS, MARKERS, strict=False)):
        found = right[group][name].to_numpy(float)
        beside = place + rng.uniform(-0.25, 0.25, len(found))
        ax.plot(beside, found, marker, color=colour, markersize=3.5, alpha=0.7)
        ax.plot([place - 0.35, place + 0.35], [np.median(found)] * 2 if len(found) else [np.nan] * 2, color="black")
    if name in limits:
        ax.axhline(limits[name], color="0.4", linestyle=":", linewidth=1)
    ax.set_xticks(range(len(groups)), groups.values())
    ax.set(ylabel=label, xlim=(-0.6, 1.6))
axes[0].set_ylim(0, None)
axes[1].set_ylim(0, None)
axes[3].yaxis.set_major_locator(MaxNLocator(integer=True))
points = pd.concat([of.assign(group=groups[name]) for name, of in right.items()])
save_figure(figure, f"{figures}/groups", points[["group", "seed", *measured]])

# %%
counts = {
    title: {
        "networks": len(right[group]),
        "N, mean": right[group].spectral_count.mean(),
        "neurons per character, median": np.median(np.concatenate([[np.nan], *right[group].character_neurons])),
        "orders of the characters": ", ".join(
            map(str, sorted({o for of in right[group].character_orders for o in of}))
        ),
        "pure neurons": right[group].share_pure.mean(),
        "mismatch, median": right[group].scheme_mismatch.median(),
        "error, median": right[group].scheme_error.median(),
        "R², median": right[group].scheme_r_squared.median(),
    }
    for group, title in groups.items()
}
table = pd.DataFrame(counts).T.rename_axis("group").reset_index()
save_table(table, f"{figures}/groups_table", digits=3)
table

# %%
other = right["5x5"]
values = {
    "scheme_mismatch": scheme_mismatch(network),
    "shares_right_and_lawful": [share(rows["5x5"].accuracy == 1), share(other.scheme_mismatch <= LAWFUL)],
    "share_explained": share(other.scheme_r_squared >= least_r_squared),
    "more_characters": difference_of_means(other.spectral_count, right["addition"].spectral_count),
    "error": other.scheme_error.median(),
    "cyclic_error": right["addition"].scheme_error.median(),
    "r_squared": other.scheme_r_squared.median(),
    "cyclic_r_squared": right["addition"].scheme_r_squared.median(),
    "mismatch": other.scheme_mismatch.median(),
    "cyclic_mismatch": right["addition"].scheme_mismatch.median(),
}
more, lawful = values["more_characters"], values["shares_right_and_lawful"][1]
say(
    f"On Z_5 × Z_5 the mismatch is at most {LAWFUL} rad in {lawful.holds} of {lawful.of} networks, and the "
    f"integrals explain at least {least_r_squared:.0%} in {values['share_explained'].holds}. Medians, Z_25 in brackets: mismatch "
    f"{values['mismatch']:.3f} rad ({values['cyclic_mismatch']:.3f}), error {values['error']:.3f} ({values['cyclic_error']:.3f}), "
    f"R² {values['r_squared']:.3f} ({values['cyclic_r_squared']:.3f}).",
    f"It takes {more.value:.2f} characters more than Z_25 (95 %: {more.low:.2f} to {more.high:.2f}).",
)

# %%
here, rows = read_pilot(datasets["pilot"][:1]), read_pilot(datasets["pilot"])
kept = read_pilot(datasets["pilot"][1:]) if datasets["pilot"][1:] else rows[:0]
rows = rows.assign(collapsed=rows.largest_logit <= FLAT, right=rows.accuracy == 1)
by = list(Configuration._fields)
groups = {"addition": "C_5", "S3": "S_3"}
sigmas = {"square": "u²", "relu": "ReLU"}
titles = {"operation": "group", "activation": "σ", "neurons": "m", "penalty": "λ"}
kinds = [(group, sigma) for group in groups for sigma in sigmas]


def named(table):
    shown = table.assign(operation=table.operation.map(groups), activation=table.activation.map(sigmas))
    return shown.drop(columns="n").rename(columns=titles).assign(λ=shown.penalty.map("{:g}".format))


def of(group, **fixed):
    chosen = rows[rows.operation == group]
    return chosen[np.logical_and.reduce([chosen[name] == value for name, value in fixed.items()], initial=True)]


def interval(name, holds):
    found = share(np.asarray(holds, bool))
    return {name: found.share, f"{name}, low": found.low, f"{name}, high": found.high}


# %% [markdown]
# ## The pilot: how each configuration ends
# Counts of networks, and shares with their intervals. *right*: every input is answered right. *N* is the mean over
# networks, *updates* and *loss* (with the penalty, in nats) are medians.

# %%
lines = []
for configuration, own in rows.groupby(by, sort=False):
    lines.append(
        dict(zip(by, configuration, strict=True))
        | {"networks": len(own), "nonconvergent": int((~own.converged).sum())}
        | interval("nonconvergent share", ~own.converged)
        | {"collapsed": int(own.collapsed.sum())}
        | interval("right", own.right)
        | {"N": own.spectral_count.mean(), "updates": own.updates.median(), "loss": own.loss.median()}
    )
ends = named(pd.DataFrame(lines))
save_table(ends, f"{figures}/ends")
ends.round(3)

# %% [markdown]
# ## Which key sets occur
# Probability of each key set, by configuration; lines are the intervals. *none*: collapsed, or no representation has
# 0.5 %.

# %%
probabilities = key_set_probabilities(rows)
save_table(named(probabilities), f"{figures}/key_set_probabilities")
penalties = {0.0: "0", 1e-4: "10⁻⁴", 1e-2: "10⁻²"}
settings = [(m, penalty) for m in (2, 8) for penalty in penalties]


def label(axes, ylabel, legend):
    for ax in axes:
        ax.set_xticks(
            range(len(settings)), [f"m = {m}\nλ = {penalties[penalty]}" for m, penalty in settings], fontsize=6
        )
    for left, right in (axes[:2], axes[2:]):
        left.set_ylabel(ylabel)
        right.legend(title=legend, title_fontsize=7, loc="upper left", bbox_to_anchor=(1, 1))
    for ax in axes[2:]:
        ax.set_xlabel("neurons m and penalty λ")


figure, axes = panels(4, columns=2, height=2.3, sharey=True)
for ax, (group, sigma) in zip(axes, kinds, strict=True):
    own = probabilities[(probabilities.operation == group) & (probabilities.activation == sigma)]
    first, second = nontrivial(group, own.n.iloc[0])
    for place, key_set in enumerate((first, second, f"{first}, {second}", "none")):
        seen = own[own["key set"] == key_set]
        x = [settings.index(pair) + 0.17 * (place - 1.5) for pair in zip(seen.neurons, seen.penalty, strict=True)]
        ax.vlines(x, seen.low, seen.high, color=COLOURS[place], linewidth=1.2)
        ax.plot(x, seen.share, MARKERS[place], color=COLOURS[place], markersize=4, label=key_set if x else None)
    ax.set(title=f"{groups[group]}, σ = {sigmas[sigma]}", ylim=(-0.03, 1.03), xlim=(-0.6, 5.6))
label(axes, "probability", "key set")
save_figure(figure, f"{figures}/key_sets", named(probabilities))

# %% [markdown]
# ## For what the neurons are pure
# Share of all neurons of a configuration that are pure for a representation; the rest are mixed, or idle.

# %%
lines = []
for configuration, own in rows.groupby(by, sort=False):
    line = dict(zip(by, configuration, strict=True))
    for place, name in enumerate(nontrivial(line["operation"], line["n"])):
        counts = own.pure.map(lambda pure: pure[place])
        lines.append(line | {"representation": name, "share": counts.sum() / own.neurons.sum()})
pure = pd.DataFrame(lines)
figure, axes = panels(4, columns=2, height=1.9, sharey=True)
for ax, (group, sigma) in zip(axes, kinds, strict=True):
    own, below = pure[(pure.operation == group) & (pure.activation == sigma)], np.zeros(len(settings))
    for place, (name, part) in enumerate(own.groupby("representation", sort=False)):
        heights = part.set_index(["neurons", "penalty"]).share.reindex(settings).to_numpy()
        colour, hatch = COLOURS[2 * place], HATCHES[place]
        ax.bar(range(len(settings)), heights, bottom=below, color=colour, hatch=hatch, width=0.6, label=name)
        below = below + heights
    ax.set(title=f"{groups[group]}, σ = {sigmas[sigma]}", ylim=(0, 1))
label(axes, "share of the neurons", "pure for")
save_figure(figure, f"{figures}/pure_neurons", named(pure))

# %% [markdown]
# ## Do both neurons of C_5 choose one frequency?
# Two pure neurons that choose independently are pure for the same frequency in half of the networks. A network with a neuron
# that is not pure says nothing of that; the last columns leave it out.

# %%
pairs = rows[(rows.operation == "addition") & (rows.neurons == 2)]
pairs = pairs.assign(same=pairs.pure.map(max) == 2, different=pairs.pure.map(min) == 1)
lines = []
for (sigma, penalty), own in pairs.groupby(["activation", "penalty"], sort=False):
    line = {"σ": sigmas[sigma], "λ": f"{penalty:g}", "networks": len(own)}
    line |= interval("same frequency", own.same) | interval("two frequencies", own.different)
    lines.append(line | interval("same, of both pure", own.same[own.same | own.different]))
table = pd.DataFrame(lines)
save_table(table, f"{figures}/both_neurons")
table.round(3)

# %% [markdown]
# ## Result
# Read the lines against what was said before looking. The law was also claimed of nearly all networks of the theorists, on
# every group here. The shares among pairs of neurons that are both pure were
# counted after looking.
#
# **Caveats.** One order of the group, one width and one penalty. On Z_5 × Z_5 no single character tells all elements apart,
# on Z_25 most do. Characters with less than the share of weight that makes a key frequency are left out.
#
# *Nonconvergent* says nothing about how good a network is: Adam's steps keep about their size wherever the
# gradient keeps changing its sign. A neuron that is pure may still add little to the logits. On S_3 the standard
# representation has four of the five dimensions of centred weights, so more neurons are pure for it by chance. The
# probabilities belong to these initial weights and to 20,000 updates.

# %%
two, eight = rows[rows.neurons == 2], rows[(rows.neurons == 8) & (rows.penalty == 1e-4)]
both_pure = pairs[pairs.same | pairs.different]
same = lambda sigma, of=both_pure: share(of[of.activation == sigma].same.to_numpy(bool))
values |= {
    "unpenalised_nonconvergent": share(~rows[rows.penalty == 0].converged.to_numpy()),
    "small_penalty_converged": share(rows[rows.penalty == 1e-4].converged.to_numpy()),
    "large_penalty_alive": share(~rows[rows.penalty == 1e-2].collapsed.to_numpy()),
    "two_not_right": share(~two.right.to_numpy()),
    "eight_right": share(eight.right.to_numpy()),
    "same_frequency_if_pure": same("square", both_pure[both_pure.penalty == 1e-4]),
    "standard_if_right": share([("standard" in names) for names in of("S3", right=True).key_set]),
    "again": share(same_key_sets(here, kept)),
    "nonconvergent": int((~rows.converged).sum()),
    "relu_converged": share(rows[rows.activation == "relu"].converged.to_numpy()),
    "two_squares_right": share(two[two.activation == "square"].right.to_numpy()),
    "two_relus_right": share(two[two.activation == "relu"].right.to_numpy()),
    "pure_pairs_square": same("square"),
    "pure_pairs_relu": same("relu"),
}
record(values_file, network, values, [every])
values

# %%
ratio = lambda found: f"{found.holds} of {found.of} (95 %: {found.low:.3f} to {found.high:.3f})"
say(
    f"- Nonconvergent: {values['nonconvergent']} of {len(rows)} networks; without penalty "
    f"{ratio(values['unpenalised_nonconvergent'])}. With λ = 10⁻⁴ converged: {ratio(values['small_penalty_converged'])}. "
    f"Of all ReLU networks converged: {ratio(values['relu_converged'])}.\n"
    f"- With λ = 10⁻² not collapsed: {ratio(values['large_penalty_alive'])}.\n"
    f"- Every input right: eight neurons with λ = 10⁻⁴, {ratio(values['eight_right'])}; two squares, "
    f"{ratio(values['two_squares_right'])}; two ReLUs, {ratio(values['two_relus_right'])}.\n"
    f"- Both neurons of C_5 pure: they are so for one frequency with u² and λ = 10⁻⁴ in "
    f"{ratio(values['same_frequency_if_pure'])}; with any λ, u², {ratio(values['pure_pairs_square'])}; ReLU, "
    f"{ratio(values['pure_pairs_relu'])}.\n"
    f"- Networks of S_3 that are right everywhere and have the standard representation in their key set: "
    f"{ratio(values['standard_if_right'])}.\n"
    f"- Of {len(here)} networks trained here, those with a kept row have its key set: {ratio(values['again'])}."
)
