# %% [markdown]
# # Which frequencies of the two-layer MLP does rounding decide?
#
# **Claim** ([M]). One network is shown, with thirteen key frequencies K, the fractions of variance explained at each,
# and the norm ratio of W_U restricted to K, where Ŵ_U is its Fourier transform over the answers:
#
# $$ \sqrt{ \sum_{k \in K} \|\widehat{W}_U(k)\|^2 \, \Big/ \, \sum_{k} \|\widehat{W}_U(k)\|^2 } $$
#
# **Method.** The same network again, in full length, from initial weights changed by a relative 1e-7: the recipe and
# the training pairs are the published ones, and only rounding differs. For each network the notebook gives its key
# frequencies (those above the widest gap of W_U), its norm ratio, and the fractions at the printed frequencies that it
# has.

# %%
import numpy as np
import pandas as pd

from modadd.core.statistics import share
from modadd.ledger.record import record
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, PUBLISHED, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.rows import row_of
from modadd.populations.tables import read_population

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
populations = {"m_rounding": "results/populations/m_rounding.parquet"}
kept = {"m_rounding": "data/populations/m_rounding.parquet"}
figures = "figures/mlp_rounding"
values_file = "results/values/mlp_rounding.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
printed = [1, 3, 17, 19, 21, 23, 28, 29, 33, 35, 37, 42, 44]  # key frequencies of [M], in order
steps = RECIPES["two_layer_mlp"].steps  # networks trained for fewer are not compared

# %%
use_style()
network = load_network(network_file)
rows = read_population(populations["m_rounding"], kept.get("m_rounding"))
rows = pd.concat([pd.DataFrame([row_of(network)]).assign(trained="here"), rows], ignore_index=True)
rows = rows[(rows.steps == steps) & (rows.modulus == RECIPES["two_layer_mlp"].modulus)].reset_index(drop=True)
rows["found"] = [sorted(map(int, found)) for found in rows.W_U_frequencies]
f"{len(rows)} networks of {steps} updates, {(rows.trained == 'kept').sum()} of them kept in data/populations"

# %% [markdown]
# ## The sets
# *missing* are the printed frequencies that a network does not have, *more* the others that it has.

# %%
sets = pd.DataFrame(
    {
        "perturbation": rows.perturbation,
        "trained": rows.trained,
        "accuracy": rows.accuracy,
        "key frequencies": rows.found.map(len),
        "missing": [", ".join(map(str, sorted({*printed} - {*found}))) or "none" for found in rows.found],
        "more": [", ".join(map(str, sorted({*found} - {*printed}))) or "none" for found in rows.found],
        "norm ratio": rows.norm_ratio,
    }
)
save_table(sets, f"{figures}/sets", digits=5)
sets

# %% [markdown]
# ## The fractions, training by training
# At the printed frequencies that a network has; dashed, as printed. Filled are the networks with exactly the printed
# set.

# %%
same = rows.found.map(lambda found: found == printed).astype(bool)
fractions = pd.DataFrame(
    [
        (row.perturbation, kind, k, value)
        for row in rows.itertuples()
        for kind in ("sin", "cos")
        for k, value in zip(row.found, getattr(row, f"fve_{kind}"), strict=True)
        if k in printed
    ],
    columns=["perturbation", "kind", "frequency", "fraction"],
)
tabled = {kind: [float(value) for value in published.get(f"fve_{kind}", [])] for kind in ("sin", "cos")}
figure, axes = panels(2, columns=1, height=2.0, sharex=True, sharey=True)
for ax, kind in zip(axes, ("sin", "cos"), strict=True):
    for index, perturbation in enumerate(rows.perturbation):
        of = fractions[(fractions.kind == kind) & (fractions.perturbation == perturbation)]
        place = np.searchsorted(printed, of.frequency) + 0.1 * (index - (len(rows) - 1) / 2)
        style = {
            "color": COLOURS[index % len(COLOURS)],
            "fillstyle": "full" if same[index] else "none",
            "markersize": 3.5,
        }
        ax.plot(place, of.fraction, MARKERS[index % len(MARKERS)], **style, label=f"retraining {perturbation}")
    if tabled[kind]:
        ax.plot([], [], **PUBLISHED, label="published")
        ax.hlines(tabled[kind], np.arange(len(printed)) - 0.45, np.arange(len(printed)) + 0.45, **PUBLISHED)
    ax.set(ylabel=f"explained, {kind} w_k(a+b)", xlabel="frequency k")
    ax.set_xticks(np.arange(len(printed)), printed)
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
save_figure(figure, f"{figures}/fractions", fractions)

# %% [markdown]
# ## Result
# Read how many of the trainings have exactly the printed set, whether the printed norm ratio lies among theirs, and how
# near the nearest of them comes to the printed fractions.
#
# **Caveat.** A retraining that keeps one more frequency changes the fractions at all of them. So fractions are compared
# only where the set is the printed one.

# %%
of_set = rows[same]
spread = [of_set.norm_ratio.min(), of_set.norm_ratio.max()] if len(of_set) else []
ratio = float(published.get("norm_ratio", np.nan))
differences = [
    max(np.abs(np.array(getattr(row, f"fve_{kind}")) - tabled[kind]).max() for kind in ("sin", "cos"))
    for row in of_set.itertuples()
    if tabled["sin"] and tabled["cos"]
]
values = {
    "printed_set": share(same),
    "norm_ratio_outside": max(spread[0] - ratio, ratio - spread[1], 0.0) if spread else np.nan,
    "nearest_largest_difference": min(differences, default=np.nan),
}
record(values_file, network, values)
values

# %%
sentences = [
    f"{values['printed_set'].holds} of {len(rows)} networks of {steps:,} updates have exactly the printed frequencies."
]
if spread:
    sentences.append(f"Their norm ratios lie between {spread[0]:.5f} and {spread[1]:.5f}.")
if differences:
    sentences.append(
        f"The nearest of them differs by at most {min(differences):.4f} from the printed fractions, "
        f"the farthest by {max(differences):.4f}."
    )
say(" ".join(sentences))
