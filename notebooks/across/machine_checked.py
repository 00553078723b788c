# %% [markdown]
# # What has a machine checked?
#
# **Claim** (this project's; [Q] ends with "we should put more effort into rigorous proofs", and for [QR] "the standard we
# adopt for mechanistic explanation is formal proof"). Nobody has to trust our programs to know that the trained networks
# add: a proof checker, Coq, accepts it as a theorem about the bits of their parameters.
#
# **Method.** Four theorems.
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
# 4. *Every modulus.* How few neurons are enough, and how few are not, and how many frequencies, whatever the modulus.
#
# Two programs are proven to find the leads. One *tries* every input. The other *walks* from flip to flip of the neurons, as
# in the notebook on certificates. Its walks may be any: Coq proves that the sums come out the same.

# %%
import pandas as pd

from modadd.certificates.checked import (
    datasets_table,
    networks_table,
    share_accepted,
    theorems_table,
    weights_table,
)
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
published_weights = {name: datasets.pop(name)[0] for name in ("kissane", "zhong_model_a") if name in datasets}
networks = {"pizza_transformer/seed0": network} | {name: load_network(file) for name, file in others.items()}
mainlines = {}
for name, title in titles.items():
    if datasets.get(name) and datasets[name][0]["checksum"] == checksum(networks[name].parameters):
        mainlines[title] = datasets[name][0]

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
table = networks_table(mainlines)
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
asked = datasets_table(datasets)
save_table(asked, f"{figures}/datasets")
asked

# %% [markdown]
# **Published weights.** Two networks whose weights others published: Kissane's two-layer MLP, and Model A of Zhong et al., whose
# attention is 1 to either position; its W_O is doubled here, which is exact in float32. The others answer with softmax
# attention, which these theorems do not speak of. What Coq said is kept in `data/proofs`, with the checksums of the file of
# weights and of what Coq read, so a build without the weights shows it too. The proofs themselves hold the weights, which are
# not ours to hand on: `python workflow/dev/keep.py weights` and `make proof PUBLISHED=yes` make them again, byte by byte.

# %%
theirs = weights_table(published_weights)
save_table(theirs, f"{figures}/published")
theirs

# %% [markdown]
# ## Every modulus
# `leads n h unit lead T` says of integer tables what `adds` says of real ones, here with h = 2 or 4 neurons. *Lines*: how
# long the file is in which the theorem is proven, with whatever else it proves.
#
# **One neuron where 5 divides n.** The notebook on smallest networks excludes one neuron mod 5 by linear programs, whose
# answers it checks in fractions. `one_neuron_fails_where_5_divides` is the same search, kept as six trees, one for each order
# in which W can fall, up to a renaming of the residues. A tree asks at one input after another whether the neuron fires there.
# Where it asks no more, it names the inequalities whose sum cannot be, and Coq adds them, in integers. A network mod 5q holds
# one mod 5, at the multiples of q, so it fails too.
#
# **How many frequencies.** In Study C a cluster of neurons answers with one cosine of a + b − c. Theorem 4.7 of [C1] says that a
# number of the order of ln n of them is enough: it draws them at random, and goes from a Taylor expansion to the size
# of a sum. `logarithmically_many_clusters_add` proves, for every n ≥ 2, composite or not, and with no randomness: for
# every m ≥ 32 ln n there are m frequencies whose cosines add with a lead of m/2. `logarithm_is_needed` proves the other
# side: such a lead at every difference needs m ≥ ln n / ln 9. So the order of ln n is needed and enough; the constants of
# the two theorems are 70 apart, and neither is near what trained networks have. The frequencies may be repeated. What
# chance does is left to the claims on random frequencies.
#
# **With weights, and in a pizza.** With any weights of at least w the same frequencies lead by w m/2
# (`weighted_clusters_add`). In a pizza each cosine comes with the factor |cos(π k (a − b)/n)|, which is next to 0 for some k at
# each a − b. Still, for every odd n and every m ≥ 64 ln n there are m frequencies that lead by m/16 at every input
# (`logarithmically_many_pizzas_add`). An even n has no such theorem: at a − b = n/2 the factor of every odd k is 0, and no
# even k tells an answer from the one that is off by n/2.
#
# **Neurons in place of cosines.** `logarithmically_many_neurons_add` proves it of networks as they are defined above: for
# every n ≥ 2 and every m ≥ 32 ln n, one of 65 m neurons, with nothing that bypasses them, adds with a lead of m/4, and all
# its logits lie between −m and m. Its 65 neurons of a frequency join values of the cosine by straight lines, 32 to a turn.
# The *relative margin* is the smallest lead as a share of the most that activations weigh: at an input, the activation of
# each neuron times the largest absolute value of its weights, summed over the neurons. That of this network is at least
# 1/67600, whatever n. And it takes so many neurons: with a relative margin above 2/q, h neurons with nothing that bypasses
# them add mod no n greater than q^h (`logarithm_of_neurons_is_needed`). So for a relative margin that does not fall with n
# a number of the order of ln n is needed, and for one of 1/67600 it is enough.
#
# **One frequency.** For odd n and odd h ≥ 5, `one_frequency_adds` proves of h evenly spaced neurons of one frequency that
# they add if 4 sin³e/(3√3 cos e cos 2e) is less than tan(π/n), with e = π/(2h): the boxes in place of the integral then turn
# the answer by less than half a step. For large h that is n < (6√3/π²) h³, the law of the notebook on smallest networks, and
# the neurons' logits are written down exactly, without a series. `one_frequency_leads` says by how much the right answer
# leads: with s = π/n, by at least 2 sin²s/sin 3e · |cos(π (a − b)/n)| times `left_of_lead`, which is cos e cos 2e − 4
# sin³e/(3√3 tan s). For large h, and n far below h³, that is nearly what the integral gives, 4h/(3π) sin²s |cos(π (a −
# b)/n)|. `cube_root_is_enough` says without angles that they add, with room: 5 n ≤ 2 h³. And `cube_root_is_needed` says that
# from n = 2 h³ on these neurons fail, odd n or not. So of evenly spaced neurons of one frequency a number of the order of the
# cube root of n is needed and enough. Of others nothing is proven.

