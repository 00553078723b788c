# %% [markdown]
# # In which order do the parts of the mechanism appear?
#
# **Claim** (this project's; the papers show networks at the end of training). A network first learns its training pairs
# by heart, then finds the frequencies, then generalises, and then cleans up (Nanda et al. 2023 saw it in one
# transformer). We measure when each part of the mechanism appears, for several seeds of every architecture here.
#
# **Method.** Each run keeps its tables 200 times, densely early, and every snapshot is measured. *Key* frequencies are
# those at the end. The *restricted* loss is that of the logits projected on the constant and on cosine and sine of
# w_k(a + b), k key; the *excluded* loss is that on the training pairs without the latter (Nanda et al. 2023, arXiv
# 2301.05217). The phase law is the root mean square of ψ − φ_a − φ_b, weighted by what a neuron can add to an answer.
# The inverse participation ratio of a neuron's spectrum is 1 if it has one frequency (Gromov 2023, arXiv 2301.02679).
# The quadrature error is that of the sums over the neurons of a key frequency, against integrals with their own factor of
# a − b. The certified ball is how far all tables may move, relative to each number, before an answer changes.
#
# A property *has come about* when it holds at a snapshot and at all later ones. Its limits were set before looking:
#
# - memorised: training loss at most 1 % of that of guessing, log n;
# - mechanism: restricted loss at most 1 % of it;
# - frequencies: the key frequencies are those of the end, and no others;
# - phase law: at most 0.18 rad, a tenth of what unrelated phases give;
# - generalised: at least 99 % of all inputs right;
# - greatest norm: the weight norm is at its greatest, after which it shrinks.

# %%
import numpy as np
import pandas as pd
import seaborn as sns

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, HATCHES, panels, save_figure, save_table, use_style
from modadd.populations.events import read_longest, read_stages
from modadd.populations.order import NAMES, events_by_run, shares_in_order, updates_enough, values_of_orders, when_each
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "pizza_transformer": ["results/stages/pizza_transformer/seed0.parquet"],
    "two_layer_mlp": ["results/stages/two_layer_mlp/seed0.parquet"],
    "embedding_mlp": ["results/stages/embedding_mlp/seed0.parquet"],
}
figures = "results/by_hand/training_watched"
values_file = "results/by_hand/training_watched.json"
published = {}  # no paper prints any of these numbers

# %%
use_style()
network = load_network(network_file)
titles = {"pizza_transformer": "Q, pizza", "two_layer_mlp": "M, two-layer", "embedding_mlp": "C, embedding"}
rows = {study: read_longest(datasets[study]) for study in titles}
as_long = {study: read_stages(datasets[study]) for study in titles}  # as the networks of this build
shown = {study: runs[runs.seed == runs.seed.min()] for study, runs in as_long.items()}
pd.DataFrame({titles[study]: {"runs": runs.seed.nunique(), "rows": len(runs)} for study, runs in rows.items()})

# %% [markdown]
# ## The runs of the three mainline networks
# Each column is one network. Dotted: the loss of guessing, log n, and
# the mismatch of unrelated phases.

# %%
drawn = {  # label of the axis: the numbers of a row of panels, with their labels
    "cross-entropy (nats)": {
        "train_loss": "training pairs",
        "held_out_loss": "held-out pairs",
        "restricted_loss": "restricted",
        "excluded_loss": "excluded",
    },
    "share": {
        "weight_at_key": "weight at key frequencies",
        "r2_clock": "R², clock terms",
        "r2_pizza": "R², pizza terms",
        "participation_in": "participation ratio of A",
    },
    "rms of mismatch (rad)": {"mismatch": "ψ − φ_a − φ_b (rad)"},
    "largest error over 4/3": {"quadrature_error": "quadrature error"},
    "weight norm\nover its greatest": {"norm": "weight norm"},
}
LOSS, SHARE, MISMATCH, ERROR, NORM = range(len(drawn))


def draw_run(ax, run, numbers):
    """Numbers of a run against the updates, where they are finite."""
    for (number, label), colour, dashes in zip(numbers.items(), COLOURS, DASHES, strict=False):
        curve = run[np.isfinite(run[number]) & (run.updates > 0)]
        ax.plot(curve.updates, curve[number], color=colour, linestyle=dashes, label=label)


