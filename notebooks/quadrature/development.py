# %% [markdown]
# # How do the secondary frequency and the quadrature develop over training?
#
# **Claim** ([QR]). The authors leave two questions: *the development of secondary frequencies over the training phase,
# and also the optimal strength of the secondary frequency with respect to the loss function*. To a reviewer who asks
# what makes secondary frequencies emerge they answer that they help where cos(w_k(a−b)/2) is near 0.
#
# **Method.** The mainline run again, stopped earlier: same seed, same order of float operations, hence the same network
# on its way. Of every stop, what the other notebooks measure of the end. The secondary frequency 2k is read off twice:
# as the share of the variance of A at 2k, over the neurons of key frequency k, and as what it does, the coefficient D_k
# of the identity part. A network on its way has other key frequencies than at the end; numbers that exist once per
# frequency are followed at the *final* key frequencies, with a gap where one of them is not key yet. For the optimal
# strength, the part of A and B at 2k is scaled in the trained network, all else left as it is.

# %%
from dataclasses import replace

import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from modadd.core.neurons import neurons_of
from modadd.core.separable import margins
from modadd.handmade.build import without
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.rows import row_of
from modadd.populations.tables import by_frequency, read_population
from modadd.quadrature.scheme import INTEGRAL

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
populations = {"q_development": "results/populations/q_development.parquet"}
kept = {}
figures = "figures/development"
values_file = "results/values/development.json"
published = {}  # no number is printed
most_panels = 6  # final key frequencies drawn, strongest first
most_strength = 2.5  # largest factor on the secondary frequency

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
neurons = neurons_of(separable)
key, drawn = neurons.key_frequencies(), neurons.strongest(most_panels)
rows = read_population(populations["q_development"], kept.get("q_development"))
mainline = rows[(rows.seed == network.seed) & (rows.steps < network.recipe.steps)]
stops = pd.concat([mainline, pd.DataFrame([row_of(network)])], ignore_index=True).sort_values(
    "steps", ignore_index=True
)
stops = stops.assign(
    key_frequencies=stops.frequencies.map(len), final=stops.frequencies.map(lambda f: np.isin(key, f).sum())
)
whole = ["steps", "accuracy", "train_loss", "held_out_loss", "key_frequencies", "final", "share_one_frequency"]
whole += ["median_share_preactivation", "median_share_neuron_logit", "identity_mass", "margin_ratio"]
whole += [
    "smallest_margin_full",
    "smallest_margin_absolute",
    "certified_share_k",
    "certified_share_k_2k",
    "certified_share_channels",
]
save_table(stops[whole], f"{figures}/stops", digits=4)
stops[whole].round(4)

# %% [markdown]
# ## The network as a whole
# Training loss falls first; the held-out loss follows when the network finds the rule. *Final ones* counts those of the
# final key frequencies that are key already.

# %%


def readable(axis):
    low, high = axis.get_view_interval()
    ticks = LogLocator(subs=(1, 3) if high < 200 * low else (1,))
    axis.set(major_locator=ticks, minor_locator=NullLocator(), major_formatter="{x:g}")


shown = {  # title: (label of the axis, scale, {label: number})
    "Loss": ("cross-entropy (nats)", "log", {"training pairs": "train_loss", "held-out pairs": "held_out_loss"}),
    "Right and certified": (
        "share of inputs",
        "linear",
        {
            "right": "accuracy",
            "certified, channels": "certified_share_channels",
            "certified, k and 2k": "certified_share_k_2k",
        },
    ),
    "Key frequencies": ("number", "linear", {"all": "key_frequencies", "final ones": "final"}),
    "One frequency": (
        "share of variance",
        "linear",
        {"A, median": "median_share_preactivation", "W, median": "median_share_neuron_logit"},
    ),
    "Identity part": ("share of power", "linear", {"logit_id1 at ±(2k, −k)": "identity_mass"}),
    "Smallest margin": (
        "logits",
        "linear",
        {"network": "smallest_margin_full", "absolute part alone": "smallest_margin_absolute"},
    ),
}
figure, axes = panels(len(shown), columns=3, height=2.1, sharex=True)
for ax, (title, (unit, scale, lines)) in zip(axes, shown.items(), strict=True):
    for (label, number), colour, dashes, marker in zip(lines.items(), COLOURS, DASHES, MARKERS, strict=False):
        ax.plot(stops.steps, stops[number], color=colour, linestyle=dashes, marker=marker, markersize=3, label=label)
    ax.set(xscale="log", xlabel="updates", ylabel=unit, yscale=scale)
    ax.set_title(title, loc="left", pad=32)
    for axis in (ax.xaxis, ax.yaxis) if scale == "log" else (ax.xaxis,):
        readable(axis)
    ax.legend(loc="lower left", bbox_to_anchor=(-0.05, 0.97), borderpad=0, labelspacing=0.1)