# %%
in_words = {
    "two_neurons_add": "Two neurons add mod every n.",
    "four_neurons_add": "Four neurons add mod every n, and nothing bypasses them.",
    "two_real_neurons_add": "The two neurons add as a network of real numbers.",
    "no_neuron_fails": "No network without neurons adds, from n = 2 on.",
    "two_neurons_without_bypass_fail": "No two neurons add if nothing bypasses them, from n = 2 on.",
    "one_neuron_without_bypass_fails": "Nor does one.",
    "one_neuron_fails_where_4_divides": "No neuron alone adds mod n if 4 divides n, whatever bypasses it.",
    "one_neuron_fails_where_5_divides": "Nor does one mod n if 5 divides n.",
    "logarithm_is_needed": "A lead of half the frequencies' number at every difference needs ln n / ln 9 of them.",
    "logarithmically_many_clusters_add": "From 32 ln n on there are frequencies whose cosines add with that lead.",
    "weighted_clusters_add": "They add with weights too, by the smallest weight times that lead.",
    "logarithmically_many_pizzas_add": "From 64 ln n on there are pizzas that add, for odd n, with a sixteenth as lead.",
    "logarithmically_many_neurons_add": "From 32 ln n on, 65 m neurons add with a constant relative margin.",
    "logarithm_of_neurons_is_needed": "With a relative margin above 2/q, n is at most q to the number of neurons.",
    "one_frequency_leads": "The right answer leads by nearly what the integral gives, less what the boxes turn it by.",
    "one_frequency_adds": "Evenly spaced neurons of one frequency add if the angle they turn an answer by is small enough.",
    "cube_root_is_enough": "So do h evenly spaced neurons for odd n and odd h, from 5 on, if 5 n is at most 2 h³.",
    "cube_root_is_needed": "These neurons fail, odd h from 5 on, if n is at least 2 h³.",
}

# %%
pd.set_option("display.max_colwidth", None)  # words to their end
theorems = theorems_table(general["theorems"], in_words)
save_table(theorems, f"{figures}/theorems")
theorems[["theorem", "in words", "lines", "axioms"]]

# %%
say_in_coq(theorems.statement)

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
# parameter below 2⁻¹²⁶, which some machines read as 0: a network with one is refused. The
# theorems about real tables for every modulus stand on the two axioms of Coq's real numbers, those about cosines on one
# or two more of its analysis; those of two and of four neurons in integers stand on none. Three neurons without C and D, and one
# neuron with them where neither 4 nor 5 divides n, are not among them.

# %%
asked_here = checked_here and not kept
every_one = asked_here or len(mainlines) == len(titles)  # a kept proof says nothing of other bits
values = {
    "mainlines_accepted": table.accepted.sum() / len(titles) if every_one else None,
    "mainlines_accepted_as_they_run": table["accepted as it runs"].sum() / len(titles) if every_one else None,
    "networks_accepted": share_accepted(datasets) if asked_here else None,
    "walked_over_tried": table["walked over tried"].max() if every_one and len(table) else None,
    "theorems_for_every_modulus": len(theorems) if checked_here else None,
}
for name in ("kissane", "zhong_model_a"):
    accepted = published_weights[name]["accepted"] if name in published_weights else None
    values[f"{name}_accepted"] = None if accepted is None else float(accepted)
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
