# %% [markdown]
# # What do the unstated parts of the recipe decide?
#
# **Claim** ([C] §4). The paper states the widths, the optimiser, its learning rate, the penalty, the training pairs and
# two sizes of batches. It does not state the initial weights, the number of updates, whether batches are drawn anew, β₂
# or which networks were accepted into the statistics. This project chose; here is how much depends on these choices.
#
# **Method.** One number of the recipe is changed at a time, and everything else is as in the recipe of the same regime
# (batches of n, or all training pairs at once); but a lower learning rate, which moves the weights less, comes with more
# updates. The networks that answer every input right are compared with those of
# the unchanged recipe, by three numbers: clusters per network, the share of simple neurons among the alive ones, and
# the share of dead ones. Of each number x the shift
#
# $$ \Delta x = \bar x_{\textrm{changed}} - \bar x_{\textrm{recipe}} $$
#
# is given. The laptop does not train for longer than the recipe, does not cut new batches in every pass (`reshuffled`), and
# penalises all parameters, not the kernels alone (`decayed`). The effect of these three is seen in the networks kept in
# data/populations, and with config/paper.yaml.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.statistics import ratio_of
from modadd.crt.embedding_weights import LEFT_OUT
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.populations import recipe_changes, recipe_sensitivity
from modadd.populations.tables import read_population, without_others
from paper.ledger.judge.forms import Evidence, form_of
from paper.notebook import record, say, with_interval

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c_sensitivity": ["results/populations/c_sensitivity.parquet"],
    "c_moduli_batch": ["results/populations/c_moduli_batch.parquet"],  # has a lower learning rate
}
figures = "results/by_hand/recipe_sensitivity"
values_file = "results/by_hand/recipe_sensitivity.json"
published = {}  # no number is printed
most = 200  # networks of one recipe; of a larger population the first
acceptances = [0.0, 0.9, 0.99, 0.999, 1.0]  # accuracies from which a network would be let in
millions = 10_000 * 2 * 91 * 32 / 1e6  # of weights in the networks of [C] Fig. 3
fig_3 = {  # printed
    "outside in batches": "0.05",
    "millions near 0 in batches": "2.4",
    "largest in batches": "2",
    "outside in full batch": "0.005",
}
items = {"C/ln_n_is_four_and_a_half": 4.5}  # what this item of the source prints; filled in by the workflow
settled = [3000, 14000]  # updates of the full batch from which the number of clusters moves no more

# %%
use_style()
network = load_network(network_file)
frames = {name: read_population(*files) for name, files in datasets.items()}
recipes = {regime: without_others(frames[f"c91_{regime}"]).iloc[0] for regime in ("batch", "full")}
rows = recipe_changes.with_changes(pd.concat(frames.values(), ignore_index=True), recipes, most)
rows["lines_in_band"] = rows.fine_tuning_frequencies.map(len)
passing = rows[rows.passes]

# %% [markdown]
# ## One change at a time
# Distributions of the number of clusters are compared by the two-sample Kolmogorov–Smirnov test, which is conservative for
# counts. *p* is the probability of so large a difference if the counts of clusters come from the distribution of the
# unchanged recipe.

# %%
table = recipe_changes.numbers_by_change(rows, [*recipe_sensitivity.NUMBERS, "lines_in_band"])
table = table.sort_values(["regime", "changed"], key=recipe_sensitivity.by_size, ignore_index=True)
recipe = table[table.changed == ""].set_index("regime")
save_table(table.round(4), f"{figures}/changes_table")
table.round(3)

# %%
words = {"": "the recipe", "reshuffled True": "batches reshuffled", "decayed kernels": "penalty on the kernels alone"}


def in_words(changed):
    """A change of the recipe as the figure names it: `steps 28000` is 28,000 updates."""
    if changed in words:
        return words[changed]
    parts = []
    for key, value in (part.split(" ", 1) for part in changed.split(", ")):
        parts.append(f"{int(value):,} updates" if key == "steps" else f"{key} {value}".replace("_", " "))
    return ", ".join(parts)