# %%
figure, axes = panels(len(drawn) * len(shown), columns=len(shown), height=1.9, sharex="col", sharey="row")
grid = np.reshape(axes, (len(drawn), len(shown)))
for column, (study, run) in zip(grid.T, shown.items(), strict=True):
    for ax, numbers in zip(column, drawn.values(), strict=True):
        draw_run(ax, run.assign(norm=run.weight_norm / run.weight_norm.max()), numbers)
        ax.set(xscale="log")
    column[LOSS].axhline(np.log(run.modulus.iloc[0]), color="0.4", linestyle=":", linewidth=1)
    column[LOSS].set_title(titles[study], loc="left")
    column[MISMATCH].axhline(np.pi / np.sqrt(3), color="0.4", linestyle=":", linewidth=1)
    column[-1].set_xlabel("updates")
for row, label in zip(grid, drawn, strict=True):
    row[0].set_ylabel(label)
for ax in (*grid[LOSS], *grid[ERROR]):
    ax.set_yscale("log")
grid[LOSS, 0].legend(fontsize="small", loc="lower left")  # where the curves leave room
grid[SHARE, 1].legend(fontsize="small", loc="upper left")
measured = [name for numbers in drawn.values() for name in numbers if name != "norm"]
columns = ["architecture", "seed", "updates", *measured, "weight_norm"]
save_figure(figure, f"{figures}/runs", pd.concat([run[columns] for run in shown.values()]))

# %% [markdown]
# ## How the frequencies come about
# The share of all neurons at each frequency, those that are key at the end in colour, all others together in grey.

# %%
figure, axes = panels(len(shown), columns=len(shown), height=2.1)
shares = []
for ax, (study, run) in zip(axes, shown.items(), strict=True):
    counts = np.array(run.neurons_per_frequency.tolist())
    top = np.argsort(counts[-1], kind="stable")[::-1][: len(COLOURS) - 1]
    parts = np.vstack([counts[:, top].T, counts.sum(axis=1) - counts[:, top].sum(axis=1)]) / counts[0].sum()
    colours, labels = [*COLOURS[: len(top)], "0.8"], [*(f"{k}" for k in top), "others"]
    style = {"colors": colours, "hatch": [*HATCHES[: len(top)], ""], "edgecolor": "white", "linewidth": 0.3}
    ax.stackplot(run.updates.clip(lower=1), parts, labels=labels, **style)
    ax.set(xscale="log", xlim=(1, run.updates.max()), ylim=(0, 1), xlabel="updates")
    ax.set_title(titles[study], loc="left")
    compact = {"ncols": 2, "columnspacing": 1, "handlelength": 1.2, "handleheight": 1}
    ax.legend(title="frequency", fontsize="x-small", title_fontsize="x-small", loc="upper left", **compact)
    columns = {"architecture": study, "updates": run.updates, **dict(zip(labels, parts, strict=True))}
    shares.append(pd.DataFrame(columns).melt(["architecture", "updates"], var_name="frequency", value_name="share"))
axes[0].set_ylabel("share of neurons")
save_figure(figure, f"{figures}/frequencies", pd.concat(shares))

# %% [markdown]
# ## Order and spread
# When each thing has come about, over all seeds that were watched: those trained here and, where there are any, those of
# the committed rows; the longest runs alone, if some were stopped earlier. In the median a run that never gets there
# comes last. The interval is that of the mean of the others (95 %); of one seed there is none.

# %%
events = {study: events_by_run(runs) for study, runs in rows.items()}
order = pd.concat({titles[study]: when_each(found) for study, found in events.items()}, names=["network", None])
order = order.reset_index("network")
save_table(order, f"{figures}/order", digits=0)
order.round(0)

