# %% [markdown]
# # Fig. 4 by the launchers: how many frequencies are left after 147,500 updates?
#
# **Claims** ([C1] Fig. 4, 6, 9 and 12). Networks of 1,024 neurons with one-hot inputs learn about ⌊n/2⌋ frequencies. Behind an embedding
# they learn few. If every neuron is replaced by its sine, the accuracy stays 100 %. With an embedding the mean margin grows with
# the number of frequencies. Mod 66 frequencies that share a factor with n are preferred.
#
# **What was open.** [C1] prints rate, penalty and width. It does not print updates, initial weights and biases. Networks of [its printed
# recipe](why_few.html) have 14,000 updates here. A coauthor published launchers later, for these models and moduli [L]. By them a network
# has biases, the initial weights of flax and 147,500 updates. That [C1] used this program is an inference.
#
# **Method.** Networks are trained by the launchers, with one-hot inputs, behind one embedding that both numbers share, and behind two.
# A frequency counts if it has at least 0.005 of the squared norm of the centred logits. Networks count that answer at least 0.99 of all
# inputs right. Every network is also counted after half of its updates. If the number is about the same then, it has settled. Sixteen networks mod
# 66 have the rate and penalty of Fig. 9. Their batches and their 100,050 updates are those of a launcher of transformers. That they hold for
# these networks is an inference.
#
# **Said before any of these networks was trained** (`data/launchers/predictions.yaml`, which also says what had been seen): ⌊n/2⌋ is at
# most 1.25 times the mean number with one-hot inputs. That number is at least twice the mean behind an embedding. The means after half of
# the updates and at the end differ by a factor of less than 1.1. One embedding and two leave about equally many. Our networks of
# 14,000 updates have at least 1.25 times as many, so they had not settled. In the median, networks made of sines answer at least 0.99 right.
# Behind one embedding the margin grows with the number of frequencies. By Fig. 9's penalty frequencies that share a factor with 66 occur at
# least 1.1 times as often as others.

# %%
import numpy as np
import pandas as pd

from modadd.core.statistics import Estimate
from modadd.networks.store import load_network
from modadd.plots.arms import draw_arms
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.launchers import ARMS, answers, counted, launched_and_printed, table_of_arms
from modadd.populations.tables import read_population, without_others
from paper.notebook import interval, record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "launched_one_hot": ["results/populations/launched_one_hot.parquet"],
    "launched_one_embedding": ["results/populations/launched_one_embedding.parquet"],
    "launched_two_embeddings": ["results/populations/launched_two_embeddings.parquet"],
    "c1_embedding": ["results/populations/c1_embedding.parquet"],
}
figures = "results/by_hand/launchers"
values_file = "results/by_hand/launchers.json"
published = {}  # "about ⌊n/2⌋" and "few" are no numbers

# %%
use_style()
network = load_network(network_file)
tables = {name: without_others(read_population(*files)) for name, files in datasets.items()}
rows = launched_and_printed(tables)
table = table_of_arms(rows)
save_table(table, f"{figures}/arms")
table.round(3)

# %% [markdown]
# ## Frequencies of every arm
# Grey: networks. Points: the mean after all updates with its 95 % interval. Crosses: the mean after half of them. Dashed: all frequencies.

# %%
columns = ["modulus", "arm", "seed", "accuracy", "frequencies", "halfway"]
titles = {arm: title for arm, title in ARMS.items() if arm in set(rows.arm)}
moduli = sorted(rows.modulus.unique().tolist())
figure, axes = panels(len(moduli), columns=len(moduli), height=2.6, sharey=True)
for ax, n in zip(axes, moduli, strict=True):
    draw_arms(ax, n, rows, table, titles)
    halfway = table[table.modulus == n].set_index("arm").halfway.reindex(titles)
    ax.plot(halfway, range(len(titles)), "x", color=COLOURS[1], markersize=5, label="mean after half", zorder=3)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/frequencies", rows[columns])

# %% [markdown]
# ## What was asked of each figure
# Ratios of mean numbers of frequencies, but for the last three. *Apart*: the more over the fewer. In brackets: the 95 % interval, by which it is
# judged. A dash: no network to tell. A row that compares with one embedding and with two has both moduli of the first, then of the second;
# a row of each arm has all arms of n = 59, then of n = 66.

# %%
values = answers(rows)
ASKED = {  # by the name of a value: the figure of [C1], what is asked, and what was predicted
    "half": ("Fig. 4", "⌊n/2⌋ over one-hot inputs", "at most 1.25"),
    "few": ("Fig. 4", "one-hot over one embedding, over two", "at least 2"),
    "settled": ("Fig. 4", "all updates and half, each arm, apart", "at most 1.1"),
    "sharing": ("Fig. 4", "one embedding and two, apart", "at most 1.25"),
    "not_settled_before": ("Fig. 4", "printed recipe over one embedding, over two", "at least 1.25"),
    "sines": ("Fig. 6", "accuracy of the sines, each arm, median", "at least 0.99"),
    "margin_slope": ("Fig. 12", "margin per frequency, one embedding, nats", "above 0"),
    "cosets": ("Fig. 9", "shared factors over others, mod 66", "at least 1.1"),
}


def in_words(found):
    """Several numbers, or one, with three digits, and with the interval if there is one."""
    numbers = found if isinstance(found, list) else [found]
    told = []
    for number in numbers:
        if np.isfinite(number.value):
            ends = f" ({number.low:.3g} to {number.high:.3g})" if isinstance(number, Estimate) else ""
            told.append(f"{number.value:.3g}{ends}")
    return ", ".join(told) or "–"


lines = [
    {"figure": figure, "asked": asked, "predicted": predicted, "found": in_words(values[name])}
    for name, (figure, asked, predicted) in ASKED.items()
]
asked = pd.DataFrame(lines)
save_table(asked, f"{figures}/asked")
asked

# %% [markdown]
# ## Result
# **Caveat.** Fig. 4 has eight moduli, and one to four hidden layers; here are two moduli, announced before, and one layer. A network made of sines may answer right before the
# trained one does, so the sines alone do not say that a network has learned.

# %%
record(values_file, network, values)  # without the populations: their recipes are stated here, and none is claimed
values

# %%
titles = {arm: title.replace("\n", " ") for arm, title in ARMS.items()}
paragraphs = []
for n, lines in table.groupby("modulus"):
    means = []
    for line in lines.to_dict("records"):
        halfway = f" (after half {line['halfway']:.1f})" if np.isfinite(line["halfway"]) else ""
        means.append(f"{titles[line['arm']]}, {line['mean']:.1f}{halfway}")
    paragraphs.append(
        f"**n = {n}.** {lines.counted.sum()} of {lines.networks.sum()} networks count. Of {n // 2} frequencies they learn, on average: "
        f"{'; '.join(means)}."
    )
by_fig_9 = counted(rows[rows.arm == "fig_9"])
if len(by_fig_9):
    found = pd.Series([k for key_set in by_fig_9.key_set for k in key_set]).value_counts().sort_index()
    paragraphs.append(
        f"**By the penalty of Fig. 9.** The most common frequency is {found.idxmax()}, in {found.max()} of {len(by_fig_9)} networks. Frequencies "
        f"that share a factor with n occur {values['cosets'].value:.2f} times as often as others "
        f"({interval(values['cosets'])})."
    )
say(*paragraphs)
