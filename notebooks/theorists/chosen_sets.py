# %% [markdown]
# # How many frequencies does a network choose, and is their set random?
#
# **Questions** (open problems O52 and O58 of the MAIS list). A network learns to add mod p and uses k of the (p − 1)/2
# frequencies. Is k sparse, say of order ln p, or does it grow like p? Is the key set K, given k, a uniformly random k-set? Or
# does a network that has f have 2f, or 3f, more or less often?
#
# **Method, how many.** One hidden layer of ReLUs without biases [T], 4p neurons, initial weights of standard deviation 1/√p,
# all pairs; penalty, learning rate and number of updates are those of the recipe. b_k² is the share of the squared norm of the
# centred logits along the characters of a + b − c; N is the fewest frequencies that hold 95 % of what all hold. Five laws are
# fitted to the mean N of every p; Akaike's weights of evidence compare them: three that a sparse answer allows, and two that
# outgrow it. Everywhere, networks that answer every input right count.
#
# **Method, which.** The network of the theorists [T], with fewer neurons than residues, so that it can use only some of the
# frequencies, and with a larger learning rate, so that thousands can be trained. K holds the frequencies with at least 0.005 of the squared norm of the centred logits (*K*_0.005). For each
# multiplier m the pairs {f, mf} in K are counted, over all f and all networks, and compared with random sets of the
# same sizes. {f, mf} and {f, f/m} are the same pairs, so one of m and 1/m is shown. Intervals (95 %) are Poisson's,
# corrected for the dispersion of the random sets; q is p after Benjamini and Hochberg's correction for all m.
#
# k frequencies make k(k − 1)/2 pairs. So where pairs {f, 2f} are rarer, others are likelier. Tripling is therefore
# compared with what the pairs {f, 2f} leave to all other m.
#
# **Said before any of these networks was trained.** The laws that a sparse answer allows hold most of the evidence. Doubling is felt (p ≤ 0.01), and pairs {f, 2f} are rarer, as in
# Study C. Tripling is felt (p ≤ 0.01). Over all m some q is at most 0.05. Width, learning rate and updates were chosen
# on other seeds, by accuracy, size of K and time alone.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.growth import LAWS, best_without_one, fit_laws
from modadd.core.statistics import SURE, ratio_of
from modadd.ledger.record import record
from modadd.networks.initialisation import seed_for
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.frequencies import classes, fold, membership
from modadd.populations.frequency_pairs import (
    against_random,
    detectable_ratio,
    multiples,
    multipliers,
    set_aside,
    summed,
)
from modadd.populations.spectra import KEY_WEIGHT
from modadd.populations.tables import faultless_or_all, read_population
from modadd.populations.uniformity import uniformity

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_groups": ["results/populations/t_groups.parquet"],
    "t_sets": ["results/populations/t_sets.parquet"],
}
figures = "figures/chosen_sets"
values_file = "results/values/chosen_sets.json"
published = {}  # no paper prints any of these numbers
sparse = ["a", "a + b ln n", "a − b/n"]  # of LAWS
larger = 0.05  # another limit for K, beside KEY_WEIGHT: strong frequencies have as much
limits = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1]  # all limits looked at
draws = 400  # simulated populations for a dispersion
seed = 0

# %% [markdown]
# ## How many, as p grows
# Left out is p = 25, which is no prime. N of every network, its mean, and the fitted laws.

# %%
use_style()
network = load_network(network_file)
every_modulus = read_population(*datasets["t_groups"])
asked = every_modulus.query('operation == "addition" and d_mlp == 4 * modulus and modulus != 25')
learned = faultless_or_all(asked)
by = learned.groupby("modulus").spectral_count
counts = pd.DataFrame(
    {
        "trained": asked.groupby("modulus").size(),
        "right": learned.groupby("modulus").size(),
        "N, mean": by.mean(),
        "standard error": by.sem(),
        "fewest": by.min(),
        "most": by.max(),
        "of (p − 1)/2": by.mean() / ((by.mean().index - 1) / 2),
        "train loss, median": learned.groupby("modulus").train_loss.median(),
    }
)
counts = counts.rename_axis("p").reset_index()
save_table(counts, f"{figures}/counts", digits=3)
counts

