# %% [markdown]
# # Does broken symmetry tell when a network will answer everything?
#
# **A report** (Hwang and Park, arXiv 2603.01968). Addition is symmetric: a + b = b + a, and (a + b) + c = a + (b + c). A transformer is
# trained on 30 % of the pairs mod 113. The report measures how much its answers violate these symmetries. Over 20 seeds a level of the
# violation separates networks that answer every input right from those that do not. The report prints no level and no share. It calls the
# violation a diagnostic that anticipates generalisation.
#
# **Method.** The watched runs of Study C have 200 snapshots each. Its networks have one embedding for a and another for b, so that they
# have to learn that addition commutes. The networks of Studies Q and M add both numbers in one embedding, and commute from the start.
# A violation is a mean over all pairs or triples. Its terms are the means of both KL divergences between two distributions over answers
# that should be equal. A run's snapshots count from the moment when its training loss stays at most 0.01 · ln n. A level is chosen on the
# runs of even seeds. On those of odd seeds it is counted which snapshots it tells right: below it all inputs should be answered right,
# above it not. Both kinds weigh equally.
#
# **Said before any snapshot was measured** (`data/early_signals/predictions.yaml`): the level of the associativity violation tells at least
# 0.95 right. The held-out loss was expected to do no worse. For associativity compares all inputs of the same sum, so it sees the
# held-out pairs, too.

# %%
import numpy as np

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.early_signals import SIGNALS, answers, memorised_snapshots, table_of_signals
from modadd.populations.events import read_longest
from paper.notebook import record, say, with_interval

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "embedding_mlp": ["results/stages/embedding_mlp/seed0.parquet"],
}
figures = "results/by_hand/early_signals"
values_file = "results/by_hand/early_signals.json"
published = {}  # the report prints no level

# %%
use_style()
network = load_network(network_file)
rows = read_longest(datasets["embedding_mlp"])
snapshots = memorised_snapshots(rows)
table = table_of_signals(snapshots)
save_table(table, f"{figures}/signals")
table.round(4)

# %% [markdown]
# ## Each signal along training
# Lines: runs. Thick: snapshots at which all inputs are answered right. Dotted: the level that tells best, chosen on the runs of even seeds.

# %%
levels = table.set_index("signal").level
figure, axes = panels(len(SIGNALS), columns=2, height=2.2, sharex=True)
for ax, (signal, words) in zip(axes, SIGNALS.items(), strict=True):
    for _, run in snapshots.groupby("seed"):
        ax.plot(run.updates, run[signal], color="0.6", linewidth=0.5)
        ax.plot(run.updates.where(run.solved), run[signal], color=COLOURS[0], linewidth=1.2)
    if np.isfinite(levels[words]):
        ax.axhline(levels[words], color=COLOURS[1], linestyle=":", linewidth=1)
    ax.set(title=words, xscale="log", yscale="log")
for ax in axes[2:]:
    ax.set(xlabel="updates")
for ax in axes[::2]:
    ax.set(ylabel="nats")
columns = ["seed", "updates", "solved", *SIGNALS]
save_figure(figure, f"{figures}/runs", snapshots[columns])

# %% [markdown]
# ## Result
# Whether the violation falls before the network answers everything is not asked here: the level is chosen for the moment itself.
#
# **Caveat.** The report's network is a transformer with one embedding and a penalty that delays generalisation. Here it is Study C. Which
# snapshots lie near the moment of generalisation depends on when they are taken.
# Another report (Wang, Ying and Kanamori, arXiv 2605.08237) tells by a residual of the trajectory whether a run will generalise at all. This
# cannot be asked here: all watched runs do, and their snapshots are not evenly spaced, as the residual needs.

# %%
values = answers(rows)
record(values_file, network, values)
values

# %%
told = values["told_by_associativity"]
lines = [
    f"{line['signal']} {line['told_right']:.3f} (level {line['level']:.3g} nats)" for line in table.to_dict("records")
]
rivals = {"training loss": values["more_than_train_loss"], "held-out loss": values["more_than_held_out_loss"]}
more = [f"the {name} by {with_interval(by, '.3f')}" for name, by in rivals.items()]
say(
    f"**Told right** of the snapshots of the {told.of} runs of odd seeds: {'; '.join(lines)}.",
    f"**Asked afterwards.** In a run the associativity violation tells more than {' and than '.join(more)}; less where this is negative.",
    f"{int(snapshots.solved.sum())} of {len(snapshots)} snapshots with learned training pairs answer all inputs right.",
)