axes[2].yaxis.set_major_locator(MaxNLocator(integer=True))
save_figure(figure, f"{figures}/whole", stops[whole])

# %% [markdown]
# ## The secondary frequency and the quadrature of each final key frequency
# Error and bound are divided by the integral, 4/3; at 1 (dotted) the scheme is as good as none. With few updates the
# neurons of a frequency have not settled, and a large C_k with it.

# %%
followed = {
    "absolute_coefficients": ("C_k (logits)", "linear", 1),
    "identity_coefficients": ("D_k (logits)", "linear", 1),
    "secondary_share": ("share of variance of A at 2k", "log", 1),
    "rms_mismatch": ("rms of ψ − 2φ (rad)", "log", 1),
    "actual_modulus": ("actual error over 4/3", "log", INTEGRAL),
    "whole_bound": ("whole bound over 4/3", "log", INTEGRAL),
}
more = [
    "neurons",
    "phase_line_r_squared",
    "phase_line_slope",
    "angle_term",
    "lipschitz_bound",
    "worst_case",
    "spectral_64",
]
long = by_frequency(stops, ["steps", *followed, *more])
final = long[long.frequency.isin(key)].sort_values(["frequency", "steps"], ignore_index=True)
save_table(final, f"{figures}/final_frequencies", digits=4)
figure, axes = panels(len(followed), columns=3, height=2.1, sharex=True)
for ax, (number, (label, scale, unit)) in zip(axes, followed.items(), strict=True):
    for k, colour, dashes, marker in zip(drawn, COLOURS, DASHES, MARKERS, strict=False):
        curve = final[final.frequency == k].set_index("steps")[number].reindex(stops.steps) / unit
        ax.plot(curve, color=colour, linestyle=dashes, marker=marker, markersize=3, label=f"k = {k}")
    ax.set(xscale="log", yscale=scale, xlabel="updates", ylabel=label)
    for axis in (ax.xaxis, ax.yaxis) if scale == "log" else (ax.xaxis,):
        readable(axis)
for ax in axes[4:]:
    ax.axhline(1, color="0.4", linestyle=":", linewidth=1)
axes[1].axhline(0, color="0.4", linewidth=0.7)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(drawn))
save_figure(figure, f"{figures}/frequencies", final)

# %% [markdown]
# ## Is the secondary frequency as strong as is best?
# Factor 0 takes it out, 1 leaves the trained network. The loss is the mean cross-entropy over all n² inputs. Scaling up
# also makes the tables larger, which lowers the loss by itself and which weight decay charges for; the second curve
# scales A and B back to the norm they had.


# %%
def loss(logits):
    right = np.add.outer(np.arange(len(logits)), np.arange(len(logits))) % len(logits)
    return float((logsumexp(logits, axis=-1) - np.take_along_axis(logits, right[..., None], -1)[..., 0]).mean())


def scaled(factor, equal_norm):
    both = {side: (1 - factor) * getattr(bare, side) + factor * getattr(separable, side) for side in "AB"}
    size = np.linalg.norm([separable.A, separable.B]) / np.linalg.norm(list(both.values())) if equal_norm else 1
    return replace(separable, **{side: size * table for side, table in both.items()}).logits()


bare = without(separable, neurons.frequency, 2)  # its W is not used: only A and B are scaled
rules = {"as it is": False, "at equal norm of A and B": True}
strengths = [
    (rule, factor, loss(logits), margins(logits).min(), margins(logits).mean())
    for rule, equal_norm in rules.items()
    for factor in np.round(np.linspace(0, most_strength, 26), 6)
    for logits in [scaled(factor, equal_norm)]
]
strengths = pd.DataFrame(strengths, columns=["rule", "factor", "loss", "smallest_margin", "mean_margin"])
search = {"bounds": (0, most_strength), "method": "bounded", "options": {"xatol": 1e-3}}
best = {rule: minimize_scalar(lambda f, e=equal: np.log(loss(scaled(f, e))), **search) for rule, equal in rules.items()}
trained_loss, bare_loss = loss(separable.logits()), loss(scaled(0, False))

# %%
figure, axes = panels(3, columns=3, height=2.2, sharex=True)
labels = {
    "loss": "loss over all inputs (nats)",
    "smallest_margin": "smallest margin (logits)",
    "mean_margin": "mean margin (logits)",
}
for ax, (number, label) in zip(axes, labels.items(), strict=True):
    for (rule, curve), colour, dashes in zip(strengths.groupby("rule"), COLOURS, DASHES, strict=False):
        ax.plot(curve.factor, curve[number], color=colour, linestyle=dashes, label=rule)
    ax.axvline(1, color="0.4", linestyle=":", linewidth=1, label="as trained")
    ax.set(xlabel="factor on the secondary frequency", ylabel=label, yscale="log" if number == "loss" else "linear")
