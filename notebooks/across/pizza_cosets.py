# %% [markdown]
# # Do the neurons of a pizza see cosets too?
#
# **Claim** ([C] App. B.1.1). Seen neuron by neuron, the pizza transformer has the same (approximate) cosets as the
# networks of Study C. Relabelled, what its neurons receive looks almost identical to the one slow wave of a simple
# neuron: with a u for which f ≡ g·u,
#
# $$ A_i(a) \approx \bar{A}_i + \alpha_i \cos\left(\frac{2\pi g}{p} \, (u a \bmod p) + \varphi_i\right), \quad
# g = \gcd(f, p) $$
#
# If a neuron is strong at a, it is strong at a ± d, d ≡ f⁻¹ (mod p): for f = 15 and p = 59 [C] computes d = 4 from 59/15
# = 3.93. The clusters add their waves to the logits as an approximate Chinese remainder theorem, like those of a clock.
#
# **Method.** The strongest neuron of each of the three strongest clusters of a pizza transformer is taken. The figures
# show what it receives from a, and its DFT; then the residues in the order of u·a mod p, in which its frequency becomes
# gcd(f, p).

# %%
import numpy as np
import pandas as pd

from modadd.core.fourier import spectrum
from modadd.crt import strongest_clusters as clusters
from modadd.crt.cosets import coset_order, relabelling, step
from modadd.crt.simple_neuron_measures import dfts_in
from modadd.networks.foreign import load_external
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style
from modadd.quadrature.scheme_measures import median_share_preactivation
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
external = {}  # files of published weights, by name; those of a pizza (Model A of [Z]) are drawn instead of our own
figures = "results/by_hand/pizza_cosets"
values_file = "results/by_hand/pizza_cosets.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
items = {"C/pizza_step_of_15": {}}  # what these items of the sources print; filled in by the workflow

# %%
use_style()
network = load_network(network_file)
pizzas = {}
for name, file in sorted(external.items()):
    weights = load_external(file)
    if weights.format == "zhong_ones" and weights.separable():
        pizzas[f"published weights, {name}"] = weights
pizzas["pizza transformer of Study Q"] = network
source = next(iter(pizzas))
separables = {name: one.separable() for name, one in pizzas.items()}
pizza = separables[source]
p, dfts, drawn = pizza.modulus, dfts_in(pizza), clusters.strongest_clusters(pizza)
slices = dict(zip(drawn.frequency.tolist(), drawn.neuron.tolist(), strict=True))
source, slices  # frequency: neuron

# %% [markdown]
# ## What they receive, and its spectrum
# Their neurons carry twice their frequency besides, so they are not quite simple.

# %%
residues = np.arange(p)
received = pd.concat(
    pd.DataFrame(
        {"frequency": f, "neuron": i, "a": residues, "relabelled": relabelling(f, p) * residues % p, "A": pizza.A[:, i]}
    )
    for f, i in slices.items()
)
figure, axes = panels(2 * len(slices), height=1.4)
for (f, i), left, right in zip(slices.items(), axes[::2], axes[1::2], strict=True):
    left.plot(residues, pizza.A[:, i], "o-", color=COLOURS[0], markersize=2, linewidth=0.7)
    left.set(title=f"neuron {i}, f = {f}, d = {step(f, p)}", xlabel="a", ylabel="A(a)")
    right.vlines(np.arange(1, p // 2 + 1), 0, np.abs(spectrum(pizza.A[:, i]))[1:], color=COLOURS[0], linewidth=1.5)
    right.set(xlabel="frequency", ylabel="|DFT|")
figure.suptitle(source, size=8)
save_figure(figure, f"{figures}/pizza_neurons", received)

# %% [markdown]
# ## The same, relabelled

# %%
figure, axes = panels(len(slices), columns=3, height=1.7, sharey=True)
for (f, i), ax in zip(slices.items(), axes, strict=True):
    rows = received[received.frequency == f].sort_values("relabelled", kind="stable")
    angle = 2 * np.pi * coset_order(f, p) * residues / p + dfts.A.phase[i]
    cosine = pizza.A[:, i].mean() + dfts.A.amplitude[i] * np.cos(angle)
    ax.plot(rows.relabelled, rows.A, "o", color=COLOURS[0], markersize=2.5)
    ax.plot(residues, cosine, color=COLOURS[1], linestyle=DASHES[1], label="cosine of its frequency")
    ax.set(title=f"neuron {i}, f = {f}", xlabel=f"{relabelling(f, p)}·a mod {p}", ylabel="A(a)")
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center")
save_figure(figure, f"{figures}/pizza_remapped", received)

# %% [markdown]
# ## Steps, and what the clusters add to the logits
# *a ± d*: the activation above the mean at both residues one step from the strongest one, over that at the strongest
# one. *a ± 1*: the same for the next residues, which a coset does not favour. *lag*: median distance of the peak of the
# cluster's wave in the logits from a + b, as an angle (π/2 on average if they had nothing to do with each other). *alone*:
# share of the inputs at which the cluster alone is right. *without*: the same of the network without the cluster.

# %%
steps = pd.concat({name: clusters.strongest_clusters(one) for name, one in separables.items()}, names=["network"])
save_table(steps.reset_index("network"), f"{figures}/steps", digits=3)
steps.round(3)

# %% [markdown]
# ## Result
# Claimed of Model A: relabelled, the neurons are one slow wave; they are strong one step away; their clusters' waves peak near
# a + b, and none answers alone. Read *share at f*, *a ± d*, *lag* and *alone*. Whether it takes all of them tells *without*. Of
# our own network only the first is claimed.

# %%
f, modulus = items["C/pizza_step_of_15"].get("frequency_and_modulus", (1, p))
values = {"step_and_quotient": [step(f, modulus), modulus / f]}
values["median_share_preactivation"] = median_share_preactivation(network)
for name, one in separables.items():
    prefix = "" if pizzas[name] is network else f"{name.removeprefix('published weights, ')}_"
    values |= {
        f"{prefix}pizza_shares": clusters.pizza_shares(one),
        f"{prefix}one_step_away": clusters.one_step_away(one),
        f"{prefix}largest_lag": clusters.largest_lag(one),
        f"{prefix}best_alone": clusters.best_alone(one),
        f"{prefix}best_without": clusters.best_without(one),
    }
record(values_file, network, values)
values

# %%
for name, rows in steps.groupby(level="network", sort=False):
    say(
        f"{name[0].upper()}{name[1:]}:",
        "\n".join(
            f"- f = {row.frequency}, d = {row.d}: {100 * row['share at f']:.1f} % of the variance of A at f. One step away the "
            f"neuron has {row['a ± d']:.2f} of its strongest activation, at the next residues {row['a ± 1']:.2f}. The lag of "
            f"the cluster's wave is {row['lag']:.2f} rad; alone it is right on {100 * row['alone']:.1f} % of the inputs, and without "
            f"it the network is right on {100 * row['without']:.1f} %."
            for _, row in rows.iterrows()
        ),
    )