# %%
def draw_number(ax, number, regime, style):
    """A number of every recipe of one regime, and a line at that of the unchanged one."""
    shown = (table.regime == regime).to_numpy()
    y, error = -np.flatnonzero(shown), table["std"][shown] if number == "clusters" else None
    ax.errorbar(table[number][shown], y, xerr=error, fmt=style["marker"], color=style["color"], markersize=4, capsize=2)
    if number == "clusters":
        short = shown & (table.passing < table.networks).to_numpy()
        ax.plot(
            table.clusters_of_all[short], -np.flatnonzero(short), markersize=6, fillstyle="none", linestyle="", **style
        )
    ax.vlines(recipe[number].get(regime), y.min() - 0.4, y.max() + 0.4, color=style["color"], linewidth=0.8)


# %%
labels = [f"{line.regime}: {in_words(line.changed)} ({line.passing} of {line.networks})" for line in table.itertuples()]
shown = {"clusters": "clusters, mean ± std", "share_simple_of_alive": "simple among alive", "share_dead": "dead"}
figure, axes = panels(3, columns=3, height=0.2 * len(table) + 1, sharey=True)
for ax, (number, label) in zip(axes, shown.items(), strict=True):
    for regime, marker, colour in zip(recipes, MARKERS, COLOURS, strict=False):
        draw_number(ax, number, regime, {"marker": marker, "color": colour})
    ax.set(xlabel=label, yticks=-np.arange(len(table)), yticklabels=labels)
axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
title = "filled: networks that answer every input right (n of m); hollow: all networks; vertical lines: the recipe"
figure.suptitle(title, fontsize=8)
save_figure(figure, f"{figures}/changes", table)

# %% [markdown]
# ## Weights of the embeddings, by the number of updates
# [C] compares the embedding weights of both regimes (Fig. 3: 5 % outside [−1, 1] in batches of n, fewer than 0.5 % in full
# batch, 2.4 of 58.24 million weights near 0 in batches) and finds no other difference. Drawn are means over networks of one
# number of updates, with 95 % intervals, also of networks short of accuracy 1: shares of the weights, and the largest of a
# network.

# %%
of_updates = recipe_sensitivity.of_updates_alone(rows)
by_updates = recipe_sensitivity.weights_by_updates(of_updates)
labels = ("share outside [−1, 1]", "largest weight of a network", f"share inside ±{LEFT_OUT:g}")
printed = ((0.05, 0.005), (2.0,), (2.4 / millions,))
figure, axes = panels(3, columns=3, height=2.1)
for ax, name, label, levels in zip(axes, recipe_sensitivity.WEIGHTS, labels, printed, strict=True):
    groups = by_updates[by_updates.number == name].groupby("regime")
    for (regime, means), marker, colour in zip(groups, MARKERS, COLOURS, strict=False):
        style = {"fmt": marker, "color": colour, "markersize": 4, "capsize": 2, "label": regime}
        ax.errorbar(means.updates, means.value, [means.value - means.low, means.high - means.value], **style)
    for level in levels:
        ax.axhline(level, **PUBLISHED_LINE)
    ax.set(xscale="log", xlabel="updates", ylabel=label, ylim=(0, None))
    ax.xaxis.set(major_formatter="{x:,.0f}", minor_locator=NullLocator())
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/weights", by_updates)

# %% [markdown]
# The printed numbers stand in one figure, of networks of one recipe, so they are judged together: how many of them does one
# number of updates give? Here they are after each number of updates after which networks answer every input right. The
# first two agree if their 95 % interval, widened by half the last printed digit, has the printed number. Some weights
# are larger than 2, says the text beside the figure. Of the full batch, fewer are printed; it may have a number of updates
# of its own.


# %%
def in_interval(found, printed):
    """Whether the interval of a number has the printed one, with its digits."""
    return bool(form_of({"check": "interval", "published": printed}).judge(Evidence(found, {})).agrees)


of_fig_3 = recipe_sensitivity.numbers_of_fig_3(of_updates, millions)
of_fig_3 = recipe_sensitivity.agreeing_with_print(of_fig_3, fig_3, in_interval)
save_table(of_fig_3, f"{figures}/fig_3", digits=4)
of_fig_3.round(4)

