# %% [markdown]
# # Does a coauthor's training log come out to the last digit?
#
# **Claim** ([L]). A coauthor of later work has published the program behind this group's networks, and logs of whole trainings.
# One log is of a network that can be trained here: one hidden layer on the dihedral group of 48 elements, seed 0. It prints the
# loss of every epoch to six decimals. If initial weights, pairs, batches, loss, penalty and optimiser are what we think, the same
# numbers come out here.
#
# **Method.** The seed is drawn as jax and flax draw it, in NumPy. The compiled step trains as for every other network here. A
# printed loss is the mean over the batches of an epoch, with the penalty; a printed accuracy is the share of the epoch's pairs
# that were answered right, each before the update that it is part of.
#
# Two programs add floats in another order. So their losses part after some updates, as do those of two trainings here whose
# initial weights differ in the last bit. The first three epochs are asked for every printed digit. Later epochs are asked to lie
# where one more such training would: in the 95 % prediction interval over all of them, for all numbers of a claim at once.

# %%
import numpy as np
import pandas as pd

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.beside_log import Asked, answers
from modadd.populations.published_log import read_published_log
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "published_log": ["results/published_log.parquet"],
}
figures = "results/by_hand/published_log"
values_file = "results/by_hand/published_log.json"
published = {}  # filled in from the ledger; the numbers below are what the log prints
items = {  # filled in from the source
    "L/first_log_losses": {"first": [], "later": []},
    "L/first_log_accuracies": {"first": [], "later": []},
    "L/first_log_end": [],
}
first = [1, 2, 3]  # epochs
later = [4, 5, 8, 10, 13, 15, 20, 50, 100, 180, 500, 2500]
first_accurate, later_accurate = [1, 2, 3, 15], [4, 5, 8, 10, 13]
fewest = 5  # trainings whose spread is told

# %%
use_style()
network = load_network(network_file)  # of the published recipe, for the ledger: no network of the log is kept
rows = read_published_log(datasets["published_log"])
own = read_published_log(datasets["published_log"][:1]).head(1)  # the training of the log, made here
values = answers(own, rows, Asked(first, first_accurate, later, later_accurate), fewest)

# %% [markdown]
# ## Epoch by epoch
# *Here*: the training of the log. *Low* and *high*: where one more training from weights a last bit apart would lie.

# %%
losses = items["L/first_log_losses"]


def printed_beside(epochs, printed, estimates):
    """A line for each epoch: what is printed, the mean of all trainings, and the ends of the interval."""
    lines = []
    for epoch, number, found in zip(epochs, printed, estimates, strict=True):
        lines.append({"epoch": epoch, "printed": number, "mean": found.value, "low": found.low, "high": found.high})
    return pd.DataFrame(lines)


table = printed_beside(later, losses["later"] or [np.nan] * len(later), values["later_losses"])
save_table(table, f"{figures}/losses", digits=6)
table.round(6)

# %%
marked = list(own.marked.iloc[0])
figure, (course, apart) = panels(2, columns=2, height=2.6)
course.plot(marked, own.losses.iloc[0], color=COLOURS[0], label="trained here")
course.plot([*first, *later], [*losses["first"], *losses["later"]] or [np.nan] * 15, "k*", label="printed")
course.set(xscale="log", yscale="log", xlabel="epoch", ylabel="loss with penalty (nats)")
course.legend()
differences = np.abs(table.printed - table["mean"])
apart.plot(table.epoch, differences, "k*", label="printed − mean")
apart.plot(table.epoch, (table.high - table.low) / 2, color=COLOURS[1], label="half of the interval")
apart.set(xscale="log", yscale="log" if values["log_trainings"] >= fewest else "linear", xlabel="epoch", ylabel="nats")
apart.legend()
save_figure(figure, f"{figures}/epochs", table)

# %% [markdown]
# ## Result
# **Caveat.** The log is of a later program, on a dihedral group. That the networks of [C] and [C1] were trained by this
# program is inferred: no log of theirs is public.

# %%
record(values_file, network, values)
say(
    f"**First epochs.** {', '.join(f'{loss:.6f}' for loss in values['first_losses'])}.",
    f"**Later.** {values['log_trainings']} trainings from weights a last bit apart.",
)
