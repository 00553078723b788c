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

from modadd.core.statistics import mean_of, share
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, HATCHES, panels, save_figure, save_table, use_style
from modadd.page.prose import about, say
from modadd.populations.events import ASKED, EVENTS, events_of, for_good, read_longest, read_stages

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
figures = "figures/training_watched"
values_file = "results/values/training_watched.json"
published = {}  # no paper prints any of these numbers

# %%
use_style()
network, beside = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza", "two_layer_mlp": "M, two-layer", "embedding_mlp": "C, embedding"}
rows = {study: read_longest(datasets[study]) for study in titles}
here = {study: read_stages(datasets[study]) for study in titles}  # as long as the networks of this build
shown = {study: found[found.seed == found.seed.min()] for study, found in here.items()}
pd.DataFrame({titles[study]: {"runs": found.seed.nunique(), "rows": len(found)} for study, found in rows.items()})

# %% [markdown]
# ## The runs of the three mainline networks
# Each column is one network. Dotted: the loss of guessing, log n, and
# the mismatch of unrelated phases.

# %%
lines = {  # number: (label, panel)
    "train_loss": ("training pairs", "loss"),
    "held_out_loss": ("held-out pairs", "loss"),
    "restricted_loss": ("restricted", "loss"),
    "excluded_loss": ("excluded", "loss"),
    "weight_at_key": ("weight at key frequencies", "share"),
    "r2_clock": ("R², clock terms", "share"),
    "r2_pizza": ("R², pizza terms", "share"),
    "participation_in": ("participation ratio of A", "share"),
    "mismatch": ("ψ − φ_a − φ_b (rad)", "mismatch"),
    "quadrature_error": ("quadrature error", "error"),
    "norm": ("weight norm", "size"),
}
units = {"loss": "cross-entropy (nats)", "share": "share", "mismatch": "rms of mismatch (rad)"}
units |= {"error": "largest error over 4/3", "size": "weight norm\nover its greatest"}
figure, axes = panels(len(units) * len(shown), columns=len(shown), height=1.9, sharex="col", sharey="row")
for column, (study, run) in enumerate(shown.items()):
    drawn = run.assign(norm=run.weight_norm / run.weight_norm.max())
    for row, (panel, unit) in enumerate(units.items()):
        ax, members = axes[row * len(shown) + column], [name for name in lines if lines[name][1] == panel]
        for name, colour, dashes in zip(members, COLOURS, DASHES, strict=False):
            curve = drawn[np.isfinite(drawn[name]) & (drawn.updates > 0)]
            ax.plot(curve.updates, curve[name], color=colour, linestyle=dashes, label=lines[name][0])
        ax.set(xscale="log", yscale="log" if panel in ("loss", "error") else "linear", ylabel="" if column else unit)
        ax.set_xlabel("updates" if row == len(units) - 1 else "")
        if column == (panel != "loss") and len(members) > 1:  # where the curves leave room
            ax.legend(fontsize="small", loc="lower left" if panel == "loss" else "upper left")
    axes[column].axhline(np.log(run.modulus.iloc[0]), color="0.4", linestyle=":", linewidth=1)
    axes[column].set_title(titles[study], loc="left")
    axes[2 * len(shown) + column].axhline(np.pi / np.sqrt(3), color="0.4", linestyle=":", linewidth=1)
numbers = ["architecture", "seed", "updates", *(name for name in lines if name != "norm"), "weight_norm"]
save_figure(figure, f"{figures}/runs", pd.concat([run[numbers] for run in shown.values()]))

# %% [markdown]
# ## How the frequencies come about
# The share of all neurons at each frequency, those that are key at the end in colour, all others together in grey.

