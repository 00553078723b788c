# %% [markdown]
# # Are the input weights cosines or square waves?
#
# **Claim** (Swaroop, arXiv 2603.23784). ReLU networks that learn modular addition are said to have *near-binary square
# waves* for input weights, with values in between only where the sign changes, and cosines for output weights. An
# idealised network, of square waves in and cosines out, is said to add nearly as well. [Q], [M] and [C] write cosines.
# With frequency k, phase φ and amplitude α of a neuron the two shapes are
#
# $$ \alpha \cos(w_k x + \varphi) \quad \text{and} \quad \alpha \operatorname{sign} \cos(w_k x + \varphi)
# = \frac{4\alpha}{\pi} \left( \cos t - \frac{1}{3} \cos 3t + \frac{1}{5} \cos 5t - \dots \right), \quad
# t = w_k x + \varphi . $$
#
# **Method.** We read each neuron at the frequency of its preactivation and fit both shapes to its columns of A and B and
# its row of W, each with a constant, the best phase and the best amplitude. R² is the share of variance explained. It is 1
# for the right shape and 8/π² = 0.81 for the other, whichever of them is right. So a neuron is *nearer* to the one with
# the larger R². Three further signs, of a square wave and of a cosine: the *third harmonic* is −1/3 and 0 of the first,
# the *flatness* (mean |f|)² / mean f² is 1 and 0.81, and a share of 1 and 0.29 of the weights lies *at the extremes*,
# within a tenth of half the range. Numbers are means over the neurons by weight.
#
# The figures show one network of each study; the claim is asked of all seeds of Studies Q, C and T. In Studies Q, M and C
# the input weights are products of an embedding and other matrices. In the last one, on the group, they are parameters
# of their own.

# %%
import numpy as np
import pandas as pd

from modadd.core.neurons import three_dfts
from modadd.core.separable import accuracy
from modadd.handmade.build import clarity
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, HATCHES, panels, save_figure, save_table, use_style
from modadd.quadrature import square_waves as waves
from modadd.quadrature.square_waves import nearer_to_square_waves
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
    "group_mlp/seed0": "results/networks/group_mlp/seed0.safetensors",
}
figures = "results/by_hand/square_waves"
values_file = "results/by_hand/square_waves.json"
published = {}  # the paper is none of those that the ledger compares with
exhibited = 0.5  # quantile of the R² of cosines at which a neuron of each network is drawn

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
networks = {one.recipe.architecture: one for one in (network, *further.values())}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP", "group_mlp": "T, ReLU on the group"}
separables = {name: one.separable() for name, one in networks.items()}
shapes = {name: waves.shapes_of(separable) for name, separable in separables.items()}
sides = pd.concat({titles[name]: waves.by_side(fits) for name, fits in shapes.items()}, names=["network"])
save_table(sides.reset_index(), f"{figures}/shapes")
sides.round(3)

# %% [markdown]
# ## A neuron of each network
# Points: A of the neuron whose R² of the cosine is the median by weight, in the order of the angle w_k x + φ; lines: the
# two nearest shapes.


# %%
def exhibit(name):
    """A of the neuron that is drawn, in the order of its angle, and the two nearest shapes; its number and frequency."""
    fits, separable = shapes[name][shapes[name].side == "A"].reset_index(drop=True), separables[name]
    fits = fits.sort_values("cosine", kind="stable")
    below = fits.weight.cumsum() / fits.weight.sum()
    i = fits.index[min(np.searchsorted(below, exhibited), len(fits) - 1)]
    dfts, n, column = three_dfts(separable), separable.modulus, separable.A[:, [i]]
    k = dfts.frequency[[i]]
    angle = np.mod(2 * np.pi * k[0] * np.arange(n) / n + dfts.A.phase[i] + np.pi, 2 * np.pi) - np.pi
    curves = {"angle": angle, "A": column[:, 0]}
    curves |= {"cosine": waves.fit_cosine(column, k).wave[:, 0], "square": waves.fit_square(column, k).wave[:, 0]}
    in_order = pd.DataFrame(curves).iloc[np.argsort(angle, kind="stable")]
    return in_order.assign(network=titles[name], neuron=i, frequency=k[0])


exhibits = {name: exhibit(name) for name in separables}

# %%
figure, axes = panels(len(networks), columns=2, height=1.9, sharex=True)
step = {"color": COLOURS[3], "drawstyle": "steps-mid", "linestyle": (0, (4, 1))}
for ax, (name, drawn) in zip(axes, exhibits.items(), strict=True):
    ax.plot(drawn.angle, drawn.cosine, color=COLOURS[2], label="cosine")
    ax.plot(drawn.angle, drawn.square, label="square wave", **step)
    ax.plot(drawn.angle, drawn.A, "o", color=COLOURS[0], markersize=2.5, label="A of a neuron")
    ax.set(title=f"{titles[name]}, k = {drawn.frequency.iloc[0]}", xlabel="w_k x + φ (rad)", ylabel="A")
    ax.set_xticks([-np.pi, 0, np.pi], ["−π", "0", "π"])
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/neurons", pd.concat(exhibits.values()))

# %% [markdown]
# ## All neurons
# R² of both shapes, for A, B and W. On the line both explain as much. Points at the right end are cosines, at the upper
# end square waves; the crosses show where exact ones lie. The size of a point is the neuron's weight.

