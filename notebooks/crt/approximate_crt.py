# %% [markdown]
# # How many random frequencies separate the right answer?
#
# **Claim** ([C] §5.4, Remark 1). Let the logit of the answer that is off by d be h(d) = Σ_l cos(2πf_l d/n), one cosine
# for each of m clusters of neurons. At d = 0 all agree and h = m. Frequencies n/q_i for coprime factors q_i of n make
# this the Chinese remainder theorem, exactly. But no special frequencies are needed: of m *random* ones, about ln n
# suffice, and then every wrong answer lies more than δm below the right one with probability ½ (δ = π/e³ = 0.156).
#
# **Method.** The theorem is checked on every system of congruences. The *separation* m − max_{d≠0} h(d) of random
# frequencies, uniform on 1 … n − 1 and independent as in [C], is simulated with fixed seeds; shares carry 95 % binomial
# intervals. For few frequencies all draws are enumerated (multiplying all frequencies by a unit of Z_n only permutes
# the wrong answers), which gives the exact probability to compare with. Two lines stand beside: what [C] prints, and a
# lower bound that is proven. Last, the separation of the clusters that trained networks have.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from scipy.stats import linregress

from modadd.core.fourier import variance_by_frequency
from modadd.core.separable import centred, margins
from modadd.crt.clusters import cluster_measures
from modadd.crt.random_sets import best_set, confusable, crossing, draw, expected, separations, simulate, standing
from modadd.crt.theory import (
    agreement,
    cramer_rate,
    crt_frequencies,
    crt_gap,
    crt_sum,
    crt_sum_as_printed,
    profile,
    proven_probabilities,
    published_bound,
    published_probability,
    separation,
    share_solved,
    taylor_shortfall,
    volume_bound,
    volume_probability,
)
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, PUBLISHED, panels, save_figure, save_table, use_style
from modadd.populations.tables import read_population

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
populations = {}  # tables of trained networks, by name; filled in by the workflow
kept = {}  # committed tables of those populations
figures = "figures/approximate_crt"
values_file = "results/values/approximate_crt.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
delta = 0.15641068822825416  # π/e³, with which the published bound is ln n
rho = 0.5  # probability of separation asked for
exhibit = 91  # the modulus of tables and enumeration
factors = [[7, 13], [2, 3, 5], [3, 5, 7], [4, 5, 9], [7, 11, 13]]  # products of coprime moduli; the exhibit first
moduli = [13, 17, 31, 59, 89, 91, 113, 199, 307, 499, 997]  # where the smallest number of frequencies is sought
even_moduli = [16, 32, 64, 128, 256, 512]  # and where half of all frequencies are even
shown = [31, 91, 499]  # moduli whose probabilities are drawn
most = 12  # frequencies
exact_up_to = 4  # frequencies, all draws of which are enumerated
trials = 10_000
seed = 0

# %%
use_style()
network = load_network(network_file)
separable = network.separable()

# %% [markdown]
# ## The exact theorem, as a sum of cosines
# For n = Π q_i with coprime q_i the sum Σ_i cos(2π(k − m_i)/q_i) is largest at the one k with k ≡ m_i (mod q_i) for all
# i. Away from it by d, term i loses 1 − cos(2πd/q_i), and the residues of d are free: the runner-up is off by one in
# the largest factor q and right in all others, so the gap is 1 − cos(2π/q). In Remark 1 of [C] the cosines read cos(2πi
# q_i(k − m_i)/n). Without the stray i their period is n/q_i instead of q_i, which for two factors exchanges the two
# congruences: *solved as printed* is the share of all systems of congruences whose solution the printed sum finds.
# Likewise the frequencies are n/q_i, not q_i; [C] §5.2 asks for n = f_1 ⋯ f_r, which is the same for two factors only.

# %%
exact = pd.DataFrame(
    {
        "n": np.prod(q),
        "factors": "·".join(map(str, q)),
        "frequencies": ", ".join(map(str, crt_frequencies(q))),
        "gap, closed form": crt_gap(q),
        "gap, over all answers": np.diff(np.sort(crt_sum(q, [0] * len(q)))[-2:])[0],
        "separation / m": separation(crt_frequencies(q), np.prod(q)) / len(q),
        "with f = q": separation(np.array(q), np.prod(q)) / len(q),
        "solved": share_solved(crt_sum, q),
        "solved as printed": share_solved(crt_sum_as_printed, q),
    }
    for q in factors
)
save_table(exact, f"{figures}/exact_theorem", digits=4)
exact.round(4)

