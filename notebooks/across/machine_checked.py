# %% [markdown]
# # What has a machine checked?
#
# **Claim** (this project's; [Q] ends with "we should put more effort into rigorous proofs", and for [QR] "the standard we
# adopt for mechanistic explanation is formal proof"). Nobody has to trust our programs to know that the trained networks
# add: a proof checker, Coq, accepts it as a theorem about the bits of their parameters.
#
# **Method.** Three theorems of each network.
#
# 1. *A ball of networks.* The tables A, B, W, C, D are printed as whole numbers of units of 2⁻¹⁶. Every network whose real
#    tables lie within two units of them, entry by entry, answers every input right. So do all within half a unit, whose
#    rounded tables these are. The lemma behind it: ReLU never increases the distance of two numbers, so every factor of
#    a logit is known to within a few units, and so is the logit. A program computes with the whole numbers only. It has
#    to find that the right answer leads by more than the ball can take.
# 2. *The trained network.* The parameters are float32: 32 bits each. From these bits Coq computes the tables in fixed
#    point, with a proven bound on every rounding, and finds them in the ball. It also proves that the separable form has
#    the logits of the network's forward pass. So the theorem speaks of the forward pass, computed without any rounding.
# 3. *The network that runs.* A machine rounds after every operation, and adds in an order that its library chooses. Coq
#    proves that with float32 arithmetic the right answer still has the greatest of the computed logits: in whatever order
#    each sum is taken, and with fused operations or without. All that it assumes of an operation is the standard model:
#    its result is off by at most the share 2⁻²⁴ of it, or by less than the smallest normal number. A program bounds, layer
#    by layer and at any input, how far computed numbers lie from exact ones: by what the layer before is off by, times
#    the weights, and by a rounding for each term of a sum. How large the exact numbers are it computes from the tables.
#
# Two programs are proven to find the leads. One *tries* every input. The other *walks* from flip to flip of the neurons, as
# in the notebook on short proofs. Its walks may be any: Coq proves that the sums come out the same.
#
# **Neighbours.** The idea is not new. Gross computes in Coq, with its floats, that a trained network answers all 8,192 inputs;
# the step from there to real numbers is assumed (JasonGross/neural-net-coq-interp on GitHub). Murray proves how far ReLU
# networks in floats can lie from exact ones, so that a bound on robustness survives (arXiv 2603.13334). Szász, Bánhelyi and Jelasity
# mislead verifiers by the order in which sums are taken (arXiv 2506.01054). A later submission bounds rounding for every order
# (OpenReview 5IHuwRwMHK), in programs that nobody proves. Verifiers of C programs solve 11 % of 912 tasks on networks
# (NeuroCodeBench 2.0, arXiv 2510.23389). What these leave open is put together here: trained float32 networks, from their stored
# bits, for every order of the sums, checked to the last step by Coq.

# %%
from modadd.certificates import checked
from modadd.certificates.formal import checksum
from modadd.core.files import read_json
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from paper.coq import ABSENT, LOGIC
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {}  # the files of the further networks
proofs = {}  # files with what Coq says, or has said of kept ones, by network or population
figures = "results/by_hand/machine_checked"
values_file = "results/by_hand/machine_checked.json"
published = {}  # no source has such a proof

# %%
use_style()
network = load_network(network_file)
titles = {"pizza_transformer/seed0": "Q, pizza transformer", "two_layer_mlp/seed0": "M, two-layer MLP"}
titles |= {"c91_batch/exhibit": "C, exhibit"}
general = read_json(proofs["theorems"][0]) if proofs else {"theorems": [], "definitions": []}
datasets = {}
for name, files in proofs.items():
    if name != "theorems":
        datasets[name] = [found for file in files for found in read_json(file)["networks"]]
published_weights = {name: datasets.pop(name)[0] for name in checked.PUBLISHED if name in datasets}
networks = {"pizza_transformer/seed0": network} | {name: load_network(file) for name, file in others.items()}
checksums = {name: checksum(one.parameters) for name, one in networks.items()}
mainlines = checked.read_exactly(titles, datasets, checksums)

