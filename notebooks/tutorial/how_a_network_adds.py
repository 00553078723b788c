# %% [markdown]
# # How a network adds, from scratch
#
# **Claim** (the whole story in four sentences). A trained network adds with waves. Every neuron carries one cosine. The
# neurons of one frequency sum rectangles under a curve, and the area is a wave whose top is the right answer. A few
# frequencies together leave no other answer.
#
# **Method.** You follow one trained network from a single neuron to a proof, in a quarter of an hour. Eight questions
# go with it; try each before you open its answer.
#
# **The task.** Modulo n one adds as on the face of a clock with n hours: after n − 1 comes 0. The network gets two
# numbers a and b below n. To each possible answer c it gives a number, its *logit*. The largest logit is its answer,
# and it should be the remainder of a + b. It saw most pairs in training, with their answers, and no word about adding.
#
# **The network.** All of its parts boil down to h neurons. Neuron i has three lists of n numbers, A_i, B_i and W_i:
#
# $$ \operatorname{logit}(c) = \sum_{i=1}^{h} \operatorname{ReLU}(A_i(a) + B_i(b)) \, W_i(c) \; + \; \text{a rest that
# bypasses the neurons}, \quad \operatorname{ReLU}(u) = \max(u, 0). $$

# %%
import numpy as np

from modadd.certificates.certify import certify, for_stored_weights
from modadd.core.neurons import neurons_of, three_dfts
from modadd.core.separable import centred, margins
from modadd.crt.clusters import clusters_of, strongest
from modadd.crt.contributions import contribution
from modadd.networks.store import load_network
from modadd.plots import how_a_network_adds as drawings
from modadd.plots.figures import save_figure, use_style
from modadd.quadrature.activations import ABSOLUTE_ACTIVATION, even_nodes_error, nodes_needed
from modadd.quadrature.scheme import INTEGRAL, schemes_of
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {"embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors"}
figures = "results/by_hand/how_a_network_adds"
values_file = "results/by_hand/how_a_network_adds.json"
published = {}  # nothing is printed about the tutorial
example = [17, 25]  # a and b
most_clusters = 5  # drawn, strongest first
share = 0.01  # of the integral, that a sum of rectangles may err by in a question

# %%
use_style()
network = load_network(network_file)
separable, neurons = network.separable(), neurons_of(network.separable())
n, k = neurons.modulus, neurons.strongest(1)[0]
a, b = (number % n for number in example)
right = (a + b) % n
members = np.flatnonzero(neurons.frequency == k)
i = members[np.argmax((neurons.alpha * neurons.beta)[members])]
say(about(network), f"Here n = {n}, h = {separable.width}, and the example is {a} + {b} ≡ {right}.")

# %% [markdown]
# ## 1. One neuron is one cosine
# Left is what one neuron receives from a: the points A_i(a), and through them a cosine. It looks wild, as it makes k
# periods while a goes from 0 to n − 1. In the middle the same points stand in the order of the remainder of k·a: now
# they make one period. Right, W_i, what the neuron sends to the answers, in the same order. So the neuron has a
# *frequency* k and two *phases*, φ and ψ, which say where its waves begin. With w = 2πk/n:
#
# $$ A_i(x) \approx B_i(x) \approx \alpha_i \cos(w x + \varphi_i), \quad W_i(c) \approx \beta_i \cos(w c + \psi_i). $$

# %%
figure, numbers = drawings.one_neuron(separable, neurons, i)
save_figure(figure, f"{figures}/one_neuron", numbers)
say(f"This is neuron {i} of {separable.width}, with k = {k}. On the left its wave makes {k} periods.")

# %% [markdown]
# **Question 1.** By which d must a grow so that the neuron's wave moves on by its smallest step, an n-th of a period?
# These are the inputs that look most alike to the neuron.
#
# <details><summary>Answer</summary>The wave moves on by k·d/n periods, and whole periods do not count. So k·d must
# leave the remainder 1 modulo n: d is the inverse of k, in Python <code>pow(k, -1, n)</code>. (If k and n share a
# factor g, the smallest step is g/n.)</details>

