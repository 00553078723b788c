# %% [markdown]
# # Why does an embedding learn few frequencies?
#
# **Claim** ([C1] §5.1, Fig. 4). With one-hot inputs and one hidden layer a network learns about ⌊n/2⌋ frequencies, nearly all
# that there are. With an embedding before the hidden layer, or with more layers, it learns few. [C1] writes that it does not
# know why.
#
# **A hypothesis** (ours). The embedding as such is not the cause; *factors under a penalty* are. All networks here have the
# same tables A, B and W. With one-hot inputs A is a free table, and the penalty λ‖A‖² does not feel how many frequencies
# share it. If A = EV is a product and both factors pay, the least price of a given A is a nuclear norm,
#
# $$ \min_{EV = A} \lambda \left( \|E\|^2 + \|V\|^2 \right) = 2 \lambda \|A\|_* $$
#
# At a given size ‖A‖ it grows like the root of the number of frequencies. The margin of ln n frequencies is nearly that of
# all. So a network that pays for rank stops early, and one that does not goes on.
#
# **Method.** Six arms with the same neurons, pairs, batches, rate, updates and variance of the initial tables: (a) one-hot
# inputs; (b) one linear layer n × n before the hidden layer; (c) an embedding, with the penalty on the product EV; (d) two
# linear layers; (e) an embedding without penalty; (f) an embedding with the penalty on its factors. A frequency counts if it
# has at least 0.005 of the squared norm of the centred logits. Networks count that answer at least 0.99 of all inputs right.
# An arm of which fewer than half do, or fewer than eight, is not judged.
#
# **Said before any of these networks was trained** (`data/why_few/predictions.yaml`): the numbers of frequencies are in the
# order a ≈ c > f ≈ b > d, and e ≈ a. *Greater* means: 1.25 times as many on average, with the 95 % intervals apart. *About
# equal* means: less than 1.25 times apart. If c > f or a > b fails, the hypothesis is refuted. The modulus 97 was added when 31 and 59
# had been judged, and before any of its networks was trained. Where no network of an arm is kept, what asks for it is not judged.
#
# **The networks of Fig. 4** are trained besides by what [C1] prints of them (Table 5: 1,024 neurons, another rate and penalty), with
# one-hot inputs and behind an embedding of 128 dimensions. What it does not print is as in the arms a and f. They count as above, and
# their criteria stand in the same file.

# %%
import numpy as np
import pandas as pd
import seaborn as sns

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.tables import read_population, without_others
from modadd.populations.why_few import (
    ARMS,
    ORDERS,
    answers,
    arms_table,
    by_recipe,
    orders_in_words,
    ratios_of_arms,
    with_arms,
)
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "few_one_hot": ["results/populations/few_one_hot.parquet"],
    "few_factored": ["results/populations/few_factored.parquet"],
    "few_twice_factored": ["results/populations/few_twice_factored.parquet"],
    "c1_one_hot": ["results/populations/c1_one_hot.parquet"],
    "c1_embedding": ["results/populations/c1_embedding.parquet"],
}
figures = "results/by_hand/why_few"
values_file = "results/by_hand/why_few.json"
published = {}  # "about ⌊n/2⌋" is no number

# %%
use_style()
network = load_network(network_file)
tables = {name: without_others(read_population(*files)) for name, files in datasets.items()}
rows = pd.concat([table.assign(population=name) for name, table in tables.items()], ignore_index=True)
rows = with_arms(rows)
trained, of_fig_4 = by_recipe(rows)
table, table_of_fig_4 = arms_table(trained), arms_table(of_fig_4)
both = [table.assign(recipe="ours"), table_of_fig_4.assign(recipe="[C1] Table 5")]
save_table(pd.concat(both), f"{figures}/arms")
table.round(3)

# %% [markdown]
# ## Frequencies of every arm
# Grey: networks. Points: the mean with its 95 % interval; none where the arm is not judged. Dashed: all frequencies. Dotted:
# ln n. From left to right the number was predicted to be equal in the first three arms, then smaller in the next two, and
# smallest in the last.

# %%
columns = ["modulus", "arm", "seed", "accuracy", "frequencies"]
arms = list(ARMS)


