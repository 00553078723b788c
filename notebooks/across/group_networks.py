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
from scipy.stats import chisquare, combine_pvalues

from modadd.core.fourier import cosine_at
from modadd.core.separable import accuracy
from modadd.core.statistics import share
from modadd.crt.cosets import rayleigh_p
from modadd.handmade.gromov import Hidden, distance_from_closed_form, drawn_closed_form, squares
from modadd.ledger.record import record
from modadd.networks.architectures import tables_of
from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.page.prose import about, say
from modadd.populations.spectra import IMPURE, KEY, in_order, purest, spectral_count, spectral_weights

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
others = {
    "square_mlp/seed0": "results/networks/square_mlp/seed0.safetensors",
    "pizza_transformer/seed0": "results/networks/pizza_transformer/seed0.safetensors",
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
figures = "figures/group_networks"
values_file = "results/values/group_networks.json"
published = {}  # no paper prints any of these numbers
widths = [8, 16, 32, 64, 128, 256, 512]  # neurons of the closed form
draws, most_draws = 20, 200  # of its phases, for each width, and for that of the trained network
phase_draws = 2000  # of uniform phases, as many as neurons
idle = 0.01  # of the mean size

# %%
use_style()
network, beside = load_network(network_file), {name: load_network(path) for name, path in others.items()}
every = {own.recipe.architecture: own for own in (network, *beside.values())}
titles = {"group_mlp": "ReLU on the group", "square_mlp": "u² on the group", "pizza_transformer": "Q, pizza"}
titles |= {"two_layer_mlp": "M, two-layer", "embedding_mlp": "C, embedding"}
theorists = ("group_mlp", "square_mlp")


# %%
def hidden(own):
    tables = tables_of(own.recipe.architecture, own.parameters)
    return Hidden(tables.A, tables.B, tables.W)


def working(tables):
    size = tables.U.std(axis=0) * tables.V.std(axis=0) * tables.W.std(axis=1)
    return size >= idle * size.mean()


def phases_at(tables, frequency, k):
    return [cosine_at(table[:, frequency == k], frequency[frequency == k]).phase for table in tables]


def crowding(groups):
    return np.mean([len(phases) * abs(np.exp(1j * phases).mean()) ** 2 for phases in groups]) if groups else np.nan


def uniform_p(groups):
    """Two-sided p-value of the crowding, by draws of as many uniform phases in every group; NaN for no groups."""
    if not groups:
        return np.nan
    draw = np.random.default_rng(seed_for(0, "uniform phases")).uniform
    drawn = [crowding([draw(0, 2 * np.pi, len(phases)) for phases in groups]) for _ in range(phase_draws)]
    above = np.greater_equal(drawn, crowding(groups))
    return min(1.0, 2 * (1 + min(above.sum(), (~above).sum())) / (1 + phase_draws))


# %% [markdown]
# ## Frequencies of the logits and of the neurons
# Above: share of the logits at each frequency. Below: how many neurons have it; those that work, and the pure ones of
# them (95 % of their energy), in dark. A neuron is idle if the product of the spreads of its u, v and w is less than 1 %
# of the mean: the penalty has shrunk it.

# %%
figure, axes = panels(4, columns=2, height=1.9, sharex=True)
spectra = []
for column, name in enumerate(theorists):
    weights = spectral_weights(*in_order(every[name]))
    frequency, purity = purest(every[name])
    k = np.arange(1, every[name].recipe.modulus // 2 + 1)
    works = working(hidden(every[name]))
    kinds = {"idle too": np.ones_like(works), "working": works, "pure": works & (purity >= 1 - IMPURE)}
    counts = {kind: np.bincount(frequency[chosen], minlength=len(weights))[k] for kind, chosen in kinds.items()}
    axes[column].bar(k, weights[k], color=COLOURS[0])
    axes[column].set_title(titles[name], loc="left")
    for kind, colour in zip(counts, ("0.9", COLOURS[2], COLOURS[0]), strict=True):
        axes[2 + column].bar(k, counts[kind], color=colour, edgecolor="0.3", linewidth=0.4, label=kind)
    axes[2 + column].set_xlabel("frequency k")
    spectra.append(pd.DataFrame({"network": name, "frequency": k, "spectral_weight": weights[k], **counts}))
axes[0].set_ylabel("share of the logits, b_k²")
axes[2].set_ylabel("neurons")
axes[3].legend()
save_figure(figure, f"{figures}/spectra", pd.concat(spectra))

# %% [markdown]
# ## The closed form, by its width
# With few neurons the phases are not spread evenly enough. The cross is the trained network of squares.

# %%
n = network.recipe.modulus
trained = every["square_mlp"]
draws_of = dict.fromkeys(widths, draws) | {trained.recipe.d_mlp: most_draws}
seeds = [(h, draw, seed_for(draw, "closed form")) for h in draws_of for draw in range(draws_of[h])]
right = [(h, draw, accuracy(squares(drawn_closed_form(n, h, seed)))) for h, draw, seed in seeds]
right = pd.DataFrame(right, columns=["neurons", "draw", "accuracy"])
figure, (ax,) = panels(1, columns=1, height=2.2)
ax.plot(right.neurons, right.accuracy, "o", color=COLOURS[0], markersize=3, alpha=0.5, label="closed form, one draw")
ax.plot(right.groupby("neurons").accuracy.median(), color=COLOURS[0], label="closed form, median")
ax.plot(trained.recipe.d_mlp, trained.results["accuracy"], "X", color=COLOURS[1], markersize=7, label="trained")
ax.set(xscale="log", xlabel="neurons", ylabel="share of inputs right")
ax.set_xticks(widths, [f"{h}" for h in widths])
ax.minorticks_off()
ax.legend()
save_figure(figure, f"{figures}/closed_form", right)

# %% [markdown]
# ## Both assumptions, on every network
# *Outside* is the share of the energy of u, v and w that one cosine per neuron does not hold; *mismatch* the root mean
# square of ψ − φ − φ'; *unequal* the spread of the neurons' sizes; all of the neurons that work. Phases are tested at all
# frequencies with at least five such neurons, of u and v, or of u alone where the two are the same by construction.
# *Crowded* is the p-value of Rayleigh's test, combined over them (Fisher), *uniform* that of crowding, two-sided, by draws.

# %%
lines = {}
for name, own in every.items():
    works = working(hidden(own))
    tables, (frequency, purity) = hidden(own), (found[works] for found in purest(own))
    tables = Hidden(tables.U[:, works], tables.V[:, works], tables.W[works])
    possible = np.arange(1, (own.recipe.modulus - 1) // 2 + 1)
    far = distance_from_closed_form(tables, frequency)
    counts = np.bincount(frequency, minlength=len(possible) + 1)[possible]
    many = possible[counts >= 5]
    inputs = (tables.U,) if np.array_equal(tables.U, tables.V) else (tables.U, tables.V)
    groups = [phases for k in many for phases in phases_at(inputs, frequency, k)]
    crowded = [rayleigh_p(phases) for phases in groups]
    lines[name] = {
        "accuracy": accuracy(own.logits(), own.right_answers()),
        "neurons": len(works),
        "working": int(works.sum()),
        "pure": float((purity >= 1 - IMPURE).mean()),
        "frequencies used": int((counts > 0).sum()),
        "possible": len(possible),
        "p, frequencies even": float(chisquare(counts).pvalue),
        "crowding": float(crowding(groups)),
        "p, phases crowded": float(combine_pvalues(crowded).pvalue) if groups else np.nan,
        "p, phases uniform": uniform_p(groups),
        "outside": far.outside,
        "mismatch": far.mismatch,
        "unequal": far.unequal,
    }
table = pd.DataFrame(lines).T.rename(index=titles).rename_axis("network").reset_index()
save_table(table, f"{figures}/assumptions", digits=4)
table

# %% [markdown]
# ## Result
# **Caveat.** One network of each kind, and one modulus of the theorists'. The number of frequencies depends on the
# penalty, the width and the initialisation, which are not varied here.

# %%
values = {}
for name in theorists:
    weights = spectral_weights(*in_order(every[name]))
    values[f"{name}_accuracy"] = lines[name]["accuracy"]
    values[f"{name}_spectral_count"] = spectral_count(weights)
    values[f"{name}_key_set"] = int((weights >= KEY).sum())
    values[f"{name}_explained"] = float(weights.sum())
    values[f"{name}_pure"] = lines[name]["pure"]
    values |= {f"{name}_{key}": lines[name][key] for key in ("outside", "mismatch", "unequal")}
for name in every:
    values[f"{name}_crowding"] = lines[name]["crowding"]
    values[f"{name}_uniform_p"] = lines[name]["p, phases uniform"]
    values[f"{name}_working"] = lines[name]["working"]
values["even_p"] = [lines[name]["p, frequencies even"] for name in every]
tested = [name for name in every if np.isfinite(values[f"{name}_crowding"])]
values["networks_with_phases"] = len(tested)
values["smallest_uniform_p"] = min((lines[name]["p, phases uniform"] for name in tested), default=np.nan)
values["closed_form_right"] = share(right.accuracy[right.neurons == trained.recipe.d_mlp] == 1)
record(values_file, network, values, others=beside)
values

# %%
say(
    about(network),
    "\n".join(
        f"- {titles[name]}: {values[f'{name}_spectral_count']} frequencies hold 95 % of what all frequencies hold "
        f"({values[f'{name}_key_set']} have at least 0.5 % each); frequencies explain {values[f'{name}_explained']:.3f} "
        f"of the logits; {values[f'{name}_pure']:.0%} of the neurons are pure; outside the closed form "
        f"{values[f'{name}_outside']:.4f}, mismatch {values[f'{name}_mismatch']:.3f} rad, "
        f"unequal {values[f'{name}_unequal']:.2f}; accuracy {values[f'{name}_accuracy']:.4f}."
        for name in theorists
    ),
    "\n".join(
        f"- {titles[name]}: {values[f'{name}_working']} neurons work; frequencies even p = {p:.2g}, "
        + (
            f"crowding of phases {values[f'{name}_crowding']:.2f} (1 if drawn uniformly, p = {values[f'{name}_uniform_p']:.2g})."
            if name in tested
            else "no frequency has five of them, so phases are not tested."
        )
        for name, p in zip(every, values["even_p"], strict=True)
    ),
    f"With {trained.recipe.d_mlp} neurons, as the trained network has, {values['closed_form_right'].holds} of "
    f"{most_draws} draws of the closed form are right everywhere.",
)