# %% [markdown]
# ## 2. The law of the phases
# Two cosines of one frequency add up to cos(wa + φ) + cos(wb + φ) = 2 cos(w(a − b)/2) · cos(w(a + b)/2 + φ). So the
# difference of a and b sets the strength only, and the sum enters as an angle: with θ = w(a + b), the neuron receives
# cos(θ/2 + φ). It should help a logit whose wave depends on θ itself, *twice* that angle. Trained neurons do so:
# ψ = 2φ. Left are the waves of neurons of this frequency, which differ in their phase; right, ψ against φ for all of them.

# %%
figure, numbers = drawings.draw_phase_law(separable, neurons, members)
save_figure(figure, f"{figures}/phases", numbers)

# %% [markdown]
# **Question 2.** We write a network down by hand, with phases φ spread evenly and ψ = m·φ. For which m does it answer
# every input right? Try 1, 2, 3 and −2, too.
#
# <details><summary>Answer</summary>Only m = 2. |cos(θ/2 + φ)| repeats when φ grows by π, where an odd m·φ turns the
# outgoing wave over: the two cancel. With m = −2 the sum is cos(θ + wc), largest at c = −(a + b). (One version of the paper
# prints this sign.) With any other even m the wave follows another multiple of θ.</details>

# %% [markdown]
# ## 3. Rectangles under a curve
# ReLU(u) is half of |u| and half of u, and the second half adds no wave in a + b. With ψ = 2φ each neuron then adds, to
# the logit of c, a multiple w_i of h(φ_i) = |cos(θ/2 + φ_i)| cos(wc + 2φ_i). Scale the w_i, which are α_i β_i, so that
# they sum to a full turn. Then the sum over the neurons is made of *rectangles*, of width w_i and height h(φ_i), and
#
# $$ \sum_i w_i \, h(\varphi_i) \approx \int_{-\pi}^{\pi} h(\varphi) \, d\varphi = \frac{4}{3} \cos(\theta - w c). $$
#
# This is a wave over c, and its top is at c = a + b. Left, the rectangles at the right answer; in the middle, at an
# answer where their areas cancel; right, the sum for every c.

# %%
figure, numbers = drawings.rectangles(schemes_of(neurons)[k], right)
save_figure(figure, f"{figures}/rectangles", numbers)

# %% [markdown]
# **Question 3.** How large is the area under |cos φ| cos 2φ from −π to π, the curve for a + b = c = 0?
#
# <details><summary>Answer</summary>Twice the integral of cos φ (1 − 2 sin²φ) from −π/2 to π/2, which is [sin φ −
# (2/3) sin³φ]: 2 (2 − 4/3) = 4/3.</details>

# %% [markdown]
# ## 4. How many rectangles are enough?
# The slope of h is at most 2, so a rectangle of width v errs by at most 2·v²/4. N evenly spread neurons have the width
# v = 2π/N, and together they err by at most N·v²/2 = 2π²/N: the more neurons, the nearer to the integral.
#
# **Question 4.** By this bound, how many neurons keep the error at or below a hundredth of 4/3?
#
# <details><summary>Answer</summary>The least whole N with 2π²/N ≤ 4/300, which is 1481.</details>

# %%
of_bound = [even_nodes_error(ABSOLUTE_ACTIVATION, m) / (2 * np.pi**2 / m) for m in range(1, 101)]
really = nodes_needed(ABSOLUTE_ACTIVATION, share * INTEGRAL)
say(
    f"Counted, {really} neurons are enough. Errors of neighbours cancel, of which the bound knows nothing: for up to "
    f"{len(of_bound)} neurons the error is at most {max(of_bound):.2f} of the bound."
)

