# %% [markdown]
# # What does Coq prove for every modulus?
#
# **Question.** How few neurons are enough to add mod n, and how few are not, and how many frequencies, whatever n is?
# Here are the theorems that the proof checker Coq accepts about it. No trained network is spoken of; those are in the
# notebook on [what a machine has checked](machine_checked.html), which also says what one has to believe.
#
# **Method.** A network is five tables, of whole or of real numbers. It *adds* mod n if at every (a, b) the right answer
# has a greater logit than any other. `leads n h unit lead T` says of integer tables what `adds` says of real ones, here
# with h = 2 or 4 neurons.

# %%
import pandas as pd

from modadd.certificates.checked import theorems_table
from modadd.core.files import read_json
from modadd.networks.store import load_network
from modadd.plots.figures import save_table
from paper.coq import ABSENT
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"  # of which the record says what stands in it
proofs = {}  # files with what Coq says, by network; that about every modulus is among them
figures = "results/by_hand/every_modulus"
values_file = "results/by_hand/every_modulus.json"
published = {}  # no source has such a proof

# %%
general = read_json(proofs["theorems"][0]) if proofs else {"theorems": []}
checked_here = bool(proofs) and "not_compiled" not in general
if not checked_here:
    say(f"Nothing was checked in this build: {general.get('not_compiled', 'it ' + ABSENT)}.")
elif "data/proofs" in proofs["theorems"][0]:
    say("This build shows what Coq accepted before. `make proof` lets Coq prove it here.")

# %% [markdown]
# ## One neuron where 5 divides n
# The notebook on smallest networks excludes one neuron mod 5 by linear programs, whose answers it checks in fractions.
# `one_neuron_fails_where_5_divides` is the same search, kept as six trees, one for each order in which W can fall, up
# to a renaming of the residues. A tree asks at one input after another whether the neuron fires there. Where it asks no
# more, it names the inequalities whose sum cannot be, and Coq adds them, in integers. A network mod 5q holds one mod 5,
# at the multiples of q, so it fails too.

# %% [markdown]
# ## How many frequencies
# In Study C a cluster of neurons answers with one cosine of a + b − c. Theorem 4.7 of [C1] says that a number of the
# order of ln n of them is enough: it draws them at random, and goes from a Taylor expansion to the size of a sum.
# `logarithmically_many_clusters_add` proves, for every n ≥ 2, composite or not, and with no randomness: for every m ≥
# 32 ln n there are m frequencies whose cosines add with a lead of m/2. `logarithm_is_needed` proves the other side:
# such a lead at every difference needs m ≥ ln n / ln 9. So the order of ln n is needed and enough; the constants of the
# two theorems are 70 apart, and neither is near what trained networks have. The frequencies may be repeated. What
# chance does is left to the claims on random frequencies.

# %% [markdown]
# ## With weights, and in a pizza
# With any weights of at least w the same frequencies lead by w m/2 (`weighted_clusters_add`). In a pizza each cosine
# comes with the factor |cos(π k (a − b)/n)|, which is next to 0 for some k at each a − b. Still, for every odd n and
# every m ≥ 64 ln n there are m frequencies that lead by m/16 at every input (`logarithmically_many_pizzas_add`). An
# even n has no such theorem: at a − b = n/2 the factor of every odd k is 0, and no even k tells an answer from the one
# that is off by n/2.

# %% [markdown]
# ## Neurons in place of cosines
# `logarithmically_many_neurons_add` proves it of networks: for every n ≥ 2 and every m ≥ 32 ln n, one of 65 m neurons,
# with nothing that bypasses them, adds with a lead of m/4, and all its logits lie between −m and m. Its 65 neurons of a
# frequency join values of the cosine by straight lines, 32 to a turn. The *relative margin* is the smallest lead as a
# share of the most that activations weigh: at an input, the activation of each neuron times the largest absolute value
# of its weights, summed over the neurons. That of this network is at least 1/67600, whatever n. And it takes so many
# neurons: with a relative margin above 2/q, h neurons with nothing that bypasses them add mod no n greater than q^h
# (`logarithm_of_neurons_is_needed`). So for a relative margin that does not fall with n a number of the order of ln n
# is needed, and for one of 1/67600 it is enough.

# %% [markdown]
# ## One frequency
# For odd n and odd h ≥ 5, `one_frequency_adds` proves of h evenly spaced neurons of one frequency that they add if 4
# sin³e/(3√3 cos e cos 2e) is less than tan(π/n), with e = π/(2h): the boxes in place of the integral then turn the
# answer by less than half a step. For large h that is n < (6√3/π²) h³, the law of the notebook on smallest networks,
# and the neurons' logits are written down exactly, without a series. `one_frequency_leads` says by how much the right
# answer leads: with s = π/n, by at least 2 sin²s/sin 3e · |cos(π (a − b)/n)| times `left_of_lead`, which is cos e cos
# 2e − 4 sin³e/(3√3 tan s). For large h, and n far below h³, that is nearly what the integral gives, 4h/(3π) sin²s
# |cos(π (a − b)/n)|. `cube_root_is_enough` says without angles that they add, with room: 5 n ≤ 2 h³. And
# `cube_root_is_needed` says that from n = 2 h³ on these neurons fail, odd n or not. So of evenly spaced neurons of one
# frequency a number of the order of the cube root of n is needed and enough. Of others nothing is proven.

# %% [markdown]
# ## All theorems
# *Lines*: how long the file is in which the theorem is proven, with whatever else it proves. *Axioms*: what it stands
# on.

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
say("\n".join(["```coq", "\n\n".join(theorems.statement), "```"]))

# %% [markdown]
# ## Result
# Two neurons are enough for every n, if tables bypass them. For a lead of half of their number, frequencies of the
# order of the logarithm of n are needed and enough. Of evenly spaced neurons of one frequency the order of the cube
# root is.
#
# **Caveats.** The theorems about real tables stand on the two axioms of Coq's real numbers, those about cosines on one
# or two more of its analysis; those of two and of four neurons in integers stand on none. Three neurons without C and
# D, and one neuron with them where neither 4 nor 5 divides n, are not among them.

# %%
values = {"theorems_for_every_modulus": len(theorems) if checked_here else None}
record(values_file, load_network(network_file), values)
values