# %% [markdown]
# ## The probability of separation
# Points are simulated. The dashed line is what the published bound amounts to, 1 − (n/2)(eδ/π)^(m/2). It is the end of
# three steps: (1) 1 − cos x is replaced by x²/2, which over-estimates every separation; (2) the frequencies are taken
# to be continuous and the wrong answers to fail one by one (the union of their events is replaced by the sum), so the
# failures become n/2 balls of known volume; (3) Γ(m/2 + 1) becomes (m/2e)^(m/2) (Stirling). Step 1 makes the
# probability too high, the sum and step 3 make it too low, so the result is no bound in either direction: a heuristic,
# as [C] says. The lower line is a bound: Markov's inequality for e^{t·h(d)}, at the best t for each d, and the sum over
# the wrong answers.

# %%
simulated = pd.concat(simulate(n, most, trials, delta, np.random.default_rng([seed, n])) for n in shown)
distinct = pd.concat(
    simulate(n, min(most, n // 2), trials, delta, np.random.default_rng([seed, n, 1]), distinct=True) for n in shown
)
simulated["published"] = [published_probability(n, m, delta) for n, m in zip(simulated.n, simulated.m, strict=True)]
simulated["volume"] = [volume_probability(n, m, delta) for n, m in zip(simulated.n, simulated.m, strict=True)]
simulated["proven"] = np.concatenate([proven_probabilities(n, most, delta) for n in shown])

# %%
figure, axes = panels(len(shown), columns=3, height=2.5, sharex=True, sharey=True)
real = np.linspace(0.5, most, 200)
for ax, n in zip(axes, shown, strict=True):
    rows, others = simulated[simulated.n == n], distinct[distinct.n == n]
    errors = [rows.probability - rows.low, rows.high - rows.probability]
    ax.errorbar(rows.m, rows.probability, errors, fmt="o", color=COLOURS[0], markersize=4, label="simulated")
    ax.plot(others.m, others.probability, "D", color=COLOURS[1], markersize=3, mfc="none", label="without repetition")
    ax.plot(real, [published_probability(n, m, delta) for m in real], **PUBLISHED, label="published")
    volume = [volume_probability(n, m, delta) for m in real]
    ax.plot(real, volume, color=COLOURS[3], linestyle=DASHES[3], label="published, before Stirling")
    ax.plot(rows.m, rows.proven, "^", color=COLOURS[4], linestyle=DASHES[2], markersize=3, label="proven lower bound")
    ax.axvline(np.log(n), color="0.75", linewidth=0.8, zorder=0)
    ax.annotate("ln n", (np.log(n), 1.04), color="0.4", fontsize=7, ha="center", annotation_clip=False)
    ax.set(ylim=(-0.02, 1.03), xlim=(0.5, most + 0.5), xlabel="number of frequencies m", xticks=range(1, most + 1, 2))
    ax.set_title(f"n = {n}", pad=12)
axes[0].set_ylabel(f"probability that every\nanswer is {delta:.3f} m below")
handles, labels = axes[0].get_legend_handles_labels()
figure.legend([handles[-1], *handles[:-1]], [labels[-1], *labels[:-1]], loc="outside lower center", ncols=5)
save_figure(figure, f"{figures}/probability", simulated.merge(distinct, on=["n", "m"], suffixes=("", "_distinct")))

# %% [markdown]
# ## Simulation against enumeration
# All draws of a few frequencies, up to units, for n = 91. *z* is the distance in standard errors.

# %%
oracle = pd.DataFrame(
    {
        "frequencies": "without repetition" if unique else "independent",
        "m": m,
        "exact": expected(
            exhibit, m, lambda sets: (separations(sets, exhibit)[:, -1] > delta * sets.shape[1]) * 1.0, unique
        ),
    }
    for unique in (False, True)
    for m in range(1, exact_up_to + 1)
)
drawn = {
    name: simulate(exhibit, most, trials, delta, np.random.default_rng([seed, exhibit, 2, unique]), unique)
    for unique, name in enumerate(["independent", "without repetition"])
}
either = pd.concat(table.assign(frequencies=name) for name, table in drawn.items())
oracle = either.drop(columns="n").merge(oracle, on=["frequencies", "m"])
spread = np.sqrt(np.maximum(oracle.exact * (1 - oracle.exact), 1 / trials) / trials)
oracle["z"] = (oracle.probability - oracle.exact) / spread
oracle = oracle[["frequencies", "m", "exact", "probability", "low", "high", "z"]]
save_table(oracle, f"{figures}/enumeration", digits=4)
oracle.round(4)

# %% [markdown]
# ## Which step of the estimate costs what
# From the printed formula back to the truth, for n = 91. The third and fourth columns are 1 − the mean number of wrong
# answers that come too close, a pair ±d counted once.

# %%
sets = draw(exhibit, most, 4 * trials, np.random.default_rng([seed, exhibit, 3]))
ladder = pd.DataFrame(
    {
        "m": m,
        "published": published_probability(exhibit, m, delta),
        "before Stirling": volume_probability(exhibit, m, delta),
        "sum over d, x²/2": 1 - confusable(sets[:, :m], exhibit, delta, taylor_shortfall).mean(),
        "sum over d, cosine": 1 - confusable(sets[:, :m], exhibit, delta).mean(),
        "simulated": (confusable(sets[:, :m], exhibit, delta) == 0).mean(),
        "proven": proven_probabilities(exhibit, m, delta)[-1],
    }
    for m in range(3, 9)
)
save_table(ladder, f"{figures}/steps")
ladder.round(3)

# %% [markdown]
# ## The smallest number of frequencies
# The m at which the probability reaches ½, between whole numbers by a straight line. For prime n up to 11 a single
# frequency is enough, so the fit starts above.

# %%
runs = {n: simulate(n, most, trials, delta, np.random.default_rng([seed, n, 4])) for n in [*moduli, *even_moduli]}
smallest = pd.DataFrame(
    {
        "n": n,
        "ln n": np.log(n),
        "smallest m": crossing(run.probability.to_numpy(), rho),
        "whole m": np.ceil(crossing(run.probability.to_numpy(), rho)),
        "published": published_bound(n, delta, rho),
        "before Stirling": volume_bound(n, delta, rho),
        "proven": crossing(proven_probabilities(n, 2 * most, delta), rho),
    }
    for n, run in runs.items()
)
odd = smallest[smallest.n.isin(moduli)]
fit, linear = linregress(odd["ln n"], odd["smallest m"]), linregress(odd.n, odd["smallest m"])
save_table(smallest, f"{figures}/smallest_number")
smallest.round(3)

# %%
figure, (ax,) = panels(1, columns=1, height=3.2)
even, line = smallest[smallest.n.isin(even_moduli)], smallest.sort_values("n")
ax.plot(odd.n, odd["smallest m"], "o", color=COLOURS[0], markersize=5, label="simulated, odd n")
ax.plot(even.n, even["smallest m"], "s", color=COLOURS[1], markersize=4, mfc="none", label="simulated, powers of 2")
ax.plot(line.n, fit.intercept + fit.slope * line["ln n"], color=COLOURS[0], linewidth=1, label="fit a + b ln n, odd n")
ax.plot(line.n, line.published, **PUBLISHED, label="published bound, ln n")
ax.plot(odd.n, odd["before Stirling"], color=COLOURS[3], linestyle=DASHES[3], label="published, before Stirling")
ax.plot(odd.n, odd.proven, color=COLOURS[4], linestyle=DASHES[2], label="proven to suffice, odd n")
ax.set(xscale="log", xlabel="modulus n", ylabel=f"frequencies for probability {rho:g}", ylim=(0, None))
ax.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), minor_locator=NullLocator(), major_formatter="{x:g}")
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/smallest", smallest)