# %% [markdown]
# ## Batches and full batch after equally many updates
# Our recipes of the two regimes have unequal numbers of updates. So the networks of the longest training in full batch stand
# beside those of equal seeds and as many updates in batches of n, because networks of one seed begin with equal weights.
# *apart*: full batch less batches of n, mean over the seeds with its 95 % interval; *ratio*: the smaller mean over the
# larger.

# %%
updates, by_seed = recipe_changes.after_equal_updates(
    of_updates[of_updates.passes], [*recipe_sensitivity.NUMBERS, *recipe_sensitivity.WEIGHTS]
)
regimes = recipe_sensitivity.regimes_table(updates, by_seed)
save_table(regimes, f"{figures}/regimes", digits=4)
regimes.round(4)

# %% [markdown]
# ## Which networks are let in
# How do the numbers move when networks below accuracy 1 are let in? The table takes the recipes of which some networks fall
# short of it. It has the same numbers over the networks at or above other accuracies.

# %%
acceptance = recipe_sensitivity.acceptance_table(rows, table, acceptances)
save_table(acceptance.round(4), f"{figures}/acceptance")
acceptance.round(3)

# %% [markdown]
# ## Result
# The values say how far the mean over the networks that pass moves at most, for each kind of change, with the 95 % interval
# of this distance. *Stopped early* is the shift, with its interval, of those with the fewest updates that pass: of the
# regime in which it is smaller. The two regimes are compared seed by seed; of shares of neurons the smaller mean over the
# larger is recorded, of the number of clusters the distance, whatever the sign.

# %%
values = recipe_sensitivity.answers(rows, recipes, of_fig_3, settled, items["C/ln_n_is_four_and_a_half"])
record(values_file, network, values, [frames["c91_batch"], frames["c91_full"]])
values

# %%
lines = []
for line in table.itertuples():
    sentence = f"- {line.regime}, {line.changed or 'the recipe'}: {line.passing} of {line.networks} pass"
    if line.passing:
        sentence += f", with {line.clusters:.2f} clusters ({line.shift_clusters:+.2f})"
        sentence += f", simple {line.share_simple_of_alive:.3f}, dead {line.share_dead:.2f}"
    lines.append(f"{sentence}; {line.clusters_of_all:.2f} clusters with those that do not pass")
fine_tuning = values["runs_with_fine_tuning"]
say(
    f"{len(rows) - len(passing)} of {len(rows)} networks ({(rows.trained == 'kept').sum()} kept) are dropped, because "
    "they do not answer every input right.",
    "\n".join(lines),
    "**Fine-tuning neurons that are not idle**, in batches of n, are in a share of "
    f"{fine_tuning['printed'].value:.2f} of the networks by the recipe, and of {fine_tuning['half'].value:.2f} with half of "
    "the penalty.",
)

# %%
apart = [
    f"- {number.replace('_', ' ')}: {difference.value:+.4f} ({difference.low:+.4f} to {difference.high:+.4f})"
    for number, difference in recipe_changes.regimes_apart(by_seed).items()
    if np.isfinite(difference.value)
]
shifts = recipe_sensitivity.largest_shifts(passing)
moved = [f"- {kind}: {with_interval(found)}" for kind, found in shifts.items() if found.of]
say(
    f"After {updates:,} updates in both regimes, by {regimes.of.iloc[0]} seeds, the mean of full batch less that of batches "
    "of n (95 % interval):",
    "\n".join(apart),
    f"The largest embedding weight in batches of n is {values['largest_batch']:.2f}. The largest shift of the mean number of "
    "clusters, by what is changed:",
    "\n".join(moved),
)

# %%
stopped = []
for regime, changed in recipe_changes.stopped_first(passing, recipes):
    networks = passing[(passing.regime == regime) & (passing.changed == changed)]
    tuning = ratio_of(networks.fine_tuning_clusters, networks.clusters - networks.fine_tuning_clusters)
    stopped.append(
        f"- {regime}, {changed}: {with_interval(tuning)} fine-tuning clusters for "
        f"each other one, {networks.clusters.mean():.1f} clusters"
    )
say(
    "Networks stopped early come nearest to the number of fine-tuning clusters that [C] prints for each other one, at most "
    "0.237. But they have far more clusters than [C] counts, so no number of updates tried here gives both printed numbers:",
    "\n".join(stopped),
)