def draw_arms(ax, n):
    """The networks of one modulus by arm, the means of the arms, and two lines to compare them with."""
    means = table[table.modulus == n].set_index("arm").reindex(arms)
    networks = trained[trained.modulus == n]
    style = {"color": "0.75", "size": 2.2, "warn_thresh": 1, "zorder": 1}
    sns.swarmplot(networks, x="arm", y="frequencies", order=arms, ax=ax, **style)
    distances = [means["mean"] - means.low, means.high - means["mean"]]
    ax.errorbar(range(len(arms)), means["mean"], distances, fmt="o", color=COLOURS[0], markersize=4, capsize=3)
    ax.axhline(n // 2, color="black", linestyle=(0, (4, 2)), linewidth=1, label="all, ⌊n/2⌋")
    ax.axhline(np.log(n), color="black", linestyle=":", linewidth=1, label="ln n")
    ax.set(title=f"n = {n}", xlabel="", ylabel="frequencies", xlim=(-0.5, len(arms) - 0.5), ylim=(0, n // 2 * 1.1))
    ax.set_xticks(range(len(arms)), [f"({arm}) {ARMS[arm]}" for arm in arms])


# %%
moduli = sorted(trained.modulus.unique().tolist())
figure, axes = panels(len(moduli), columns=1, height=2.2, sharex=True)
for ax, n in zip(axes, moduli, strict=True):
    draw_arms(ax, n)
axes[0].legend(loc="lower left")
save_figure(figure, f"{figures}/frequencies", trained[columns])

# %% [markdown]
# ## The networks of Fig. 4
# The same of one-hot inputs and an embedding by the numbers that [C1] prints, for each modulus as in its figure.

# %%
scatter = np.random.default_rng(0).uniform(-0.3, 0.3, len(rows))  # sideways, so that networks do not hide each other
figure, (ax,) = panels(1, columns=1, height=2.8)
inputs = {"a": ("one-hot inputs", "o", -0.12), "f": ("behind an embedding", "s", 0.12)}
for colour, (arm, (label, marker, aside)) in zip(COLOURS, inputs.items(), strict=False):
    networks, means = of_fig_4[of_fig_4.arm == arm], table_of_fig_4[table_of_fig_4.arm == arm]
    x = networks.modulus + aside + 0.3 * scatter[networks.index]
    ax.plot(x, networks.frequencies, ".", color="0.75", markersize=4)
    distances = [means["mean"] - means.low, means.high - means["mean"]]
    style = {"fmt": marker, "color": colour, "markersize": 4, "capsize": 3, "label": label}
    ax.errorbar(means.modulus + aside, means["mean"], distances, **style)
n = np.sort(of_fig_4.modulus.unique())
ax.plot(n, n // 2, color="black", linestyle=(0, (4, 2)), linewidth=1, label="all, ⌊n/2⌋")
ax.plot(n, np.log(n), color="black", linestyle=":", linewidth=1, label="ln n")
ax.set(xlabel="modulus n", ylabel="frequencies", ylim=(0, n.max() // 2 * 1.1))
ax.set_xticks(n, n)
figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/fig_4", of_fig_4[columns])

# %% [markdown]
# ## Result
# Ratios of means, one for each modulus. For *greater* a ratio of 1 stands where the intervals overlap.
#
# **Caveat.** The networks are narrower than those of [C1], and have another rate and penalty. Without a penalty most networks learn
# the pairs that they are trained on by heart; where too few of them count, arm e says nothing about the order. Where it can be judged, it
# tells whether the penalty on the factors is all that makes frequencies few, or descent on factors does so by itself. The experiment does
# not tell that the number of frequencies that is left has to be near ln n.

# %%
values = answers(table, table_of_fig_4)
record(values_file, network, values)  # without the populations: their recipes are stated here, and none is claimed
values

# %%
ratios = ratios_of_arms(table)
lines = [
    {"predicted": order} | {f"n = {n}": ratio.value for n, ratio in ratios[name].items()}
    for name, order in ORDERS.items()
]
save_table(pd.DataFrame(lines), f"{figures}/orders")


# %%
paragraphs = []
for n, lines in table.groupby("modulus"):
    judged = lines.dropna(subset="mean")
    means = ", ".join(f"{arm} {mean:.1f}" for arm, mean in zip(judged.arm, judged["mean"], strict=True))
    paragraphs.append(
        f"**n = {n}.** {lines.counted.sum()} of {lines.networks.sum()} networks count. Frequencies, mean of each arm that "
        f"is judged: {means or 'none'}. {orders_in_words(ORDERS, ratios, n)}"
    )
for n, lines in table_of_fig_4.groupby("modulus"):
    of_arm = lines.set_index("arm")["mean"]
    words = {"a": "with one-hot inputs", "f": "behind an embedding"}
    means = " and ".join(f"{of_arm[arm]:.1f} {word}" for arm, word in words.items() if arm in of_arm)
    paragraphs.append(
        f"**Fig. 4, n = {n}.** {lines.counted.sum()} of {lines.networks.sum()} networks count. Of {n // 2} frequencies "
        f"they learn, on average, {means}."
    )
say(*paragraphs)
