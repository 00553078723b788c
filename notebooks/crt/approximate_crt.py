# %% [markdown]
# # How many random frequencies separate the right answer?
#
# **Claim** ([C] §5.4, Remark 1). Let the logit of the answer off by d be one cosine for each of m clusters of neurons.
# If enough frequencies are *random*, every wrong answer lies more than δm below the right one with probability ρ:
#
# $$ h(d) = \sum_{l=1}^{m} \cos\frac{2\pi f_l d}{n}, \quad P\left(m - \max_{d \neq 0} h(d) > \delta m\right) \geq \rho
# \quad \text{for} \quad m > \frac{2 \ln n - 2 \ln(2 - 2\rho)}{\ln(\pi/\delta) - 1}. $$
#
# With δ = π/e³ = 0.156 and ρ = ½ that is m > ln n. [C] calls this a heuristic; [C1] prints it as Theorem 4.7. Both
# state it for 0 < δ < 1 and any ρ. The special frequencies n/q_i, for coprime factors q_i of n, make this the Chinese
# remainder theorem, exactly.
#
# **Method.** The Chinese remainder theorem is checked on every system of congruences. The *separation* m − max h of
# random frequencies, uniform on 1 … n − 1 and independent as in [C], is simulated with fixed seeds, and for few
# frequencies enumerated. It is compared with what is printed, over a grid of δ and ρ, and with a lower bound that is
# proven. No trained network is looked at.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, NullLocator

from modadd.crt import random_sets, separation_grid, theory
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"  # of which the record says what stands in it
figures = "results/by_hand/approximate_crt"
values_file = "results/by_hand/approximate_crt.json"
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
grid_moduli = [91, 997]  # of the theorem's grid, the exhibit first
grid_deltas = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]  # and delta
grid_rhos = [0.5, 0.9]  # rho first

# %%
use_style()


def simulate(n, *labels, most=most, distinct=False):
    """Whether random frequencies mod n separate, for each number of them up to `most`."""
    return random_sets.simulate(n, most, trials, delta, random_sets.generator(seed, n, *labels), distinct)


# %% [markdown]
# ## The exact theorem, as a sum of cosines
# For n = Π q_i the sum Σ_i cos(2π(k − m_i)/q_i) is largest at the one k with k ≡ m_i (mod q_i) for all i. The runner-up
# is off by one in the largest factor q and right in all others, so the gap is 1 − cos(2π/q). Remark 1 of [C] prints
# cos(2πi q_i(k − m_i)/n). Without the stray i its period is n/q_i instead of q_i, which for two factors exchanges the
# congruences (*solved as printed*). The frequencies are n/q_i, not q_i as in [C] §5.2, the same for two factors only.

# %%
exact = pd.DataFrame(map(theory.exact_theorem, factors))
crt = exact.iloc[0]
save_table(exact, f"{figures}/exact_theorem", digits=4)
exact.round(4)

# %% [markdown]
# ## The probability of separation
# Points are simulated, with 95 % binomial intervals. The dashed line is what the published bound amounts to, 1 −
# (n/2)(eδ/π)^(m/2), after three steps: (1) 1 − cos x becomes x²/2, which over-estimates every separation; (2) the
# frequencies become continuous, and a sum over the wrong answers stands for the union of their failures, n/2 balls of
# known volume; (3) Γ(m/2 + 1) becomes (m/2e)^(m/2) (Stirling). Step 1 makes the probability too high, the sum and step
# 3 make it too low. So the result is a heuristic, as [C] says, and no bound. The lower line is a proven bound: Markov's
# inequality for e^{t·h(d)} at the best t for each d.

