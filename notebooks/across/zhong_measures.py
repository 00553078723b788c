# %% [markdown]
# # What do gradient symmetricity, distance irrelevance and circularity say of every network?
#
# **Claim** ([Z] §4). Three numbers tell which way a network adds. *Circularity* is near 1 where the embedding puts the
# residues on circles. *Gradient symmetricity* is near 1 where the gradients with respect to either embedding are
# parallel. *Distance irrelevance* is near 0 where the right logit L[s, d], at a + b = s and a − b = d, depends on the
# difference d, and near 1 where the difference does not matter:
#
# $$ \frac{\operatorname{mean}_d \, \operatorname{std}_s \, L[s, d]}{\operatorname{std}_{s, d} \, L[s, d]} $$
#
# A *pizza* averages two points of a circle. It treats both numbers alike, so that its gradients are parallel, and its
# right logit depends on the difference. A *clock* multiplies: its gradients are not parallel, and the difference does
# not matter. [Z]'s released Model A, whose attention is all ones, is a pizza, Model B with softmax attention a clock.
#
# **Method.** Gradient symmetricity is the mean cosine between ∂Q_abc/∂E_a and ∂Q_abc/∂E_b over 100 triples (a, b, c).
# Q_abc is the logit of c at (a, b), and the embeddings are taken before position. The triples are drawn as in [Z]'s
# evaluation. Circularity is the mean, over the first four principal components of the embedding, of the share of their
# variance at one frequency. Everything is computed in float64. A network with two embeddings has its circularity from
# both side by side.

# %%
from itertools import cycle

import numpy as np
import pandas as pd

import modadd.attention.pizza_measures
from modadd.attention.numbers_read import neurons_with_both, numbers_in
from modadd.attention.pizza_measures import (
    CLOCK_FROM,
    COMPONENTS,
    cosines_of_gradients,
    embedding_frequencies,
    irrelevance_of_distance,
    largest_wrong,
    principal_components,
)
from modadd.core.fourier import primary_frequency, share_of_variance
from modadd.core.separable import accuracy
from modadd.networks.foreign import load_external
from modadd.networks.registry import measured, measures_in
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, draw_shares_below, panels, save_figure, save_table, use_style
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
external = {}  # published weights by the name that the config gives them
figures = "results/by_hand/zhong_measures"
values_file = "results/by_hand/zhong_measures.json"
items = {"Z/mixed_attention_measures": {"distance": 0.0, "others": [0.0, 0.0]}}  # printed; filled in by the workflow
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one

# %%
use_style()
network = load_network(network_file)
further = {name: load_network(file) for name, file in others.items()}
ours = {one.recipe.architecture: one for one in (network, *further.values())}
theirs = {name: load_external(path) for name, path in sorted(external.items())}
embedded = {name: one.embedded() for name, one in (ours | theirs).items()}
labels = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
labels |= {"embedding_mlp": "C, embedding MLP"}
labels = {name: labels.get(name, name) for name in embedded}
missing = [name for name in ("zhong_model_a", "zhong_model_b", "zhong_mixed", "kissane") if name not in external]
styles = dict(zip(embedded, zip(cycle(COLOURS), cycle(MARKERS), cycle(DASHES)), strict=False))
say(f"Published weights that are not given, and skipped: {', '.join(missing) or 'none'}.")

# %% [markdown]
# ## All three
# *spread* is the standard deviation of the 100 cosines. Directions that have nothing to do with each other have cosines
# of standard deviation 1/√d_model about 0, given in the next column. *Frequencies* are those with more than 1 % of the
# embedding's variance, strongest first.

# %%
measures = measures_in(modadd.attention.pizza_measures)
found = {name: measured(function, measures) for name, function in embedded.items()}
logits = {name: function.logits() for name, function in embedded.items()}
cosines = {name: cosines_of_gradients(function) for name, function in embedded.items()}
frequencies = {name: embedding_frequencies(function.concatenated()) for name, function in embedded.items()}
table = pd.DataFrame(
    {
        "network": labels[name],
        "n": function.modulus,
        "accuracy": accuracy(logits[name]),
        **{measure.replace("_", " "): value for measure, value in found[name].items()},
        "spread": cosines[name].std(),
        "1/√d_model": 1 / np.sqrt(function.E_a.shape[1]),
        "frequencies": ", ".join(map(str, frequencies[name])),
    }
    for name, function in embedded.items()
)
save_table(table, f"{figures}/measures", digits=4)
table.round(4)

