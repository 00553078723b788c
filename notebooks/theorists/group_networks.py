# %% [markdown]
# # Do trained networks look as the theory of one hidden layer assumes?
#
# **Claim** ([T]). The theory of modular addition looks at one hidden layer on the group, without embeddings or biases:
#
# $$ f(a,b)(c) = \sum_i \sigma(u_i(a) + v_i(b))\, w_i(c) . $$
#
# For σ(u) = u², Gromov (arXiv 2301.02679) writes weights down that add mod n:
#
# $$ u_i = \cos(w_k a + \varphi_i), \quad v_i = \cos(w_k b + \varphi'_i), \quad w_i = \cos(w_k c + \varphi_i + \varphi'_i) $$
#
# with frequencies k spread evenly over the neurons and phases drawn uniformly. He reports that trained networks have this
# form. Reviewers of [Q] ask whether such assumptions hold of trained networks.
#
# **Method.** We train this network with ReLU and with u², on all pairs, by Adam with a penalty, and measure: how much of
# the logits lies at each frequency (b_k², the share of their squared norm along the characters of a + b − c); how many
# frequencies hold 95 % of that (N); how pure the neurons are (share of the energy of u_i, v_i and w_i at one frequency);
# and how far the weights are from the closed form. Then we test both assumptions on every network of this project:
# Pearson's χ² for frequencies that are equally likely over neurons; and for the phases of the neurons of each frequency,
# how much they *crowd*: the mean of m R², R the length of the mean vector of m phases, is about 1 if they are drawn
# uniformly, more if they crowd on one side (Rayleigh's test sees that), less if they are more even than draws. A small
# p-value refutes the assumption.

