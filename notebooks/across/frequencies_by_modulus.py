# %% [markdown]
# # How does the number of frequencies grow with p?
#
# **Question** (open problem O52 of the MAIS list). A network with one hidden layer of ReLUs, without biases, learns to add
# mod p; its width is C₀p, the penalty λ is fixed, and initial weights have the standard deviation τ₀/√p. Is the number of
# frequencies that it uses sparse, say of order ln p, or does it grow like p?
#
# **Method.** C₀ = 4, τ₀ = 1 and all pairs; penalty, learning rate and number of updates are those of the recipe [T]. For each network
# b_k² is the share of the squared norm of the centred logits along the characters of a + b − c; N is the fewest frequencies that
# hold 95 % of what all hold. Networks that answer every input right count. Five laws are fitted to the mean N of every p;
# Akaike's weights of evidence compare them: three that a sparse answer allows, and two that outgrow it.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator

from modadd.core.growth import LAWS, best_without_one, fit_laws
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import faultless, read_population

# %% tags=["parameters"]
network_file = "results/networks/group_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "t_groups": ["results/populations/t_groups.parquet"],
}
figures = "figures/frequencies_by_modulus"
values_file = "results/values/frequencies_by_modulus.json"
published = {}  # no paper prints any of these numbers
sparse = ["a", "a + b ln n", "a − b/n"]  # of LAWS

# %%
use_style()
network = load_network(network_file)
every = read_population(*datasets["t_groups"])
asked = every[(every.operation == "addition") & (every.d_mlp == 4 * every.modulus) & (every.modulus != 25)]
rows = faultless(asked)
by = rows.groupby("modulus").spectral_count
table = pd.DataFrame(
    {
        "trained": asked.groupby("modulus").size(),
        "right": rows.groupby("modulus").size(),
        "N, mean": by.mean(),
        "standard error": by.sem(),
        "fewest": by.min(),
        "most": by.max(),
        "of (p − 1)/2": by.mean() / ((by.mean().index - 1) / 2),
        "train loss, median": rows.groupby("modulus").train_loss.median(),
    }
)
table = table.rename_axis("p").reset_index()
save_table(table, f"{figures}/counts", digits=3)
table

# %%
laws = fit_laws(rows.modulus.to_numpy(), rows.spectral_count.to_numpy(float))
figure, (ax,) = panels(1, columns=1, height=2.6)
rng = np.random.default_rng(0)
beside = rows.modulus * np.exp(rng.uniform(-0.02, 0.02, len(rows)))
ax.plot(beside, rows.spectral_count, "o", color="0.75", markersize=2.5, zorder=0, label="one network")
ax.errorbar(
    table.p, table["N, mean"], 1.96 * table["standard error"], fmt="o", color="black", markersize=5, label="mean (95 %)"
)
p = np.geomspace(rows.modulus.min(), rows.modulus.max(), 200)
for (name, law), colour, dash in zip((laws or {}).items(), COLOURS, DASHES, strict=False):
    term = LAWS[name]
    curve = law.a + law.b * term(p) if term else np.full_like(p, law.a)
    ax.plot(p, curve, color=colour, linestyle=dash, label=f"{name} (weight {law.weight:.2f})")
ax.plot(p, (p - 1) / 2, color="0.4", linestyle=":", label="all frequencies")
ax.set(xscale="log", xlabel="p", ylabel="frequencies that hold 95 %, N", ylim=(0, 1.3 * rows.spectral_count.max()))
ax.set_xticks(table.p, table.p.astype(str))
ax.minorticks_off()
ax.yaxis.set_major_locator(MaxNLocator(integer=True))
ax.legend(loc="upper left", ncols=2)
save_figure(figure, f"{figures}/growth", rows[["modulus", "seed", "spectral_count"]])

# %%
fitted = pd.DataFrame([{"law": name, **vars(law)} for name, law in (laws or {}).items()])
save_table(fitted, f"{figures}/laws", digits=4)
fitted

# %% [markdown]
# ## Result
# Claimed, before any network was trained: the laws that a sparse answer allows hold most of the evidence.
#
# **Caveats.** The primes end where two cores end: a network costs about p⁴ operations an update. A range of less than a decade can
# tell a constant from a line, but hardly a logarithm from a root. Training ends after a number of updates, not at convergence;
# the table has the loss.

# %%
weight = {name: law.weight for name, law in (laws or {}).items()}
left_out = best_without_one(rows.modulus.to_numpy(), rows.spectral_count.to_numpy(float))
values = {
    "evidence_of_sparse_laws": sum(weight[name] for name in sparse) if weight else None,
    "share_used_at_largest": table["of (p − 1)/2"].iloc[-1],
    "primes": len(table),
    "largest_prime": int(table.p.iloc[-1]),
    "count_at_smallest": table["N, mean"].iloc[0],
    "count_at_largest": table["N, mean"].iloc[-1],
}
record(values_file, network, values, [every])
values

# %%
best = (
    f"The law with most evidence is {max(weight, key=weight.get)}." if weight else "These are too few moduli for laws."
)
steady = max(left_out, key=left_out.get) if sum(left_out.values()) else "none"
say(
    f"{len(rows)} networks at {values['primes']} primes answer every input right. N goes from {values['count_at_smallest']:.1f} at "
    f"p = {table.p.iloc[0]} to {values['count_at_largest']:.1f} at p = {values['largest_prime']}, where it is "
    f"{100 * values['share_used_at_largest']:.0f} % of all frequencies. {best} With one prime left out in turn, the law that wins "
    f"most often is {steady}.",
)