# %%
laws = fit_laws(learned.modulus.to_numpy(), learned.spectral_count.to_numpy(float))
figure, (ax,) = panels(1, columns=1, height=2.6)
rng = np.random.default_rng(0)
beside = learned.modulus * np.exp(rng.uniform(-0.02, 0.02, len(learned)))
ax.plot(beside, learned.spectral_count, "o", color="0.75", markersize=2.5, zorder=0, label="one network")
ax.errorbar(
    counts.p,
    counts["N, mean"],
    1.96 * counts["standard error"],
    fmt="o",
    color="black",
    markersize=5,
    label="mean (95 %)",
)
p = np.geomspace(learned.modulus.min(), learned.modulus.max(), 200)
for (name, law), colour, dash in zip((laws or {}).items(), COLOURS, DASHES, strict=False):
    term = LAWS[name]
    curve = law.a + law.b * term(p) if term else np.full_like(p, law.a)
    ax.plot(p, curve, color=colour, linestyle=dash, label=f"{name} (weight {law.weight:.2f})")
ax.plot(p, (p - 1) / 2, color="0.4", linestyle=":", label="all frequencies")
ax.set(xscale="log", xlabel="p", ylabel="frequencies that hold 95 %, N", ylim=(0, 1.3 * learned.spectral_count.max()))
apart = counts.p.pct_change().fillna(1) > 0.08  # nearer ones would overlap
ax.set_xticks(counts.p, counts.p.astype(str).where(apart, ""))
ax.minorticks_off()
ax.yaxis.set_major_locator(MaxNLocator(integer=True))
ax.legend(loc="upper left", ncols=2)
save_figure(figure, f"{figures}/growth", learned[["modulus", "seed", "spectral_count"]])

# %%
fitted = pd.DataFrame([{"law": name, **vars(law)} for name, law in (laws or {}).items()])
save_table(fitted, f"{figures}/laws", digits=4)
fitted

# %%
every = read_population(*datasets["t_sets"])
rows = faultless_or_all(every)
n = int(rows.modulus.iloc[0])
strong = [np.flatnonzero(np.asarray(weights) >= larger) for weights in rows.spectral_weights]
sets = {f"K_{KEY_WEIGHT}": rows.key_set, f"K_{larger}": strong, "of neurons": rows.characters}
members = {name: membership(found, n) for name, found in sets.items()}
K = members[f"K_{KEY_WEIGHT}"]
size = K.sum(axis=1)

# %% [markdown]
# ## The sets
# Left, the sizes of K. Right, how many networks have each frequency. The map x → ux with a unit u only renames the
# residues, so all frequencies are equally likely, and the test only checks the experiment. The line is the expectation,
# the band that of 95 % of counts by chance.

# %%
figure, (left, right) = panels(2, height=2.3)
k, networks = np.unique(size, return_counts=True)
left.bar(k, networks, 0.8, color=COLOURS[6])
left.set(xlabel="frequencies in K, |K|", ylabel="networks", title=f"p = {n}: {len(K)} networks", ylim=(0, None))
left.xaxis.set_major_locator(MaxNLocator(integer=True))
share = size / K.shape[1]
mean, spread = share.sum(), SURE * np.sqrt((share * (1 - share)).sum())
f = np.arange(1, K.shape[1] + 1)
right.bar(f, K.sum(axis=0), 0.8, color=COLOURS[6])
right.axhspan(mean - spread, mean + spread, color="0.4", alpha=0.4, linewidth=0)
right.axhline(mean, label="equally likely", **PUBLISHED_LINE)
right.set(xlabel="frequency f", ylabel="networks with f in K", ylim=(0, max(1.25 * K.sum(axis=0).max(), 1)))
right.set_xticks(f)
right.legend(loc="upper right")
save_figure(figure, f"{figures}/sets", pd.DataFrame({"frequency": f, "networks": K.sum(axis=0), "expected": mean}))
even = uniformity(K)

