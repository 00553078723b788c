# %% [markdown]
# # Do raised frequencies win in the networks of the papers, too?
#
# **Claim** (arXiv 2602.16849 of one layer without embeddings; `changed_weights` shows it on small networks). A frequency
# wins neurons because its initial weights are large. Here the networks of Studies C, Q and M are trained again from changed
# initial weights.
#
# **Method.** Every seed draws a frequency k from 1 ≤ k < n/2, whatever its network ends with. The part at ±k of the
# initial embeddings and of the initial readout is multiplied by a factor; everything else, split and batches among it,
# stays the same. The embeddings are random, so nearly every neuron's own weights at k grow by that factor. *Control*: as
# many random directions in the space of functions on Z_n, also without mean, multiplied likewise. The *response* is the
# number of neurons that end at k, less that of the unchanged network of the same seed: means over seeds with t-intervals.
# In Study C they are the neurons of k's cluster, in Studies Q and M those that one frequency explains. k is *final* if there
# are any. Networks that err count like the others. Study M is stopped early, after a tenth of its recipe's steps: its answers
# are right by then, but neurons still move between frequencies (`training_watched`).
#
# All thresholds were set before any of the changed networks was trained. That a raised frequency takes most neurons in
# Study Q was seen after looking.

# %%
import pandas as pd

from modadd.core.statistics import mean_of, share
from modadd.ledger.record import record
from modadd.networks.recipes import CONTROL, FREQUENCY, NOTHING
from modadd.networks.starts import chosen_frequency
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.lottery import FINAL
from modadd.populations.tables import read_populations

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c_changed": ["results/populations/c_changed.parquet"],
    "q_changed": ["results/populations/q_changed.parquet"],
    "m_changed": ["results/populations/m_changed.parquet"],
}
figures = "figures/changed_studies"
values_file = "results/values/changed_studies.json"
published = {}  # no paper prints any of these numbers

# %%
use_style()
network = load_network(network_file)
tables, _, n_of, regimes = read_populations(datasets)
titles = {"c_changed": f"Study C, {regimes['c_changed']}"}
for name in ("q_changed", "m_changed"):
    titles[name] = f"Study {name[0].upper()}, n = {n_of[name]}, {tables[name].steps.max():,} steps"
UNCHANGED = (NOTHING, 1.0)
neurons, errs = {}, {}  # of each population: neurons at k, whether it errs; seeds are lines, changes are columns
for name, rows in tables.items():
    rows = rows[rows.steps == rows.steps.max()]  # the others are first looks
    frequencies, sizes = (rows[column] for column in FINAL[rows.architecture.iloc[0]])
    chosen = [chosen_frequency(n_of[name], seed) for seed in rows.seed]
    at_k = [dict(zip(f, s, strict=True)).get(k, 0) for f, s, k in zip(frequencies, sizes, chosen, strict=True)]
    of_each = rows.assign(at_k=at_k, errs=rows.accuracy < 1)
    neurons[name], errs[name] = (
        of_each.pivot(index="seed", columns=["scaled", "scaled_by"], values=value) for value in ("at_k", "errs")
    )


def more(name, change, than=UNCHANGED, of=lambda table: table):
    """What the networks of one change have more than those of another of the same seeds."""
    both = neurons[name].reindex(columns=[change, than]).dropna()
    return mean_of((of(both[change]) * 1.0 - of(both[than])).to_numpy(), signed=True)


def final(name, change):
    """The share of networks in which k is final."""
    return share((neurons[name].reindex(columns=[change])[change].dropna() > 0).to_numpy())


# %% [markdown]
# ## Dose and response
# Above, neurons that end at k less those of the unchanged network of the same seed, as means with 95 % intervals. Below, the
# share of networks in which k is final (Wilson intervals at 95 %). At 1, and dotted, the unchanged networks. *Right* is the share
# of networks without a wrong answer.

# %%
response = []
for name, title in titles.items():
    for change in sorted(neurons[name].columns):
        mean, key, wrong = more(name, change), final(name, change), errs[name][change].dropna()
        line = {"population": title, "scaled": change[0], "factor": change[1], "networks": mean.of}
        low, high = (mean.low, mean.high) if change != UNCHANGED else (0.0, 0.0)  # less themselves
        line |= {"more neurons": mean.value, "more, low": low, "more, high": high}
        line |= {"final": key.share, "final, low": key.low, "final, high": key.high}
        response.append(line | {"right": 1 - wrong.mean()})
response = pd.DataFrame(response)
save_table(response, f"{figures}/dose_response")
response.round(2)

