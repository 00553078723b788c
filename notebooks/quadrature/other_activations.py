# %% [markdown]
# # Do networks with other activations integrate?
#
# **Claim** ([QR]). The authors answer their reviewers that the proof extends to any non-negative activation. They had
# *not empirically verified that networks using other activation functions learn our proposed algorithm* rather than
# that of Gromov or another one. No number is printed.
#
# **Method.** The mainline recipe, with |u|, u², softplus log(1 + e^u) or GeLU u Φ(u) in the place of the ReLU and nothing
# else changed. Neuron i of frequency k computes g(γ + 2α cos(w_k d/2 + δ) cos(θ/2 + σ)), with d = a − b, θ = w_k(a + b),
# σ and δ half the sum and half the difference of the phases φ_a and φ_b, and γ the mean of the preactivation. Only the
# even part of g about γ has an order 2. If ψ = 2σ = φ_a + φ_b, and the σ fill the circle evenly, the neurons of one
# frequency add
#
# $$ \sum_i \beta_i \, g(\cdot) \, e^{i\psi_i} \approx I(d) \, e^{-i\theta}, \quad
# I(d) = \sum_i \frac{\beta_i}{2\pi} \int_{-\pi}^{\pi} g(\gamma_i + 2\alpha_i \cos(\tfrac{w_k d}{2} + \delta_i) \cos u)
# \cos 2u \, du. $$
#
# For |u| and ReLU the factor I(d) goes like |cos(w_k d/2)|, for u² like its square. Softplus and GeLU are not
# homogeneous, so the integral is computed for every neuron at its own level γ_i and amplitude α_i. For u² the law
# ψ = φ_a + φ_b is also that of Gromov's solution; there δ is free, and the factor is constant. Of a number that exists
# once per key frequency, a network has to meet its limit at every one. All limits were set before the networks were
# measured.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullFormatter

from modadd.networks.registry import measured
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.columns.any_activation import COLUMNS
from modadd.populations.other_activations import Limits, criteria, fewest, shares_by_activation, worst_numbers
from modadd.populations.tables import by_frequency, read_population
from modadd.quadrature.torus import LAWFUL
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_activations": ["results/populations/q_activations.parquet"],
    "q_seeds": ["results/populations/q_seeds.parquet"],
}
figures = "results/by_hand/other_activations"
values_file = "results/by_hand/other_activations.json"
published = {}  # no number is printed
least_accuracy = 0.99  # of all inputs
largest_error = 0.1  # of the largest integral
least_explained = 0.9  # of the variance of what the even parts add to the logits

# %%
use_style()
network = load_network(network_file)
rows = read_population(*datasets["q_activations"])
alike = (rows.steps == network.recipe.steps) & (rows.modulus == network.recipe.modulus)
rows = rows[alike].reset_index(drop=True)
trained_with = {"activation": network.recipe.activation, "seed": network.seed}
mainline = pd.DataFrame([measured(network, COLUMNS) | network.results | trained_with])
seeds = read_population(*datasets["q_seeds"])
seeds = seeds[seeds.steps == network.recipe.steps]
everyone = pd.concat([mainline, rows], ignore_index=True)
titles = {"relu": "ReLU", "abs": "|u|", "square": "u²", "softplus": "soft-\nplus", "gelu": "GeLU"}
present = [name for name in titles if (rows.activation == name).any()]

# %% [markdown]
# ## Every key frequency
# Points are key frequencies of all networks, triangles those of the mainline, whose neurons are ReLUs; its numbers come
# from the same code. Dashed lines are the limits. In the fourth panel they are the means of three factors: 1 for none, a
# clock; 2/π for |cos|, the pizza's; ½ for cos². *Random* is the root mean square error of as many random angles with the
# same amplitudes and exact output phases: below 1 the angles integrate better than chance.


