# %% [markdown]
# # Does the mechanism carry the answers, or would any change of that size do?
#
# **Claim** (this project's; the papers intervene without controls). Each paper says which neurons, phases, lines and
# directions carry the answers, and changes them to show it. Harm alone shows little: a random change of the same size
# may do as much. We claim three things: removing a part that is said to matter costs more than its control; keeping
# only the parts that are said to suffice costs less; and the answers rest on the law
#
# $$ \psi_i = \varphi_{a,i} + \varphi_{b,i} \quad \textrm{of neurons} \quad A_i(a) \approx \alpha_i \cos(w_k a +
# \varphi_{a,i}), \; B_i(b) \approx \alpha_i \cos(w_k b + \varphi_{b,i}), \; W_i(c) \approx \beta_i \cos(w_k c + \psi_i) . $$
#
# **Method.** Every ablation, restriction and noise of the other notebooks is done again on the three networks, beside
# random ones of its size. A neuron *fits* if more than half of the variance of its preactivation and of its W lies at one
# key frequency, and ψ is within π/4 of φ_a + φ_b. Random neurons are drawn among those that fit, since dead ones would
# be no loss; phases, W and harmonics are changed on those that fit alone.
#
# - *Neurons* of the heaviest frequency, or a random half of them, are removed, or get noise on their weights, every
#   entry of A, B and W times e^s, s ~ N(0, 0.2²). Control: as many at random. Also all that fit nothing are removed.
# - *Phases*: ψ is set to φ_a + φ_b. Control: ψ is shuffled among the neurons of a frequency, which keeps all norms.
#   Neighbours in ψ exchange their W. Controls: random pairs of the frequency do, or random pairs of all neurons.
# - *Second harmonics* of A and B, and *constants*, are taken out. Control: what is taken out has the same norm but a
#   random phase, or sign. Second harmonics are set to phase 2φ + π. Control: to random phases.
# - *Directions*: W, or the logits as functions of a + b, are cut down to the key frequencies, or the logits lose their
#   key waves. Control: as many random frequencies. *C and D* are taken out. Control: with their inputs renamed.
#
# The effect is the loss over that of the trained network. A trial *shows* its part of the mechanism if at most 5 % of
# the random draws are at least as strong, a limit set before looking. An intervention whose control is as strong shows
# nothing.

# %%
import numpy as np
import pandas as pd

from modadd.crt import control_measures as controls
from modadd.crt.contributions import share_of_logits, share_right
from modadd.crt.interventions import LAW, LEAST_SHARE, subject_of
from modadd.crt.random_sines import accuracy_of_random_fits
from modadd.crt.simple_neuron_measures import accuracy_of_fits
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, pi_ticks, save_figure, save_table, use_style
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
figures = "results/by_hand/controls"
values_file = "results/by_hand/controls.json"
published = {}  # no paper has controls
draws = 100  # of every control
most_inputs = 1500  # looked at, the same ones for every change of a network
limit = 0.05  # largest share of draws at least as strong

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP"}
separables = {titles[one.recipe.architecture]: one.separable() for one in (network, *further.values())}
subjects = {label: subject_of(separable, most_inputs) for label, separable in separables.items()}

# %% [markdown]
# ## Every neuron
# The share of the variance of each neuron's preactivation at its frequency, against how far ψ is from φ_a + φ_b. The
# area is the neuron's weight. Neurons in the box, filled, fit if their W is half at that key frequency too; all others
# are drawn open. *Of the logits*: sum of squares of what the neurons that fit nothing add to the logits, over that of
# all logits.


# %%
def points_of(subject):
    """A line for each neuron: how far it is from the law, what its frequency explains, and whether it fits."""
    far = np.abs(subject.dfts.mismatch)
    columns = {"frequency": subject.dfts.frequency, "distance": far, "share": subject.share_inward}
    columns |= {"share of W": subject.share_W, "weight": subject.dfts.weight, "fits": subject.fits}
    return pd.DataFrame(columns)


def counts_of(subject, points):
    """How many neurons fit nothing, and by what, and what these add to the logits."""
    return {
        "neurons": subject.network.width,
        "key frequencies": len(subject.key),
        "fit nothing": int((~points.fits).sum()),
        "not key": int((~points.frequency.isin(subject.key)).sum()),
        "far from law": int((points.distance > LAW).sum()),
        "less than half": int(((points.share < LEAST_SHARE) | (points["share of W"] < LEAST_SHARE)).sum()),
        "of the logits": share_of_logits(subject.network, np.flatnonzero(~subject.fits)),
    }


points = {label: points_of(subject) for label, subject in subjects.items()}
neurons = pd.DataFrame({"network": label} | counts_of(subjects[label], points[label]) for label in subjects)
save_table(neurons, f"{figures}/neurons_table", digits=4)
neurons.round(4)

# %%
filled = {"color": COLOURS[0], "alpha": 0.5, "linewidth": 0, "label": "fits"}
outlined = {"facecolor": "none", "edgecolor": COLOURS[1], "linewidth": 0.7, "label": "fits nothing"}
figure, axes = panels(len(subjects), columns=3, height=2.4, sharex=True, sharey=True)
for ax, (label, drawn) in zip(axes, points.items(), strict=True):
    area = 3 + 40 * drawn.weight / max(drawn.weight.max(), np.finfo(float).tiny)
    for fits, style in ((False, outlined), (True, filled)):
        some = drawn.fits == fits
        ax.scatter(drawn.distance[some], drawn.share[some], area[some], **style)
    ax.plot([LAW, LAW, -0.1], [1.02, LEAST_SHARE, LEAST_SHARE], color="0.5", linewidth=0.8, linestyle=(0, (4, 2)))
    ax.set(title=label, xlabel="|ψ − φ_a − φ_b| (rad)", xlim=(-0.1, 3.25), ylim=(0, 1.04))
    pi_ticks(ax.xaxis, 0, 0.5, 1)
