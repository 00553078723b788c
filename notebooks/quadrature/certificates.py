# %% [markdown]
# # Can the network be proven right without running it on every input?
#
# **Claim** (open in [Q] §5: a bound that is cheaper than trying every input and approaches the truth). What is
# understood of the neurons is enough to prove the network's answers. Keep the constant and the parts at the frequencies
# k and 2k of every neuron, and treat everything else as noise of known size: the right answer t = a + b still wins at
# every input.
#
# **Method.** The *margin* of an input (a, b) is its right logit less the best wrong one. The *explained network* keeps
# of every neuron's A_i, B_i and W_i the constant and the parts at the multiples of the neuron's own frequency. C and D,
# which bypass the ReLU, are kept as they are. The rest is *noise*, bounded neuron by neuron. It moves a preactivation
# by at most |ε_i|, and |ReLU(u + ε) − ReLU(u)| ≤ |ε|. With r_i the rest of W_i, the margin over an answer c falls by at
# most
#
# $$ \sum_i |\varepsilon_i| \, |W_i(t) - W_i(c)| + \sum_i \operatorname{ReLU}(u_i) \, |r_i(t) - r_i(c)|. $$
#
# An input is *certified* if the margin that is left is positive for every c. This is proven for the whole *family* of
# networks that the noise allows. So the explained part makes the answers right, whatever the rest is; a proof of the
# network alone does not show that. These are ways to find what is taken off; for one family none is both cheaper and
# better:
#
# - *Worst member*: the smallest margin in the family, exactly.
# - *Direct sums*: the sums just written, for every a, b and c.
# - *Factors*: sums for every a and t + c only, as |W_i(t) − W_i(c)| = 2β |sin(w_k(t − c)/2)| |sin(w_k(t + c)/2 + ψ_i)|.
# - *Identity part kept*: the second half of ReLU(u) = |u|/2 + u/2 is linear in A and B and may bypass the ReLU like C
#   and D, which halves the noise.
# - *Quadrature channels* leave the explained network. Every activation is taken as it is, but reaches the logits
#   through five sums per frequency only, those against α_i, α_i cos φ_i, α_i sin φ_i, α_i cos 2φ_i and α_i sin 2φ_i.
#   The rest of activations and W is bounded by Cauchy–Schwarz (*short*, *coarse first*: the notebook on short proofs).
# - *Flips*: every logit as it is, from the few places where a neuron turns on or off (the same notebook).
#
# **Rounding.** All is computed in float64, and the most that rounding can do is taken off every margin (γ_n bounds over
# all sums, and over the products that make the tables from the stored float32 weights). So a certified margin is one of
# the real-number network of the stored weights, and of its float64 tables evaluated in any order of summation.

# %%
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, NullLocator

from modadd.certificates.certify import by_direct_sums, by_factors, for_stored_weights
from modadd.certificates.explained import explain, worst_choice
from modadd.certificates.ladder import RUNGS
from modadd.certificates.measures import certified_share_identity_kept, certified_share_k, certified_share_k_2k
from modadd.certificates.proof_sizes import proof_operations_per_parameter, short_margin_over_true
from modadd.core.separable import margins
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import about, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "figures/certificates"
values_file = "results/values/certificates.json"
published = {}  # nothing is printed about certificates of whole networks
members, seed = 60, 0  # random members of the family tried as adversaries, and their seed

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
n, h = separable.modulus, separable.width
a, b = np.indices((n, n))
true = margins(separable.logits())
ladder = {name: for_stored_weights(rung(separable), network) for name, rung in RUNGS.items()}

# %% [markdown]
# ## The ladder
# *Operations* count the terms of all sums and the evaluated activations, with p residues, h neurons and F frequencies.
# *Per parameter* divides them by p·h, the layer's effective number of parameters, which [Q] App. B.1 hopes to go below.
# The certified margin is the room that is left under all noise; the *cost of the proof* is the true margin less the
# certified one. Direct sums and worst members cost more than brute force: they show what the noise allows, not what is
# cheap.

# %%
table = pd.DataFrame(
    {
        "rung": name,
        "order": certificate.order,
        "operations": certificate.operations,
        "of brute force": certificate.operations / ladder["brute force"].operations,
        "per parameter": certificate.operations / (n * h),
        "certified share": certificate.share,
        "smallest explained margin": certificate.explained_margin.min(),
        "smallest certified margin": certificate.margin.min(),
        "median certified margin": np.median(certificate.margin),
        "median cost of the proof": np.median(true - certificate.margin),
    }
    for name, certificate in ladder.items()
)
save_table(table, f"{figures}/ladder_table")
table.round(3)