# %%
def draw(ax, lines, column, label, limits):
    """The numbers of a column, by activation, and the limits that claims set."""
    for index, (name, colour) in enumerate(zip(titles, COLOURS, strict=False)):
        points = lines[lines.activation == name]
        x = index + np.linspace(-0.3, 0.3, len(points)) * (len(points) > 1)
        mainline_too = name == network.recipe.activation
        style = {"marker": "^", "markeredgecolor": "black"} if mainline_too else {"marker": "o"}
        ax.plot(x, points[column], linestyle="", color=colour, markersize=3.5, **style)
    for limit in limits:
        ax.axhline(limit, color="0.4", linestyle=(0, (4, 2)), linewidth=0.8, zorder=0)
    ax.set(ylabel=label, xlim=(-0.6, len(titles) - 0.4))
    ax.set_xticks(range(len(titles)), titles.values())


# %%
of_frequency = {  # number: (label, limits)
    "rms_two_phases": ("rms of ψ − φ_a − φ_b (rad)", [LAWFUL]),
    "integral_error": ("error/integral", [largest_error]),
    "error_over_random": ("error/random angles", [1]),
    "mean_integral": ("mean I(d)/largest I(d)", [1, 2 / np.pi, 1 / 2]),
    "level_over_amplitude": ("median |γ|/(2α)", []),
    "secondary_share": ("share of A at 2k", []),
}
columns = ["activation", "seed", "neurons", "coherence", "rms_one_phase", "odd_part", *of_frequency]
lines = by_frequency(everyone, columns)
figure, axes = panels(len(of_frequency), columns=3, height=2.1)
for ax, (number, (label, limits)) in zip(axes, of_frequency.items(), strict=True):
    draw(ax, lines, number, label, limits)
    if number != "mean_integral":
        ax.set_yscale("log")
        ax.yaxis.set_minor_formatter(NullFormatter())
figure.suptitle(f"{len(lines)} key frequencies of {len(everyone)} networks; ▲ the mainline", fontsize=8)
save_figure(figure, f"{figures}/frequencies", lines)

# %% [markdown]
# ## Every network
# The held-out loss, how many key frequencies there are, and how much one frequency explains of the median neuron's row
# of W. Then how much of what the even parts add to the logits is explained by the integrals of all key frequencies,
# with nothing fitted; and how much pizza and clock terms, fitted, explain of all logits. Beside the mainline a thin bar
# spans the other seeds of the ReLU, and a thick one the middle half of them, where their rows hold the same number.

# %%
everyone["key_frequencies"] = everyone.frequencies.map(len)
relus = seeds.assign(key_frequencies=seeds.frequencies.map(len))
of_network = {  # number: (label, limits)
    "held_out_loss": ("held-out loss (nats)", []),
    "key_frequencies": ("key frequencies", []),
    "median_share_neuron_logit": ("share of W at k, median", []),
    "r2_integrals": ("explained by the integrals", [least_explained]),
    "r2_full_pizza": ("R² on pizza terms", []),
    "r2_full_clock": ("R² on clock terms", []),
}

# %%
x = list(titles).index("relu") - 0.4
figure, axes = panels(len(of_network), columns=3, height=2.1)
for ax, (number, (label, limits)) in zip(axes, of_network.items(), strict=True):
    draw(ax, everyone, number, label, limits)
    if number in relus and len(relus):
        least, low, high, most = relus[number].quantile([0, 0.25, 0.75, 1])
        ax.vlines(x, least, most, color=COLOURS[0], linewidth=0.8)
        ax.vlines(x, low, high, color=COLOURS[0], linewidth=3, alpha=0.5)
axes[0].set_yscale("log")
axes[0].minorticks_off()
axes[1].yaxis.set_major_locator(MaxNLocator(integer=True))
figure.suptitle(f"{len(everyone)} networks; ▲ the mainline; bars: {len(relus)} seeds with the ReLU", fontsize=8)
save_figure(figure, f"{figures}/networks", everyone[["activation", "seed", "accuracy", *of_network]])

# %% [markdown]
# ## The share of networks that integrate
# A line for each activation: the networks that meet each limit, and the 95 % interval for the share among all seeds.
# The second table has the median over the networks, of the worst key frequency where there are several.