# %%
kept = any("data/proofs" in file for name in datasets for file in proofs[name])
checked_here = bool(proofs) and "not_compiled" not in general
if not checked_here:
    say(f"Nothing was checked in this build: {general.get('not_compiled', 'it ' + ABSENT)}.")
if kept:
    versions = ", ".join(sorted({found["coq"] for dataset in datasets.values() for found in dataset}))
    say(
        f"This build shows what Coq {versions} accepted before. {len(mainlines)} of the {len(titles)} networks at hand have, by "
        "their checksum, exactly the bits that it read. `make proof` lets Coq read them here."
    )

# %% [markdown]
# ## The statement, in words and in Coq
# A network is five real tables. Its logit of c at (a, b) is the sum over its neurons, plus what bypasses them. It *adds* mod
# n if at every (a, b) the right answer has a greater logit than any other. A network is *near* whole numbers if no entry is
# further from its number than r units. A parameter's *value* is what the standard of floating-point numbers says of its bits.
# `float32 X w r c` is that of row r and column c of a table of bits, w to the row; the table is *of size* m × w if it has so
# many entries and no fewer, as Coq reads 0 beyond an end. The transformer's logits are those of its
# forward pass, with attention one half to either position. These are all the definitions that its theorems speak of.
#
# An *expression* is a way of computing a number. It *gives* what a machine may get, with a rounding of each result. *Sums* are
# all ways of adding some terms: each order, each grouping, each choice of fused products. `pizza_runs a b c e` says that e
# is a way of computing the logit of c at (a, b) by the forward pass.


# %%
def say_in_coq(texts):
    """Show definitions and theorems as Coq reads them."""
    say("\n".join(["```coq", "\n\n".join(texts), "```"]))


say_in_coq(general["definitions"])

# %% [markdown]
# And the theorems about the mainline of Study Q, whose tables and bits stand above them in the file. Their proofs name a
# lemma and leave a program to Coq, which has to end in `true`.

# %%
say_in_coq([found["statement"].strip() for found in mainlines.values()][:1])

# %% [markdown]
# ## What one has to believe
# 1. *Coq's kernel*, with its virtual machine and its integers of 63 bits and their arrays. That these compute as they say is
#    assumed in axioms: Coq lists them. The two others belong to its real numbers: a property of whole numbers holds for
#    all or fails for some (`sig_forall_dec`), and functions that are equal everywhere are equal
#    (`functional_extensionality_dep`). A network counts as accepted only if no theorem about it stands on anything else,
#    by name and type (`Assumed.v` lists both); what else there is, is named last. `make proof CHECK=yes` lets a second program, coqchk, check the finished proofs
#    again without the virtual machine, a few minutes for each.
# 2. *The statement*: the definitions above, and the forward pass in `Architectures.v`, which is as short as the published one.
# 3. *From file to integers*: that the numbers in the theorem are the bits of the network's file. A program copies them. The
#    heads of the transformer are put side by side on the way, and the two halves of W_in of the embedding MLP apart. The
#    files that Coq read are kept, in `results/proofs`; `data/proofs/bits.py`, which is short and imports nothing of
#    ours, compares one with the file of a network.
#
# Neither the float arithmetic of this project nor how the tables were rounded need be believed, nor the order of the walks.


# %%
def named(axioms):
    """Names of axioms, as code."""
    return ", ".join(f"`{name}`" for name in axioms) or "none"


used = sorted({axiom for found in mainlines.values() for axiom in found["axioms"]})
of_this_project = {name for dataset in datasets.values() for found in dataset for name in found["own_axioms"]}
say(
    f"Axioms of logic and real numbers: {named(name for name in used if name in LOGIC)}. Primitive types and operations, and "
    f"axioms about these: {named(name for name in used if name not in LOGIC)}. Axioms of this project: "
    f"{named(sorted(of_this_project))}."
)

# %% [markdown]
# ## What it costs
# *Operations* are terms that a program adds and activations that it compares, for the walks with the search for the flips.
# *Margin*: the smallest lead of a right answer, in logit units. *Ball*: what the ball can take off a lead. *Rounding*: a
# bound on what float32 arithmetic can take off it besides, whatever the order of the sums.

