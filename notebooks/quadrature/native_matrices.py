# %% [markdown]
# # Which numbers of the matrices does the mechanism need?
#
# **Claim** ([Q] App. B.1, future work). The whole transformer has a parameterisation in few numbers: its frequencies,
# for each neuron a group, a width and an angle, orthogonal planes into which W_E and W_U embed the frequencies, and
# rotations and scales of these planes in V and O. The notebook on networks built by hand writes the *tables* down that a
# network has before and after its ReLUs. Here we write the *matrices*. Neuron i of frequency k is to read
#
# $$ A_i(x) = B_i(x) = \sqrt{r_i} \left( \cos t - s \cos 2t + c \right), \quad t = w_k x + \varphi_i, \quad
# W_i(x) = \sqrt{r_i} \cos(w_k x + 2\varphi_i) $$
#
# **Method.** By hand, W_E turns residue x by w_k x in a plane of its own for each key frequency k, and for 2k, where the
# second harmonic s is read. V and O carry each plane through two dimensions of one head to a second plane. W_in reads
# both numbers there, and nothing of the number b that stays where it was. W_out writes into a third plane, where W_U
# reads. So C = D = 0. Planes lie along the axes; any orthogonal frame gives the same function. We compare this with the
# trained matrices. Some changes leave the function the same, so we remove them first: constants moved between A and B
# or C and D, terms that are equal for all answers, and a factor between the input and the output of a neuron.

# %%
import numpy as np
import pandas as pd

from modadd.core.neurons import neurons_of
from modadd.core.separable import accuracy, centred, margins
from modadd.handmade import native
from modadd.handmade.build import angles, relative_margins, scale
from modadd.handmade.native_measures import by_hand_over_trained, listed_frequencies, smallest_share_in_planes
from modadd.networks.architectures import separable_of
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/native_matrices"
values_file = "results/by_hand/native_matrices.json"
published = {}  # nothing is printed about such matrices: they are the paper's future work

# %% [markdown]
# ## How many numbers is the list?
# *By hand, as trained* has the trained network's frequencies, groups, widths and angles. *By hand, even* has equal widths
# and evenly spaced angles; its s and c are the same. j orthonormal vectors of d dimensions have jd − j(j + 1)/2 numbers,
# and a plane is two of them up to a turn. Whole numbers count as numbers do. Planes, rotations and scales change the
# matrices and not the function, so the function takes only the first three lines.

# %%
use_style()
network = load_network(network_file)
trained = network.separable()
n, h, sizes = trained.modulus, trained.width, network.recipe.sizes
d_model, n_heads = sizes["d_model"], sizes["n_heads"]
neurons = neurons_of(trained)
key = listed_frequencies(network)
listed = native.read_off(trained, neurons, np.isin(neurons.frequency, key))
h_k = round(h / len(key))
width = np.full(h_k * len(key), listed.width.sum() / (h_k * len(key)))
even = native.Listed(n, np.repeat(key, h_k), width, np.tile(angles(h_k), len(key)), listed.wave)
numbers = listed.numbers(d_model)
entries = sum(value.size for value in network.parameters.values())
counted = pd.DataFrame({"numbers": numbers}).rename_axis("kind").reset_index()
for name, whole in (("of n·h", n * h), ("of all entries", entries)):
    counted[name] = counted.numbers / whole
save_table(counted, f"{figures}/numbers", digits=4)
counted.round(4)

# %% [markdown]
# ## Do the matrices add?
# *Cut to the planes* is the trained network whose matrices keep only what acts on the planes of the key frequencies and
# their doubles, and on the constants. *Margin* is the smallest of all inputs, in logits; *relative margin* divides it by
# the network's scale. *A, B, W*: distance from the trained table over its norm, neuron by neuron, where the neurons are
# those of the trained network. *logits*: the share of the norm of its centred logits that no multiple of the others
# explains. *residual*: norm of C and D over that of all centred logits.

# %%
kept, shares = native.cut_to_planes(network.parameters, native.with_doubles(key, n), key)
parameters = {"cut to the planes": kept}
parameters |= {"by hand, as trained": native.native(listed, d_model, n_heads)}
parameters |= {"by hand, even": native.native(even, d_model, n_heads)}
networks = {name: separable_of("pizza_transformer", matrices) for name, matrices in parameters.items()}


def beside_trained(tables):
    """What a network answers, how clearly, and how far it is from the trained one."""
    logits = tables.logits()
    residual, whole = (centred(part) for part in (tables.residual(), logits))
    found = {"accuracy": accuracy(logits), "margin": margins(logits).min(), "scale": scale(tables)}
    found |= {"relative margin": relative_margins(tables).min(), **native.relative_distances(trained, tables)}
    return found | {"residual": np.linalg.norm(residual) / np.linalg.norm(whole)}


compared = pd.DataFrame({name: beside_trained(tables) for name, tables in ({"trained": trained} | networks).items()}).T
compared.loc["by hand, even", list("ABW")] = np.nan  # its neurons are not those of the trained network
compared = compared.rename_axis("network")
save_table(compared.reset_index(), f"{figures}/networks", digits=4)
compared.round(4)

# %% [markdown]
# ## How much of the matrices is that?
# The share of the squared norm of every trained matrix that acts on the planes, for the key frequencies alone and with
# their doubles; and the share that a random matrix would have there, which is the share of the dimensions. What is left
# of W_V, W_O, W_in and W_out changes no logit once W_E and W_U are cut: the weights could be 0. Right, what attention
# does to each plane: how much it scales it, and how much of it stays where W_E has put it.