# %%
figure, axes = panels(len(shown), columns=len(shown), height=2.1)
shares = []
for ax, (study, run) in zip(axes, shown.items(), strict=True):
    counts = np.array(run.neurons_per_frequency.tolist())
    top = np.argsort(counts[-1])[::-1][: len(COLOURS) - 1]
    parts = np.vstack([counts[:, top].T, counts.sum(axis=1) - counts[:, top].sum(axis=1)]) / counts[0].sum()
    colours, labels = [*COLOURS[: len(top)], "0.8"], [*(f"{k}" for k in top), "others"]
    style = {"colors": colours, "hatch": [*HATCHES[: len(top)], ""], "edgecolor": "white", "linewidth": 0.3}
    ax.stackplot(run.updates.clip(lower=1), parts, labels=labels, **style)
    ax.set(xscale="log", xlim=(1, run.updates.max()), ylim=(0, 1), xlabel="updates")
    ax.set_title(titles[study], loc="left")
    ax.legend(
        title="frequency",
        fontsize="x-small",
        title_fontsize="x-small",
        loc="upper left",
        ncols=2,
        columnspacing=1,
        handlelength=1.2,
        handleheight=1,
    )
    columns = {"architecture": study, "updates": run.updates, **dict(zip(labels, parts, strict=True))}
    shares.append(pd.DataFrame(columns).melt(["architecture", "updates"], var_name="frequency", value_name="share"))
axes[0].set_ylabel("share of neurons")
save_figure(figure, f"{figures}/frequencies", pd.concat(shares))

# %% [markdown]
# ## Order and spread
# When each thing has come about, over all seeds that were watched: those trained here and, where there are any, those of
# the committed rows; the longest runs alone, if some were stopped earlier. The interval is that of the mean (95 %); of one
# seed there is none.

# %%
events = {
    study: pd.DataFrame({seed: events_of(run) for seed, run in found.groupby("seed")}).T
    for study, found in rows.items()
}
names = [*EVENTS, "greatest_norm"]
table = []
for study, found in events.items():
    for name in names:
        when = found[name].dropna()
        mean = mean_of(np.log10(when.clip(lower=1))) if len(when) > 1 else None
        low, high = (10**mean.low, 10**mean.high) if mean else (np.nan, np.nan)
        table.append((titles[study], name, len(found), len(when), when.median(), low, high))
columns = ["network", "what has come about", "runs", "runs that reach it", "median updates", "mean, low", "mean, high"]
table = pd.DataFrame(table, columns=columns)
save_table(table, f"{figures}/order", digits=0)
table.round(0)

# %%
figure, axes = panels(len(events), columns=len(events), height=2.0, sharey=True)
for ax, (study, found) in zip(axes, events.items(), strict=True):
    for place, name in enumerate(names):
        when = found[name].dropna().clip(lower=1)
        ax.plot(when, np.full(len(when), place), "|", color=COLOURS[0], markersize=8)
        ax.plot(when.median(), place, "o", color=COLOURS[1], markersize=4)
    labels = {"yticks": range(len(names)), "yticklabels": [name.replace("_", " ") for name in names]}
    ax.set(xscale="log", xlim=(1, 2 * rows[study].updates.max()), xlabel="updates", **labels)
    ax.set_title(f"{titles[study]}: {len(found)} run{'s' * (len(found) > 1)}", loc="left")
    ax.invert_yaxis() if ax is axes[0] else None
save_figure(figure, f"{figures}/order_by_seed", pd.concat(events, names=["study", "seed"]).reset_index())

# %% [markdown]
# ## Who comes first?
# The share of the watched runs of a study in which one thing has come about before another (*by*: no later), with its
# 95 % interval. A run that never reaches either of them counts against it.

# %%
ORDERS = {  # name: what has come about, and by when
    "memorised_before_generalised": lambda when: when.memorised < when.generalised,
    "norm_before_frequencies": lambda when: when.greatest_norm < when.frequencies,
    "mechanism_by_generalised": lambda when: when.mechanism <= when.generalised,
    "phase_law_by_generalised": lambda when: when.phase_law <= when.generalised,
    "phase_law_by_twice_generalised": lambda when: when.phase_law <= 2 * when.generalised,
    "generalised_before_frequencies": lambda when: when.generalised < when.frequencies,
}
CLAIMED = ("memorised_before_generalised", "mechanism_by_generalised", "phase_law_by_twice_generalised")
LAST = ("generalised_before_frequencies", "norm_before_frequencies")
orders = {(study, name): share(holds(found)) for study, found in events.items() for name, holds in ORDERS.items()}
table = pd.DataFrame(
    [(titles[study], name.replace("_", " "), of.holds, of.of, of.low, of.high) for (study, name), of in orders.items()],
    columns=["network", "order", "runs that keep it", "runs", "share, low", "share, high"],
)
save_table(table, f"{figures}/who_comes_first", digits=2)
table.round(2)

