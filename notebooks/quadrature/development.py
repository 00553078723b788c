# %% [markdown]
# # How do the secondary frequency and the quadrature develop over training?
#
# **Claim** ([QR]). A neuron of frequency k also carries its double, the secondary frequency:
#
# $$ A_i(a) \approx \alpha_i \cos(w_k a + \varphi_i) + \lambda \gamma_i \cos(2 w_k a + \chi_i) , \qquad \lambda = 1 . $$
#
# The authors leave two questions: *the development of secondary frequencies over the training phase, and also the
# optimal strength of the secondary frequency with respect to the loss function*. To a reviewer who asks what makes
# secondary frequencies emerge they answer that these help where cos(w_k(a−b)/2) is near 0.
#
# **Method.** The mainline keeps snapshots of its tables during training. At some of these snapshots, here called stops,
# we measure what the other notebooks measure at the end; the last stop is the network itself. The secondary frequency
# is read off twice: as the share of the variance of A at 2k, over the neurons of key frequency k, and as what it does,
# the coefficient D_k of the identity part. Numbers of one frequency are followed at the *final* key frequencies, with a
# gap where one is not key yet. For the optimal strength we scale the part of A and B at 2k in the trained network by a
# factor λ, and change nothing else.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator

import modadd.certificates.explained_measures
import modadd.quadrature.scheme_measures
from modadd.certificates.proofs import certified_share_short
from modadd.core.losses import mean_loss
from modadd.core.neurons import neurons_of
from modadd.core.separable import margins
from modadd.handmade.build import with_harmonic
from modadd.handmade.twin_measures import STRONGEST, best_at_equal_norm, best_strength, loss_over_best_strength
from modadd.networks.registry import measured, measures_in
from modadd.networks.snapshots import read_history
from modadd.networks.store import load_network
from modadd.plots.axes import few_log_ticks
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.events import pizza_when_first_right, read_stages
from modadd.populations.stages import nearest_snapshots
from modadd.populations.tables import by_frequency
from modadd.quadrature.scheme import INTEGRAL
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
history_file = "results/networks/pizza_transformer/seed0.history.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "pizza_transformer": ["results/stages/pizza_transformer/seed0.parquet"],
}
figures = "results/by_hand/development"
values_file = "results/by_hand/development.json"
published = {}  # no number is printed
first_stop, most_stops = 100, 10  # updates; stops lie evenly on a logarithmic axis
most_panels = 6  # strongest key frequencies drawn

# %%
use_style()
network = load_network(network_file)
separable, neurons = network.separable(), neurons_of(network.separable())
key, drawn = neurons.key_frequencies(), neurons.strongest(most_panels)
runs, end = read_stages(datasets["pizza_transformer"]), network.recipe.steps
targets = np.geomspace(min(first_stop, end), end, most_stops)
snapshots = nearest_snapshots(read_history(history_file), targets) | {end: separable}

# %%
of_stages = ["accuracy", "train_loss", "held_out_loss"]  # of the watched run, whose rows have them
stages = runs[runs.seed == network.seed].set_index("updates")[of_stages]
measures = measures_in(modadd.quadrature.scheme_measures, modadd.certificates.explained_measures)
stops = pd.DataFrame(
    {"steps": updates, **stages.loc[updates], **measured(tables, measures)} for updates, tables in snapshots.items()
)
stops["certified_share_short"] = [certified_share_short(tables) for tables in snapshots.values()]
stops["key_frequencies"] = stops.frequencies.map(set).map(len)
stops["final"] = stops.frequencies.map({*key}.intersection).map(len)
whole = """
    steps accuracy train_loss held_out_loss key_frequencies final share_one_frequency smallest_margin_mlp identity_mass
    median_share_preactivation median_share_neuron_logit
    r2_full_pizza r2_full_clock r2_absolute_pizza r2_absolute_clock
    certified_share_k certified_share_k_2k certified_share_short smallest_margin_full smallest_margin_absolute
""".split()
save_table(stops[whole], f"{figures}/stops", digits=4)


# %%
def draw_stops(ax, curves, scale, label):
    """Curves over the updates, by their names: a log axis of each has few ticks."""
    for (name, curve), colour, dashes, marker in zip(curves.items(), COLOURS, DASHES, MARKERS, strict=False):
        ax.plot(stops.steps, curve, color=colour, linestyle=dashes, marker=marker, markersize=3, label=name)
    ax.set(xscale="log", yscale=scale, xlabel="updates", ylabel=label)
    for axis in (ax.xaxis, ax.yaxis) if scale == "log" else (ax.xaxis,):
        few_log_ticks(axis, 200)


# %% [markdown]
# ## The network as a whole
# *Final ones* counts the final key frequencies that are already key. The last two panels show, by the R² of both kinds
# of term, whether the network is a pizza or a clock during training ([QR]: how is it ensured that it is always a
# pizza?).