# %%
alone = native.cut_to_planes(network.parameters, key, key)[1]
parts = {"key frequencies": alone.share, "with their doubles": shares.share}
parts |= {"with doubles, at random": shares["at random"]}
used = pd.DataFrame({"matrix": shares.matrix} | parts)
save_table(used, f"{figures}/shares")
planes = native.planes_of(network.parameters, native.with_doubles(key, n)).set_index("frequency")
answers = ["W_U", "other planes, W_U"]  # of the key frequencies alone: W_U has no doubles
planes[answers] = native.planes_of(network.parameters, key).set_index("frequency")[answers]
planes.insert(0, "kind", np.where(planes.index.isin(key), "key", "double"))
used.round(4)

# %%
figure, (left, right) = panels(2, height=2.6)
places = np.arange(len(used))
for (name, part), colour, shift in zip(parts.items(), COLOURS, (-0.27, 0, 0.27), strict=False):
    left.bar(places + shift, part, 0.25, color=colour, label=name)
left.set_xticks(places, used.matrix)
left.set(ylabel="share of the squared norm", ylim=(0, 1.3))
left.minorticks_off()
left.legend(loc="upper center", ncols=2)
for (kind, lines), colour, marker in zip(planes.groupby("kind", sort=False), COLOURS, MARKERS, strict=False):
    right.plot(lines.gain, lines.kept, marker, color=colour, markersize=5, label=f"{kind} frequency")
right.axhline(2 / d_model, color="0.6", linewidth=1, linestyle=(0, (2, 2)), zorder=0, label="at random")
right.set(xlabel="gain of attention", ylabel="share that stays in its plane", xlim=(0, None), ylim=(0, 1.3))
right.legend(loc="upper right")
save_figure(figure, f"{figures}/shares_and_planes", pd.concat([used, planes.reset_index()]))

# %% [markdown]
# ## Are they planes, rotations and scales?
# For each plane: σ₂/σ₁ where W_E puts it, after attention, and in W_U; 1 is a circle. *gain* is the scale that attention
# gives it, halved as in the network. *kept* is the share that stays in its plane of W_E; 2/d_model is what a random plane
# would have. *other planes* is the largest cosine of an angle to the plane of another frequency; 0 is orthogonal.

# %%
save_table(planes.reset_index(), f"{figures}/planes", digits=4)
planes.round(4)

# %% [markdown]
# ## Result
# The list of App. B.1 is enough if the network by hand is as clear as the trained one, and it is what training finds if
# the matrices lie in these planes, the planes are circles, and the tables are near each other.
#
# **Caveat.** App. B.1 has no word of second harmonics and constants. We count s and c, and the planes of 2k. The list has
# the same s and c for all neurons, and no residual streams; the trained network's C and D are in its margin and not in
# its scale. Orthogonal planes are a choice: in the trained network the planes of a 2k before and after attention overlap.

# %%
relative, circles = compared["relative margin"], planes[planes.kind == "key"]
share_of = shares.set_index("matrix").share
values = {
    "numbers": counted.numbers.sum(),
    "numbers_over_effective": counted["of n·h"].sum(),
    "numbers_over_entries": counted["of all entries"].sum(),
    "by_hand_over_trained": by_hand_over_trained(network),
    "smallest_share_in_planes": smallest_share_in_planes(network),
    "smallest_circle": circles[["W_E", "after attention", "W_U"]].min().min(),
    "largest_cosine": circles[["other planes, W_E", "other planes, W_U"]].max().max(),
}
record(values_file, network, values)
values

# %%
cut, hand = compared.loc["cut to the planes"], compared.loc["by hand, as trained"]
say(
    about(network),
    f"The list takes {values['numbers']:,} numbers: {values['numbers_over_effective']:.3f} of n·h and "
    f"{values['numbers_over_entries']:.4f} of the {entries:,} entries of the matrices. The function takes "
    f"{counted.numbers[:3].sum():,} of them; the other {counted.numbers[3:].sum():,} say where its planes lie.",
    f"By hand with the trained network's widths and angles, the matrices answer {100 * hand.accuracy:.2f} % of the "
    f"inputs right, with a margin of {hand.margin:.2f} logits (trained {compared.margin['trained']:.2f}) and a relative "
    f"margin of {hand['relative margin']:.4f} (trained {relative['trained']:.4f}, by hand and even "
    f"{relative['by hand, even']:.4f}). Their tables lie {hand.A:.3f} (A), {hand.B:.3f} (B) and {hand.W:.3f} (W) of their "
    f"norm away from the trained ones, and the logits {hand.logits:.3f}.",
    f"Cut to its planes, the trained network has a relative margin of {cut['relative margin']:.4f}. The planes hold "
    f"{', '.join(f'{100 * share:.1f} % of {name}' for name, share in share_of.items())}.",
    f"At the key frequencies, σ₂/σ₁ is at least {values['smallest_circle']:.3f}. Attention scales the planes by "
    f"{circles.gain.min():.2f} to {circles.gain.max():.2f} and leaves {100 * circles.kept.min():.0f} to "
    f"{100 * circles.kept.max():.0f} % of them in place. The largest cosine between two planes is "
    f"{values['largest_cosine']:.3f}.",
)
