# %% [markdown]
# # Few frequencies without a penalty: small factors
#
# **What was left open.** The penalty on factors of the weights explains a part of why an embedding learns few
# frequencies ([C1] §5.1, the notebook *Why does an embedding learn few frequencies?*). But without any penalty it
# learns few, too.
#
# **A hypothesis** (ours). Descent on a product of small matrices finds solutions of low rank first. A frequency grows
# in proportion to what its factors have of it already. The first frequencies that grow answer all pairs, before the
# others have grown. This is called *rich* or incremental learning. A frequency of a free table grows whatever the table
# has of it. If the factors begin large, their product moves before they do, and they learn as a free table does. This
# is called *lazy* learning.
#
# **Method.** Ten arms, without any penalty. They learn all n² pairs, so that nothing is learnt by heart. Their
# tables A, B and W begin with entries of variance 1/n. Three arms begin with larger tables A and B and a smaller W.
# Their first logits are the same. An arm begins with tables of rank 8, which four frequencies span. Two arms are
# trained by plain gradient descent, with one rate and no moments. A frequency counts if it has at least 0.005 of the
# squared norm of the centred logits.
#
# **Said before any of these networks was trained** (`data/why_few/second.yaml`, which also says what was seen of other
# moduli): an embedding learns fewer frequencies than one-hot inputs (the effect). Factors that are 4 or 8 times larger
# bring frequencies back. Plain descent has the effect, too, and leaves an embedding as many frequencies as Adam. Each
# linear layer takes frequencies away. A start of rank 8 does. Larger tables alone do not change one-hot inputs.
# *Greater* means: 1.25 times as many on average, with the 95 % intervals apart. *About equal* means: less than 1.25
# times apart. The hypothesis is refuted at an n where both larger factors bring nothing back, or where plain descent
# lacks the effect. At an n without the effect nothing else is judged.

# %%
import pandas as pd

from modadd.networks.store import load_network
from modadd.plots.arms import draw_arms
from modadd.plots.figures import panels, save_figure, save_table, use_style
from modadd.populations.rich_or_lazy import ARMS, COMPARED, answers, arm_of, ratios, standing
from modadd.populations.tables import read_population, without_others
from modadd.populations.why_few import arms_table, clear_ratio, orders_in_words, with_arms
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "rich_one_hot": ["results/populations/rich_one_hot.parquet"],
    "rich_factored": ["results/populations/rich_factored.parquet"],
    "rich_twice_factored": ["results/populations/rich_twice_factored.parquet"],
}
figures = "results/by_hand/rich_or_lazy"
values_file = "results/by_hand/rich_or_lazy.json"
published = {}  # an open question has no number

# %%
use_style()
network = load_network(network_file)
rows = pd.concat([without_others(read_population(*files)) for files in datasets.values()], ignore_index=True)
rows = with_arms(rows, arm_of)
held = rows.assign(all_hold=rows.spectral_weights.map(sum)).groupby(["modulus", "arm"], as_index=False).all_hold.mean()
table = arms_table(rows).drop(columns="held_out_loss").merge(held)  # no pair is held out
save_table(table, f"{figures}/arms")
table.round(3)

# %% [markdown]
# ## Frequencies of every arm
# Grey: networks. Points: the mean with its 95 % interval; none where the arm is not judged. Dashed: all frequencies.

# %%
columns = ["modulus", "arm", "seed", "accuracy", "frequencies"]
moduli = sorted(rows.modulus.unique().tolist())
figure, axes = panels(len(moduli), columns=len(moduli), height=4.4, sharey=True)
for ax, n in zip(axes, moduli, strict=True):
    draw_arms(ax, n, rows, table, ARMS)
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/frequencies", rows[columns])

# %% [markdown]
# ## Result
# Ratios of means, one for each modulus where the effect is there. For *greater* a ratio of 1 stands where the intervals
# overlap.
#
# **Caveat.** A network that learns lazily also fits each pair for itself. So its frequencies have less of its logits,
# and some may fall below the threshold. The table has beside them the fewest that hold 0.95 of what all frequencies
# have. Plain descent has another rate at each n. What is left open is which frequencies grow first.

# %%
values = answers(table)
record(values_file, network, values)  # without the populations: their recipes are stated here, and none is claimed
values

# %%
found = ratios(table)
titles = {arm: title.replace("\n", " ") for arm, title in ARMS.items()}
orders = {
    name: f"{titles[one]} {'>' if compare is clear_ratio else '≈'} {titles[other]}"
    for name, (compare, one, other) in COMPARED.items()
}
lines = [
    {"predicted": order} | {f"n = {n}": ratio.value for n, ratio in found[name].items()}
    for name, order in orders.items()
]
save_table(pd.DataFrame(lines), f"{figures}/orders")
paragraphs = []
for n in moduli:
    own = table[table.modulus == n]
    judged = own.dropna(subset="mean")
    means = "; ".join(f"{titles[arm]}: {mean:.1f}" for arm, mean in zip(judged.arm, judged["mean"], strict=True))
    becomes = standing({name: found[name][n].value for name in found if n in found[name]})
    paragraphs += [
        f"**n = {n}.** {own.counted.sum()} of {own.networks.sum()} networks count. Frequencies, mean of each arm that is judged. "
        f"{means or 'none'}.",
        f"Ratios, n = {n}. {orders_in_words(orders, found, n)}",
        f"By the rule that was set before, the hypothesis at n = {n}: {becomes}.",
    ]
say(*paragraphs)
