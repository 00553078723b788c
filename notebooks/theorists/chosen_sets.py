# %% [markdown]
# # Is the set of frequencies that a network chooses random?
#
# **Question** (open problem O58 of the MAIS list). A network learns to add mod p and uses k of the (p − 1)/2 frequencies
# ([how many](number_of_frequencies.html)). Is their set K, given k, a uniformly random k-set? Or does a network that has f have
# 2f, or 3f, more or less often?
#
# **Method.** The network of the theorists [T], with fewer neurons than residues, so that it can use only some of the
# frequencies, and with a larger learning rate, so that thousands can be trained. K holds the frequencies with at least 0.005
# of the squared norm of the centred logits (*K*_0.005). Networks that answer every input right count.
#
# **Said before any of these networks was trained.** Doubling is felt (p ≤ 0.01), and pairs {f, 2f} are rarer, as in Study C.
# Tripling is felt (p ≤ 0.01). Over all m some q is at most 0.05. Width, learning rate and updates were chosen on other seeds,
# by accuracy, size of K and time alone.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.statistics import SURE
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.populations.chosen_sets import (
    KEY_SET,
    OF_NEURONS,
    doubling_and_tripling,
    of_multiple,
    pairs_by_multiple,
    sets_of_frequencies,
    shares_beside_strong,
)
from modadd.populations.frequencies import fold
from modadd.populations.frequency_pairs import multipliers, set_aside
from modadd.populations.spectra import KEY_WEIGHT
from modadd.populations.tables import faultless_or_all, read_population
from modadd.populations.uniformity import uniformity
from paper.notebook import interval, record, say

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_sets": ["results/populations/t_sets.parquet"],
}
figures = "results/by_hand/chosen_sets"
values_file = "results/by_hand/chosen_sets.json"
published = {}  # no paper prints any of these numbers
larger = 0.05  # another limit for K, beside KEY_WEIGHT: strong frequencies have as much
limits = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1]  # all limits looked at
draws = 400  # simulated populations for a dispersion
seed = 0

# %%
use_style()
network = load_network(network_file)
trained = read_population(*datasets["t_sets"])
right = faultless_or_all(trained)
n = int(right.modulus.iloc[0])
members = sets_of_frequencies(right, n, larger)
K = members[KEY_SET]
size = K.sum(axis=1)

# %% [markdown]
# ## The sets
# Left, the sizes of K. Right, how many networks have each frequency. The map x → ux with a unit u only renames the
# residues, so all frequencies are equally likely, and the test only checks the experiment. The line is the expectation,
# the band that of 95 % of counts by chance.

# %%
sizes, networks = np.unique(size, return_counts=True)
share = size / K.shape[1]
expected, spread = share.sum(), SURE * np.sqrt((share * (1 - share)).sum())
f = np.arange(1, K.shape[1] + 1)
found = K.sum(axis=0)
figure, (of_size, of_frequency) = panels(2, height=2.3)
of_size.bar(sizes, networks, 0.8, color=COLOURS[6])
of_size.set(xlabel="frequencies in K, |K|", ylabel="networks", title=f"p = {n}: {len(K)} networks", ylim=(0, None))
of_size.xaxis.set_major_locator(MaxNLocator(integer=True))
of_frequency.bar(f, found, 0.8, color=COLOURS[6])
of_frequency.axhspan(expected - spread, expected + spread, color="0.4", alpha=0.4, linewidth=0)
of_frequency.axhline(expected, label="equally likely", **PUBLISHED_LINE)
of_frequency.set(xlabel="frequency f", ylabel="networks with f in K", ylim=(0, max(1.25 * found.max(), 1)))
of_frequency.set_xticks(f)
of_frequency.legend(loc="upper right")
save_figure(figure, f"{figures}/sets", pd.DataFrame({"frequency": f, "networks": found, "expected": expected}))

# %% [markdown]
# ## Pairs {f, mf}
# For each multiplier m the pairs {f, mf} in K are counted, over all f and all networks, and compared with random sets of the
# same sizes. {f, mf} and {f, f/m} are the same pairs, so one of m and 1/m is shown. Intervals (95 %) are Poisson's,
# corrected for the dispersion of the random sets; q is p after Benjamini and Hochberg's correction for all m. Beside
# *K*_0.005, which the claims are about, stand the frequencies above a larger share of the logits, and those of the neurons.

# %%
tables = {name: pairs_by_multiple(chosen, n, draws, seed, name) for name, chosen in members.items()}
pairs = pd.concat([table.assign(sets=name) for name, table in tables.items()], ignore_index=True)
save_table(pairs[["sets", "multiple", *pairs.columns[:-2]]], f"{figures}/pairs", digits=4)

labels = {KEY_SET: f"$K_{{{KEY_WEIGHT}}}$", f"K_{larger}": f"$K_{{{larger}}}$", OF_NEURONS: "frequencies of neurons"}
figure, (ax,) = panels(1, columns=1, height=2.5)
for i, (name, table) in enumerate(tables.items()):
    x, counted = np.arange(len(table)) + 0.2 * (i - 1), table.ratio.notna().to_numpy()
    ax.vlines(x, table.low, table.high, color=COLOURS[i])
    style = {"color": COLOURS[i], "marker": MARKERS[i], "zorder": 3, "label": labels[name]}
    ax.scatter(x[counted], table.ratio[counted], 18, **style)
ax.axhline(1, label="random sets", **PUBLISHED_LINE)
names = [f"{m}, {fold(pow(m, -1, n), n)}" for m in multipliers(n)]
ax.set_xticks(np.arange(len(names)), names)
ax.set(xlabel=f"m, 1/m (mod {n}, up to sign)", ylabel="pairs {f, mf},\nover expected")
figure.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/multiples", pairs)