# %% [markdown]
# ## Pairs {f, mf}
# Over the expectation in random sets of the same sizes, for every multiplier. Beside *K*_0.005, which the claims are
# about, stand the frequencies above a larger share of the logits, and the frequencies of the neurons.

# %%
compared = lambda of, label: against_random(
    of, classes(n), multiples(n), draws, np.random.default_rng(seed_for(seed, label))
).assign(multiple=multipliers(n))
tables = {name: compared(of, name) for name, of in members.items()}
pairs = pd.concat([table.assign(sets=name) for name, table in tables.items()], ignore_index=True)
save_table(pairs[["sets", "multiple", *pairs.columns[:-2]]], f"{figures}/pairs", digits=4)

labels = dict(zip(tables, (f"$K_{{{KEY_WEIGHT}}}$", f"$K_{{{larger}}}$", "frequencies of neurons"), strict=True))
figure, (ax,) = panels(1, columns=1, height=2.5)
for i, (name, table) in enumerate(tables.items()):
    place, seen = np.arange(len(table)) + 0.2 * (i - 1), table.ratio.notna().to_numpy()
    ax.vlines(place, table.low, table.high, color=COLOURS[i])
    ax.scatter(place[seen], table.ratio[seen], 18, color=COLOURS[i], marker=MARKERS[i], zorder=3, label=labels[name])
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
of_size = [
    compared(K[size == of], f"size {of}").assign(size=of, networks=many) for of, many in zip(k, networks, strict=True)
]
by_size = pd.concat(of_size, ignore_index=True).query("multiple in (2, 3)")
columns = ["size", "networks", "multiple", "count", "expected", "ratio", "low", "high", "p"]
save_table(by_size[columns], f"{figures}/by_size", digits=4)
by_size[columns].round(3)

# %% [markdown]
# ## Strong and weak frequencies
# Looked at after the claims had been judged. Left, the limit of K is varied. Right, beside each *strong* frequency f, one
# with at least 0.05 of the squared norm, the mean share that mf has (95 % intervals over networks); 2f and f/2 are red.

