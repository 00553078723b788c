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
# is given. Distributions of the number of clusters are compared by the two-sample Kolmogorov–Smirnov test, which is
# conservative for counts. *Acceptance* asks the same of networks that were trained too briefly: how the numbers move
# when networks below accuracy 1 are let in. The laptop does not train for longer than the recipe, does not cut new
# batches in every pass (`reshuffled`), and penalises all parameters, not the kernels alone (`decayed`). The effect of
# these three is seen in the networks kept in data/populations, and with config/paper.yaml.
#
# [C] compares the embedding weights of both regimes (Fig. 3: 5 % outside [−1, 1] in batches of n, fewer than 0.5 % in full
# batch, 2.4 of 58.24 million weights near 0 in batches) and finds no other difference. The three numbers stand in one figure,
# of networks of one recipe, so they are judged together: how many of them does one number of updates give? Our recipes of the
# two regimes have unequal numbers of updates, so the regimes are compared seed by seed after *equally* many, shares of neurons
# by the smaller mean over the larger.

# %%
import re

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, NullLocator

from modadd.core.statistics import Estimate, distance_from_zero, mean_of, ratio_of, smaller_over_larger
from modadd.crt.embedding_weights import LEFT_OUT, share_beyond
from modadd.ledger.forms import Evidence, form_of
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.recipe_changes import (
    after_equal_updates,
    largest_shift,
    numbers_by_change,
    regimes_apart,
    shift,
    stopped_first,
    with_changes,
)
from modadd.populations.tables import read_population

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c_sensitivity": ["results/populations/c_sensitivity.parquet"],
    "c_moduli_batch": ["results/populations/c_moduli_batch.parquet"],  # has a lower learning rate
}
figures = "figures/recipe_sensitivity"
values_file = "results/values/recipe_sensitivity.json"
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
recipes = {"batch": frames["c91_batch"].iloc[0], "full": frames["c91_full"].iloc[0]}
rows = with_changes(pd.concat(frames.values(), ignore_index=True), recipes, most)
rows["lines_in_band"] = rows.fine_tuning_frequencies.map(len)
passing = rows[rows.passes]

# %% [markdown]
# ## One change at a time
# *p* is the probability of so large a difference if the counts of clusters come from the distribution of the unchanged
# recipe.

# %%
numbers = ["clusters", "share_simple_of_alive", "share_dead", "share_fine_tuning"]
by_size = lambda words: words.str.replace(r"\d+", lambda number: number[0].zfill(9), regex=True)  # 400 before 3000
table = numbers_by_change(rows, [*numbers, "lines_in_band"])
table = table.sort_values(["regime", "changed"], key=by_size, ignore_index=True)
recipe = table[table.changed == ""].set_index("regime")
save_table(table.round(4), f"{figures}/changes_table")
table.round(3)

# %%
words = {"": "the recipe", "reshuffled True": "batches reshuffled", "decayed kernels": "penalty on the kernels alone"}


def in_words(changed):
    """A change of the recipe as the figure names it: `steps 28000` is 28,000 updates."""
    changed = re.sub(r"steps (\d+)", lambda steps: f"{int(steps[1]):,} updates", changed)
    return words.get(changed, changed.replace("_", " "))


labels = [f"{line.regime}: {in_words(line.changed)} ({line.passing} of {line.networks})" for line in table.itertuples()]
place = -np.arange(len(table))
shown = {"clusters": "clusters, mean ± std", "share_simple_of_alive": "simple among alive", "share_dead": "dead"}
figure, axes = panels(3, columns=3, height=0.2 * len(table) + 1, sharey=True)
for ax, (number, label) in zip(axes, shown.items(), strict=True):
    for regime, marker, colour in zip(recipes, MARKERS, COLOURS, strict=False):
        of = (table.regime == regime).to_numpy()
        error = table["std"][of] if number == "clusters" else None
        ax.errorbar(table[number][of], place[of], xerr=error, fmt=marker, color=colour, markersize=4, capsize=2)
        if number == "clusters":
            short = of & (table.passing < table.networks).to_numpy()
            ax.plot(table.clusters_of_all[short], place[short], marker, color=colour, markersize=6, fillstyle="none")
        ax.vlines(recipe[number].get(regime), place[of].min() - 0.4, place[of].max() + 0.4, color=colour, linewidth=0.8)
    ax.set(xlabel=label, yticks=place, yticklabels=labels)
axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
figure.suptitle(
    "filled: networks that answer every input right (n of m); hollow: all networks; vertical lines: the recipe",
    fontsize=8,
)
save_figure(figure, f"{figures}/changes", table)

# %% [markdown]
# ## Weights of the embeddings, by the number of updates
# Means over networks of one number of updates, with 95 % intervals, also of networks short of accuracy 1: shares of the
# weights, and the largest of a network.

# %%
only_steps = rows[rows.changed.str.fullmatch(r"(steps \d+)?")]
weighed = only_steps.assign(near_zero=[1 - share_beyond(of, LEFT_OUT) for of in only_steps.embedding_counts])
drawn = {
    "embedding_outside_one": ("share outside [−1, 1]", (0.05, 0.005)),
    "embedding_largest": ("largest weight of a network", (2.0,)),
    "near_zero": (f"share inside ±{LEFT_OUT:g}", (2.4 / millions,)),
}
by_steps = pd.DataFrame(
    {"regime": regime, "updates": steps, "number": name, "networks": len(of), **vars(mean_of(of[name]))}
    for (regime, steps), of in weighed.groupby(["regime", "steps"])
    for name in drawn
)
figure, axes = panels(3, columns=3, height=2.1)
for ax, (name, (label, printed)) in zip(axes, drawn.items(), strict=True):
    for index, (regime, of) in enumerate(by_steps[by_steps.number == name].groupby("regime")):
        style = {"fmt": MARKERS[index], "color": COLOURS[index], "markersize": 4, "capsize": 2, "label": regime}
        ax.errorbar(of.updates, of.value, [of.value - of.low, of.high - of.value], **style)
    for number in printed:
        ax.axhline(number, **PUBLISHED_LINE)
    ax.set(xscale="log", xlabel="updates", ylabel=label, ylim=(0, None))
    ax.xaxis.set(major_formatter="{x:,.0f}", minor_locator=NullLocator())
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/weights", by_steps)

# %% [markdown]
# What is printed of Fig. 3, after each number of updates after which networks answer every input right, over those. The
# first two numbers agree if their 95 % interval, widened by half the last printed digit, has the printed number. Some weights
# are larger than 2, says the text beside the figure. Of the full batch, fewer are printed; it may have a number of updates
# of its own.


# %%
def has(printed, of):
    form = form_of({"check": "interval", "published": printed})
    return bool(form.judge(Evidence(vars(of), {})).agrees)


outside, near_zero, largest, outside_full = fig_3
learned, of_fig_3 = weighed[weighed.passes], []
for (regime, updates), of in learned.groupby(["regime", "steps"]):
    found = {outside: mean_of(of.embedding_outside_one), near_zero: mean_of(millions * of.near_zero)}
    if regime == "full":
        found = {outside_full: found[outside]}
    else:
        found[largest] = Estimate(of.embedding_largest.max(), np.nan, np.nan, len(of))
    for number, here in found.items():
        agrees = has(fig_3[number], here) if number in (outside, near_zero) else False
        if number == outside_full:
            agrees = here.high < float(fig_3[number])
        if number == largest:
            agrees = here.value > float(fig_3[number])
        of_fig_3.append({"regime": regime, "updates": updates, "number": number, **vars(here), "agrees": agrees})
of_fig_3 = pd.DataFrame(of_fig_3, columns=["regime", "updates", "number", "value", "low", "high", "of", "agrees"])
save_table(of_fig_3, f"{figures}/fig_3", digits=4)
of_fig_3.round(4)