# %%
losses = {"training pairs": "train_loss", "held-out pairs": "held_out_loss"}
certified = {"right": "accuracy", "short proof": "certified_share_short", "k and 2k": "certified_share_k_2k"}
purity = {"A, median": "median_share_preactivation", "W, median": "median_share_neuron_logit"}
margin = {"network": "smallest_margin_full", "absolute part alone": "smallest_margin_absolute"}
shown = {  # title: (label of the axis, scale, {label: number})
    "Loss": ("cross-entropy (nats)", "log", losses),
    "Right and certified": ("share of inputs", "linear", certified),
    "Key frequencies": ("number", "linear", {"all": "key_frequencies", "final ones": "final"}),
    "One frequency": ("share of variance", "linear", purity),
    "Identity part": ("share of power", "linear", {"logit_id1 at ±(2k, −k)": "identity_mass"}),
    "Smallest margin": ("logits", "linear", margin),
    "Full logits": ("R²", "linear", {f"{kind} terms": f"r2_full_{kind}" for kind in ("pizza", "clock")}),
    "Absolute-value part": ("R²", "linear", {f"{kind} terms": f"r2_absolute_{kind}" for kind in ("pizza", "clock")}),
}
figure, axes = panels(len(shown), columns=4, height=2.1, sharex=True)
for ax, (title, (unit, scale, lines)) in zip(axes, shown.items(), strict=True):
    draw_stops(ax, {label: stops[number] for label, number in lines.items()}, scale, unit)
    ax.set_title(title, loc="left", pad=32)
    ax.legend(loc="lower left", bbox_to_anchor=(-0.05, 0.97), borderpad=0, labelspacing=0.1)
axes[2].yaxis.set_major_locator(MaxNLocator(integer=True))
axes[0].xaxis.set_major_locator(LogLocator())  # the panels are narrow
save_figure(figure, f"{figures}/whole", stops[whole])

# %% [markdown]
# ## The secondary frequency and the quadrature of each final key frequency
# Error and bound are divided by the integral, 4/3; at 1 (dotted) the scheme is as good as none. After few updates
# neither the neurons of a frequency nor C_k have settled.

# %%
followed = {  # number: (label of the axis, scale, unit)
    "absolute_coefficients": ("C_k (logits)", "linear", 1),
    "identity_coefficients": ("D_k (logits)", "linear", 1),
    "secondary_share": ("share of variance of A at 2k", "log", 1),
    "rms_mismatch": ("rms of ψ − 2φ (rad)", "log", 1),
    "actual_modulus": ("actual error over 4/3", "log", INTEGRAL),
    "whole_bound": ("whole bound over 4/3", "log", INTEGRAL),
}
more = ["neurons", "phase_line_r_squared", "phase_line_slope", "angle_term", "lipschitz_bound", "worst_case"]
long = by_frequency(stops, ["steps", *followed, *more, "spectral_64"])
final = long[long.frequency.isin(key)].sort_values(["frequency", "steps"], ignore_index=True)
save_table(final, f"{figures}/final_frequencies", digits=4)

# %%
at_key = final.set_index(["steps", "frequency"]).unstack().reindex(stops.steps)
figure, axes = panels(len(followed), columns=3, height=2.1, sharex=True)
for ax, (number, (label, scale, unit)) in zip(axes, followed.items(), strict=True):
    draw_stops(ax, {f"k = {k}": at_key[number, k] / unit for k in drawn}, scale, label)
for ax in axes[4:]:
    ax.axhline(1, color="0.4", linestyle=":", linewidth=1)
axes[1].axhline(0, color="0.4", linewidth=0.7)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(drawn))
save_figure(figure, f"{figures}/frequencies", final)

# %% [markdown]
# ## Is the secondary frequency as strong as is best?
# λ = 0 takes it out, λ = 1 leaves the trained network. The loss is the mean cross-entropy over all inputs. Scaling up
# also makes the tables larger, which lowers the loss by itself and which weight decay charges for. So the second curve
# scales A and B back to the norm they had.

# %%
rules = {"as it is": False, "at equal norm of A and B": True}
strengths = []
for rule, equal_norm in rules.items():
    for factor in np.round(np.linspace(0, STRONGEST, 26), 6):
        logits = with_harmonic(separable, neurons.frequency, factor, equal_norm).logits()
        strengths.append((rule, factor, mean_loss(logits), margins(logits).min(), margins(logits).mean()))
strengths = pd.DataFrame(strengths, columns=["rule", "factor", "loss", "smallest_margin", "mean_margin"])
best = dict(zip(rules, (best_strength(network, equal_norm=False), best_at_equal_norm(network)), strict=True))