axes[0].set_ylabel("share of the preactivation's\nvariance at its frequency")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
drawn = pd.concat(points, names=["network", None]).reset_index("network")
save_figure(figure, f"{figures}/neurons", drawn)

# %% [markdown]
# ## Every intervention beside its control
# Points are the interventions, bars the interval that holds 95 % of the random draws, ticks their mean. Filled points
# show their part of the mechanism, open ones do not. An equal draw counts as at least as strong. The second line of
# each label says whether the intervention should do more harm than its control, or less. Losses are geometric means
# where an intervention or its control is random.


# %%
effects = pd.concat([controls.effects_of(subject, draws).assign(network=label) for label, subject in subjects.items()])
effects = effects[["network", *effects.columns.drop("network")]].reset_index(drop=True)
save_table(effects, f"{figures}/effects_table")
loss = effects[effects.measure == "loss ratio"]
loss = loss.assign(shown=loss.share <= limit)
loss.drop(columns=["measure", "costs"]).round(3)

# %%
compared = ["intervention", "control", "costs"]
lines = loss[compared].drop_duplicates(ignore_index=True)
words = [
    f"{line.intervention}\n({'more' if line.costs else 'less'} harm than {line.control})" for line in lines.itertuples()
]
heights = effects.merge(lines.reset_index(names="height"), on=compared, how="left").height


def draw_effects(ax, rows, height):
    """Interventions as points, filled if they are shown, and the draws of their controls as bars."""
    for colour, fill in ((COLOURS[0], True), (COLOURS[1], False)):
        some = (rows.share <= limit) == fill
        ax.plot(rows.real[some], height[some], "o", color=colour, fillstyle="full" if fill else "none", markersize=5)
    ax.hlines(height, rows.low, rows.high, color="0.72", linewidth=5, zorder=0)
    ax.plot(rows["mean"], height, "|", color="black", markersize=7)


# %%
figure, axes = panels(len(subjects), columns=3, height=5.4, sharey=True)
for ax, label in zip(axes, subjects, strict=True):
    chosen = (effects.network == label) & (effects.measure == "loss ratio")
    draw_effects(ax, effects[chosen], heights[chosen])
    ax.set(title=label, ylim=(len(lines) - 0.5, -0.5), xscale="log", xlabel="loss over that of the network")
    ax.set_yticks(range(len(lines)), words, fontsize=6)
    ax.minorticks_off()
save_figure(figure, f"{figures}/losses", loss)

# %% [markdown]
# ## Every neuron as its sine
# Every neuron is replaced by its simple neuron of least squares, a wave of a, one of b and one of c at one frequency, as
# in the notebook on simple neurons, without constants. Control: the same sines, but each answers with the W of a random
# one of its frequency, so that only the sums of the shifts are wrong.

# %%
replacement = pd.DataFrame(
    {
        "network": label,
        "trained": share_right(separable),
        "sines": accuracy_of_fits(separable),
        "sines, waves of others": accuracy_of_random_fits(separable),
    }
    for label, separable in separables.items()
)
save_table(replacement, f"{figures}/sines_table", digits=4)
replacement.round(4)

# %% [markdown]
# ## Result
# Claimed: parts that are said to matter cost more than their control, and keeping only the sufficient parts costs less.
# Read *share*: the share of random draws whose loss is at least as far on the claimed side. Where it is above 5 %, the
# intervention may be as true as its paper says, but it does not single out the mechanism. Of the sines, read the share of
# all inputs that they answer right, beside that of their control.
#
# **Caveat.** Controls have the size of the intervention in neurons, frequencies or norm, not in what they move in the
# logits. Random pairs and shuffled phases are far from the law, so they show that the law is needed, not how well it
# must hold. The three networks drawn are not the judges: rows of many networks of Studies Q and C have these shares. Noise is on the tables here, on the stored weights in the notebook on
# robustness. Only some inputs of each network are looked at, so the smallest margin is that of those.

# %%
shares = pd.DataFrame({label: controls.shares_of(rows) for label, rows in effects.groupby("network", sort=False)}).T
explained = ("random_neurons_cost_as_much", "random_neurons_bear_noise_as_well")
values = {
    **shares.iloc[0].to_dict(),  # of the network that the record is of
    **{f"{name}_of_each": shares[name].tolist() for name in explained},
    "fit_nothing": neurons["fit nothing"].tolist(),
    "fit_nothing_of_logits": neurons["of the logits"].tolist(),
    "accuracy_of_fits": replacement["sines"][0],
    "accuracy_of_random_fits": replacement["sines, waves of others"][0],
}
record(values_file, network, values, others=further)
values

# %%
for index, (label, subject) in enumerate(subjects.items()):
    say(
        f"**{label}**: {len(subject.a)} of {subject.network.modulus**2} inputs are tested. {values['fit_nothing'][index]} of "
        f"{subject.network.width} neurons fit nothing; they add {100 * values['fit_nothing_of_logits'][index]:.2g} % of the sum "
        "of squares of the logits."
    )
for label, rows in loss.groupby("network", sort=False):
    say(f"**{label}**")
    for row in rows.itertuples():
        say(
            f"- {row.intervention} ({row.control}): {row.real:.3g} times the loss; at random {row.mean:.3g} times "
            f"({row.low:.3g} to {row.high:.3g}); {100 * row.share:.0f} % of the draws are at least as strong: "
            f"{'shown' if row.shown else 'not shown'}."
        )
