# %% [markdown]
# # How many frequencies does a network choose?
#
# **Question** (open problem O52 of the MAIS list). A network learns to add mod p and uses k of the (p − 1)/2 frequencies. Is k
# sparse, say of order ln p, or does it grow like p? Five laws are compared: three that a sparse answer allows, and two that
# outgrow it,
#
# $$ a, \qquad a + b \ln p, \qquad a - b/p \qquad \textrm{and} \qquad a + b \sqrt{p}, \qquad a + b \, p . $$
#
# **Method.** One hidden layer of ReLUs without biases [T], 4p neurons, initial weights of standard deviation 1/√p, all pairs;
# penalty, learning rate and number of updates are those of the recipe. b_k² is the share of the squared norm of the centred
# logits along the characters of a + b − c; N is the fewest frequencies that hold 95 % of what all hold. Networks that answer
# every input right count.
#
# **Said before any of these networks was trained.** The laws that a sparse answer allows hold most of the evidence.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.growth import LAWS, best_without_one, fit_laws
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style
from modadd.populations.number_of_frequencies import counts_by_prime, growth_of_frequencies, on_primes
from modadd.populations.tables import faultless_or_all, read_population
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_groups": ["results/populations/t_groups.parquet"],
}
figures = "results/by_hand/number_of_frequencies"
values_file = "results/by_hand/number_of_frequencies.json"
published = {}  # no paper prints any of these numbers

# %% [markdown]
# ## N at each prime
# Left out is p = 25, which is no prime.

# %%
use_style()
network = load_network(network_file)
population = read_population(*datasets["t_groups"])
trained = on_primes(population)
right = faultless_or_all(trained)
counts = counts_by_prime(trained, right)
save_table(counts, f"{figures}/counts", digits=3)
counts

# %% [markdown]
# ## The laws
# The laws are fitted to the mean N of every p, so that all primes weigh alike. Akaike's weights of evidence compare them; they
# sum to 1. The table also has the weights from all networks, and how badly each law fits. Then every network is drawn (grey),
# with the mean of every prime and the laws; dotted, all frequencies.

# %%
moduli, numbers = right.modulus.to_numpy(), right.spectral_count.to_numpy(float)
laws = fit_laws(moduli, numbers) or {}  # none of too few moduli
fitted = pd.DataFrame([{"law": name, **vars(law)} for name, law in laws.items()])
save_table(fitted, f"{figures}/laws", digits=4)
fitted

# %%
figure, (ax,) = panels(1, columns=1, height=2.6)
scattered = right.modulus * np.exp(np.random.default_rng(0).uniform(-0.02, 0.02, len(right)))
ax.plot(scattered, right.spectral_count, "o", color="0.75", markersize=2.5, zorder=0, label="one network")
distances = [counts["N, mean"] - counts.low, counts.high - counts["N, mean"]]
ax.errorbar(counts.p, counts["N, mean"], distances, fmt="o", color="black", markersize=5, label="mean (95 %)")
p = np.geomspace(right.modulus.min(), right.modulus.max(), 200)
for (name, law), colour, dash in zip(laws.items(), COLOURS, DASHES, strict=False):
    curve = law.a + law.b * LAWS[name](p) if LAWS[name] else np.full_like(p, law.a)
    ax.plot(p, curve, color=colour, linestyle=dash, label=f"{name} (weight {law.weight:.2f})")
ax.plot(p, (p - 1) / 2, color="0.4", linestyle=":", label="all frequencies")
ax.set(
    xscale="log",
    xlabel="n = p, a prime",
    ylabel="frequencies that hold 95 %, N",
    ylim=(0, 1.3 * right.spectral_count.max()),
)
ticks = counts.p[counts.p.pct_change().fillna(1) > 0.08]  # labels of nearer ones would overlap
ax.set_xticks(ticks, ticks.astype(str))
ax.minorticks_off()
ax.yaxis.set_major_locator(MaxNLocator(integer=True))
ax.legend(loc="upper left", ncols=2)
save_figure(figure, f"{figures}/growth", right[["modulus", "seed", "spectral_count"]])

# %% [markdown]
# ## Result
# The claim can lose: it does if the three sparse laws have less than half of the evidence.
#
# **Caveats.** The networks are right everywhere, but training stops after a number of updates, not at convergence. A network
# costs about p⁴ operations an update, so the primes stay small here (`config/paper.yaml` goes on to 251), and the largest has fewer
# networks; the means of all primes weigh alike. The penalty is the
# same at every p, and the loss at the end grows with p.

# %%
values = growth_of_frequencies(counts, right)
record(
    values_file, network, values
)  # without the population: its recipe is stated here, and no published one is claimed
values

# %%
left_out = best_without_one(moduli, numbers)
steady = max(left_out, key=left_out.get) if sum(left_out.values()) else "none"
best = "These are too few moduli for laws."
if laws:
    best = f"The law with most evidence is {fitted.law[fitted.weight.idxmax()]}."
say(
    f"{len(right)} networks at {values['primes']} primes answer every input right. N goes from "
    f"{values['count_at_smallest']:.1f} at p = {counts.p.iloc[0]} to {values['count_at_largest']:.1f} at "
    f"p = {values['largest_prime']}, where it is {100 * values['share_used_at_largest']:.0f} % of all frequencies. "
    f"{best} With one prime left out in turn, the law that wins most often is {steady}.",
)