# %% [markdown]
# ## Attention between ones and softmax
# Most networks of [Z]'s sweep have an attention of which a share is softmax and the rest ones. Their table prints the three
# measures of each. Here they stand beside ours, for the one such network that was released and learned addition. The
# released code computes the table's distance irrelevance from the largest *wrong* logit, so this is given as well.

# %%
wrong = {name: irrelevance_of_distance(largest_wrong(logits[name])) for name in theirs}
printed = items["Z/mixed_attention_measures"]
compared = pd.DataFrame(
    {
        "measure": [*measures, "distance irrelevance of the largest wrong logit"],
        "their table": [printed["distance"], *printed["others"], printed["distance"]],
    }
)
if "zhong_mixed" in theirs:
    compared["ours"] = [*found["zhong_mixed"].values(), wrong["zhong_mixed"]]
compared.round(6)

# %% [markdown]
# ## What the right logit depends on
# L over its mean, for every sum and difference (blank where an even n has no such pair). Horizontal stripes mean that
# the difference decides, as in a pizza. A clock has none of them. The table splits the variance of L: the variance of
# the mean over s (*by difference*), the variance of the mean over d (*by sum*), and the rest. Where the spread over s
# is the same at every d, the square of distance irrelevance is what is not *by difference*.

# %%
rows = []
for name, L in logits.items():
    a, b = (index.ravel() for index in np.indices(L.shape[:2]))
    s, d = (a + b) % len(L), (a - b) % len(L)
    rows.append(pd.DataFrame({"network": labels[name], "difference": d, "sum": s, "right logit": L[a, b, s]}))
right = pd.concat(rows)

# %%
figure, axes = panels(len(embedded), columns=3, height=2.3)
for ax, label in zip(axes, labels.values(), strict=True):
    L = right[right.network == label].pivot_table(index="difference", columns="sum", values="right logit")
    image = ax.imshow(L / np.abs(np.nanmean(L.to_numpy())), origin="lower", interpolation="nearest")
    ax.set(title=label, xlabel="s = a + b mod n", ylabel="d = a − b mod n")
    figure.colorbar(image, ax=ax, shrink=0.8)
figure.suptitle("right logit over its mean", fontsize=8)
wide = right.pivot_table(index=["network", "difference"], columns="sum", values="right logit").reset_index()
save_figure(figure, f"{figures}/right_logits", wide, digits=3)

# %%
split = []
for label, rows in right.groupby("network", sort=False):
    L = rows["right logit"]
    by_difference, by_sum = (L.groupby(rows[key]).mean().var(ddof=0) / L.var(ddof=0) for key in ("difference", "sum"))
    parts = {"by difference": by_difference, "by sum": by_sum, "rest": 1 - (by_difference + by_sum)}
    split.append({"network": label} | parts | {"spread over mean": np.sqrt(L.var(ddof=0)) / np.abs(L.mean())})
split = pd.DataFrame(split)
save_table(split, f"{figures}/variance_of_right_logits")
split.round(3)

# %% [markdown]
# ## The hundred cosines
# Left, how the cosines spread; their mean is the gradient symmetricity. Right, the share of variance of each principal
# component that lies at one frequency; its mean is the circularity.

# %%
shares = []
for name, function in embedded.items():
    components = principal_components(function.concatenated())[:, :COMPONENTS]
    frequency = primary_frequency(components)
    columns = {"component": 1 + np.arange(len(frequency)), "frequency": frequency}
    columns |= {"share": share_of_variance(components, frequency)}
    shares.append(pd.DataFrame({"network": labels[name]} | columns))
shares = pd.concat(shares)

# %%
figure, axes = panels(2, height=2.8)
for name, (colour, marker, dashes) in styles.items():
    look = {"color": colour, "linestyle": dashes, "marker": marker}
    draw_shares_below(axes[0], cosines[name], markevery=20, markersize=4, **look)
    rows = shares[shares.network == labels[name]]
    axes[1].plot(rows.component, rows.share, label=labels[name], markersize=5, **look)
axes[0].set(xlabel="cosine between ∂Q/∂E_a and ∂Q/∂E_b", ylabel="share of the triples below", xlim=(-1.02, 1.02))
axes[1].set(xlabel="principal component of the embedding", ylabel="share of variance\nat one frequency", ylim=(0, 1.05))
axes[1].set_xticks(range(1, COMPONENTS + 1))
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper center", ncols=4)
drawn = [pd.DataFrame({"network": labels[name], "cosine": np.sort(sample)}) for name, sample in cosines.items()]
drawn = pd.concat([*drawn, shares])
save_figure(figure, f"{figures}/cosines_and_components", drawn)