# %% [markdown]
# ## Batches and full batch after equally many updates
# The networks of the longest training in full batch beside those of equal seeds and as many updates in batches of n.
# *apart*: full batch less batches of n, mean over the seeds with its 95 % interval; *ratio*: the smaller mean
# over the larger.

# %%
updates, by_seed = after_equal_updates(weighed[weighed.passes], [*numbers, *drawn])
apart = regimes_apart(by_seed)
ratios = {name: smaller_over_larger(of.batch, of.full) for name, of in by_seed.items()}
regimes = pd.DataFrame(
    {"number": name, **by_seed[name].mean(), **vars(of), "ratio": ratios[name].value} for name, of in apart.items()
).assign(updates=updates)
save_table(regimes, f"{figures}/regimes", digits=4)
regimes.round(4)

# %% [markdown]
# ## Which networks are let in
# The table takes the recipes of which some networks fall short of accuracy 1. It has the same numbers over the networks
# at or above other accuracies.

# %%
short = table[table.passing < table.networks]
lines = []
for regime, changed in zip(short.regime, short.changed, strict=True):
    of = rows[(rows.regime == regime) & (rows.changed == changed)]
    for accuracy in acceptances:
        let_in = of[of.accuracy >= accuracy]
        means = {number: let_in[number].mean() for number in numbers}
        lines.append({"regime": regime, "changed": changed, "accuracy from": accuracy, "networks": len(let_in)} | means)
acceptance = pd.DataFrame(lines, columns=["regime", "changed", "accuracy from", "networks", *numbers])
save_table(acceptance.round(4), f"{figures}/acceptance")
acceptance.round(3)

# %% [markdown]
# ## Result
# The values say how far the mean over the networks that pass moves at most, for each kind of change, with the 95 % interval
# of this distance. *Stopped early* is the shift, with its interval, of those with the fewest updates that pass: of the
# regime in which it is smaller. The two regimes are compared seed by seed, because networks of one seed begin with equal
# weights; of shares of neurons the smaller mean over the larger is recorded, of the number of clusters the distance, whatever
# the sign.

# %%
kinds = {
    "initialisation": "init_scale",
    "penalty": "weight_decay",
    "order": "reshuffled",
    "updates": "steps",
    "batches": "batch_size",
    "beta2": "beta2",
    "penalised": "decayed",
}
moved = {kind: largest_shift(passing, "clusters", key) for kind, key in kinds.items()}
stopped = stopped_first(passing, recipes)
shifts = [shift(passing, "clusters", *recipe) for recipe in stopped]
of_stopped = [passing[(passing.regime == regime) & (passing.changed == changed)] for regime, changed in stopped]
tuning = [ratio_of(of.fine_tuning_clusters, of.clusters - of.fine_tuning_clusters) for of in of_stopped]
in_batches = weighed[weighed.regime == "batch"]
together = of_fig_3[of_fig_3.regime == "batch"].groupby("updates").agrees.sum()
by_updates = {
    number: ", ".join(f"{line.value:.3g} after {line.updates:,}" for line in of.itertuples())
    for number, of in of_fig_3.groupby("number")
}
slow = passing[(passing.regime == "batch") & (passing.learning_rate < recipes["batch"].learning_rate)]
as_published = in_batches[in_batches.passes & (in_batches.steps == slow.steps.max())]
rates = {"published": as_published, "lower": slow}
ln_n = items["C/ln_n_is_four_and_a_half"]
at_settled = [mean_of(learned[(learned.regime == "full") & (learned.steps == steps)].clusters) for steps in settled]
from_ln_n = [distance_from_zero(Estimate(of.value - ln_n, of.low - ln_n, of.high - ln_n, of.of)) for of in at_settled]
halved = passing[
    (passing.regime == "batch") & (passing.changed == f"weight_decay {recipes['batch'].weight_decay / 2:g}")
]
unchanged = passing[(passing.regime == "batch") & (passing.changed == "")]
of_both = lambda number: (by_seed[number].batch, by_seed[number].full)
values = {
    "dead_by_rate": {name: mean_of(of.share_dead) for name, of in rates.items()},
    "small_changes_clusters": [moved[kind] for kind in ("initialisation", "penalty", "order")],
    "stopped_early_clusters": min(shifts, key=lambda found: abs(found.value), default=mean_of([])),
    "regimes_clusters": distance_from_zero(apart["clusters"]),
    **{f"regimes_{number}": ratios[number] for number in numbers[1:]},
    "regime_means": {number: of.mean().to_dict() for number, of in by_seed.items()},
    "most_of_fig_3": int(together.max() if len(together) else 0)
    + int(of_fig_3[of_fig_3.number == outside_full].agrees.any()),
    "outside_one_ratio": ratio_of(*of_both("embedding_outside_one")),
    "largest_batch": in_batches.embedding_largest.max(),
    "clusters_settled_full": at_settled,
    "clusters_from_ln_n_full": from_ln_n,
    "runs_with_fine_tuning": {
        "printed": mean_of((unchanged.share_fine_tuning_working > 0).to_numpy(float)),
        "half": mean_of((halved.share_fine_tuning_working > 0).to_numpy(float)),
    },
    "near_zero_ratio": ratio_of(*of_both("near_zero")),
    "by_updates": {
        "outside": by_updates.get(outside, "none"),
        "near_zero": by_updates.get(near_zero, "none"),
        "largest": by_updates.get(largest, "none"),
        "outside_full": by_updates.get(outside_full, "none"),
    },
}
record(values_file, network, values, [frames["c91_batch"], frames["c91_full"]])
values

