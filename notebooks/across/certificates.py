# %% [markdown]
# # Can a network be proven right without running it on every input?
#
# **Claim** (open in [Q] §5: a bound that is cheaper than trying every input and approaches the truth). What is
# understood of the neurons is enough to prove the network's answers. Keep the constant and the parts at the frequencies
# k and 2k of every neuron, and treat everything else as noise of known size: the right answer t = a + b still wins at
# every input. The network alone, without such a family, can be proven right for less: neurons that are cosines of few
# frequencies rarely turn on or off.
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
# network alone does not show that.
#
# What is taken off can be found in several ways. For one family none is both cheaper and better, so they form a
# *ladder*. Its rungs are explained below, each beside what it proves.
#
# **Rounding.** All is computed in float64, and the most that rounding can do is taken off every margin (γ_n bounds over
# all sums, and over the products that make the tables from the stored float32 weights). So a certified margin is one of
# the real-number network of the stored weights, and of its float64 tables evaluated in any order of summation.

# %%
from dataclasses import replace

import numpy as np
import pandas as pd

from modadd.certificates.adversaries import against
from modadd.certificates.certify import by_factors, for_stored_weights
from modadd.certificates.explained import explain
from modadd.certificates.explained_measures import (
    certified_share_identity_kept,
    certified_share_k,
    certified_share_k_2k,
)
from modadd.certificates.ladder import CHEAPER, PROOFS
from modadd.certificates.proof_costs import proof_costs
from modadd.certificates.proof_sizes import proof_operations_per_parameter, short_margin_over_true
from modadd.certificates.proofs import certified_share_short, coarse_over_short, flips_over_brute_operations
from modadd.core.separable import margins
from modadd.core.statistics import share
from modadd.networks.foreign import load_external
from modadd.networks.registry import as_separable
from modadd.networks.store import load_network
from modadd.plots import certificates as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from modadd.populations.tables import faultless_or_all, read_population
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_seeds": ["results/populations/q_seeds.parquet"],
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
external = {}  # published weights by the name that the config gives them
figures = "results/by_hand/certificates"
values_file = "results/by_hand/certificates.json"
published = {}  # nothing is printed about certificates of whole networks
members, seed = 60, 0  # random members of the family tried as adversaries, and their seed

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP"}
stored = {titles[one.recipe.architecture]: one for one in (network, *further.values())}
published_weights = {name: load_external(path).separable() for name, path in sorted(external.items())}
published_weights = {name: tables for name, tables in published_weights.items() if tables is not None}
separables = {label: as_separable(one) for label, one in stored.items()} | published_weights
true_margins = {label: margins(tables.logits()) for label, tables in separables.items()}
say(f"Networks of others: {', '.join(published_weights) or 'none'}.")

# %%
mainline = titles[network.recipe.architecture]
separable, true = separables[mainline], true_margins[mainline]
n, h = separable.modulus, separable.width
compared = (*CHEAPER, "brute force")  # on every network; the other rungs cost more than brute force
proofs = {label: {rung: PROOFS[rung](tables) for rung in compared} for label, tables in separables.items()}
ladder = {}
for rung, proof in PROOFS.items():
    found = proofs[mainline][rung] if rung in compared else proof(separable)
    ladder[rung] = for_stored_weights(found, network)

# %% [markdown]
# ## The ladder
# Of the pizza transformer, down to *Length of the proof*. *Operations* count the terms of all sums and the evaluated
# activations, with p residues, h neurons and F frequencies. *Per parameter* divides them by p·h, the layer's effective
# number of parameters, which [Q] App. B.1 hopes to go below. The certified margin is the room that is left under all
# noise; the *cost of the proof* is the true margin less the certified one. A name says what is explained, *k* or *k and
# 2k*, and how the noise is summed.