# %%
figure, axes = panels(3, columns=3, height=2.2, sharex=True)
labels = {"loss": "loss over all inputs (nats)", "smallest_margin": "smallest margin (logits)"}
labels |= {"mean_margin": "mean margin (logits)"}
for ax, (number, label) in zip(axes, labels.items(), strict=True):
    for (rule, curve), colour, dashes in zip(strengths.groupby("rule"), COLOURS, DASHES, strict=False):
        ax.plot(curve.factor, curve[number], color=colour, linestyle=dashes, label=rule)
    ax.axvline(1, color="0.4", linestyle=":", linewidth=1, label="as trained")
    ax.set(xlabel="factor on the secondary frequency", ylabel=label, yscale="log" if number == "loss" else "linear")
few_log_ticks(axes[0].yaxis, 200)
for least, colour, marker in zip(best.values(), COLOURS, MARKERS, strict=False):
    axes[0].plot(least.factor, least.loss, marker, color=colour, markersize=5)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/strength", strengths)

# %% [markdown]
# ## Result
# The order of three events answers the first question: the first stop with every answer right, the first with ψ = 2φ at
# every final key frequency, and the first with every D_k negative. The λ of least loss answers the second. At 1
# training has found the best strength; above, it stopped short of it, which weight decay may cause.
#
# Whether the full logits are still a pizza when every answer is first right is asked of all runs that were watched, at
# their snapshots.
#
# **Caveat.** The stops are few, of one run, and the tables of all but the last are rounded to about 0.1 %. "First" means
# by that stop; what is reached may be lost again. The best λ is best for this network with all else held fixed.


# %%
right = stops.steps[stops.accuracy == 1].iloc[:1]  # none, if the network has not learned the task
values = {
    "pizza_when_first_right": pizza_when_first_right(runs),
    "loss_over_best_strength": loss_over_best_strength(network),
    "largest_identity_coefficient_first_right": at_key["identity_coefficients"].max(axis=1).reindex(right).mean(),
}
record(values_file, network, values)
values

# %%
complete = stops.final == len(key)


def at_all(holds):
    """Whether something holds at every final key frequency, by stop."""
    return complete & holds.all(axis=1).to_numpy()


reached = {
    "every answer right": stops.accuracy == 1,
    "more clock than pizza in the full logits": stops.r2_full_clock > stops.r2_full_pizza,
    "the final key frequencies and no other": complete & (stops.key_frequencies == len(key)),
    "a phase line with R² > 0.99 at each of them": at_all(at_key["phase_line_r_squared"] > 0.99),
    "D_k < 0 at each of them": at_all(at_key["identity_coefficients"] < 0),
    "the whole bound below 4/3 at each of them": at_all(at_key["whole_bound"] < INTEGRAL),
    "every input certified from k and 2k": stops.certified_share_k_2k == 1,
    "every input certified by the short proof": stops.certified_share_short == 1,
}
order = []
for words, holds in reached.items():
    stop = int(stops.steps[holds].iloc[0]) if holds.any() else None
    lost = stop and not holds[stops.steps >= stop].all()
    order.append(f"- First stop with {words}: {stop or 'none'}{', lost again at a later one' * bool(lost)}.")


# %%
def when_right_over_end(number):
    """The largest of a number over the key frequencies, at the first stop with every answer right, over the final one."""
    largest = at_key[number].max(axis=1)
    return largest.reindex(right).mean() / largest.iloc[-1]


sharper = (
    "At the first stop with every answer right the largest error is "
    f"{when_right_over_end('actual_modulus'):.1f} times the final one, and the largest rms of ψ − 2φ "
    f"{when_right_over_end('rms_mismatch'):.1f} times."
)
lead = (stops.r2_absolute_pizza - stops.r2_absolute_clock)[stops.accuracy == 1]
first_pizza = values["pizza_when_first_right"]
say(
    about(network),
    f"Stops at {', '.join(map(str, stops.steps))} updates; final key frequencies {', '.join(map(str, key))}.",
    "\n".join(order),
    sharper if len(right) else "No stop has every answer right.",
    "At the first snapshot with every answer right, pizza terms explain at least as much of the full logits as clock "
    f"terms in {first_pizza.holds} of {first_pizza.of} runs. In the absolute-value part of this one pizza leads by "
    f"{lead.min():.3f} or more from the first such stop on.",
)

# %%
bare = with_harmonic(separable, neurons.frequency, 0, False).logits()
as_it_is, equal = best.values()
say(
    f"Without the secondary frequency the loss is {mean_loss(bare) / mean_loss(separable.logits()):.3g} times that of the "
    f"trained network. It is least at λ = {as_it_is.factor:.3f}, and at equal norm of A and B at λ = {equal.factor:.3f}. "
    f"As trained it is {values['loss_over_best_strength']:.3f} times the least at equal norm."
)