# %%
weights = np.stack(rows.spectral_weights.tolist())[:, 1 : n // 2 + 1]
of_limit = [compared(weights >= limit, f"K_{limit}").assign(limit=limit) for limit in limits]
by_limit = pd.concat(of_limit, ignore_index=True).query("multiple in (2, 3)")
save_table(by_limit[["limit", *columns[2:]]], f"{figures}/by_limit", digits=4)

figure, (left, right) = panels(2, height=2.5)
for i, (m, table) in enumerate(by_limit.groupby("multiple")):
    at, style = table.limit * 1.06 ** (2 * i - 1), {"color": COLOURS[1 - i], "marker": MARKERS[1 - i], "markersize": 5}
    left.errorbar(at, table.ratio, (table.ratio - table.low, table.high - table.ratio), linestyle="none", **style)
    left.plot([], [], linestyle="none", label=f"m = {m}", **style)
left.axhline(1, label="random sets", **PUBLISHED_LINE)
left.set(xscale="log", xlabel="limit ε of $K_ε$", ylabel="pairs {f, mf},\nover expected", ylim=(0, None))
left.set_xticks(limits, [f"{limit:g}" for limit in limits])
left.minorticks_off()
left.legend(loc="lower left")
strong_f, m = weights >= larger, f[1:]
beside = [ratio_of((strong_f * weights[:, fold(by * f, n) - 1]).sum(axis=1), strong_f.sum(axis=1)) for by in m]
beside = pd.DataFrame(map(vars, beside)).assign(multiple=m)
halved_at = fold(pow(2, -1, n), n)
halved = np.isin(m, [2, halved_at])
right.vlines(m, beside.low, beside.high, color=np.where(halved, COLOURS[1], COLOURS[0]))
for chosen, colour, marker in ((~halved, COLOURS[0], MARKERS[0]), (halved, COLOURS[1], MARKERS[1])):
    right.plot(m[chosen], beside.value[chosen], marker, color=colour, markersize=5)
right.set(xlabel=f"m (mod {n}; {halved_at} = 1/2)", ylabel="mean share of mf,\nbeside a strong f", ylim=(0, None))
right.set_xticks(m)
save_figure(figure, f"{figures}/strength", pd.concat([by_limit, beside]))

# %% [markdown]
# ## Result
# Each claim can lose: a p-value of the wrong size refutes it, and an interval on the wrong side of 1. That strong
# frequencies avoid doubles is claimed after looking: the sets were defined before, but the prediction was about
# *K*_0.005.
#
# **Caveats.** The networks are right everywhere, but training stops after a number of updates, not at convergence. A network
# costs about p⁴ operations an update, so large primes have few networks; the means of all primes weigh alike. The penalty is the
# same at every p, and the loss at the end grows with p. The sets are of one prime. Pairs are not all of the question: a set of
# k frequencies could be random in its pairs and not in its triples.

# %%
weight = {name: law.weight for name, law in (laws or {}).items()}
left_out = best_without_one(learned.modulus.to_numpy(), learned.spectral_count.to_numpy(float))
values = {
    "evidence_of_sparse_laws": sum(weight[name] for name in sparse) if weight else None,
    "share_used_at_largest": counts["of (p − 1)/2"].iloc[-1],
    "primes": len(counts),
    "largest_prime": int(counts.p.iloc[-1]),
    "count_at_smallest": counts["N, mean"].iloc[0],
    "count_at_largest": counts["N, mean"].iloc[-1],
}
table = tables[f"K_{KEY_WEIGHT}"]
doubled, tripled = summed(table[table.multiple == 2]), set_aside(table, 3, aside=2)
by_neurons, larger_share = (summed(tables[name].query("multiple == 2")) for name in ("of neurons", f"K_{larger}"))
row = table.set_index("multiple").loc[2]
estimate = lambda of: {"value": of.ratio, "low": of.low, "high": of.high, "of": len(K)}
values |= {
    "doubled": estimate(doubled),
    "tripling_p": tripled.p,
    "tripled": estimate(tripled),
    "smallest_q": table.q.min(),
    "detectable_ratio": detectable_ratio(row.expected / row.dispersion),
    "doubled_of_larger": estimate(larger_share),
}
record(
    values_file, network, values
)  # without the population: its recipe is stated here, and no published one is claimed
values

# %%
best = (
    f"The law with most evidence is {max(weight, key=weight.get)}." if weight else "These are too few moduli for laws."
)
steady = max(left_out, key=left_out.get) if sum(left_out.values()) else "none"
say(
    f"{len(learned)} networks at {values['primes']} primes answer every input right. N goes from {values['count_at_smallest']:.1f} at "
    f"p = {counts.p.iloc[0]} to {values['count_at_largest']:.1f} at p = {values['largest_prime']}, where it is "
    f"{100 * values['share_used_at_largest']:.0f} % of all frequencies. {best} With one prime left out in turn, the law that wins "
    f"most often is {steady}.",
)
ratio = lambda of: f"{of.ratio:.3f} (95 %: {of.low:.3f} to {of.high:.3f}, p = {of.p:.2g})"
recipe = rows.iloc[0]
say(
    f"{len(rows)} of {len(every)} networks answer every input right (p = {n}, {recipe.d_mlp} neurons, learning rate "
    f"{recipe.learning_rate:g}, {recipe.steps} updates). They have {size.mean():.1f} of {K.shape[1]} frequencies in K, on average, "
    f"and their neurons have {members['of neurons'].sum(axis=1).mean():.1f}.",
    f"- All frequencies equally likely: p = {even.p:.2f}.\n"
    f"- Pairs {{f, 2f}}, over random sets: {ratio(doubled)}; by the neurons' frequencies {ratio(by_neurons)}, by a share of "
    f"{larger} of the logits {ratio(larger_share)}.\n"
    f"- Pairs {{f, 3f}}, over what the pairs {{f, 2f}} leave: {ratio(tripled)}.\n"
    f"- Smallest q over all multipliers: {values['smallest_q']:.2g}.\n"
    f"- A ratio of {values['detectable_ratio']:.3f} would be detected at p < 0.05 with 80 % power.",
)