# %%
say(
    f"{len(rows) - len(passing)} of {len(rows)} networks ({(rows.trained == 'kept').sum()} kept) are dropped, because "
    "they do not answer every input right.",
    "\n".join(
        f"- {line.regime}, {line.changed or 'the recipe'}: {line.passing} of {line.networks} pass"
        + (f", with {line.clusters:.2f} clusters ({line.shift_clusters:+.2f})" if line.passing else "")
        + (f", simple {line.share_simple_of_alive:.3f}, dead {line.share_dead:.2f}" if line.passing else "")
        + f"; {line.clusters_of_all:.2f} clusters with those that do not pass"
        for line in table.itertuples()
    ),
    f"**Fine-tuning neurons that are not idle**, in batches of n, are in a share of {values['runs_with_fine_tuning']['printed'].value:.2f} "
    f"of the networks by the recipe, and of {values['runs_with_fine_tuning']['half'].value:.2f} with half of the penalty.",
    f"After {updates:,} updates in both regimes, by {regimes.of.iloc[0]} seeds, the mean of full batch less that of batches "
    "of n (95 % interval):",
    "\n".join(
        f"- {name.replace('_', ' ')}: {of.value:+.4f} ({of.low:+.4f} to {of.high:+.4f})"
        for name, of in apart.items()
        if np.isfinite(of.value)
    ),
    f"The largest embedding weight in batches of n is {values['largest_batch']:.2f}. The largest shift of the mean number of "
    "clusters, by what is changed:",
    "\n".join(f"- {kind}: {of.value:.2f} (95 %: {of.low:.2f} to {of.high:.2f})" for kind, of in moved.items() if of.of),
    "Networks stopped early come nearest to the number of fine-tuning clusters that [C] prints for each other one, at most "
    "0.237. But they have far more clusters than [C] counts, so no number of updates tried here gives both printed numbers:",
    "\n".join(
        f"- {regime}, {changed}: {of.value:.2f} (95 %: {of.low:.2f} to {of.high:.2f}) fine-tuning clusters for each other one, "
        f"{own.clusters.mean():.1f} clusters"
        for (regime, changed), own, of in zip(stopped, of_stopped, tuning, strict=True)
    ),
)