readable(axes[0].yaxis)
for found, colour, marker in zip(best.values(), COLOURS, MARKERS, strict=False):
    axes[0].plot(found.x, np.exp(found.fun), marker, color=colour, markersize=5)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/strength", strengths)

# %% [markdown]
# ## Result
# Read in which order things come: the first stop with every answer right, with ψ = 2φ at every final key frequency,
# with every D_k negative. And read where the loss is least: at a factor of 1 training has found the best strength,
# beyond 1 it stopped short, which weight decay may cause.
#
# **Caveat.** One run, and few stops: "first" means by that stop. The best factor is best for this network with all else
# held fixed, not the best that a network could be trained to.


# %%
def first(reached):
    return int(stops.steps[reached].iloc[0]) if reached.any() else None


at_key = {
    number: final.pivot(index="steps", columns="frequency", values=number).reindex(stops.steps)
    for number in (*followed, *more)
}
complete = (stops.final == len(key)).to_numpy()
firsts = {
    "accuracy": first(stops.accuracy == 1),
    "frequencies": first(complete & (stops.key_frequencies == len(key)).to_numpy()),
    "phase_line": first(complete & (at_key["phase_line_r_squared"] > 0.99).all(axis=1).to_numpy()),
    "identity_negative": first(complete & (at_key["identity_coefficients"] < 0).all(axis=1).to_numpy()),
    "bound_below_integral": first(complete & (at_key["whole_bound"] < INTEGRAL).all(axis=1).to_numpy()),
    "certified_k_2k": first(stops.certified_share_k_2k == 1),
    "certified_channels": first(stops.certified_share_channels == 1),
}
right = stops.steps[stops.accuracy == 1].iloc[:1]  # none, if the network has not learned the task
worst = {number: at_key[number].max(axis=1) for number in ("actual_modulus", "rms_mismatch", "identity_coefficients")}
values = {f"first_{name}": steps for name, steps in firsts.items()} | {
    "best_factor": best["as it is"].x,
    "best_factor_equal_norm": best["at equal norm of A and B"].x,
    "loss_without_over_with": bare_loss / trained_loss,
    "loss_with_over_best": trained_loss / np.exp(best["at equal norm of A and B"].fun),
    "error_first_right_over_final": worst["actual_modulus"].reindex(right).mean() / worst["actual_modulus"].iloc[-1],
    "mismatch_first_right_over_final": worst["rms_mismatch"].reindex(right).mean() / worst["rms_mismatch"].iloc[-1],
    "largest_identity_coefficient_first_right": worst["identity_coefficients"].reindex(right).mean(),
}
record(values_file, network, values, [rows])
values

# %%
names = {
    "accuracy": "every answer right",
    "frequencies": "the final key frequencies and no other",
    "phase_line": "a phase line with R² > 0.99 at each of them",
    "identity_negative": "D_k < 0 at each of them",
    "bound_below_integral": "the whole bound below the integral at each of them",
    "certified_k_2k": "every input certified from k and 2k",
    "certified_channels": "every input certified through few channels",
}
print(f"Stops at {', '.join(map(str, stops.steps))} updates; final key frequencies {', '.join(map(str, key))}.")
for name, words in names.items():
    print(f"First stop with {words}: {values[f'first_{name}'] if values[f'first_{name}'] is not None else 'none'}.")
for _, stop in stops.iterrows():
    print(f"{stop.steps} updates: {stop.key_frequencies} key frequencies, {stop.final} of them final;", end=" ")
    print(
        f"accuracy {stop.accuracy:.4f}, held-out loss {stop.held_out_loss:.2g}, identity mass {stop.identity_mass:.2f}."
    )
error, mismatch = values["error_first_right_over_final"], values["mismatch_first_right_over_final"]
print(
    f"At the first stop with every answer right the largest quadrature error is {error:.1f} times the final one,",
    end=" ",
)
print(f"the largest rms of ψ − 2φ {mismatch:.1f} times.")
without_it, factors = values["loss_without_over_with"], (values["best_factor"], values["best_factor_equal_norm"])
print(f"Without the secondary frequency the loss of the trained network is {without_it:.3g} times as large.", end=" ")
print(
    f"It is least at {factors[0]:.3f} times the trained strength, at equal norm of A and B at {factors[1]:.3f} times;",
    end=" ",
)
print(f"as trained it is {values['loss_with_over_best']:.3f} times the least.")