# %%
table = pd.DataFrame(
    {
        "rung": rung,
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
    for rung, certificate in ladder.items()
)
save_table(table, f"{figures}/ladder_table")
rungs = table.set_index("rung").round(3)
rungs

# %% [markdown]
# ### Worst members and direct sums
# *Worst member* is the smallest margin in the family, exactly. *Direct sums* are the sums written above, for every a, b
# and c. Both cost more than brute force: they show what the noise allows, not what is cheap.

# %%
rungs.filter(regex="worst|direct", axis="index")

# %% [markdown]
# ### Factors
# Sums for every a and t + c only, as |W_i(t) − W_i(c)| = 2β |sin(w_k(t − c)/2)| |sin(w_k(t + c)/2 + ψ_i)|. With the
# *identity part kept*, the second half of ReLU(u) = |u|/2 + u/2, which is linear in A and B, may bypass the ReLU like C
# and D. This halves the noise.

# %%
rungs.filter(like="factors", axis="index")

# %% [markdown]
# ### Quadrature channels
# They leave the explained network. Every activation is taken as it is, but reaches the logits through five sums per
# frequency only, those against α_i, α_i cos φ_i, α_i sin φ_i, α_i cos 2φ_i and α_i sin 2φ_i. The rest of activations and
# W is bounded by Cauchy–Schwarz. *Short*: the size of that rest is bounded by walks too, as of flips below, so that no
# sum runs over all neurons at all inputs. *Coarse first*: the right answer leads the answer t − d by what hardly depends
# on more than a − b and d. So each pair of these is bounded once, for all inputs; only pairs for which that does not
# suffice are looked at input by input.

# %%
rungs.filter(like="channels", axis="index")

# %% [markdown]
# ### Flips, and brute force
# Flips give every logit as it is. Σ ReLU(u) W_i = Σ 1[u > 0] A_i(a) W_i + Σ 1[u > 0] B_i(b) W_i. In the first sum fix a
# and walk b in the order of k b mod n, k the frequency of the neuron. Along the walk the sum changes only where a neuron
# turns on or off, which a cosine does at most twice. The second sum walks a. Dead neurons, which are noise, are left
# out, and the most that they can add is taken off. Brute force sums all neurons at all inputs.

# %%
rungs.filter(regex="flips|brute", axis="index")

# %% [markdown]
# ### All rungs against their cost

# %%
figure = drawings.draw_ladder(table, true.min())
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
figure = drawings.draw_margins(curves)
save_figure(figure, f"{figures}/margins_over_inputs", curves, digits=3)

# %% [markdown]
# Three certificates and brute force as maps over the difference and the sum of the inputs.

# %%
maps = ["k and 2k: direct sums", "k and 2k, identity part kept: factors", "quadrature channels, short", "brute force"]
figure = drawings.draw_maps({name: ladder[name] for name in maps})
a, b = np.indices((n, n))
drawn = pd.DataFrame({"a": a.ravel(), "b": b.ravel()} | {name: ladder[name].margin.ravel() for name in maps})
save_figure(figure, f"{figures}/margin_maps", drawn)

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
    both, without_W = by_factors(family), by_factors(replace(family, residual_W=0 * family.residual_W))
    steps = [both.explained_margin, without_W.margin, both.margin]
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
trials = {name: against(family, members, seed) for name, family in families.items()}
curves = [trial.curves().assign(family=name) for name, trial in trials.items()]
curves = [curve[["family", *curve.columns.drop("family")]] for curve in curves]
adversaries = pd.DataFrame({"explained": name} | trial.summary() for name, trial in trials.items())
save_table(adversaries, f"{figures}/adversaries_table")
save_figure(drawings.draw_adversaries(curves), f"{figures}/adversaries", pd.concat(curves), digits=3)
adversaries.round(3)

# %% [markdown]
# ## Length of the proof against what it proves
# Operations are terms of sums, evaluated activations, and the sort and search for the flips; *of brute force* divides
# them by those of brute force for the same network. If A = B the walks along a and b are the same and are taken once;
# brute force makes no use of that here. Rungs that cost more than brute force are left out.
# *Tightness*: median over the inputs of the certified margin over the true one; proofs whose median is below 0 are drawn
# at 0. A rung is *dominated* if another one takes fewer operations and proves at every input as much of the same: about
# the network, or about the same family of networks. Rungs that are dominated on every network are not kept.

# %%
lengths = pd.concat(
    proof_costs(certificates, true_margins[label], stored.get(label)).assign(network=label)
    for label, certificates in proofs.items()
)
lengths = lengths[["network", *lengths.columns.drop("network")]]
save_table(lengths, f"{figures}/lengths_table")
save_figure(drawings.draw_lengths(lengths), f"{figures}/lengths", lengths)
lengths.round(3)

# %% [markdown]
# ## The same over seeds
# All networks of Study Q, and of Study C at its two moduli, that answer every input right and whose rows hold these
# shares; of the kept rows, the oldest do not. *Whole*: every input is proven right.

# %%
populations = {name: faultless_or_all(read_population(*files)) for name, files in datasets.items()}
seeds = pd.concat([rows.assign(study=name[0].upper()) for name, rows in populations.items()], ignore_index=True)
seeds = seeds.dropna(subset=["certified_share_flips"])
studies = dict(tuple(seeds.groupby("study")))
columns = ["certified_share_flips", "certified_share_short", "certified_share_coarse"]
whole = {study: [share(rows[column] == 1) for column in columns] for study, rows in studies.items()}
saved = studies["Q"].coarse_over_short.dropna()
figure = drawings.draw_many(whole, ["flips", "short", "short,\ncoarse first"], saved.to_numpy())
drawn = seeds[["study", "modulus", "batch_size", "seed", *columns, "coarse_over_short"]]
save_figure(figure, f"{figures}/seeds", drawn)

# %% [markdown]
# ## Result
# Claimed of the mainline network: with k and 2k every input is certified, with k alone hardly any. The certificate of
# order p²h needs fewer operations than brute force and certifies every input too. No adversary flips a certified input.
#
# Claimed of many networks: in most, flips give every margin with a fifth of the operations of brute force; the short proof
# proves most networks of Study Q whole, and no answer of nine in ten of Study C; coarse first, half of its operations
# suffice for most networks of Study Q, for margins that are proven positive but no more.
#
# **Caveats.** Counted operations are not seconds: brute force is one matrix product, which runs at the full speed of a
# processor, and a walk does not (figures/benchmark has the seconds). Flips and channels prove the network alone, not a
# family. Neurons that are less pure than those of Study Q flip more often; there the walks save less, and channels lose
# what the cosines do not hold.

# %%
values = {
    "certified_share_k": certified_share_k(network),
    "certified_share_k_2k": certified_share_k_2k(network),
    "certified_share_identity_kept": certified_share_identity_kept(network),
    "short_margin_over_true": short_margin_over_true(network),
    "proof_operations_per_parameter": proof_operations_per_parameter(network),
    "flips_over_brute_operations": flips_over_brute_operations(network),
    "certified_share_short": certified_share_short(network),
    "coarse_over_short": coarse_over_short(network),
    "coarse_at_most_half_q": share(saved <= 0.5),
    "coarse_over_short_median": saved.median(),
    "no_short_proof_c": share(studies["C"].certified_share_short == 0),
}
record(values_file, network, values, others=further)
values

# %%
flipped = int(adversaries.filter(like="flips").to_numpy().sum())
kept, brute = ladder["k and 2k, identity part kept: factors"], ladder["brute force"]
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

# %%
for label, lines in lengths.groupby("network", sort=False):
    flips, short, coarse = (
        lines.set_index("rung").loc[rung]
        for rung in ("flips", "quadrature channels, short", "quadrature channels, short, coarse first")
    )
    say(
        f"**{label}**: flips take {100 * flips['of brute force']:.0f} % of the operations of brute force. The short "
        f"proof takes {short.operations / 1e6:.1f} million operations and certifies "
        f"{100 * short['certified share']:.1f} % of the inputs; coarse first it takes "
        f"{coarse.operations / 1e6:.1f} million.",
    )
half = values["coarse_at_most_half_q"]
say(
    f"Of {half.of} networks of Study Q, coarse first takes at most half of the operations of the short proof for {half.holds}."
)
rungs[["certified share", "smallest certified margin", "of brute force"]]