# %%
parts = [name.partition(": ") for name in ladder]  # what is explained, and how the noise is summed
colour_of = dict(zip(dict.fromkeys(explained for explained, _, _ in parts), (*COLOURS, "black"), strict=False))
figure, axes = panels(2, columns=2, height=3.0)
for ax, column in zip(axes, ("certified share", "smallest certified margin"), strict=True):
    for (_, row), (explained, _, sums), marker in zip(table.iterrows(), parts, (*MARKERS, *"p<>H"), strict=False):
        style = {"marker": marker, "fillstyle": "none" if sums == "worst member" else "full", "linestyle": ""}
        ax.plot(row.operations / 1e6, row[column], color=colour_of[explained], markersize=7, label=row.rung, **style)
    ax.axhline(0, color="0.8", linewidth=0.7, zorder=0)
    ax.set(xscale="log", xlabel="operations (millions)", ylabel=column)
    ax.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), minor_locator=NullLocator(), major_formatter="{x:g}")
axes[0].set_ylim(-0.05, 1.05)
axes[1].axhline(true.min(), color="black", linestyle=DASHES[2], linewidth=1, label="smallest true margin", zorder=0)
axes[1].set_ylabel("smallest certified margin\n(logit units)")
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside lower center", ncols=3)
save_figure(figure, f"{figures}/ladder", table)

# %% [markdown]
# ## Every input
# Each curve sorts its own margins; an input is certified where its curve is above 0.

# %%
shown = [name for name in ladder if "worst" not in name and name not in ("flips", "brute force")]
curves = pd.DataFrame(
    {name: np.sort(ladder[name].margin, axis=None) for name in shown} | {"true": np.sort(true, axis=None)}
)
curves.insert(0, "share of inputs", (np.arange(n**2) + 1) / n**2)
figure, (ax,) = panels(1, columns=1, height=3.2)
for name, colour, dashes in zip(shown, COLOURS, DASHES, strict=False):
    ax.plot(curves["share of inputs"], curves[name], color=colour, linestyle=dashes, label=name)
ax.plot(curves["share of inputs"], curves.true, color="black", linewidth=0.8, label="true")
ax.axhline(0, color="0.6", linewidth=0.7, zorder=0)
ax.set(xlabel="share of inputs", ylabel="certified margin (logit units)", xlim=(0, 1))
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/margins_over_inputs", curves, digits=3)

# %%
maps = ["k and 2k: direct sums", "k and 2k, identity part kept: factors", "quadrature channels, short", "brute force"]
least, most = (of([ladder[name].margin for name in maps]) for of in (np.min, np.max))
figure, axes = panels(len(maps), columns=2, height=3.0, sharex=True, sharey=True)
for ax, name in zip(axes, maps, strict=True):
    turned = np.empty((n, n))
    turned[(a + b) % n, (a - b) % n] = ladder[name].margin
    image = ax.imshow(turned, vmin=least, vmax=most, origin="lower", interpolation="nearest")
    ax.set(title=name, xlabel="a − b mod n", ylabel="a + b mod n")
    ax.label_outer()
figure.colorbar(image, ax=axes, label="certified margin (logit units)")
maps_data = pd.DataFrame({"a": a.ravel(), "b": b.ravel()} | {name: ladder[name].margin.ravel() for name in maps})
save_figure(figure, f"{figures}/margin_maps", maps_data)

# %% [markdown]
# ## Where the proof spends its margin
# Medians over the inputs: the margin explained, what the noise of A and B takes off it, and what that of W takes off,
# both by factors. Compare the first two lines: they show what is left of the noise once 2k is explained.

# %%
families = {
    "k": explain(separable, 1, bypass_identity=False),
    "k and 2k": explain(separable, 2, bypass_identity=False),
    "k and 2k, identity part kept": explain(separable, 2),
}
rows = []
for name, family in families.items():
    whole, without_W = by_factors(family), by_factors(replace(family, residual_W=0 * family.residual_W))
    steps = [whole.explained_margin, without_W.margin, whole.margin]
    rows.append((name, *np.median([steps[0], steps[0] - steps[1], steps[1] - steps[2], steps[2]], axis=(1, 2))))
budget = pd.DataFrame(rows, columns=["explained", "margin", "noise of A and B", "noise of W", "certified"])
save_table(budget, f"{figures}/noise_budget", digits=2)
budget.round(2)

# %% [markdown]
# ## Adversaries
# Members of each family, against its certificate by direct sums. *Random*: every entry of A and B lies anywhere within
# its noise, or at one of its ends, and every neuron's W likewise. *Worst*: for every input, the member with the
# smallest margin over the wrong answer that the certificate finds nearest. The last two columns give the loss of margin
# in this member, as a share of what the bound deducts for noise. At 1 the bound could not be improved. The figure draws
# some of the inputs.