# %% [markdown]
# ## How long must a network be trained?
# What claims ask of the network shown, as far as a snapshot tells it: the update after which it holds for good in the last of
# the watched runs. Beyond it, more updates change no such verdict; the network of this build has at least as many.

# %%
asked = {
    (study, name): [for_good(run, holds) for _, run in found.groupby("seed")]
    for study, found in rows.items()
    for name, holds in ASKED.items()
}
table = pd.DataFrame(
    {"network": titles[study], "what is asked": name.replace("_", " "), "runs": len(when)}
    | {"runs in which it holds at the end": int(np.isfinite(when).sum()), "from update, the last run": np.nanmax(when)}
    | {"updates of these runs": rows[study].updates.max(), "of the network shown": shown[study].updates.max()}
    for (study, name), when in asked.items()
)
save_table(table, f"{figures}/enough_updates", digits=0)
table

# %% [markdown]
# ## Result
# Claimed of most runs of every study: it memorises before it generalises, has its mechanism by then, and the phase law after at
# most twice as many updates; its frequencies settle last, while the weight norm already falls. The updates below are those of
# the mainline networks; shares are over all watched runs of a study.
#
# **Caveat.** A snapshot holds tables rounded to about 0.1 % of their root mean square, and nothing is seen between two
# snapshots. What a share of few runs says has a wide interval.


# %%
def sharpening(run):
    """The quadrature error when every answer is first right, over that at the end."""
    right = run[run.accuracy == 1]
    return right.quadrature_error.iloc[0] / run.quadrature_error.iloc[-1] if len(right) else np.nan


def excluded(run):
    """The loss on the training pairs at the end, without the key frequencies, over that of guessing."""
    return run.excluded_loss.iloc[-1] / np.log(run.modulus.iloc[0])


of_runs = lambda number: {study: [number(run) for _, run in found.groupby("seed")] for study, found in rows.items()}
values = {name: [orders[study, name] for study in rows] for name in ORDERS if name in CLAIMED}
values["settles_last"] = [orders[study, name] for name in LAST for study in rows]
values |= {f"{study}_sharpens": share(np.greater_equal(found, 5)) for study, found in of_runs(sharpening).items()}
values |= {f"{study}_nothing_left": share(np.greater_equal(found, 1)) for study, found in of_runs(excluded).items()}
for study, run in shown.items():
    when = events_of(run)
    values |= {f"{study}_{name}": when[name] for name in names} | {
        f"{study}_runs": len(events[study]),
        f"{study}_first_quadrature_error": run.quadrature_error.bfill().iloc[0],
        f"{study}_last_quadrature_error": run.quadrature_error.iloc[-1],
    }
record(values_file, network, values, others=beside)
values

# %%
sentences = []
for study, run in shown.items():
    came = {name.replace("_", " "): values[f"{study}_{name}"] for name in names}
    order = sorted(came, key=lambda name: (np.isnan(came[name]), came[name]))
    told = ", ".join(f"{name} {came[name]:.0f}" if np.isfinite(came[name]) else f"{name} never" for name in order)
    first, last = (values[f"{study}_{at}_quadrature_error"] for at in ("first", "last"))
    sentences.append(
        f"- {titles[study]}: {told} ({values[f'{study}_runs']} runs watched). "
        f"The quadrature error goes from {first:.2f} to {last:.4f} of 4/3. From the moment when every answer is first right it "
        f"falls to a fifth or less in {values[f'{study}_sharpens'].holds} of {values[f'{study}_sharpens'].of} runs. Without the "
        f"key frequencies the training pairs end no better than guessed in {values[f'{study}_nothing_left'].holds} of them."
    )
say(about(network), "In this order, with the updates:", "\n".join(sentences))