# %%
meets = criteria(rows, Limits(least_accuracy, largest_error, least_explained))
shares = shares_by_activation(meets, rows.activation, present)
lines = [
    {"activation": name, "criterion": criterion} | vars(meeting)
    for criterion, by_name in shares.items()
    for name, meeting in by_name.items()
]
table = pd.DataFrame(lines, columns=["activation", "criterion", "holds", "of", "low", "high"])
save_table(table, f"{figures}/shares")
table

# %%
numbers = rows[["accuracy", "held_out_loss", "r2_integrals", "r2_full_pizza", "r2_full_clock"]]
worst = worst_numbers(rows)
numbers = numbers.assign(key_frequencies=rows.frequencies.map(len), **worst)
numbers = numbers.assign(accuracy_even_part=rows.accuracy_even_part, accuracy_integrals=rows.accuracy_integrals)
medians = numbers.groupby(rows.activation).median().reindex(present)
save_table(medians.reset_index(), f"{figures}/medians", digits=4)
medians.round(4)

# %% [markdown]
# ## Result
# A network *integrates* if its sums stay within a tenth of the integral at every key frequency. Each share below is the
# one of the activation that does worst.
#
# **Caveat.** Key frequencies are those that carry a hundredth of Σ αβ, whatever the activation: a weak one counts like
# a strong one, and its error is relative to its own small integral. The error is that of the even part at one
# frequency per neuron: what a neuron reads of other frequencies is in the share that the integrals leave unexplained.
# With u² an answer is a sum of squares, so only a quadratic form of A and B counts, and other neurons can write the same
# form: there the angles of single neurons are less a part of the algorithm than elsewhere. All networks have the
# published number of updates, learning rate and weight decay, which were chosen for the ReLU.


# %%
values = {f"fewest_{criterion}": fewest(by_name) for criterion, by_name in shares.items()}
values |= {
    "smallest_coherence": worst.coherence.to_numpy().min() if len(rows) else np.nan,
    "mainline_error": max(mainline.integral_error[0], default=np.nan),
    "mainline_explained": mainline.r2_integrals[0],
}
record(values_file, network, values, [rows, seeds] if len(rows) else [seeds])
values

# %%
words = {
    "learned": f"an accuracy of at least {least_accuracy:g}",
    "phase_law": f"ψ = φ_a + φ_b within {LAWFUL:g} rad (rms) at every key frequency",
    "integrates": f"an error of at most {largest_error:g} of the integral at every key frequency",
    "explained": f"at least {least_explained:g} of the variance of the even part explained by the integrals",
}


def in_words(criterion):
    """How many networks of each activation meet a criterion."""
    counts = (f"{meeting.holds} of {meeting.of} with {name}" for name, meeting in shares[criterion].items())
    return f"- {words[criterion]}: {', '.join(counts) or 'no network'}."


say(
    f"{len(rows)} networks have as many updates as the mainline. "
    f"The mainline's own error is {values['mainline_error']:.3f} of the integral, and its integrals explain "
    f"{values['mainline_explained']:.4f}.",
    "\n".join(in_words(criterion) for criterion in meets),
)

# %%
for name, middle in medians.iterrows():
    say(
        f"- {name}: median over the networks: {middle.key_frequencies:g} key frequencies, rms of ψ − φ_a − φ_b "
        f"{middle.rms_two_phases:.3f} rad and error {middle.integral_error:.3f} at the worst of them, explained "
        f"{middle.r2_integrals:.3f}, R² {middle.r2_full_pizza:.3f} on pizza and {middle.r2_full_clock:.3f} on clock terms; "
        f"the integrals alone answer {middle.accuracy_integrals:.3f} of the inputs right, the even parts alone "
        f"{middle.accuracy_even_part:.3f}."
    )
if len(rows) and values["smallest_coherence"] > 0.99:
    smallest = f"{values['smallest_coherence']:.4f}"
    say(f"At every key frequency both phases are one: the coherence of φ_a − φ_b is at least {smallest}.")