# %%
table = checked.networks_table(mainlines)
save_table(table, f"{figures}/networks")
table

# %%
figure, (ax,) = panels(1, columns=1, height=2.2)
for index, (kind, colour) in enumerate(zip(("tried", "walked"), COLOURS, strict=False)):
    heights = [row + 0.2 - 0.4 * index for row in range(len(table))]
    ax.barh(heights, table[kind] / 1e6, 0.4, color=colour, label=kind)
ax.set_yticks(range(len(table)), table.network)
ax.invert_yaxis()
ax.set(xlabel="operations (millions)")
figure.legend(*ax.get_legend_handles_labels(), loc="outside right upper")
save_figure(figure, f"{figures}/operations", table[["network", "tried", "walked"]])

# %% [markdown]
# The same program for every network of this build whose weights are kept: of a file with more, the first ones. *Right*:
# networks that answer every input right, by our own arithmetic; Coq is asked about these alone. *As they run*: those whose
# margin has room for the rounding too; of the others the theorem about real numbers alone is asked for.

# %%
asked = checked.datasets_table(datasets)
save_table(asked, f"{figures}/datasets")
asked

# %% [markdown]
# **Published weights.** Two networks whose weights others published: Kissane's two-layer MLP, and Model A of Zhong et al., whose
# attention is 1 to either position; its W_O is doubled here, which is exact in float32. The others answer with softmax
# attention, which these theorems do not speak of. What Coq said is kept in `data/proofs`, with the checksums of the file of
# weights and of what Coq read, so a build without the weights shows it too. The proofs themselves hold the weights, which are
# not ours to hand on: `python workflow/dev/keep.py weights` and `make proof PUBLISHED=yes` make them again, byte by byte.

# %%
theirs = checked.weights_table(published_weights)
save_table(theirs, f"{figures}/published")
theirs

# %% [markdown]
# ## Result
# Read below which of the mainlines of Studies Q and M and the exhibit of Study C Coq accepts to add, as networks of real
# numbers, and as float32 networks that run.
#
# **How it relates to other proofs.** The notebooks on certificates and short proofs bound margins too, tighter and with
# fewer operations, in floating-point programs that a reader has to trust. Here the programs are slower and need no trust.
# Gross et al. (arXiv 2406.11779) prove bounds on the accuracy of small transformers that find the greatest of several
# numbers. They measure a proof by its length and by how tight it is, on paper and in floating point. The walks are such a
# shorter proof: that neurons are cosines of few frequencies makes it shorter, and no part of it rests on that. Nor are
# these the first trained networks that a proof checker accepts: one that computes parity was proven before. Ours are
# float32 networks with ReLUs, for a + b mod n, from their stored bits.
#
# **Caveats.** What is proven is that these networks add, and not why. A proof from the mechanism itself, from k and 2k alone,
# is only in the certificates. That Coq's integers compute as they say is assumed, and so is that its kernel has no fault.
# Training is not spoken of, and of the arithmetic of a network that runs only what keeps to the standard model: not
# factors that are rounded to fewer bits before they are multiplied (TF32, bfloat16), no number that overflows, and no
# parameter below 2⁻¹²⁶, which some machines read as 0: a network with one is refused. What is proven of every modulus
# stands in [another notebook](every_modulus.html).

# %%
values = checked.answers(mainlines, len(titles), datasets, published_weights, checked_here and not kept)
record(values_file, network, values)
values

# %%
say(about(network))
for _, row in table.iterrows():
    accepted, as_it_runs = ("accepted" if row[name] else "not accepted" for name in ("accepted", "accepted as it runs"))
    say(
        f"**{row.network}**: {accepted}, {as_it_runs} as it runs; from {row.parameters:,} parameters; the ball takes "
        f"{100 * row.ball / row.margin:.1f} % of the smallest margin, rounding at most "
        f"{100 * row.rounding / row.margin:.1f} %; the walks take {100 * row['walked over tried']:.0f} % of the operations."
    )
