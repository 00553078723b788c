# %% [markdown]
# # Does the model of random frequencies describe trained networks?
#
# **Claim** ([C] §5.4). Each of the m clusters of a network adds one cosine of its frequency f_l to the logit of the answer off
# by d. The model of [C] draws the frequencies at random and gives all cosines one amplitude,
#
# $$ h(d) = \sum_{l=1}^{m} \cos\frac{2\pi f_l d}{n}, \quad \textrm{and the right answer, } d = 0 \textrm{, leads by} \quad m -
# \max_{d \neq 0} h(d) . $$
#
# By it, ln n frequencies set the right answer apart by δm, with δ = π/e³ = 0.156, at least every second time (the notebook on
# random frequencies), and networks have about ln n clusters. We claim that networks choose their frequencies better than at
# random, and that the bound asks for more frequencies than they use.
#
# **Method.** The *separation* m − max h is computed from the frequencies of the clusters of many trained networks. It is
# compared with random sets of as many distinct frequencies, drawn with fixed seeds. Then h(d) is fitted to the mean logit of
# every network.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.statistics import share
from modadd.crt import random_sets, theory
from modadd.crt.cluster_measures import cluster_frequencies, cluster_weights
from modadd.crt.cosets import crt_frequencies
from modadd.crt.waves import profile_by_equal_waves
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.populations.equal_waves import fits_by_population, numbers_of_fits, with_fits
from modadd.populations.frequencies import among_random, least_of_populations, separation_by_population
from modadd.populations.tables import read_population, regime_of, without_others
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
figures = "results/by_hand/frequency_model"
values_file = "results/by_hand/frequency_model.json"
published = {}  # no claim here is about a printed number
delta = 0.15641068822825416  # π/e³, with which the published bound is ln n
printed_delta = 0.15  # as [C] prints it
rho = 0.5  # probability of separation asked for
exhibit = 91  # the modulus of random sets
factors = [7, 13]  # its coprime factors, of the exact theorem
exact_up_to = 4  # frequencies, the best set of which is sought among all
trials = 10_000
seed = 0
explained = 0.8  # of a mean logit's variance, by equal waves

# %% [markdown]
# ## The separation of trained networks
# The networks that answer every input right. *rank* is the share of random sets of as many distinct frequencies that
# separate less, ½ on average if training chose at random.

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
n, frequencies = separable.modulus, np.array(cluster_frequencies(separable), dtype=int)
this_network = {"cluster_frequencies": frequencies, "cluster_weights": cluster_weights(separable), "modulus": n}
tables = {name: without_others(read_population(*files)) for name, files in datasets.items()}
passed = {name: rows[rows.accuracy == 1.0] for name, rows in tables.items()}


def for_ranks(n):
    """The random numbers of the sets that trained networks are ranked among."""
    return random_sets.generator(seed, n, 5)


trained = among_random({"this network": pd.DataFrame([this_network])} | passed, trials, for_ranks)

# %% [markdown]
# Beside them, the range of random sets mod 91, the best set of all, and the exact theorem: the two frequencies n/q_i of the
# Chinese remainder theorem.