# %% [markdown]
# ## 5. What goes wrong with one frequency
# One frequency gives the logits one wave, cos w(c − a − b). Left it is drawn over c − a − b: at some wrong answers, the
# open circles, it is nearly as high as at the right one. In the middle are the waves of all frequencies of the network,
# added up with equal heights. They meet at the right answer only. Right are the network's own logits for the example.

# %%
figure, numbers = drawings.one_and_several(neurons, k, centred(separable.logits()[a, b]), right)
save_figure(figure, f"{figures}/one_and_several", numbers)

# %% [markdown]
# **Question 5.** One wave has the height 1 at the right answer. How much lower is it at the best wrong one?
#
# <details><summary>Answer</summary>1 − cos(2π/n): some wrong answer is one n-th of a period away, d of question 1.</details>
#
# **Question 6.** Choose at most four frequencies from 1 to n/2. Their waves, added up, should lead by half as much as the
# best four can.
#
# <details><summary>Answer</summary>Many sets do, with frequencies far from each other and from each other's multiples.</details>

# %% [markdown]
# ## 6. Clusters: remainders that are nearly met
# If you know a number's remainders by 7 and by 13, you know the number modulo 91. That is the Chinese remainder theorem.
# The second network adds modulo 91. Neurons of one frequency f form a *cluster*. Where f has the factor 7, its wave repeats
# every 13 answers: it knows the remainder by 13 and no more. Other frequencies know a remainder only nearly, with soft
# edges. Below is what each cluster adds to the logits. No cluster knows the answer, but all of them together do.

# %%
second = load_network(others["embedding_mlp/seed0"]).separable()
x, y = (number % second.modulus for number in example)
dfts = three_dfts(second)
parts = {
    f"f = {f}": contribution(second, group)[x, y]
    for f, group in strongest(dfts, clusters_of(dfts), most_clusters).items()
}
parts = {name: centred(values) for name, values in (parts | {"all neurons": second.logits()[x, y]}).items()}
figure, numbers = drawings.draw_clusters(parts, (x + y) % second.modulus)
save_figure(figure, f"{figures}/clusters", numbers)

# %% [markdown]
# **Question 7.** Which number from 0 to 90 leaves 3 when divided by 7, and 5 when divided by 13?
#
# <details><summary>Answer</summary>31: of 5, 18, 31, … the first that leaves 3 when divided by 7.</details>

# %% [markdown]
# ## 7. From understanding to proof
# The *margin* of an input is its right logit less the best wrong one. One can compute it for all n² inputs. One can also
# *certify* it from what you now know: keep of every neuron its constant and its waves at k and 2k, and take off the most
# that all the rest can do. Where something is left, the answer is proven for all networks that look so, not for one.

# %%
true, proof = margins(separable.logits()), for_stored_weights(certify(separable), network)
figure, numbers = drawings.both_margins(true, proof.margin)
save_figure(figure, f"{figures}/margins", numbers)
say(f"The smallest true margin is {true.min():.4f}. The proof covers {100 * proof.share:.1f} % of the inputs.")

# %% [markdown]
# **Question 8.** All logits of the network move, each by at most ε, up or down. How large may ε be, until the answer with
# the smallest true margin can change?
#
# <details><summary>Answer</summary>Half of that margin: the right logit falls by ε, the best wrong one rises by ε. (Where
# the margin is negative the answer is wrong already, and ε is 0.)</details>

# %% [markdown]
# ## Result
# You have seen a neuron, its law, their sum, several sums, clusters, and a proof. Now choose a and b yourself: the
# [explorer](../explorer.html) draws what a network does with them. The other notebooks test every step on more networks.
#
# **Caveat.** Neurons are only nearly cosines, and a network stopped early shows no law at all.

# %%
values = {"most_of_the_bound": max(of_bound)}
record(values_file, network, values, others={"embedding_mlp/seed0": load_network(others["embedding_mlp/seed0"])})
values
