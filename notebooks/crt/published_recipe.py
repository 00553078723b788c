# %% [markdown]
# # Does the number of frequencies grow like ln n by the published recipe?
#
# **Claim** ([C1] Fig. 3). MLPs with an embedding and 8 n neurons learn a number of frequencies that a logarithm of n fits
# with a very high R², from n = 3 to 4,999. [C1] prints the recipe of every n (Table 4), which [C] does not. So the question is
# whether [our result](cluster_scaling.html) that ln n is not the best law holds by the published recipe, too.
#
# **Method.** Networks are trained by Table 4 as it is printed: width, embedding, batches, rate, L2 and number of pairs. What it
# does not print is chosen once: updates, initial weights and β are those of our recipe for [C]. A table says what comes of twice and
# half of them at one small modulus. The printed L2 can be read in two ways, as a decay of 2·L2 or of L2. A later public program of a
# coauthor has 2·L2; that the paper used it is an inference. Our networks are trained by it. The paper's sentence is judged by both
# readings, and depends on the reading where they disagree. Two numbers are counted:
# *frequencies*, those of all alive neurons, as [C] counts clusters; and *strong* ones, which carry at least a hundredth of the
# network's weight Σ r·α. Only networks that answer every input right count. As the paper judges: R² of a + b ln n, fitted to the
# means of the moduli. As we judge: the weights of evidence of five laws, fitted to the same means (AICc).

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import NullLocator

from modadd.core.growth import LAWS, fit_laws
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style
from modadd.populations.cluster_scaling import strong_counts
from modadd.populations.published_recipe import (
    KINDS,
    LAUNCHED_UPDATES,
    changes_table,
    growth_by_published_recipe,
    points_table,
    with_changes,
    with_twice_the_updates,
)
from modadd.populations.tables import read_population, without_others
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c1_moduli": ["results/populations/c1_moduli.parquet"],
    "c1_moduli_once": ["results/populations/c1_moduli_once.parquet"],
    "c1_sensitivity": ["results/populations/c1_sensitivity.parquet"],
}
figures = "results/by_hand/published_recipe"
values_file = "results/by_hand/published_recipe.json"
published = {}  # "very high" is no number
least_weight = 0.01  # share of the network's weight from which a frequency is a strong one
readings = {"decay 2·L2": "c1_moduli", "decay L2": "c1_moduli_once"}  # populations by how the printed L2 is read
seed = 0  # of the networks drawn again, for intervals

# %%
use_style()
network = load_network(network_file)
tables = {}
for name, files in datasets.items():
    population = without_others(read_population(*files))
    tables[name] = population.assign(strong=strong_counts(population.cluster_weights, least_weight))
rows = tables["c1_moduli"]
passing = rows[rows.accuracy == 1]
table = points_table(rows).reset_index()
table["ln_n"] = np.log(table.modulus)
save_table(table, f"{figures}/points")
table.round(3)

# %% [markdown]
# ## Frequencies against n
# Points: means over all alive neurons, with their 95 % intervals. Lines: the five laws. Dashed: ln n. Dotted: all
# frequencies, ⌊n/2⌋. The table has the strong ones too.

# %%
laws = {kind: fit_laws(passing.modulus.to_numpy(), passing[kind].to_numpy(float)) or {} for kind in KINDS}
along = np.geomspace(3, max(table.modulus.max(), 4), 200)
labelled = [3, 5, 7, 13, 17, 59, 113]  # 64 and 128 have no room beside the last two
figure, (ax,) = panels(1, columns=1, height=2.8)
mean, low, high = (table[f"clusters_{part}"] for part in ("mean", "low", "high"))
ax.errorbar(table.modulus, mean, [mean - low, high - mean], fmt="o", color=COLOURS[0], markersize=4, capsize=2)
for (name, law), colour, dash in zip(laws["clusters"].items(), COLOURS[1:], DASHES, strict=False):
    height = law.a + (law.b * LAWS[name](along) if LAWS[name] else 0 * along)
    ax.plot(along, height, color=colour, linestyle=dash, linewidth=1, label=name)