# %%
top = min(int(max(trained.m.max(), exact_up_to)), exhibit // 2)
bands = random_sets.range_of_shares(exhibit, top, trials, random_sets.generator(seed, exhibit, 6))
best_sets = random_sets.with_best(bands[:exact_up_to], exhibit)
save_table(best_sets, f"{figures}/frequency_sets", digits=4)
best_sets.round(4)

# %%
figure, (ax,) = panels(1, columns=1, height=3.2)
ax.fill_between(bands.m, bands.low, bands.high, color="0.88", label=f"random sets mod {exhibit}, 5–95 %")
ax.plot(bands.m, bands["median"], color="0.5", linewidth=1, label="random sets, median")
ax.plot(best_sets.m, best_sets.best, "*", color="black", ms=7, mfc="none", label="best set there is (enumerated)")
crt = theory.exact_theorem(factors)
exact = f"exact theorem, {crt['factors']}"
ax.plot(len(factors), crt["separation / m"], "X", color="black", mfc="white", label=exact)
groups = list(trained.groupby("population", sort=False))
titles = {name: f"trained, {regime_of(rows)}" for name, rows in tables.items()}
asides = np.linspace(-0.3, 0.3, len(groups)) if len(groups) > 1 else [0.0]
for (name, rows), aside, colour, marker in zip(groups, asides, COLOURS, MARKERS, strict=False):
    low, middle, high = (rows.groupby("m").share.quantile(q) for q in (0.05, 0.5, 0.95))
    label = f"{titles.get(name, name)} ({len(rows)})"
    ax.vlines(middle.index + aside, low, high, color=colour, linewidth=1.5)
    ax.plot(middle.index + aside, middle, marker, color=colour, markersize=4.5, label=label)
ax.axhline(delta, **PUBLISHED_LINE, label=f"published δ = {delta:.3f}")
ax.set(xlabel="number of frequencies m", ylabel="separation divided by m", ylim=(-0.01, None))
ax.xaxis.set_major_locator(MaxNLocator(integer=True))
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/trained", pd.concat([trained, bands.assign(population="random sets", n=exhibit)]))

# %% [markdown]
# A line for each population. *asked by bound* is the number of frequencies that the bound requires for the median separation.
# If the bound explained the number of clusters, the two would be equal. *own_weights* weighs clusters by their amplitudes.


# %%
def simulate_distinct(n):
    """Distinct random frequencies, as those of clusters are, up to as many as networks have."""
    most = min(top, n // 2)
    return random_sets.simulate(n, most, trials, delta, random_sets.generator(seed, n, 7), distinct=True)


summary = separation_by_population(trained, simulate_distinct, delta, rho)
save_table(summary.reset_index(), f"{figures}/trained_networks")
summary.round(3)

# %% [markdown]
# ## What the sum of cosines looks like
# Left, the exact theorem. Right, this network: h(d) of its clusters' frequencies with equal amplitudes, and the mean
# over all inputs of its own logit of the answer a + b + d. All are divided by their peak.

# %%
mean_logit, of_logits = theory.profile_of(separable.logits(), frequencies)
shapes = {
    f"exact theorem mod {crt['n']}": theory.shape(crt_frequencies(factors), crt["n"]),
    f"this network, n = {n}": theory.shape(frequencies, n, mean_logit=mean_logit),
}
figure, axes = panels(2, height=2.4, sharey=True)
for ax, (title, shape) in zip(axes, shapes.items(), strict=True):
    ax.plot(shape.d, shape.h, color=COLOURS[0], label="h(d), equal amplitudes")
    if "mean_logit" in shape:
        ax.plot(shape.d, shape.mean_logit, "o", color=COLOURS[1], markersize=2.5, label="mean logit of the network")
    ax.axhline(1 - delta, **PUBLISHED_LINE, label="1 − δ")
    ax.plot([0], [1], "*", color="black", markersize=8, label="right answer")
    ax.set(title=title, xlabel="d = answer − (a + b)")
axes[0].set_ylabel("logit over its peak")
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/agreement", pd.concat(shapes, names=["panel"]).reset_index("panel"))

# %% [markdown]
# ## How many networks have waves of one amplitude?
# A network *passes* where equal waves explain at least four fifths of the variance of the mean logit. The model gives all
# clusters one amplitude. So the table compares, for networks that pass and networks that fail, the weight of the weakest
# cluster over that of the strongest.

# %%
fits = with_fits(passed, explained)
equal = fits_by_population(fits)
numbers = numbers_of_fits(fits)
save_table(equal.reset_index(), f"{figures}/equal_waves")
say(f"Equal waves fit {numbers['equal_waves'].holds} of {numbers['equal_waves'].of} networks.")
equal.round(3)

# %% [markdown]
# ## Result
# Read *rank* and *asked by bound*: a mean rank near ½ would say that training chooses at random, and an equal number that the
# bound explains how many clusters there are.
#
# **Caveat.** Frequencies may repeat in the model of [C]; those of a network's clusters are distinct, which makes separation more
# likely still. The model gives all clusters one amplitude and the mean over inputs; a network has its own amplitudes, which
# also depend on a − b.

# %%
values = {
    "separation_of_network": summary["median"]["this network"],
    "trained_separated": share(trained.share[trained.population != "this network"] > printed_delta),
    **least_of_populations(summary.drop(index="this network")),
    "profile_by_equal_waves": profile_by_equal_waves(separable),
    **of_logits,
    **numbers,
}
record(values_file, network, values, list(tables.values()))
values

# %%
say(
    about(network),
    f"Mod {crt['n']} the exact theorem separates by {crt['separation / m']:.4f} m, the best set of as many by "
    f"{best_sets.best[len(factors) - 1]:.4f} m.",
    f"This network is {values['separation_of_network']:.3f} m apart in the model. Its mean logits are apart by "
    f"{values['profile_separation']:.3f} of their peak, all logits by {values['smallest_margin']:.3f}. Its frequencies "
    f"make {100 * values['profile_explained']:.1f} % of the variance of the mean logits, equal waves "
    f"{100 * values['profile_by_equal_waves']:.1f} %.",
    f"More than {printed_delta} m apart, as [C] prints δ, are {values['trained_separated'].holds} of "
    f"{values['trained_separated'].of} trained networks; the least is {values['trained_least']:.3f} m. Mean ranks are at "
    f"least {values['trained_rank']:.3f}. The bound requires at least "
    f"{values['trained_asked_less_clusters']:.1f} more clusters.",
)