# %%
figure, axes = panels(len(events), columns=len(events), height=2.0, sharey=True)
for ax, (study, found) in zip(axes, events.items(), strict=True):
    when = found[NAMES].clip(lower=1).melt(var_name="event", value_name="updates")
    stroke = {"marker": "|", "size": 9, "linewidth": 0.7, "alpha": 0.5, "color": COLOURS[0]}
    sns.stripplot(when, x="updates", y="event", jitter=False, ax=ax, **stroke)
    reached = when_each(found)
    ax.plot(reached["median updates"].clip(lower=1), reached.index, "o", color=COLOURS[1], markersize=4, zorder=3)
    for place, of, runs in reached[["runs", "runs that reach it"]].itertuples():
        if runs < of:
            ax.text(0.03, place, f"{runs} of {of}", transform=ax.get_yaxis_transform(), va="center", fontsize="x-small")
    ax.set(xscale="log", xlim=(1, 2 * rows[study].updates.max()), xlabel="updates", ylabel="")
    ax.set_yticks(range(len(NAMES)), [name.replace("_", " ") for name in NAMES])
    ax.set_title(f"{titles[study]}: {len(found)} run{'s' * (len(found) > 1)}", loc="left")
save_figure(figure, f"{figures}/order_by_seed", pd.concat(events, names=["study", "seed"]).reset_index())

# %% [markdown]
# ## Who comes first?
# The share of the watched runs of a study in which one thing has come about before another (*by*: no later), with its
# 95 % interval. A run that never reaches either of them counts against it.

# %%
who_comes_first = pd.DataFrame(
    [
        (titles[study], name.replace("_", " "), kept.holds, kept.of, kept.low, kept.high)
        for study, found in events.items()
        for name, kept in shares_in_order(found).items()
    ],
    columns=["network", "order", "runs that keep it", "runs", "share, low", "share, high"],
)
save_table(who_comes_first, f"{figures}/who_comes_first", digits=2)
who_comes_first.round(2)

# %% [markdown]
# ## How long must a network be trained?
# What claims ask of the network shown, as far as a snapshot tells it: the update after which it holds for good in the last of
# the watched runs. Beyond it, more updates change no such verdict; the network of this build has at least as many.

# %%
enough = []
for study, runs in rows.items():
    longest = {"updates of these runs": runs.updates.max(), "of the network shown": shown[study].updates.max()}
    enough.append(updates_enough(runs).assign(network=titles[study], **longest))
enough = pd.concat(enough)
enough = enough[["network", *enough.columns.drop("network")]]
save_table(enough, f"{figures}/enough_updates", digits=0)
enough

# %% [markdown]
# ## Result
# Claimed of most runs of every study: a network has its mechanism when it generalises, and the phase law after at most twice
# as many updates; its frequencies settle last, while the weight norm already falls. The updates below are those of
# the mainline networks; shares are over all watched runs of a study.
#
# **Caveat.** A snapshot holds tables rounded to about 0.1 % of their root mean square, and nothing is seen between two
# snapshots. What a share of few runs says has a wide interval.

# %%
values = values_of_orders(rows, shown)
record(values_file, network, values, others={name: load_network(path) for name, path in others.items()})
values


# %%
def in_order(study):
    """What came about in the run shown, in order, with the updates."""
    came = {name: values[f"{study}_{name}"] for name in NAMES}
    reached = sorted((updates, name) for name, updates in came.items() if np.isfinite(updates))
    words = [f"{name} {updates:.0f}" for updates, name in reached]
    words += [f"{name} never" for name in came if not np.isfinite(came[name])]
    return ", ".join(words).replace("_", " ")


say(about(network), "In this order, with the updates:")
for study in shown:
    sharper, nothing_left = values[f"{study}_sharpens"], values[f"{study}_nothing_left"]
    say(
        f"- {titles[study]}: {in_order(study)} ({values[f'{study}_runs']} runs watched). The quadrature error goes from "
        f"{values[f'{study}_first_quadrature_error']:.2f} to {values[f'{study}_last_quadrature_error']:.4f} of 4/3. From "
        "the moment when every answer is first right it falls to a fifth or less in "
        f"{sharper.holds} of {sharper.of} runs. Without the key frequencies the training pairs end no better than guessed "
        f"in {nothing_left.holds} of them."
    )
