# %% [markdown]
# # Which frequencies do the initial weights favour?
#
# **Claim** (arXiv 2602.16849, of one layer without embeddings, tested here). Every neuron holds all frequencies at first,
# and they compete. The one with the largest amplitude and the smallest |ψ − φ_a − φ_b| is said to win. If so, the
# initial weights predict which frequencies a trained network ends with, and how many neurons each of them has. Training
# pairs, batches and rounding may decide instead.
#
# **Method.** The initial weights follow from recipe and seed. We draw them again for networks without a wrong answer,
# at most 160 of each population, those of lowest seeds, and read A, B and W at every frequency k = 1 … ⌊n/2⌋:
#
# - *powers*: squared amplitudes of A and B, of W, their product, those of the embeddings;
# - *winners*: neurons for which k has the largest amplitude α_i β_i, the smallest |ψ_i − φ_a,i − φ_b,i|, or the largest
#   α_i β_i cos(ψ_i − φ_a,i − φ_b,i), with α_i the mean of those of A and B; *drive*: the sum of the last over all neurons.
#
# Each is standardised within its network. A logistic regression
#
# $$ P(k \textrm{ is final}) = \frac{1}{1 + e^{-x}} , \qquad x = c_0 + \sum_j c_j z_j(k) , $$
#
# is fitted to every other network by seed, and judged on those between, which it has not seen. *Precision*: if the
# network ends with K frequencies, the share of them among the K that the regression puts first. Choosing at random has
# K/⌊n/2⌋. Intervals are from bootstraps over held-out networks. Set before looking: a predictor tells something if the
# 95 % interval of its precision less that of chance lies above 0.

# %%
import numpy as np
import pandas as pd

from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations import lottery
from modadd.populations.tables import read_populations
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_seeds": ["results/populations/q_seeds.parquet"],
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
figures = "results/by_hand/lottery"
values_file = "results/by_hand/lottery.json"
published = {}  # no number is printed
most_networks = 160  # of each population
seed = 0

# %%
use_style()
network = load_network(network_file)
tables, networks, n_of, titles = read_populations(datasets)
titles = {name: f"Q, n = {n_of[name]}" if name.startswith("q") else f"C, {titles[name]}" for name in tables}
several = {
    name: rows.sort_values("seed", kind="stable") for name, rows in networks.items() if len(rows) > 1
}  # half are held out
lines = {name: lottery.lottery(rows.head(most_networks)) for name, rows in several.items()}
held_out, coefficients = {}, {}
for name, table in lines.items():
    held_out[titles[name]], coefficients[titles[name]] = lottery.by_regression(table)

# %%
rng = np.random.default_rng(seed_for(seed, "bootstrap"))
found = lottery.scores_table(held_out, rng)

# %% [markdown]
# ## How much each predictor tells
# Precision on the held-out networks, with 95 % intervals; dashed, chance. Filled: the interval of the difference from
# chance lies above 0. *rank*: Spearman's correlation between what a predictor says of a frequency and the number of
# neurons it ends with, 0 if it is not final, as a mean over networks.

# %%
save_table(found, f"{figures}/predictors")
found[["population", "score", "precision", "precision, low", "precision, high", "chance", "rank"]].round(3)

# %%
figure, axes = panels(len(lines), columns=3, height=2.3, sharex=True, sharey=True)
for ax, (title, rows) in zip(axes, found.groupby("population", sort=False), strict=True):
    y, tells = np.arange(len(rows)), rows["above chance, low"].to_numpy() > 0
    ax.hlines(y, rows["precision, low"], rows["precision, high"], color="0.6", linewidth=1.5)
    for choice, fill in ((tells, "full"), (~tells, "none")):
        ax.plot(rows.precision[choice], y[choice], "o", color=COLOURS[0], fillstyle=fill, markersize=4)
    ax.axvline(rows.chance.mean(), color="0.3", linestyle=(0, (3, 2)), linewidth=1)
    ax.set(title=f"{title}\n{rows['held out'].max()} networks held out", xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5))
    ax.set_yticks(range(len(rows)), rows.score)
    ax.set_xlabel("precision")
    ax.tick_params(labelbottom=True)
save_figure(figure, f"{figures}/precision", found)

# %% [markdown]
# ## Are the probabilities of the regression calibrated?
# Held-out frequencies in ten bins of equal size, by the probability that the regression gives them, against the share
# that is final (Wilson intervals at 95 %). On the line the predicted probabilities are calibrated.

# %%
bins = {
    title: lottery.calibration(unseen[lottery.REGRESSION].to_numpy(), unseen.final.to_numpy())
    for title, unseen in held_out.items()
}
figure, axes = panels(len(bins), columns=5, height=1.9, sharex=True, sharey=True)
for ax, (title, binned), marker in zip(axes, bins.items(), MARKERS, strict=False):
    ax.plot([0, 1], [0, 1], color="0.6", linestyle=(0, (3, 2)), linewidth=1)
    ax.vlines(binned.said, binned.low, binned.high, color="0.6", linewidth=1.5)
    ax.plot(binned.said, binned.seen, marker, color=COLOURS[0], markersize=3)
    ax.set(title=title.replace(", ", "\n", 1), xlabel="predicted probability", xlim=(0, 0.8), ylim=(0, 0.8))
axes[0].set_ylabel("share that is final")
bins = pd.concat([binned.assign(population=title) for title, binned in bins.items()])
save_figure(figure, f"{figures}/calibration", bins)

# %% [markdown]
# ## What the regression weighs
# Coefficients of the standardised predictors, fitted to the other half of the networks: how much the logarithm of the
# odds changes with one standard deviation. Predictors that go together share what they tell.

# %%
weights = pd.DataFrame({title: fitted[1:] for title, fitted in coefficients.items()}, index=list(lottery.PREDICTORS))
weights = weights.rename_axis("predictor").reset_index()
save_table(weights, f"{figures}/coefficients")
weights.round(2)

# %% [markdown]
# ## Result
# Claimed: the initial weights tell more about the final frequencies than chance does, in every population. Read the first line
# of each panel. What the winners by phase add is the part of the claim that is about phases.
#
# **Caveat.** What cannot be predicted from these numbers may still be decided by the initial weights, by a law that we
# have not tried. A predictor that tells something need not be a cause: only weights changed on purpose can show that,
# as in [changed_weights](changed_weights.html). Study Q has few networks, so its intervals are wide.

# %%
values = lottery.answers(found, bins)
record(values_file, network, values, list(tables.values()))
values

# %%
say(
    "\n".join(
        f"- {row.population}: {100 * row.precision:.0f} % of the final frequencies of {row['held out']} held-out networks "
        f"are among those that the regression puts first (95 %: {100 * row['precision, low']:.0f} to "
        f"{100 * row['precision, high']:.0f} %); at random {100 * row.chance:.0f} %. Rank correlation with the number of "
        f"neurons: {row['rank']:.2f}."
        for _, row in found[found.score == lottery.REGRESSION].iterrows()
    ),
    f"Of all bins {100 * values['calibrated_bins']:.0f} % have an interval that contains the predicted probability.",
)
