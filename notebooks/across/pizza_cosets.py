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
# **Method.** The strongest neuron of each of the three strongest clusters of a pizza transformer is taken. The figures
# show what it receives from a, and its DFT; then the residues in the order of u·a mod p, in which its frequency becomes
# gcd(f, p).

# %%
import numpy as np
import pandas as pd

from modadd.core.fourier import share_of_variance, spectrum
from modadd.core.neurons import three_dfts
from modadd.crt.clusters import clusters_of, strongest
from modadd.crt.cosets import coset_order, relabelling, step
from modadd.ledger.record import record
from modadd.networks.importers import load_external
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, panels, save_figure, use_style
from modadd.page.prose import say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
external = {}  # files of published weights, by name; those of a pizza (Model A of [Z]) are drawn instead of our own
figures = "figures/pizza_cosets"
values_file = "results/values/pizza_cosets.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
clusters_drawn = 3

# %%
use_style()
network = load_network(network_file)
of_others = {f"published weights, {name}": load_external(file) for name, file in sorted(external.items())}
pizzas = {name: weights for name, weights in of_others.items() if weights.format == "zhong_ones"}
pizzas["pizza transformer of Study Q"] = network
source, pizza_network = next(iter(pizzas.items()))
pizza = pizza_network.separable()
p, dfts = pizza.modulus, three_dfts(pizza)
drawn = strongest(dfts, clusters_of(dfts), clusters_drawn)
slices = {f: int(members[dfts.weight[members].argmax()]) for f, members in drawn.items()}
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
    rows = received[received.frequency == f].sort_values("relabelled")
    cosine = pizza.A[:, i].mean() + dfts.A.amplitude[i] * np.cos(
        2 * np.pi * coset_order(f, p) * residues / p + dfts.A.phase[i]
    )
    ax.plot(rows.relabelled, rows.A, "o", color=COLOURS[0], markersize=2.5)
    ax.plot(residues, cosine, color=COLOURS[1], linestyle=DASHES[1], label="cosine of its frequency")
    ax.set(title=f"neuron {i}, f = {f}", xlabel=f"{relabelling(f, p)}·a mod {p}", ylabel="A(a)")
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center")
save_figure(figure, f"{figures}/pizza_remapped", received)

# %% [markdown]
# ## Result
# Claimed: relabelled, the neurons are one slow wave. Read the share of the variance of A at the neuron's own frequency.

# %%
shares = share_of_variance(pizza.A[:, list(slices.values())], np.array(list(slices), dtype=int))
values = {"pizza_shares": shares.tolist()}
record(values_file, network, values)
values

# %%
shown = ", ".join(f"{100 * part:.1f} % at f = {f}" for f, part in zip(slices, shares, strict=True))
say(f"{source[0].upper()}{source[1:]}: of the variance of A its neurons have {shown}.")