# %% [markdown]
# ## Does a neuron read both numbers?
# Reply 3 of [QR] says that in clocks no neuron's preactivation holds the components of both numbers, and that attention
# multiplies. The variance of a preactivation over the inputs splits into that of its mean over b (*a*), of its mean over a
# (*b*), and the rest (*both*), which holds products. In our networks, and with attention all ones, the rest is 0. *neurons
# with both* is the share of neurons of which *a* and *b* each have at least a tenth; *smaller* is the smaller of the two.

# %%
read = {name: numbers_in(one) for name, one in (ours | theirs).items()}
numbers = pd.DataFrame(
    {
        "network": labels[name],
        **{f"median {part}": numbers[part].median() for part in ("a", "b", "both")},
        "largest both": numbers.both.max(),
        "least smaller": numbers.smaller.min(),
        "neurons with both": neurons_with_both((ours | theirs)[name]),
    }
    for name, numbers in read.items()
)
save_table(numbers, f"{figures}/numbers_read")
numbers.round(3)

# %% [markdown]
# ## Result
# Claimed of the published weights: the numbers of Model A, as the authors' own evaluation prints them, and that the
# gradients of Model B are far from parallel. We compare our networks with 0.51, the middle between A and B for distance
# irrelevance. Claimed: nearly all networks of Study C lie on the clock's side. The notebook on seeds asks the same of Study Q.
#
# **What two of the measures cannot see.** In the two-layer MLP both numbers enter through one and the same table, as a
# sum. Both gradients are the same vector, so gradient symmetricity is 1 in every such network, trained or not. In the
# embedding MLP each number has an embedding of its own, and its axes have nothing to do with those of the other. So the
# cosine compares coordinates that are not comparable, and comes out as that of unrelated directions, 0 give or take
# 1/√d_model. Only distance irrelevance and circularity can be compared over all of them.
#
# **What distance irrelevance mixes.** It weighs how much the difference moves the right logit against everything else
# that moves it. A pizza with few neurons sums up its integral with a larger error. This error depends on the sum too,
# so the pizza moves towards the clock's side without multiplying anything. The notebook on all studies looks at the
# neurons themselves.

# %%
values = {}
for name, three in found.items():
    gradients, irrelevance = three["gradient_symmetricity"], three["distance_irrelevance"]
    values |= {
        f"{name}_measures": list(three.values()),
        f"{name}_gradient_symmetricity": gradients,
        f"{name}_neurons_with_both": neurons_with_both((ours | theirs)[name]),
    }
    if name in theirs:
        values |= {
            f"{name}_distance_irrelevance": irrelevance,
            f"{name}_distance_irrelevance_of_wrong": wrong[name],
            f"{name}_gradient_symmetricity_and_circularity": [gradients, three["circularity"]],
        }
record(values_file, network, values, others=further)
values


# %%
def side(three):
    """Whose side of the limit the distance irrelevance of a network is on."""
    return "the pizza's" if three["distance_irrelevance"] < CLOCK_FROM else "the clock's"


say(
    "The three measures:",
    "\n".join(
        f"- {labels[name]}: distance irrelevance {three['distance_irrelevance']:.4f}, on {side(three)} side; gradient "
        f"symmetricity {three['gradient_symmetricity']:.4f}; circularity {three['circularity']:.4f}"
        for name, three in found.items()
    ),
    "What the variance of the right logit goes with:",
    "\n".join(
        f"- {row['network']}: {100 * row['by difference']:.0f} % with the difference, {100 * row['by sum']:.0f} % with "
        f"the sum, {100 * row['rest']:.0f} % with neither alone"
        for row in split.to_dict("records")
    ),
)

# %%
say(
    "Neurons whose preactivation holds both numbers, and the median share of their products before the ReLU:",
    "\n".join(
        f"- {row['network']}: {100 * row['neurons with both']:.0f} % and {100 * row['median both']:.1f} %"
        for row in numbers.to_dict("records")
    ),
    "The spread of the cosines, and that of unrelated directions of the same dimension:",
    "\n".join(
        f"- {row['network']}: {row['spread']:.3f} and {row['1/√d_model']:.3f}" for row in table.to_dict("records")
    ),
)
