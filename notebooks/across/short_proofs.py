# %% [markdown]
# # How short can a proof of every answer be?
#
# **Claim** (open in [Q] §5: a bound that is cheaper than trying every input and approaches the truth). A network can be proven
# right for less than brute force: neurons that are cosines of few frequencies rarely turn on or off.
#
# **Method.** The *margin* of an input is its right logit less the best wrong one; a proof *certifies* the input if the margin is
# positive, less all that was left out and all that rounding can do. Proofs are compared by their *operations*: terms of sums,
# evaluated activations, and the sort and search for the flips. Two kinds of proof, below, are of the network alone; those of the
# notebook on [certificates](certificates.html), which prove a whole family of networks, stand next to them.

# %%
import pandas as pd

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
from modadd.populations.short_proofs import rows_with_proofs, without_short_proof
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
figures = "results/by_hand/short_proofs"
values_file = "results/by_hand/short_proofs.json"
published = {}  # nothing is printed about certificates of whole networks

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP"}
stored = {titles[one.recipe.architecture]: one for one in (network, *further.values())}
published_weights = {name: load_external(path).separable() for name, path in sorted(external.items())}
published_weights = {name: tables for name, tables in published_weights.items() if tables is not None}
separables = {label: as_separable(one) for label, one in stored.items()} | published_weights
say(f"Networks of others: {', '.join(published_weights) or 'none'}.")

# %% [markdown]
# ## Quadrature channels
# Every activation is taken as it is, but reaches the logits through five sums per frequency only, those against α_i,
# α_i cos φ_i, α_i sin φ_i, α_i cos 2φ_i and α_i sin 2φ_i. The rest of activations and W is bounded by Cauchy–Schwarz. *Short*: the size of that rest is bounded by walks too, as of flips below, so that no
# sum runs over all neurons at all inputs. *Coarse first*: the right answer leads the answer t − d by what hardly depends
# on more than a − b and d. So each pair of these is bounded once, for all inputs; only pairs for which that does not
# suffice are looked at input by input.

# %% [markdown]
# ## Flips, and brute force
# Flips give every logit as it is. Σ ReLU(u) W_i = Σ 1[u > 0] A_i(a) W_i + Σ 1[u > 0] B_i(b) W_i. In the first sum fix a
# and walk b in the order of k b mod n, k the frequency of the neuron. Along the walk the sum changes only where a neuron
# turns on or off, which a cosine does at most twice. The second sum walks a. Dead neurons, which are noise, are left
# out, and the most that they can add is taken off. Brute force sums all neurons at all inputs.

# %% [markdown]
# ## Length of the proof against what it proves
# Operations are terms of sums, evaluated activations, and the sort and search for the flips; *of brute force* divides
# them by those of brute force for the same network. If A = B the walks along a and b are the same and are taken once;
# brute force makes no use of that here.
# *Tightness*: median over the inputs of the certified margin over the true one; proofs whose median is below 0 are drawn
# at 0. A rung is *dominated* if another one takes fewer operations and proves at every input as much of the same: about
# the network, or about the same family of networks. Rungs that are dominated on every network are not kept.

# %%
compared = (*CHEAPER, "brute force")  # the other rungs cost more than brute force
tables = []
for label, separable in separables.items():
    certificates = {rung: PROOFS[rung](separable) for rung in compared}
    rungs = proof_costs(certificates, margins(separable.logits()), stored.get(label))
    tables.append(rungs.assign(network=label))
lengths = pd.concat(tables)
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
seeds = rows_with_proofs(populations)
studies = dict(tuple(seeds.groupby("study")))
columns = ["certified_share_flips", "certified_share_short", "certified_share_coarse"]
whole = {study: [share(rows[column] == 1) for column in columns] for study, rows in studies.items()}
saved = studies["Q"].coarse_over_short.dropna()
figure = drawings.draw_many(whole, ["flips", "short", "short,\ncoarse first"], saved.to_numpy())
drawn = seeds[["study", "modulus", "batch_size", "seed", *columns, "coarse_over_short"]]
save_figure(figure, f"{figures}/seeds", drawn)

# %% [markdown]
# ## Result
# Claimed of many networks: in most, flips give every margin with a fifth of the operations of brute force; the short proof
# proves most networks of Study Q whole, and no answer of nine in ten of Study C. Coarse first, it takes fewer operations, for
# margins that are proven positive but no more; the last line says for how many networks these are at most half.
#
# **Caveats.** Counted operations are not seconds: brute force is one matrix product, which runs at the full speed of a
# processor, and a walk does not (figures/benchmark has the seconds). Neurons that are less pure than those of Study Q flip
# more often; there the walks save less, and channels lose what the cosines do not hold.

# %%
measures = (
    short_margin_over_true,
    proof_operations_per_parameter,
    flips_over_brute_operations,
    certified_share_short,
    coarse_over_short,
)
values = {measure.__name__: measure(network) for measure in measures} | {
    "coarse_at_most_half_q": share(saved <= 0.5),
    "coarse_over_short_median": saved.median(),
    "no_short_proof_c": without_short_proof(studies["C"]),
}
record(values_file, network, values, others=further)
values

# %%
say(about(network))
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
    f"Of the {half.of} networks of Study Q that the short proof certifies whole, coarse first takes at most half of its "
    f"operations for {half.holds}.",
    f"The cheapest proof of every answer takes {values['proof_operations_per_parameter']:.0f} operations per parameter.",
)