# %% [markdown]
# ## The separation of trained networks
# The networks of each population that answer every input right, with the frequencies of their clusters. *Rank* is the
# share of random sets of as many distinct frequencies that separate less; it would be ½ on average if training chose at
# random. *Own weights* weighs each cluster by its share of the network's neurons' input times output amplitudes.

# %%
own = cluster_measures(separable) | {"modulus": separable.modulus, "population": "this network"}
tables = [read_population(path, kept.get(name)).assign(population=name) for name, path in populations.items()]
passed = [rows[rows.accuracy == 1.0] for rows in tables]
networks = pd.concat([pd.DataFrame([own]), *passed], ignore_index=True)
trained = pd.concat(
    standing(rows.cluster_frequencies, n, trials, np.random.default_rng([seed, n, 5]), rows.cluster_weights).assign(
        population=population, n=n
    )
    for (population, n), rows in networks.groupby(["population", "modulus"], sort=False)
)

# %%
top = min(int(max(trained.m.max(), exact_up_to)), exhibit // 2)
random_sets = separations(draw(exhibit, top, trials, np.random.default_rng([seed, exhibit, 6]), distinct=True), exhibit)
bands = pd.DataFrame(np.quantile(random_sets, [0.05, 0.5, 0.95], axis=0).T, columns=["low", "median", "high"])
bands = bands.div(np.arange(1, top + 1), axis=0).assign(m=np.arange(1, top + 1))
best = {m: best_set(exhibit, m) for m in range(1, exact_up_to + 1)}
best_sets = bands[bands.m.isin(best)].assign(
    best=[separation(frequencies, exhibit) / m for m, frequencies in best.items()],
    frequencies=[", ".join(map(str, frequencies)) for frequencies in best.values()],
)
save_table(best_sets, f"{figures}/frequency_sets", digits=4)
best_sets.round(4)

# %%
figure, (ax,) = panels(1, columns=1, height=3.2)
ax.fill_between(bands.m, bands.low, bands.high, color="0.88", label=f"random sets mod {exhibit}, 5–95 %")
ax.plot(bands.m, bands["median"], color="0.5", linewidth=1, label="random sets, median")
ax.plot(
    best_sets.m, best_sets.best, "*", color="black", markersize=7, mfc="none", label="best set there is (enumerated)"
)
crt = exact.iloc[0]
ax.plot(len(factors[0]), crt["separation / m"], "X", color="black", mfc="white", label=f"exact theorem, {crt.factors}")
groups = [(name, rows) for name, rows in trained.groupby("population", sort=False)]
beside = np.linspace(-0.3, 0.3, len(groups)) if len(groups) > 1 else [0.0]
for (name, rows), shift, colour, marker in zip(groups, beside, COLOURS, MARKERS, strict=False):
    jitter = np.linspace(-0.05, 0.05, len(rows)) if len(rows) > 1 else 0.0
    ax.plot(rows.m + shift + jitter, rows.share, marker, color=colour, markersize=3.5, label=f"{name} ({len(rows)})")
ax.axhline(delta, **PUBLISHED, label=f"published δ = {delta:.3f}")
ax.set(xlabel="number of frequencies m", ylabel="separation divided by m", ylim=(-0.01, None))
ax.xaxis.set_major_locator(MaxNLocator(integer=True))
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/trained", pd.concat([trained, bands.assign(population="random sets", n=exhibit)]))

# %%
unlike = {
    n: simulate(n, min(top, n // 2), trials, delta, np.random.default_rng([seed, n, 7]), True)
    for n in trained.n.unique()
}
random_share = [np.interp(m, [0, *unlike[n].m], [0, *unlike[n].probability]) for m, n in zip(trained.m, trained.n)]
summary = trained.assign(separated=trained.share > delta, random=random_share).groupby("population", sort=False)
summary = summary.agg(
    n=("n", "first"),
    networks=("m", "size"),
    clusters=("m", "mean"),
    separated=("separated", "mean"),
    at_random=("random", "mean"),
    least=("share", "min"),
    median=("share", "median"),
    own_weights=("weighted", "median"),
    rank=("rank", "mean"),
)
summary["rank z"] = (summary["rank"] - 1 / 2) * np.sqrt(12 * summary.networks)  # uniform ranks have variance 1/12
summary["asked by bound"] = [
    published_bound(n, share, rho) for n, share in zip(summary.n, summary["median"], strict=True)
]
save_table(summary.reset_index(), f"{figures}/trained_networks")
summary.round(3)

# %% [markdown]
# ## What the sum of cosines looks like
# Left, the exact theorem. Right, this network: h(d) of its clusters' frequencies with equal amplitudes, as the model
# has it, and the mean over all inputs of its own logit of the answer a + b + d. All are divided by their peak.

# %%
n, frequencies = separable.modulus, np.array(own["cluster_frequencies"], dtype=int)
logits = centred(separable.logits())
own_profile = profile(logits)
tiny = np.finfo(float).tiny
peak = max(np.abs(own_profile).max(), tiny)
curves = {
    f"exact theorem mod {crt.n}": (agreement(crt_frequencies(factors[0]), crt.n) / len(factors[0]), None),
    f"this network, n = {n}": (agreement(frequencies, n) / max(len(frequencies), 1), own_profile),
}
figure, axes = panels(2, height=2.4, sharey=True)
shapes = []
for ax, (title, (model, measured)) in zip(axes, curves.items(), strict=True):
    d = (np.arange(len(model)) + len(model) // 2) % len(model) - len(model) // 2
    order = np.argsort(d)
    ax.plot(d[order], model[order], color=COLOURS[0], label="h(d), equal amplitudes")
    if measured is not None:
        scaled = measured / peak
        ax.plot(d[order], scaled[order], "o", color=COLOURS[1], markersize=2.5, label="mean logit of the network")
        shapes.append(pd.DataFrame({"panel": title, "d": d[order], "h": model[order], "mean_logit": scaled[order]}))
    else:
        shapes.append(pd.DataFrame({"panel": title, "d": d[order], "h": model[order]}))
    ax.axhline(1 - delta, **PUBLISHED, label="1 − δ")
    ax.plot([0], [1], "*", color="black", markersize=8, label="right answer")
    ax.set(title=title, xlabel="d = answer − (a + b)")
axes[0].set_ylabel("logit over its peak")
figure.legend(*axes[1].get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/agreement", pd.concat(shapes))

# %% [markdown]
# ## Result
# **The exact theorem** holds as a sum of cosines once the period in Remark 1 is corrected. It is no good pattern for a
# network: its gap is that of one step in the largest factor, a share of the peak that two well chosen frequencies
# double and that almost every random set of ln n frequencies exceeds (the cross, the stars and the grey band above).
#
# **The random model.** Claimed: a number of frequencies linear in ln n, and probability ½ at m = ln n. Read the fit,
# and the probability at ln n, below. [C] calls its Taylor step quite bad where fd/n is far from an integer; the table
# of steps shows what it costs, beside Stirling's approximation of Γ(m/2 + 1), which drops a factor √(πm). The
# independent draw, in which a frequency may repeat, is the model of [C]; the clusters of a network have distinct
# frequencies, which makes separation more likely still.
#
# **A proof.** With cos in place of x²/2 the estimate becomes a theorem. For prime n, m frequencies drawn independently
# from 1 … n − 1 separate the right answer by more than δm with probability at least 1 − (n − 1)/2 · e^(−mI), where I =
# max_t [t(1 − δ) − ln I₀(t)] is Cramér's rate for the cosine of a random angle, I₀ the modified Bessel function. The
# mean of e^{t cos} over the nonzero multiples of 2π/n is at most I₀(t), since the Bessel functions I_k(t) fall with k.
# In the published bound (ln(π/δ) − 1)/2 stands for I; it is larger by about δ/4. So O(log n) random frequencies do
# suffice.
#
# **Trained networks** would, if they took random frequencies, have ranks that are ½ on average, and as many of them as
# of random sets would separate by δ. If their number of clusters were near ln n for the reason that the model gives,
# the bound, evaluated at the separation that they have, would ask for that number. δ was not measured in [C] but chosen
# so that the bound gives ln n.
#
# **Caveat.** The model gives all clusters one amplitude and looks at the mean over inputs. A network has its own
# amplitudes, which also depend on a − b.

# %%
at, apart = (drawn[name].set_index("m").probability for name in ("independent", "without repetition"))
measured = summary.drop(index="this network")
values = {
    "crt_systems_solved": exact.solved.min(),
    "crt_systems_solved_as_printed": exact["solved as printed"].iloc[0],
    "crt_gap_difference": (exact["gap, closed form"] - exact["gap, over all answers"]).abs().max(),
    "crt_separation": crt["separation / m"],
    "exact_at_4": oracle.exact[oracle.m == 4],
    "largest_z": oracle.z.abs().max(),
    "probability_at_ln_n": np.interp(np.log(exhibit), at.index, at),
    "volume_at_ln_n": volume_probability(exhibit, np.log(exhibit), delta),
    "volume_less_simulated": (ladder["before Stirling"] - ladder.simulated)[ladder.m >= 4].abs().max(),
    "taylor_step": (ladder["sum over d, x²/2"] - ladder["sum over d, cosine"])[ladder.m >= 4].max(),
    "proven_less_simulated": (simulated.proven - simulated.high).max(),
    "slope_in_ln_n": fit.slope,
    "slope_proven": 1 / cramer_rate(delta),
    "r_squared_ln_n": fit.rvalue**2,
    "r_squared_n": linear.rvalue**2,
    "smallest_number": odd.set_index("n")["smallest m"].get(exhibit),
    "published_less_smallest": (smallest.published - smallest["smallest m"]).min(),
    "separation_of_network": summary["median"]["this network"],
    "profile_separation": (own_profile[0] - own_profile[1:].max()) / peak,
    "profile_explained": variance_by_frequency(own_profile)[frequencies].sum() / max(own_profile.var(), tiny),
    "smallest_margin": margins(logits).min() / peak,
    "trained_least": measured.least.min(),
    "trained_rank": measured["rank"].min(),
    "trained_asked_less_clusters": (measured["asked by bound"] - measured.clusters).min(),
}
record(values_file, network, values, tables)
compared = pd.DataFrame(
    [
        (name, float(printed), float(values[name]))
        for name, printed in published.items()
        if name in values and np.ndim(printed) == 0
    ],
    columns=["quantity", "published", "measured"],
)
save_table(compared, f"{figures}/published_numbers")
values

# %%
compared.round(4)

# %%
print(f"Exact theorem: {100 * values['crt_systems_solved']:.0f} % of all systems of congruences solved,", end=" ")
print(f"as printed {100 * values['crt_systems_solved_as_printed']:.1f} % for n = {crt.n};", end=" ")
print(f"its separation is {values['crt_separation']:.4f} m, that of the best {len(factors[0])} frequencies", end=" ")
print(f"{best_sets.best.iloc[len(factors[0]) - 1]:.4f} m.")
print(f"n = {exhibit}: probability {at[4]:.3f} with m = 4 and {at[5]:.3f} with m = 5;", end=" ")
print(f"without repetition {apart[4]:.3f} and {apart[5]:.3f}; exact at m = 4:", end=" ")
print(" and ".join(f"{p:.4f}" for p in values["exact_at_4"]) + ".")
print(f"At m = ln n = {np.log(exhibit):.2f}: {values['probability_at_ln_n']:.3f}, predicted {rho:g};", end=" ")
print(f"before Stirling's approximation the prediction is {values['volume_at_ln_n']:.3f}.")
stirling = (ladder["before Stirling"] - ladder.published)[ladder.m >= 4].max()
print(f"With m = 4 and more the Taylor step adds at most {values['taylor_step']:.3f} to the probability,", end=" ")
print(f"Stirling's approximation takes up to {stirling:.3f} from it; without the latter the prediction is", end=" ")
print(f"within {values['volume_less_simulated']:.3f} of the simulation.")
print(f"Simulation and enumeration differ by at most {values['largest_z']:.1f} standard errors.")
print(f"Smallest m for probability {rho:g}: ({fit.intercept:.2f}) +", end=" ")
print(f"({fit.slope:.2f} ± {fit.stderr:.2f}) ln n,", end=" ")
print(f"R² {values['r_squared_ln_n']:.3f} (in n: {values['r_squared_n']:.3f});", end=" ")
print(f"proven to suffice: slope {values['slope_proven']:.3f}.")
print(f"This network (accuracy {network.results['accuracy']:.4f}): {len(frequencies)} clusters, in the model", end=" ")
print(f"{values['separation_of_network']:.3f} m apart; its mean logits are apart by", end=" ")
print(f"{values['profile_separation']:.3f} of their peak,", end=" ")
print(
    f"the smallest margin of any input {values['smallest_margin']:.3f} of it. Its clusters' frequencies make", end=" "
)
print(f"{100 * values['profile_explained']:.1f} % of the variance of its mean logits.")
for name, row in measured.iterrows():
    print(f"{name}: {row.networks:.0f} networks, {row.clusters:.2f} clusters on average,", end=" ")
    print(f"{100 * row.separated:.0f} %", end=" ")
    print(f"separated by more than δm (random {100 * row.at_random:.0f} %), median {row['median']:.3f} m,", end=" ")
    print(f"mean rank {row['rank']:.3f} (z = {row['rank z']:.1f});", end=" ")
    print(f"the bound asks for {row['asked by bound']:.1f} frequencies to separate that much with probability {rho:g}.")
