# %% [markdown]
# # Does what is understood of the neurons prove the answers of a network?
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
# network alone does not show that.
#
# What is taken off can be found in several ways. For one family none is both cheaper and better, so they form a
# *ladder*. Its rungs are explained below, each beside what it proves.
#
# **Rounding.** All is computed in float64, and the most that rounding can do is taken off every margin (γ_n bounds over
# all sums, and over the products that make the tables from the stored float32 weights). So a certified margin is one of
# the real-number network of the stored weights, and of its float64 tables evaluated in any order of summation.

# %%
import numpy as np
import pandas as pd

from modadd.certificates.adversaries import against
from modadd.certificates.certify import for_stored_weights
from modadd.certificates.explained import explain
from modadd.certificates.explained_measures import (
    certified_share_identity_kept,
    certified_share_k,
    certified_share_k_2k,
)
from modadd.certificates.ladder import PROOFS
from modadd.certificates.proof_costs import ladder_table, noise_budget
from modadd.core.separable import margins
from modadd.networks.registry import as_separable
from modadd.networks.store import load_network
from modadd.plots import certificates as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/certificates"
values_file = "results/by_hand/certificates.json"
published = {}  # nothing is printed about certificates of whole networks
members, seed = 60, 0  # random members of the family tried as adversaries, and their seed

# %%
use_style()
network = load_network(network_file)
separable = as_separable(network)
true, n = margins(separable.logits()), separable.modulus
ladder = {rung: for_stored_weights(proof(separable), network) for rung, proof in PROOFS.items()}

# %% [markdown]
# ## The ladder
# *Operations* count the terms of all sums and the evaluated activations, with p residues, h neurons and F frequencies. *Per
# parameter* divides them by p·h, the layer's effective number of parameters, which [Q] App. B.1 hopes to go below. The certified margin is the room that is left under all
# noise; the *cost of the proof* is the true margin less the certified one. A name says what is explained, *k* or *k and
# 2k*, and how the noise is summed.

# %%
table = ladder_table(ladder, true, parameters=n * separable.width)
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
# ### Proofs of the network alone
# Quadrature channels, flips and brute force leave the explained network: they prove nothing of a family. The notebook on
# [short proofs](short_proofs.html) says how they work, and what they cost on other networks.

# %%
rungs.filter(regex="channels|flips|brute", axis="index")

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
budget = noise_budget(families)
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
# ## Result
# Claimed of most networks of Study Q: with k and 2k every input is certified, and with the identity part kept by a certificate
# of order p²h, which needs fewer operations than brute force. Shown, and not judged: no adversary flips a certified input.
#
# **Caveat.** Counted operations are not seconds: brute force is one matrix product, which runs at the full speed of a
# processor (figures/benchmark has the seconds).

# %%
measures = (certified_share_k, certified_share_k_2k, certified_share_identity_kept)
values = {measure.__name__: measure(network) for measure in measures}
record(values_file, network, values)
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
    "of brute force.",
)
rungs[["certified share", "smallest certified margin", "of brute force"]]
