# %% [markdown]
# # What do the unstated parts of the recipe decide?
#
# **Claim** ([C] §4). The paper states the widths, the optimiser, its learning rate, the penalty, the training pairs and
# two sizes of batches. It does not state the initial weights, the number of updates, whether batches are drawn anew, β₂
# or which networks were accepted into the statistics. This project chose; here is how much depends on these choices.
#
# **Method.** One number of the recipe is changed at a time, and everything else is as in the recipe of the same regime
# (batches of n, or all training pairs at once). The networks that answer every input right are compared with those of
# the unchanged recipe, by three numbers: clusters per network, the share of simple neurons among the alive ones, and
# the share of dead ones. Of each number x the shift
#
# $$ \Delta x = \bar x_{\textrm{changed}} - \bar x_{\textrm{recipe}} $$
#
# is given. Distributions of the number of clusters are compared by the two-sample Kolmogorov–Smirnov test, which is
# conservative for counts. *Acceptance* asks the same of networks that were trained too briefly: how the numbers move
# when networks below accuracy 1 are let in. The laptop does not train for longer than the recipe, does not cut new
# batches in every pass (`reshuffled`), and penalises all parameters, not the kernels alone (`decayed`). What these change
# is for the networks kept in data/populations, and for config/paper.yaml.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.statistics import compare, difference_of_means, mean_of
from modadd.ledger.record import plain, record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import read_population

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
populations = {
    "c91_batch": "results/populations/c91_batch.parquet",
    "c91_full": "results/populations/c91_full.parquet",
    "c_sensitivity": "results/populations/c_sensitivity.parquet",
}
kept = {}
figures = "figures/recipe_sensitivity"
values_file = "results/values/recipe_sensitivity.json"
published = {}  # no number is printed
most = 200  # networks of one recipe; of a larger population the first
acceptances = [0.0, 0.9, 0.99, 0.999, 1.0]  # accuracies from which a network would be let in

# %%
use_style()
network = load_network(network_file)
frames = {name: read_population(path, kept.get(name)) for name, path in populations.items()}
rows = pd.concat(frames.values(), ignore_index=True)
rows["regime"] = np.where(rows.batch_size > 0, "batch", "full")
bases = {"batch": frames["c91_batch"].iloc[0], "full": frames["c91_full"].iloc[0]}
rows = rows[rows.modulus == bases["batch"].modulus]  # other moduli have other recipes, to be compared among themselves
keys = [key for key in network.recipe.as_dict() if key not in ("source", "architecture")]
rows["changed"] = [
    ", ".join(f"{key} {plain(row[key])}" for key in keys if row[key] != bases[row.regime][key])
    for _, row in rows.iterrows()
]
rows["passes"] = rows.accuracy == 1
rows = rows.sort_values(["regime", "changed", "seed"]).groupby(["regime", "changed"]).head(most).reset_index(drop=True)
passing = rows[rows.passes]

# %% [markdown]
# ## One change at a time
# *p* is the probability of so large a difference if the counts of clusters come from the distribution of the unchanged
# recipe.

# %%
numbers = ["clusters", "share_simple_of_alive", "share_dead", "share_fine_tuning"]
group = ["regime", "changed"]
table = rows.groupby(group).agg(
    networks=("passes", "size"), passing=("passes", "sum"), clusters_of_all=("clusters", "mean")
)
table = table.join(passing.groupby(group)[numbers].mean()).reset_index()
table.insert(6, "std", passing.groupby(group).clusters.std().reindex(pd.MultiIndex.from_frame(table[group])).to_numpy())
counts = {name: part.clusters.to_numpy(float) for name, part in passing.groupby(group)}
nothing = np.empty(0)
table["p"] = [
    compare(counts.get((regime, changed), nothing), counts.get((regime, ""), nothing)).p if changed else np.nan
    for regime, changed in zip(table.regime, table.changed, strict=True)
]
base = table[table.changed == ""].set_index("regime")
for number in numbers:
    table[f"shift_{number}"] = table[number] - table.regime.map(base[number])
save_table(table.round(4), f"{figures}/changes_table")
table.round(3)

# %%
labels = [
    f"{line.regime}: {line.changed or 'the recipe'} ({line.passing} of {line.networks})" for line in table.itertuples()
]
place = -np.arange(len(table))
shown = {"clusters": "clusters, mean ± std", "share_simple_of_alive": "simple among alive", "share_dead": "dead"}
figure, axes = panels(3, columns=3, height=0.2 * len(table) + 1, sharey=True)
for ax, (number, label) in zip(axes, shown.items(), strict=True):
    for regime, marker, colour in zip(bases, MARKERS, COLOURS, strict=False):
        of = (table.regime == regime).to_numpy()
        error = table["std"][of] if number == "clusters" else None
        ax.errorbar(table[number][of], place[of], xerr=error, fmt=marker, color=colour, markersize=4, capsize=2)
        if number == "clusters":
            short = of & (table.passing < table.networks).to_numpy()
            ax.plot(table.clusters_of_all[short], place[short], marker, color=colour, markersize=6, fillstyle="none")
        ax.vlines(base[number].get(regime), place[of].min() - 0.4, place[of].max() + 0.4, color=colour, linewidth=0.8)
    ax.set(xlabel=label, yticks=place, yticklabels=labels)
axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
figure.suptitle(
    "networks that answer every input right (how many of how many); hollow: all; upright: the recipe", fontsize=8
)
save_figure(figure, f"{figures}/changes", table)

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
# The values say how far the mean over the networks that pass moves at most, for each kind of change. *Stopped early* is the
# shift, with its 95 % interval, of those with the fewest updates that pass: of the regime in which it is smaller. The two
# regimes are compared seed by seed, because networks of one seed begin with equal weights. Of the mean difference of each
# share, the end of the 95 % interval that is further from 0 is recorded, whatever the sign.

# %%
kinds = {
    "initialisation": "init_scale",
    "updates": "steps",
    "batches": "batch_size",
    "penalty": "weight_decay",
    "beta2": "beta2",
    "order": "reshuffled",
    "penalised": "decayed",
}
judged = ("clusters", "share_simple_of_alive")  # the numbers that claims about changes are about


def shift(regime, changed, number):
    """How far the mean over the networks that pass moves from that of the recipe."""
    of = [passing[(passing.regime == regime) & (passing.changed == name)] for name in (changed, "")]
    return difference_of_means(*(part[number] for part in of))


values = {}
for kind, key in kinds.items():
    moved = table[table.changed.str.startswith(key)]
    values |= {f"{kind}_{number}": moved[f"shift_{number}"].abs().max() for number in judged}
early = rows[rows.passes & (rows.steps < rows.regime.map(lambda regime: bases[regime].steps))]
early = early[early.groupby("regime").steps.transform("min") == early.steps]  # in each regime the first that pass
for number in judged:
    shifts = [shift(*recipe, number) for recipe in sorted(set(zip(early.regime, early.changed, strict=True)))]
    values[f"stopped_early_{number}"] = min(shifts, key=lambda found: abs(found.value), default=mean_of([]))
values["kernels_alone_clusters"] = shift("batch", "decayed kernels", "clusters")
values["full_batch_clusters"] = np.ptp(base.clusters.reindex(list(bases)))
batch, full = (passing[(passing.regime == regime) & (passing.changed == "")].set_index("seed") for regime in bases)
differences = {number: (full[number] - batch[number]).dropna() for number in numbers if number != "clusters"}
by_seed = {number: mean_of(of, signed=True) for number, of in differences.items()}
values |= {f"full_batch_{number}": max(abs(of.low), abs(of.high)) for number, of in by_seed.items()}
changed = table[table.changed != ""]
values["largest_shift_clusters"] = changed.shift_clusters.abs().max()
record(values_file, network, values, [frames["c91_batch"], frames["c91_full"]])
values

# %%
apart = f" Batches of n and full batch differ by {values['full_batch_clusters']:.2f} in the mean number of clusters."
say(
    f"{len(rows) - len(passing)} of {len(rows)} networks ({(rows.trained == 'kept').sum()} kept) are dropped, because "
    f"they do not answer every input right.{apart if np.isfinite(values['full_batch_clusters']) else ''}",
    "\n".join(
        f"- {line.regime}, {line.changed or 'the recipe'}: {line.passing} of {line.networks} pass"
        + (f", with {line.clusters:.2f} clusters ({line.shift_clusters:+.2f})" if line.passing else "")
        + (f", simple {line.share_simple_of_alive:.3f}, dead {line.share_dead:.2f}" if line.passing else "")
        + f"; {line.clusters_of_all:.2f} clusters with those that do not pass"
        for line in table.itertuples()
    ),
    "By seeds, the mean of full batch less that of batches of n (95 % interval):",
    "\n".join(
        f"- {number.replace('_', ' ')}: {of.value:+.3f} ({of.low:+.3f} to {of.high:+.3f})"
        for number, of in by_seed.items()
        if np.isfinite(of.value)
    ),
    "The largest shift of the mean number of clusters and of the share of simple neurons, by what is changed:",
    "\n".join(
        f"- {kind}: {values[f'{kind}_clusters']:.2f} and {values[f'{kind}_share_simple_of_alive']:.3f}"
        for kind in kinds
        if np.isfinite(values[f"{kind}_clusters"])
    ),
)