# %%
found, curves = [], []
for name, family in families.items():
    direct, factors = by_direct_sums(family), by_factors(family)
    rng, lowest, flips = np.random.default_rng(seed), np.full((n, n), np.inf), 0
    for member in range(members):
        within = [rng.uniform(-1, 1, shape) for shape in ((n, h), (n, h), h)]
        drawn = margins(family.member(*(np.sign(x) if member % 2 else x for x in within)).logits())
        lowest, flips = np.minimum(lowest, drawn), flips + ((drawn <= 0) & (direct.margin > 0)).sum()
    worst = np.empty((n, n))
    for i, j in np.ndindex(n, n):
        logits = family.logits_at(i, j, worst_choice(family, i, j, int(direct.runner_up[i, j])))
        worst[i, j] = logits[(i + j) % n] - np.delete(logits, (i + j) % n).max()
    taken, explained = direct.explained_margin - worst, direct.explained_margin
    found.append(
        {
            "explained": name,
            "certified inputs": int((direct.margin > 0).sum()),
            "random members": members,
            "flips by random members": int(flips),
            "flips by worst members": int(((worst <= 0) & (direct.margin > 0)).sum()),
            "bounds broken": int((np.minimum(worst, lowest) < direct.margin).sum()),
            "taken, of direct sums": np.median(taken / (explained - direct.margin)),
            "taken, of factors": np.median(taken / (explained - factors.margin)),
        }
    )
    order = np.argsort(direct.margin, axis=None)
    bounds = {"factors": factors.margin, "direct sums": direct.margin, "worst member": worst, "random members": lowest}
    curves.append(pd.DataFrame({"family": name} | {kind: value.ravel()[order] for kind, value in bounds.items()}))
adversaries = pd.DataFrame(found)
save_table(adversaries, f"{figures}/adversaries_table")
adversaries.round(3)

# %%
figure, axes = panels(len(families), columns=len(families), height=3.0, sharex=True)
share, few = (np.arange(n**2) + 1) / n**2, slice(None, None, max(1, n**2 // 120))  # some of the inputs, for the eye
for ax, curve in zip(axes, curves, strict=True):
    ax.plot(share, curve["direct sums"], color=COLOURS[1], linewidth=1.5, label="direct sums")
    for kind, colour, marker in zip(("factors", "worst member", "random members"), COLOURS[::2], "ovD", strict=False):
        ax.plot(share[few], curve[kind][few], marker, color=colour, markersize=2.5, label=kind)
    ax.axhline(0, color="0.6", linewidth=0.7, zorder=0)
    ax.set(title=curve.family.iloc[0], xlabel="share of inputs,\nby certified margin")
axes[0].set_ylabel("margin (logit units)")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, markerscale=2)
save_figure(figure, f"{figures}/adversaries", pd.concat(curves), digits=3)

# %% [markdown]
# ## Result
# Claimed of the mainline network: with k and 2k every input is certified, with k alone hardly any. The certificate of
# order p²h needs fewer operations than brute force and certifies every input too. No adversary flips a certified input.
#
# **Caveats.** Counted operations are not seconds: brute force is one matrix product, which a computer does at its best.
# Flips and channels prove the network alone, not a family. Less pure neurons than these need them.

# %%
flipped = int(adversaries.filter(like="flips").to_numpy().sum())
kept, brute = ladder["k and 2k, identity part kept: factors"], ladder["brute force"]
values = {
    "certified_share_k": certified_share_k(network),
    "certified_share_k_2k": certified_share_k_2k(network),
    "certified_share_identity_kept": certified_share_identity_kept(network),
    "short_margin_over_true": short_margin_over_true(network),
    "proof_operations_per_parameter": proof_operations_per_parameter(network),
}
record(values_file, network, values)
values

# %%
say(
    about(network),
    f"The smallest true margin is {true.min():.2f}. All rounding errors are below "
    f"{max(certificate.rounding for certificate in ladder.values()):.1e}. "
    f"Adversaries flipped {flipped} certified inputs and broke {adversaries['bounds broken'].sum()} bounds. The "
    f"worst member takes {100 * adversaries['taken, of direct sums'].iloc[1]:.0f} % of what the direct sums deduct. "
    f"With the identity part kept, a proof of order p²h takes {kept.operations / brute.operations:.2f} of the operations "
    f"of brute force. The cheapest proof of every answer takes {values['proof_operations_per_parameter']:.0f} operations "
    "per parameter.",
)
table.set_index("rung")[["certified share", "smallest certified margin", "of brute force"]].round(3)
