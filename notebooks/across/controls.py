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
from modadd.crt.contributions import share_right
from modadd.crt.controls import LAW, LEAST_SHARE, share_of_logits
from modadd.crt.measures import accuracy_of_fits
from modadd.crt.random_sines import accuracy_of_random_fits
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, panels, pi_ticks, save_figure, save_table, use_style
from modadd.page.prose import say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
figures = "figures/controls"
values_file = "results/values/controls.json"
published = {}  # no paper has controls
draws = 100  # of every control
most_inputs = 1500  # looked at, the same ones for every change of a network
limit = 0.05  # largest share of draws at least as strong

# %%
use_style()
network, beside = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP"}
separables = {titles[own.recipe.architecture]: own.separable() for own in (network, *beside.values())}
subjects = {label: controls.subject_of(of, most_inputs) for label, of in separables.items()}

# %% [markdown]
# ## Every neuron
# The share of the variance of each neuron's preactivation at its frequency, against how far ψ is from φ_a + φ_b. The
# area is the neuron's weight. Neurons in the box, filled, fit if their W is half at that key frequency too; all others
# are drawn open. *Of the logits*: sum of squares of what the neurons that fit nothing add to the logits, over that of
# all logits.

# %%
figure, axes = panels(len(subjects), columns=3, height=2.4, sharex=True, sharey=True)
points, rows = [], []
for ax, (label, of) in zip(axes, subjects.items(), strict=True):
    far, own, weight = np.abs(of.dfts.mismatch), of.share_inward, of.dfts.weight
    area = 3 + 40 * weight / max(weight.max(), np.finfo(float).tiny)
    open_ = {"facecolor": "none", "edgecolor": COLOURS[1], "linewidth": 0.7, "label": "fits nothing"}
    ax.scatter(far[~of.fits], own[~of.fits], area[~of.fits], **open_)
    ax.scatter(far[of.fits], own[of.fits], area[of.fits], color=COLOURS[0], alpha=0.5, linewidth=0, label="fits")
    ax.plot([LAW, LAW, -0.1], [1.02, LEAST_SHARE, LEAST_SHARE], color="0.5", linewidth=0.8, linestyle=(0, (4, 2)))
    ax.set(title=label, xlabel="|ψ − φ_a − φ_b| (rad)", xlim=(-0.1, 3.25), ylim=(0, 1.04))
    pi_ticks(ax.xaxis, 0, 0.5, 1)
    angles = {"distance": far, "share": own, "share of W": of.share_W, "weight": weight, "fits": of.fits}
    points.append(pd.DataFrame({"network": label, "frequency": of.dfts.frequency} | angles))
    unfit = np.flatnonzero(~of.fits)
    counts = {"neurons": of.network.width, "key frequencies": len(of.key), "fit nothing": len(unfit)}
    counts |= {"not key": int((~np.isin(of.dfts.frequency, of.key)).sum()), "far from law": int((far > LAW).sum())}
    counts |= {"less than half": int(((own < LEAST_SHARE) | (of.share_W < LEAST_SHARE)).sum())}
    rows.append({"network": label} | counts | {"of the logits": share_of_logits(of.network, unfit)})
axes[0].set_ylabel("share of the preactivation's\nvariance at its frequency")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
neurons = pd.DataFrame(rows)
save_figure(figure, f"{figures}/neurons", pd.concat(points))
save_table(neurons, f"{figures}/neurons_table", digits=4)
neurons.round(4)

# %% [markdown]
# ## Every intervention beside its control
# Points are the interventions, bars the interval that holds 95 % of the random draws, ticks their mean. Filled points
# show their part of the mechanism, open ones do not. An equal draw counts as at least as strong. The second line of
# each label says whether the intervention should do more harm than its control, or less. Losses are geometric means
# where an intervention or its control is random.


# %%
effects = pd.concat([controls.effects_of(of, draws).assign(network=label) for label, of in subjects.items()])
effects = effects[["network", *effects.columns.drop("network")]].reset_index(drop=True)
save_table(effects, f"{figures}/effects_table")
loss = effects[effects.measure == "loss ratio"].assign(shown=lambda of: of.share <= limit)
loss.drop(columns=["measure", "costs"]).round(3)

# %%
ways = loss[["intervention", "control", "costs"]].drop_duplicates(ignore_index=True)
lines = "{}\n({} harm than {})".format
words = [lines(of.intervention, "more" if of.costs else "less", of.control) for of in ways.itertuples()]
place = effects.merge(ways.reset_index(names="place"), on=["intervention", "control", "costs"], how="left").place


def draw(ax, of, height):
    for colour, fill in ((COLOURS[0], True), (COLOURS[1], False)):
        some = (of.share <= limit) == fill
        ax.plot(of.real[some], height[some], "o", color=colour, fillstyle="full" if fill else "none", markersize=5)
    ax.hlines(height, of.low, of.high, color="0.72", linewidth=5, zorder=0)
    ax.plot(of["mean"], height, "|", color="black", markersize=7)


def all_networks(measure, axes, **options):
    for ax, label in zip(axes, subjects, strict=True):
        chosen = (effects.network == label) & (effects.measure == measure)
        draw(ax, effects[chosen], place[chosen])
        ax.set(title=label, ylim=(len(ways) - 0.5, -0.5), **options)
        ax.set_yticks(range(len(ways)), words, fontsize=6)
        ax.minorticks_off()


# %%
figure, axes = panels(len(subjects), columns=3, height=5.4, sharey=True)
all_networks("loss ratio", axes, xscale="log", xlabel="loss over that of the network")
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
        "trained": share_right(of),
        "sines": accuracy_of_fits(of),
        "sines, waves of others": accuracy_of_random_fits(of),
    }
    for label, of in separables.items()
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
shares = pd.DataFrame({label: controls.shares_of(own) for label, own in effects.groupby("network", sort=False)}).T
explained = ("random_neurons_cost_as_much", "random_neurons_bear_noise_as_well")
values = {
    **shares.iloc[0].to_dict(),  # of the network that the record is of
    **{f"{name}_of_each": shares[name].tolist() for name in explained},
    "fit_nothing": neurons["fit nothing"].tolist(),
    "fit_nothing_of_logits": neurons["of the logits"].tolist(),
    "accuracy_of_fits": replacement["sines"][0],
    "accuracy_of_random_fits": replacement["sines, waves of others"][0],
}
record(values_file, network, values, others=beside)
values

# %%
for index, (label, of) in enumerate(subjects.items()):
    say(
        f"**{label}**: {len(of.a)} of {of.network.modulus**2} inputs are tested. {values['fit_nothing'][index]} of "
        f"{of.network.width} neurons fit nothing; they add {100 * values['fit_nothing_of_logits'][index]:.2g} % of the sum of "
        "squares of the logits."
    )
for label, of in loss.groupby("network", sort=False):
    line = lambda row: (
        f"- {row.intervention} ({row.control}): {row.real:.3g} times the loss; at random {row.mean:.3g} times "
        f"({row.low:.3g} to {row.high:.3g}); {100 * row.share:.0f} % of the draws are at least as strong: "
        f"{'shown' if row.shown else 'not shown'}."
    )
    say(f"**{label}**", "\n".join(map(line, of.itertuples())))