ax.plot(along, np.log(along), color="black", linestyle=(0, (4, 2)), linewidth=1, label="ln n")
ax.plot(along, along // 2, color="0.6", linestyle=":", linewidth=1, drawstyle="steps-post", label="⌊n/2⌋")
highest = mean.max() if mean.notna().any() else 5
ax.set(xlabel="modulus n", xscale="log", ylabel="frequencies", ylim=(0, 1.5 * highest))
ax.set_xticks(labelled, labelled)
ax.xaxis.set_minor_locator(NullLocator())
figure.legend(*ax.get_legend_handles_labels(), loc="outside right center")
save_figure(figure, f"{figures}/moduli", table)

# %% [markdown]
# ## What is not printed
# Twice and half of the updates and of the initial weights, which Table 4 does not print, one at a time, and half of the distance of β₂
# from 1. Twice the updates are tried at further moduli, too, and there the logarithm is fitted again. 147,500 updates are tried, too,
# as many as a coauthor's launcher for Fig. 4 has [L]. **Said before any network of so many updates was trained**
# (`data/launchers/predictions.yaml`): the means then and after 14,000 updates differ by a factor of less than 1.1. This is asked where at
# least four networks of each answer every input right; at the n that are missing below too few do. Frequencies are means with 95 %
# intervals over the networks that answer every input right.

# %%
changed = with_changes(rows, tables["c1_sensitivity"])
changes = changes_table(changed)
save_table(changes, f"{figures}/changes")
changes.round(3)

# %% [markdown]
# ## Result
# **Caveat.** Up to n = 7 networks are trained on all pairs, and there are at most three frequencies to choose from, so the
# smallest moduli tell what there is, not what is chosen. Larger n than those in the table take longer than a core can give.

# %%
by_reading = {reading: tables.get(name, rows[:0]) for reading, name in readings.items()}
values = growth_by_published_recipe(by_reading, changed, seed)
record(values_file, network, values)  # without the population: its recipe is printed modulus by modulus
pd.DataFrame({"twice the updates": values["twice_updates"], "the updates before": values["once_updates"]})

# %%
paragraphs = [f"{len(passing)} of {len(rows)} networks answer every input right, at {values['moduli']} moduli."]
for (kind, words), explained in zip(KINDS.items(), values["r_squared"][0], strict=True):
    weights = ", ".join(f"{law.weight:.3f} for {name}" for name, law in laws[kind].items())
    paragraphs.append(
        f"**{words}.** R² of a + b ln n is {explained.value:.3f}. Weights of evidence: {weights or 'none'}."
    )
for n, lines in changes.groupby("modulus"):
    means = []
    for line in lines.to_dict("records"):
        learned = f"{line['frequencies']:.2f}" if line["passing"] else "no network answers every input right"
        means.append(f"{line['change']}, {learned}")
    paragraphs.append(
        f"**What is not printed, n = {n}.** Frequencies on average, by what is changed: {'; '.join(means)}."
    )
say(*paragraphs)

# %%
moduli = ", ".join(map(str, sorted(set(with_twice_the_updates(changed).modulus))))
names = {"twice_updates": "At twice the updates", "once_updates": "With 14,000 updates, at the same moduli"}
paragraphs = [
    f"**{words}**, n = {moduli}: R² of a + b ln n is {values[name]['r_squared']:.3f}, and it has "
    f"{values[name]['logarithm_weight']:.3f} of the evidence."
    for name, words in names.items()
]
apart = [f"{ratio.value:.2f} at n = {n}" for ratio, n in zip(values["settled"], values["settled_moduli"], strict=True)]
paragraphs.append(
    f"**After {LAUNCHED_UPDATES:,} updates and after those chosen** the means differ by a factor of {', '.join(apart) or 'no network to tell'}."
)
say(*paragraphs)