# %%
figure, axes = panels(len(networks), columns=2, height=2.6, sharex=True, sharey=True)
for ax, (name, fits) in zip(axes, shapes.items(), strict=True):
    for (side, of_side), colour, marker in zip(fits.groupby("side"), COLOURS, ("o", "s", "^"), strict=False):
        size = 14 * of_side.weight / of_side.weight.max()
        ax.scatter(
            of_side.cosine, of_side.square, size, color=colour, marker=marker, alpha=0.4, linewidth=0, label=side
        )
    ax.plot([0, 1], [0, 1], color="0.6", linewidth=1, zorder=0)
    ax.plot([1, waves.SYMMETRIC], [waves.SYMMETRIC, 1], "x", color="black", markersize=7, label="exact shapes")
    ax.set(title=titles[name], xlim=(0.5, 1.02), ylim=(0.4, 1.02))
    ax.set(xlabel="R² of the cosine", ylabel="R² of the square wave")
    ax.label_outer()
legend = figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
for handle in legend.legend_handles[:3]:
    handle.set(alpha=1, sizes=[20])
drawn = pd.concat({titles[name]: fits for name, fits in shapes.items()}, names=["network", "row"])
save_figure(figure, f"{figures}/all_neurons", drawn.reset_index("network"))

# %% [markdown]
# ## Does it matter?
# Every neuron's A and B are replaced by the nearest cosines or the nearest square waves, and W by the nearest cosines;
# C and D stay. The relative margin is the smallest margin over the network's scale.

# %%
rows = []
for name, separable in separables.items():
    variants = {"trained": separable}
    variants |= {f"{shape}s": waves.idealised(separable, shape) for shape in ("cosine", "square")}
    rows += [{"network": titles[name], "A and B": label} | clarity(tables) for label, tables in variants.items()]
replaced = pd.DataFrame(rows)
save_table(replaced, f"{figures}/idealised", digits=4)
replaced.round(4)

# %%
figure, axes = panels(2, height=2.4)
labels = list(dict.fromkeys(replaced["A and B"]))
for ax, column in zip(axes, ("accuracy", "relative margin"), strict=True):
    for shift, label, colour, hatch in zip((-0.27, 0, 0.27), labels, COLOURS, HATCHES, strict=False):
        rows = replaced[replaced["A and B"] == label]
        ax.bar(np.arange(len(rows)) + shift, rows[column], 0.25, color=colour, hatch=hatch, label=label)
    ax.set_xticks(range(len(networks)), [titles[name].split(",")[0] for name in networks])
    ax.set(xlabel="network", ylabel=column)
    ax.minorticks_off()
axes[0].set_ylim(min(0.9, replaced.accuracy.min()), 1.005)
axes[1].axhline(0, color="0.6", linewidth=0.6)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/replaced", replaced)

# %% [markdown]
# ## Result
# The paper's claim holds in a network if most of its weight is nearer to square waves than to cosines, in A and B and not
# in W. A network can stand between the two. Its waves then have flat tops and slopes where the sign changes, so that many
# weights lie at the extremes, and its third harmonic has the sign of a square wave's.
#
# That an idealised network of square waves adds nearly as well does not tell the two shapes apart, if it does so too
# where the input weights are cosines. Accuracy hardly sees the shape; the smallest margin does.
#
# **Caveat.** This says nothing about the paper's own networks, whose recipe (width, optimiser, weight decay, share of the
# pairs) is not this project's.


# %%
def shape_values(name):
    """What is recorded of the shapes of a network's input weights, and of what idealised ones answer."""
    inputs = sides.loc[titles[name]].loc[["A", "B"]].mean()
    accuracies = replaced[replaced.network == titles[name]].set_index("A and B").accuracy
    return {
        "nearer_to_squares": nearer_to_square_waves(networks[name]),
        "r2_cosine": inputs.cosine,
        "r2_square": inputs.square,
        "third_harmonic": inputs.third,
        "flatness": inputs.flatness,
        "at_extremes": inputs.extremes,
        "accuracy_of_cosines": accuracies.cosines,
        "accuracy_of_squares": accuracies.squares,
    }


of_each = {name: shape_values(name) for name in networks}
values = {f"{name}_{key}": value for name, found in of_each.items() for key, value in found.items()}
values["nearer_to_square_waves"] = nearer_to_square_waves(network)
values["smallest_accuracy_of_squares"] = min(values[f"{name}_accuracy_of_squares"] for name in networks)
record(values_file, network, values, others=further)
values

# %%
for name, found in of_each.items():
    say(
        f"**{titles[name]}** (accuracy {accuracy(separables[name].logits()):.4f}). A share of "
        f"{found['nearer_to_squares']:.3f} of the weight is nearer to square waves. R² is {found['r2_cosine']:.3f} for cosines "
        f"and {found['r2_square']:.3f} for square waves; the third harmonic is {found['third_harmonic']:.3f} of the first, the "
        f"flatness {found['flatness']:.3f}, and {100 * found['at_extremes']:.0f} % of the weights lie at the extremes. With "
        f"exact cosines {100 * found['accuracy_of_cosines']:.2f} % of the inputs are answered right, with exact square waves "
        f"{100 * found['accuracy_of_squares']:.2f} %."
    )