# %% [markdown]
# The question is about K of a given size, so here is *K*_0.005 for each size. Tripling is compared with all random sets
# here, without setting the pairs {f, 2f} aside.

# %%
by_size = pd.concat(
    pairs_by_multiple(K[size == k], n, draws, seed, f"size {k}").assign(size=k, networks=many)
    for k, many in zip(sizes, networks, strict=True)
).query("multiple in (2, 3)")
columns = ["size", "networks", "multiple", "count", "expected", "ratio", "low", "high", "p"]
by_size = by_size[columns].reset_index(drop=True)
save_table(by_size, f"{figures}/by_size", digits=4)
by_size.round(3)

# %% [markdown]
# ## Strong and weak frequencies
# Looked at after the claims had been judged. Left, the limit of K is varied. Right, beside each *strong* frequency f, one
# with at least 0.05 of the squared norm, the mean share that mf has (95 % intervals over networks); 2f and f/2 are red.

# %%
weights = np.stack(right.spectral_weights.tolist())[:, 1 : n // 2 + 1]
by_limit = pd.concat(
    (pairs_by_multiple(weights >= limit, n, draws, seed, f"K_{limit}").assign(limit=limit) for limit in limits),
    ignore_index=True,
).query("multiple in (2, 3)")
save_table(by_limit[["limit", *columns[2:]]], f"{figures}/by_limit", digits=4)
beside_strong = shares_beside_strong(weights, larger, n)

# %%
figure, (of_limits, of_shares) = panels(2, height=2.5)
for i, (m, table) in enumerate(by_limit.groupby("multiple")):
    x, style = table.limit * 1.06 ** (2 * i - 1), {"color": COLOURS[1 - i], "marker": MARKERS[1 - i], "markersize": 5}
    distances = table.ratio - table.low, table.high - table.ratio
    of_limits.errorbar(x, table.ratio, distances, linestyle="none", **style)
    of_limits.plot([], [], linestyle="none", label=f"m = {m}", **style)
of_limits.axhline(1, label="random sets", **PUBLISHED_LINE)
of_limits.set(xscale="log", xlabel="limit ε of $K_ε$", ylabel="pairs {f, mf},\nover expected", ylim=(0, None))
of_limits.set_xticks(limits, [f"{limit:g}" for limit in limits])
of_limits.minorticks_off()
of_limits.legend(loc="lower left")
m, inverse_of_2 = beside_strong.multiple, fold(pow(2, -1, n), n)
doubles = m.isin([2, inverse_of_2])
of_shares.vlines(m, beside_strong.low, beside_strong.high, color=np.where(doubles, COLOURS[1], COLOURS[0]))
for chosen, colour, marker in ((~doubles, COLOURS[0], MARKERS[0]), (doubles, COLOURS[1], MARKERS[1])):
    of_shares.plot(m[chosen], beside_strong.value[chosen], marker, color=colour, markersize=5)
xlabel = f"m (mod {n}; {inverse_of_2} = 1/2)"
of_shares.set(xlabel=xlabel, ylabel="mean share of mf,\nbeside a strong f", ylim=(0, None), xticks=m)
save_figure(figure, f"{figures}/strength", pd.concat([by_limit, beside_strong]))

# %% [markdown]
# ## Result
# k frequencies make k(k − 1)/2 pairs. So where pairs {f, 2f} are rarer, others are likelier. Tripling is therefore compared
# with what the pairs {f, 2f} leave to all other m.
#
# Each claim can lose: an interval on the wrong side of 1 refutes it. That strong
# frequencies avoid doubles is claimed after looking: the sets were defined before, but the prediction was about
# *K*_0.005.
#
# **Caveats.** The networks are right everywhere, but training stops after a number of updates, not at convergence. The sets are
# of one prime. Pairs are not all of the question: a set of k frequencies could be random in its pairs and not in its triples.

# %%
values = doubling_and_tripling(tables, larger, len(K))
record(
    values_file, network, values
)  # without the population: its recipe is stated here, and no published one is claimed
values


# %%
def in_words(effect):
    """A ratio with its interval and its p-value."""
    return f"{effect.ratio:.3f} ({interval(effect, '.3f')}, p = {effect.p:.2g})"


doubled = {name: in_words(of_multiple(table, 2)) for name, table in tables.items()}
recipe = right.iloc[0]
say(
    f"{len(right)} of {len(trained)} networks answer every input right (p = {n}, {recipe.d_mlp} neurons, learning rate "
    f"{recipe.learning_rate:g}, {recipe.steps} updates). They have {size.mean():.1f} of {K.shape[1]} frequencies in K, on "
    f"average, and their neurons have {members[OF_NEURONS].sum(axis=1).mean():.1f}.",
    f"- All frequencies equally likely: p = {uniformity(K).p:.2f}.\n"
    f"- Pairs {{f, 2f}}, over random sets: {doubled[KEY_SET]}; by the neurons' frequencies {doubled[OF_NEURONS]}, by a "
    f"share of {larger} of the logits {doubled[f'K_{larger}']}.\n"
    f"- Pairs {{f, 3f}}, over what the pairs {{f, 2f}} leave: {in_words(set_aside(tables[KEY_SET], 3, aside=2))}.\n"
    f"- Smallest q over all multipliers: {values['smallest_q']:.2g}.\n"
    f"- A ratio of {values['detectable_ratio']:.3f} would be detected at p < 0.05 with 80 % power.",
)