# %%
figure, axes = panels(6, columns=3, height=2.1, sharex=True)
names = {FREQUENCY: "the frequency", CONTROL: "random directions"}
for column, (name, title) in enumerate(titles.items()):
    above, below = axes[column], axes[3 + column]
    for place, (scaled, label) in enumerate(names.items()):
        own = response[(response.population == title) & response.scaled.isin([scaled, NOTHING])].sort_values("factor")
        x = own.factor + 0.012 * place
        style = {"color": COLOURS[place], "linestyle": DASHES[place], "marker": MARKERS[place], "markersize": 4}
        for ax, value, low in ((above, "more neurons", "more"), (below, "final", "final")):
            ax.vlines(x, own[f"{low}, low"], own[f"{low}, high"], color=COLOURS[place], linewidth=1)
            ax.plot(x, own[value], label=label, **style)
    above.axhline(0, color="0.4", linestyle=(0, (1, 2)), linewidth=1)
    below.axhline(final(name, UNCHANGED).share, color="0.4", linestyle=(0, (1, 2)), linewidth=1)
    above.set(title=title)
    below.set(xlabel="factor on the initial weights", ylim=(-0.03, 1.03))
axes[0].set_ylabel("more neurons at k")
axes[3].set_ylabel("share in which k is final")
handles = axes[0].get_legend_handles_labels()
figure.legend(*handles, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=2, title="scaled", title_fontsize=7)
save_figure(figure, f"{figures}/responses", response)

# %% [markdown]
# ## Result
# The initial weights are a cause if the response to the frequency rises with the dose and that to the control does not.
#
# **Caveat.** Embeddings and readout are changed together, and for all neurons alike. In Studies Q and M there are few
# networks, since theirs take longest to train. For so few pairs the t-interval of how much more often k is final is rough: one
# network can decide it, and an exact test of the pairs can leave it open.

# %%
values = {}
raised, lowered, control = (FREQUENCY, 1.5), (FREQUENCY, 0.5), (CONTROL, 1.5)
for name in titles:
    study = name[0]
    values |= {
        f"raised_{study}": more(name, raised),
        f"beyond_control_{study}": more(name, raised, control),
        f"final_if_raised_{study}": final(name, raised),
        f"final_at_first_{study}": final(name, UNCHANGED),
    }
for study in "cq":
    name = f"{study}_changed"
    values |= {f"lowered_{study}": more(name, lowered), f"swing_{study}": more(name, raised, lowered)}
values["ten_per_cent_c"] = more("c_changed", (FREQUENCY, 1.1), (FREQUENCY, 0.9))
values["twenty_per_cent_q"] = more("q_changed", (FREQUENCY, 1.2), (FREQUENCY, 0.8))
often = [more(name, raised, of=lambda table: table > 0) for name in titles]
beyond = [values[f"{kind}_{name[0]}"] for kind in ("raised", "beyond_control") for name in titles]
values["responses"] = [*beyond, *often, values["ten_per_cent_c"], values["twenty_per_cent_q"]]
width = tables["q_changed"].d_mlp.iloc[0]
alone = pd.concat([neurons["q_changed"][raised], errs["q_changed"][raised]], axis=1).dropna()
values["takes_half_q"] = share((alone.iloc[:, 0] >= width / 2).to_numpy())
values["left_alone_and_wrong_q"] = share(((alone.iloc[:, 0] == width) & alone.iloc[:, 1].astype(bool)).to_numpy())
record(values_file, network, values, list(tables.values()))
values

# %%
interval = lambda found: f"{found.value:.1f} (95 %: {found.low:.1f} to {found.high:.1f})"
for name, title in titles.items():
    study = name[0]
    first, then = values[f"final_at_first_{study}"], values[f"final_if_raised_{study}"]
    halved = ""
    if f"swing_{study}" in values:
        halved = f" Halved, {interval(values[f'lowered_{study}'])}; from 0.5 to 1.5 it is {interval(values[f'swing_{study}'])}."
    say(
        f"- {title}: raised by half, k has {interval(values[f'raised_{study}'])} neurons more, and "
        f"{interval(values[f'beyond_control_{study}'])} more than with random directions raised.{halved}\n"
        f"- {title}: k is final in {first.holds} of {first.of} unchanged networks, and in {then.holds} of {then.of} in which "
        f"it is raised by half."
    )
left = values["left_alone_and_wrong_q"]
most = values["takes_half_q"]
say(
    f"Study Q: raised by half, k takes at least half of the neurons in {most.holds} of {most.of} networks. In {left.holds} of "
    f"{left.of} it takes them all, and the network errs."
)
say(
    f"From 0.9 to 1.1, Study C: {interval(values['ten_per_cent_c'])} neurons more; "
    f"from 0.8 to 1.2, Study Q: {interval(values['twenty_per_cent_q'])}."
)