# %%
import numpy as np
import pandas as pd

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.assumptions import accuracies_of_closed_form, answers, assumptions_of, neurons_by_kind
from modadd.populations.tables import read_populations
from paper.ledger.judge.networks import claims_by_network
from paper.notebook import about, record, say
from paper.page.claims_map import draw_claims_map, in_words

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
others = {
    "square_mlp/seed0": "results/networks/square_mlp/seed0.safetensors",
    "pizza_transformer/seed0": "results/networks/pizza_transformer/seed0.safetensors",
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_squares": ["results/populations/t_squares.parquet"],
    "t_groups": ["results/populations/t_groups.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
figures = "results/by_hand/group_networks"
values_file = "results/by_hand/group_networks.json"
published = {}  # no paper prints any of these numbers
widths = [8, 16, 32, 64, 128, 256, 512]  # neurons of the closed form
draws, most_draws = 20, 200  # of its phases, for each width, and for that of the trained network

# %%
use_style()
network = load_network(network_file)
other_networks = {name: load_network(path) for name, path in others.items()}
networks = {one.recipe.architecture: one for one in (network, *other_networks.values())}
titles = {"group_mlp": "ReLU on the group", "square_mlp": "u² on the group", "pizza_transformer": "Q, pizza"}
titles |= {"two_layer_mlp": "M, two-layer", "embedding_mlp": "C, embedding"}
theorists = ("group_mlp", "square_mlp")

# %% [markdown]
# ## Frequencies of the logits and of the neurons
# Above: share of the logits at each frequency. Below: how many neurons have it; those that work, and the pure ones of
# them (95 % of their energy), in dark. A neuron is idle if the product of the spreads of its u, v and w is less than 1 %
# of the mean: the penalty has shrunk it.

# %%
figure, axes = panels(4, columns=2, height=1.9, sharex=True)
spectra = []
for name, of_logits, of_neurons in zip(theorists, axes[:2], axes[2:], strict=True):
    spectrum = neurons_by_kind(networks[name])
    k = spectrum.frequency
    of_logits.bar(k, spectrum.spectral_weight, color=COLOURS[0])
    of_logits.set_title(titles[name], loc="left")
    for kind, colour in {"idle too": "0.9", "working": COLOURS[2], "pure": COLOURS[0]}.items():
        of_neurons.bar(k, spectrum[kind], color=colour, edgecolor="0.3", linewidth=0.4, label=kind)
    of_neurons.set_xlabel("frequency k")
    spectra.append(spectrum.assign(network=name))
axes[0].set_ylabel("share of the logits, b_k²")
axes[2].set_ylabel("neurons")
axes[3].legend(loc="upper left")
spectra = pd.concat(spectra)
save_figure(figure, f"{figures}/spectra", spectra[["network", *spectra.columns[:-1]]])

# %% [markdown]
# ## The closed form, by its width
# With few neurons the phases are not spread evenly enough. The cross is the trained network of squares.

# %%
trained = networks["square_mlp"]
draws_of_width = dict.fromkeys(widths, draws) | {trained.recipe.d_mlp: most_draws}
right = accuracies_of_closed_form(network.recipe.modulus, draws_of_width)
figure, (ax,) = panels(1, columns=1, height=2.2)
ax.plot(right.neurons, right.accuracy, "o", color=COLOURS[0], markersize=3, alpha=0.5, label="closed form, one draw")
ax.plot(right.groupby("neurons").accuracy.median(), color=COLOURS[0], label="closed form, median")
ax.plot(trained.recipe.d_mlp, trained.results["accuracy"], "X", color=COLOURS[1], markersize=7, label="trained")
ax.set(xscale="log", xlabel="neurons", ylabel="share of inputs right")
ax.set_xticks(widths, [f"{h}" for h in widths])
ax.minorticks_off()
ax.legend(loc="lower right")
save_figure(figure, f"{figures}/closed_form", right)

# %% [markdown]
# ## Both assumptions, on every network
# *Outside* is the share of the energy of u, v and w that one cosine per neuron does not hold; *mismatch* the root mean
# square of ψ − φ − φ'; *unequal* the spread of the neurons' sizes; all of the neurons that work. Phases are tested at all
# frequencies with at least five such neurons, of u and v, or of u alone where the two are the same by construction.
# *Crowded* is the p-value of Rayleigh's test, combined over them (Fisher), *uniform* that of crowding, two-sided, by draws.

# %%
assumptions = {name: assumptions_of(one) for name, one in networks.items()}
table = pd.DataFrame(assumptions).T.rename(index=titles).rename_axis("network").reset_index()
save_table(table, f"{figures}/assumptions", digits=4)
table

# %% [markdown]
# ## Which networks break which claims
# All networks of squares, and those with ReLUs of every modulus, sorted by the number of claims that they break. A claim is
# drawn on every network whose row has its number, also on those of the other kind, which it is not about.

# %%
everyone = pd.concat(list(read_populations(datasets)[1].values()), ignore_index=True)
holds = claims_by_network(claims, everyone)
title = f"{len(everyone)} networks ({(everyone.trained == 'here').sum()} trained here)"
if len(holds.columns):
    labels = {claim["id"]: in_words(claim) for claim in claims if claim["id"] in holds}
    figure = draw_claims_map(holds, labels, everyone.spectral_count.rename("frequencies"), title)
    identity = everyone[["architecture", "modulus", "seed", "trained"]]
    save_figure(figure, f"{figures}/claims_by_network", identity.join(holds))

# %% [markdown]
# ## Result
# Claimed, of the theorists' networks from many seeds: the network of squares is near the closed form and keeps its phase
# law; with ReLUs the phases of the neurons look like uniform draws. Shown, and not judged: how evenly the
# frequencies are spread. The networks of Q, M and C are beside them in the table.
#
# **Caveat.** The figures show one network of each kind. The number of frequencies depends on the penalty, the width and
# the initialisation, which are not varied here.

# %%
values = answers(networks, right, theorists)
record(values_file, network, values, others=other_networks)
values

# %%
of_theorists, of_all = [], []
for name in theorists:
    line = assumptions[name]
    of_theorists.append(
        f"- {titles[name]}: {values[f'{name}_spectral_count']} frequencies hold 95 % of what all frequencies hold "
        f"({values[f'{name}_key_set']} have at least 0.5 % each); frequencies explain {values[f'{name}_explained']:.3f} "
        f"of the logits; {line['pure']:.0%} of the neurons are pure; outside the closed form {line['outside']:.4f}, mismatch "
        f"{line['mismatch']:.3f} rad, unequal {line['unequal']:.2f}; accuracy {line['accuracy']:.4f}."
    )
for name, line in assumptions.items():
    phases = "no frequency has five of them, so phases are not tested."
    if np.isfinite(line["crowding"]):
        p = line["p, phases uniform"]
        phases = f"crowding of phases {line['crowding']:.2f} (1 if drawn uniformly, p = {p:.2g})."
    even = f"frequencies even p = {line['p, frequencies even']:.2g}"
    of_all.append(f"- {titles[name]}: {line['working']} neurons work; {even}, {phases}")
say(
    about(network),
    "\n".join(of_theorists),
    "\n".join(of_all),
    f"With {trained.recipe.d_mlp} neurons, as the trained network has, {values['closed_form_right'].holds} of "
    f"{most_draws} draws of the closed form are right everywhere.",
)