# %%
numbers, real = range(1, most + 1), np.linspace(0.5, most, 200)
simulated = pd.concat(simulate(n).assign(**theory.estimates(n, numbers, delta)) for n in shown)
simulated["proven"] = np.concatenate([theory.proven_probabilities(n, most, delta) for n in shown])
distinct = pd.concat(simulate(n, 1, most=min(most, n // 2), distinct=True) for n in shown)


def draw_probability(ax, n):
    """The probability of separation by the number of frequencies: simulated, as published, and proven."""
    rows, others, curves = simulated[simulated.n == n], distinct[distinct.n == n], theory.estimates(n, real, delta)
    errors = [rows.probability - rows.low, rows.high - rows.probability]
    ax.errorbar(rows.m, rows.probability, errors, fmt="o", color=COLOURS[0], markersize=4, label="simulated")
    ax.plot(others.m, others.probability, "D", color=COLOURS[1], markersize=3, mfc="none", label="without repetition")
    ax.plot(real, curves["published"], **PUBLISHED_LINE, label="published")
    ax.plot(real, curves["volume"], color=COLOURS[3], linestyle=DASHES[3], label="published, before Stirling")
    ax.plot(rows.m, rows.proven, "^", color=COLOURS[4], linestyle=DASHES[2], markersize=3, label="proven lower bound")
    ax.axvline(np.log(n), color="0.75", linewidth=0.8, zorder=0)
    ax.annotate("ln n", (np.log(n), 1.04), color="0.4", fontsize=7, ha="center", annotation_clip=False)
    ax.set(ylim=(-0.02, 1.03), xlim=(0.5, most + 0.5), xlabel="number of frequencies m", xticks=numbers[::2])
    ax.set_title(f"n = {n}", pad=12)


# %%
figure, axes = panels(len(shown), columns=3, height=2.5, sharex=True, sharey=True)
for ax, n in zip(axes, shown, strict=True):
    draw_probability(ax, n)
axes[0].set_ylabel(f"probability that every\nanswer is {delta:.3f} m below")
handles, labels = axes[0].get_legend_handles_labels()
figure.legend([handles[-1], *handles[:-1]], [labels[-1], *labels[:-1]], loc="outside lower center", ncols=5)
save_figure(figure, f"{figures}/probability", simulated.merge(distinct, on=["n", "m"], suffixes=("", "_distinct")))

# %% [markdown]
# In the first table *exact* enumerates all draws, up to units of Z_n, which only permute the wrong answers; *z* counts
# standard errors. The second goes from the printed formula back to the truth.

# %%
drawn = pd.concat(
    simulate(exhibit, *part, distinct=repeated).assign(frequencies=word)
    for part, (word, repeated) in zip([(2,), (2, 1)], random_sets.WAYS.items(), strict=True)
)
oracle = random_sets.beside_exact(drawn[drawn.m <= exact_up_to], trials, delta)
independent = drawn[drawn.frequencies == "independent"]
save_table(oracle, f"{figures}/enumeration", digits=4)
oracle.round(4)

# %%
ladder = random_sets.steps(exhibit, range(3, 9), 4 * trials, delta, random_sets.generator(seed, exhibit, 3), most)
save_table(ladder, f"{figures}/steps")
ladder.round(3)

# %% [markdown]
# ## Is the theorem true for every δ and ρ?
# It says that every whole number above the bound separates with probability at least ρ. So the smallest such number, the
# *printed* m, is tried at each n, δ and ρ of a grid. The intervals hold for all cells of the grid together (Clopper and
# Pearson, with Bonferroni's correction). Where the printed m is small, *exact* is the probability over all draws, a test of
# the simulation. Three numbers stand side by side. The *printed* m is what the theorem asks for. The *least* m is the one
# from which on the probability is at least ρ, found by simulation; by the intervals at each number it lies between *at
# least* and *at most*. The *proven* m is enough by the lower bound, for any n; for prime n there is a formula, in the Result
# below.

# %%
deltas = sorted([delta, *grid_deltas])
grid = separation_grid.cells(
    grid_moduli, deltas, grid_rhos, trials, {n: random_sets.generator(seed, n, 8) for n in grid_moduli}
)
excess = separation_grid.least_excess(grid, trials)
counts = separation_grid.counts(grid)
save_table(grid.rename(columns={"delta": "δ", "rho": "ρ"}), f"{figures}/theorem")
say(
    f"The theorem is tried at {len(grid)} triples of n, δ and ρ. It fails at {counts['fails']}, holds at "
    f"{counts['holds']} and is undecided at {counts['undecided']}. At the worst, the probability at the printed m less ρ is "
    f"{excess.value:.3f} ({excess.low:.3f} to {excess.high:.3f})."
)
grid.round(3)

# %% [markdown]
# Above, the probability at the printed m: where it lies below the level of its ρ, the theorem fails, by the length of the
# line. Below, the three numbers for the first ρ. The star stands apart: so many frequencies separate by half of their number
# if they are *chosen* well. This is proven in Coq, and says nothing about random ones.


# %%
def draw_promises(ax, n):
    """The probability at the printed number beside the one that is promised, for each ρ."""
    for wanted, colour, marker, aside in zip(grid_rhos, COLOURS, MARKERS, (-0.006, 0.006), strict=False):
        rows = grid[(grid.n == n) & (grid.rho == wanted)]
        fails = rows[rows.theorem == separation_grid.FAILS]
        errors = [rows.probability - rows.low, rows.high - rows.probability]
        ax.axhline(wanted, color=colour, linewidth=0.8, linestyle=DASHES[1], label=f"promised, ρ = {wanted:g}")
        ax.vlines(fails.delta + aside, fails.probability, wanted, color=colour, linewidth=3, alpha=0.3)
        ax.errorbar(
            rows.delta + aside, rows.probability, errors, fmt=marker, c=colour, ms=4, label=f"found, ρ = {wanted:g}"
        )
    ax.set(title=f"n = {n}", ylim=(-0.03, 1.03))


def draw_numbers(ax, n):
    """The printed, the least and the proven number of frequencies, for the first ρ."""
    rows = grid[(grid.n == n) & (grid.rho == grid_rhos[0])]
    between = [rows["least m"] - rows["at least"], rows["at most"] - rows["least m"]]
    ax.plot(0.5, separation_grid.chosen_number(n), "*", color=COLOURS[2], ms=9, label="chosen ones, proven in Coq")
    ax.plot(rows.delta, rows["proven m"], "^", color=COLOURS[4], linestyle=DASHES[2], ms=4, label="proven to be enough")
    ax.plot(rows.delta, rows["printed m"], marker="x", ms=5, label="printed", **PUBLISHED_LINE)
    ax.errorbar(rows.delta, rows["least m"], between, fmt="o-", color=COLOURS[3], ms=4, label="least that is enough")
    ax.set(yscale="log", xlabel="δ")
    ax.yaxis.set(major_locator=LogLocator(subs=(1, 3)), minor_locator=NullLocator(), major_formatter="{x:g}")


# %%
many = len(grid_moduli)
figure, axes = panels(2 * many, columns=many, height=2.4, sharex=True, sharey="row")
for n, above, below in zip(grid_moduli, axes[:many], axes[many:], strict=True):
    draw_promises(above, n)
    draw_numbers(below, n)
axes[0].set_ylabel("probability of separation\nat the printed number")
axes[many].set_ylabel(f"number of frequencies, ρ = {grid_rhos[0]:g}")
axes[0].legend(loc="lower left")
axes[many].legend(loc="upper left")
save_figure(figure, f"{figures}/theorem_fails", grid)

# %% [markdown]
# Which step is to blame? The table goes from the printed formula back to the truth, at each δ, with the printed m for ρ =
# ½. Stirling's step and the sum over the wrong answers make the estimate too low. The volume is nearly the sum that it
# stands for. The Taylor step, x²/2 for 1 − cos x, makes the estimate too high, and the more so the larger δ is. At small δ
# the other two hide it.

# %%
ladders = separation_grid.steps_at_printed_numbers(
    grid, rho, trials, {n: random_sets.generator(seed, n, 9) for n in grid_moduli}
)
save_table(ladders.rename(columns={"delta": "δ"}), f"{figures}/steps_by_delta")
ladders.round(3)

# %% [markdown]
# Apart from chance: what Coq proves of frequencies that are chosen, and may repeat. From 32 ln n on there are some that
# separate by half of their number, so δ is ½. Fewer than ln n / ln 9 never do.

# %%
chosen = pd.DataFrame(map(separation_grid.chosen_numbers, grid_moduli))
save_table(chosen, f"{figures}/chosen_frequencies")
chosen

# %% [markdown]
# ## The smallest number of frequencies
# The m, interpolated, at which the probability reaches ρ. For prime n up to 11 one is enough, so the fit starts above.

# %%
smallest = pd.DataFrame(theory.smallest_numbers(simulate(n, 4), delta, rho) for n in [*moduli, *even_moduli])
odd, even = smallest[: len(moduli)], smallest[len(moduli) :]
fit, linear = random_sets.growth_of_smallest(smallest)
save_table(smallest, f"{figures}/smallest_number")
smallest.round(3)

# %%
line = smallest.sort_values("n", kind="stable")
figure, (ax,) = panels(1, columns=1, height=3.2)
ax.plot(odd.n, odd["smallest m"], "o", color=COLOURS[0], markersize=5, label="simulated, odd n")
ax.plot(even.n, even["smallest m"], "s", color=COLOURS[1], markersize=4, mfc="none", label="simulated, powers of 2")
ax.plot(line.n, fit.intercept + fit.slope * line["ln n"], color=COLOURS[0], linewidth=1, label="fit a + b ln n, odd n")
ax.plot(line.n, line.published, **PUBLISHED_LINE, label="published bound, ln n")
ax.plot(odd.n, odd["before Stirling"], color=COLOURS[3], linestyle=DASHES[3], label="published, before Stirling")
ax.plot(odd.n, odd.proven, color=COLOURS[4], linestyle=DASHES[2], label="proven to suffice, odd n")
ax.set(xscale="log", xlabel="modulus n", ylabel=f"frequencies for probability {rho:g}", ylim=(0, None))
ax.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), minor_locator=NullLocator(), major_formatter="{x:g}")
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/smallest", smallest)

# %% [markdown]
# ## Result
# **A proof.** With cos for x²/2 the estimate becomes a theorem. For prime n, m independent frequencies separate by more
# than δm with probability at least 1 − (n − 1)/2 · e^(−mI). Here I = max_t [t(1 − δ) − ln I₀(t)] is Cramér's rate for
# the cosine of a random angle; the mean of e^{t cos} over the nonzero multiples of 2π/n is at most I₀(t), as the Bessel
# functions I_k(t) fall with k. So for prime n every m from ln((n − 1)/(2 − 2ρ))/I on is enough, and O(log n) of them do
# suffice, at every δ.
#
# **What is false.** The printed rate (ln(π/δ) − 1)/2 exceeds I at every δ, by about δ/4 if δ is small, so it promises too
# much. For large δ the printed number is too small. For small δ it is enough all the same, as the sum over the wrong answers
# and Stirling's step ask for more than is needed.
#
# **Caveat.** δ was not measured in [C] but chosen so that the bound gives ln n. Whether trained networks are like this model is
# the question of another notebook.

# %%
at_ln_n = np.log(exhibit)
values = {
    "crt_systems_solved": exact.solved.min(),
    "crt_systems_solved_as_printed": crt["solved as printed"],
    "crt_separation": crt["separation / m"],
    "exact_at_4": oracle.exact[oracle.m == 4],
    "probability_at_ln_n": np.interp(at_ln_n, independent.m, independent.probability),
    "volume_at_ln_n": theory.volume_probability(exhibit, at_ln_n, delta),
    "volume_less_simulated": (ladder["before Stirling"] - ladder.simulated)[ladder.m >= 4].abs().max(),
    "theorem_excess": excess,
    "theorem_excess_end": separation_grid.end_nearer(excess, 0),
    "theorem_cells": counts,
    "theorem_holds_below": grid.delta[grid.theorem != separation_grid.HOLDS].min(),
    "theorem_fails_first": separation_grid.first_failure(grid[grid.rho == rho], ladders),
    "slope_in_ln_n": fit.slope,
    "slope_published": 1 / theory.taylor_rate(delta),
    "slope_proven": 1 / theory.cramer_rate(delta),
    "r_squared_ln_n": fit.rvalue**2,
    "r_squared_n": linear.rvalue**2,
    "published_less_smallest": random_sets.published_less_smallest(smallest),
}
record(values_file, load_network(network_file), values)

# %%
compared = pd.DataFrame(
    [
        (name, float(printed), float(values[name]))
        for name, printed in published.items()
        if name in values and np.ndim(printed) == 0
    ],
    columns=["quantity", "published", "measured"],
)
save_table(compared, f"{figures}/published_numbers")
compared.round(4)

# %%
four = ", four distinct ones with ".join(f"{p:.4f}" for p in values["exact_at_4"])
say(
    f"The exact theorem solves {100 * values['crt_systems_solved']:.0f} % of all systems of congruences; as printed it "
    f"solves {100 * values['crt_systems_solved_as_printed']:.1f} % for n = {crt.n}. There it separates by "
    f"{values['crt_separation']:.4f} m.",
    f"Four random frequencies separate with probability {four}, and ln n of them with "
    f"{values['probability_at_ln_n']:.3f}. [C] says {rho:g}; its estimate before Stirling's step is "
    f"{values['volume_at_ln_n']:.3f}.",
    f"Probability {rho:g} needs {fit.intercept:.2f} + ({fit.slope:.2f} ± {fit.stderr:.2f}) ln n frequencies. R² is "
    f"{values['r_squared_ln_n']:.3f}, in n {values['r_squared_n']:.3f}. Slope {values['slope_proven']:.3f} is proven.",
)
