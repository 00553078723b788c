# %% [markdown]
# # Which frequencies does the two-layer MLP use, and how much do they explain?
#
# **Claim** ([M]). The rows of W_U are made of sines and cosines of thirteen key frequencies, which hold more than 98 %
# of its Frobenius norm. The map from tokens to preactivations, W_neur = W_E W_in, has them too. The logits are
#
# $$ \sum_k \cos w_k (a + b - c) = \sum_k \left( \sin w_k (a + b) \sin w_k c + \cos w_k (a + b) \cos w_k c \right) , $$
#
# so that W_U reads sin w_k(a+b) off the activations along sin w_k c, and cos w_k(a+b) along cos w_k c. These make more
# than 84 % of the power of what it reads off there. Neurons and logits have the same key frequencies.
#
# **Method.** *Power* is the sum of squared coefficients of a map in the orthonormal Fourier basis, over the neurons ([M]
# calls it norm), sine and cosine together. *Key* frequencies stand above the widest gap; no threshold is needed.
#
# Rounding decides which of the competing frequencies survive. So the same network is trained again, in full length, from
# initial weights changed by a relative 1e-7: the recipe and the training pairs are the published ones. The printed numbers
# belong to one network more. So each is compared with the *prediction interval* of the retrainings that have exactly the
# printed frequencies: a further retraining lies in it with a probability of 95 % (by Student's t, for a normal
# distribution, all numbers of a list at once). More retrainings make it narrower, not wider.
#
# A config may stop the network before its 50,000 updates, at which its frequencies are not yet those that [M] lists. Then
# the figures show one of these retrainings in its place, which is kept with its weights.

# %%
import numpy as np
import pandas as pd
from matplotlib.colors import SymLogNorm

from modadd.core import basis
from modadd.core.statistics import CONFIDENCE, Estimate, mean_of, share
from modadd.ledger.networks import claims_by_network, criterion
from modadd.ledger.record import record
from modadd.ledger.retrainings import prediction_interval
from modadd.networks.foreign import beside_published
from modadd.networks.measures import neurons_in
from modadd.networks.recipes import RECIPES
from modadd.networks.store import load_network
from modadd.page.claims_map import draw_claims_map
from modadd.page.figures import COLOURS, MARKERS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from modadd.page.prose import about, say
from modadd.populations.columns.two_layer_mlp import COLUMNS
from modadd.populations.rows import row_of
from modadd.populations.tables import read_population
from modadd.populations.witnesses import in_full_length
from modadd.quadrature.measures import r2_full_clock
from modadd.two_layer import measures, readout
from modadd.two_layer.sum_of_cosines import restricted_to_sets

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
others = {"m_rounding/witness": "data/populations/witnesses/m_rounding.safetensors"}  # a retraining of full length
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "m_rounding": ["results/populations/m_rounding.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
claims_elsewhere = []  # those that are judged on networks of other studies: which of them hold of these, too?
external = {}  # published weights by name; those of a two-layer MLP mod the same n stand beside the retrained one
figures = "figures/mlp_key_frequencies"
values_file = "results/values/mlp_key_frequencies.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
items = {"M/mlp_more_than_84_percent": 0.0}  # what these items of the sources print; filled in by the workflow
exhibits = 3  # frequencies whose projections are drawn, the first ones as in [M]
largest = 6  # products of each projection that are drawn
close = 0.03  # difference of a fraction from the printed one that counts as close
full_length = RECIPES["two_layer_mlp"].steps  # retrainings of fewer updates are not compared

# %%
use_style()
network = load_network(network_file)
drawn_network = in_full_length(network, load_network(others["m_rounding/witness"], kept=True))
n = drawn_network.recipe.modulus
separables = beside_published(drawn_network, external)
tabled = published.get("published_weights_W_U_frequencies", [])  # the frequencies of the notebook's table, in its order
claimed = items["M/mlp_more_than_84_percent"]  # of the power at each key frequency
neurons = {name: neurons_in(own) for name, own in separables.items()}
maps = {(name, table): f for name, own in separables.items() for table, f in (("W_U", own.W.T), ("W_neur", own.A))}
ranks = {place: readout.ranking(f) for place, f in maps.items()}
key = {name: measures.W_U_frequencies(own) for name, own in separables.items()}
prefix = {name: f"{name}: " if len(separables) > 1 else "" for name in separables}
labels, every = basis.names(n), np.arange(0, n // 2 + 1, 10)
listed = lambda some: ", ".join(map(str, sorted(some)))
# %% [markdown]
# ## The two maps in the basis
# Each row is a neuron; the rows are in order of frequency and phase, in [M] in the order of training. Colours are
# linear up to a twentieth of the largest coefficient and logarithmic beyond.

# %%
coefficients = {place: basis.transform(f) for place, f in maps.items()}
(figure, axes), drawn = panels(len(maps), height=3.2), {}
for ax, ((name, table), f) in zip(axes, coefficients.items(), strict=True):
    own, top = neurons[name], np.abs(f).max()
    rows, norm = np.lexsort((own.phi, own.frequency)), SymLogNorm(top / 20, vmin=-top, vmax=top)
    image = ax.imshow(f.T[rows], aspect="auto", norm=norm, cmap="RdBu_r", interpolation="nearest")
    ax.set(title=f"{prefix[name]}{table}", xlabel="frequency", ylabel="neuron, in order of frequency and phase")
    ax.set_xticks(2 * every, every)
    ticks = [-top, -top / 20, 0, top / 20, top]
    figure.colorbar(image, ax=ax, label="coefficient", ticks=ticks, format="{x:.2g}").minorticks_off()
    ax.label_outer()
    drawn[name, table] = pd.DataFrame(f.T, columns=labels).assign(frequency=own.frequency)
whole = pd.concat(drawn, names=["network", "map", "neuron"]).reset_index()
save_figure(figure, f"{figures}/maps_in_basis", whole, digits=3)

# %% [markdown]
# ## How strong is each component?
# Power of every function of the basis over all neurons. Vertical lines mark the printed key frequencies.

# %%
components = {place: np.square(f).sum(axis=1) for place, f in coefficients.items()}
figure, axes = panels(len(maps), height=2.4, sharex=True)
for ax, ((name, table), power) in zip(axes, components.items(), strict=True):
    for kind, colour, marker, face in (("sin", COLOURS[0], "o", None), ("cos", COLOURS[1], "s", "none")):
        own = [label.startswith(kind) for label in labels]
        style = {"color": colour, "markersize": 3, "markerfacecolor": face, "label": kind}
        ax.plot(basis.basis_frequencies(n)[own], power[own], marker, **style)
    for k in tabled:
        ax.axvline(k, color="0.8", linewidth=0.8, zorder=0, label="published" if k == tabled[0] else None)
    ax.set(title=f"{prefix[name]}{table}", xlabel="frequency", ylabel="power over all neurons", yscale="log")
    ax.minorticks_off()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
drawn = pd.DataFrame({"function": labels} | {": ".join(place): power for place, power in components.items()})
save_figure(figure, f"{figures}/norms_of_components", drawn)

# %%
rules = [(name, f"widest gap of {f}", rank.key_frequencies, rank.gap) for (name, f), rank in ranks.items()]
rules += [(name, "neurons with 1 % of Σ αβ", own.key_frequencies(), np.nan) for name, own in neurons.items()]
rules = [(name, rule, len(some), listed(some), round(gap, 2)) for name, rule, some, gap in rules]
rules = pd.DataFrame(rules, columns=["network", "rule", "number", "frequencies", "gap"])
save_table(rules, f"{figures}/key_frequencies", digits=2)
rules

# %% [markdown]
# ## How much of W_U is that?
# Frobenius norm of W_U restricted to the key frequencies found here, or to the printed ones, over that of all of W_U.
# *R²* is the share of the variance of the centred logits that Σ cos w_k(a + b − c) explains, over these frequencies: with
# a weight for each of them, by least squares, as [M] says, and with one weight for all, as its formula reads.

# %%
sets = {name: {"key": found, "printed": tabled} for name, found in key.items()}
norms = pd.concat({name: restricted_to_sets(own, sets[name]) for name, own in separables.items()}, names=["network"])
norms["published ratio"] = float(published.get("published_weights_norm_ratio", np.nan))
save_table(norms.reset_index(), f"{figures}/norm_ratio", digits=5)
norms

# %% [markdown]
# ## Does W_U read off sin w_k(a+b) and cos w_k(a+b)?
# The projections on W_U along sin w_k c and cos w_k c are functions of the inputs. Each should be one pair of products,
# sin·cos + cos·sin or cos·cos − sin·sin, with coefficients of equal size. Drawn are the largest products.

# %%
kinds, looked_at = ["sin", "cos"], {name: sorted({*found, *tabled}) for name, found in key.items()}
terms = [f"{of_a} a · {of_b} b" for of_a in labels for of_b in labels]  # "sin 3 a" is sin w_3 a
fve, drawn = {}, {}
for name, own in separables.items():
    projected = readout.projections(measures.activations_in(own), own.W, looked_at[name])
    fve[name] = readout.variance_explained(projected, looked_at[name])
    drawn |= {
        (name, kind, k): pd.Series(projected[looked_at[name].index(k), kinds.index(kind)].ravel(), terms)
        for kind in kinds
        for k in key[name][:exhibits]
    }
figure, axes = panels(len(drawn), columns=min(exhibits, *map(len, key.values())), height=1.7)
for ax, (place, found) in zip(axes, drawn.items(), strict=True):
    drawn[place] = found = found[found.abs().sort_values(ascending=False, kind="stable").index[:largest]]
    ax.barh(range(len(found)), found / found.abs().max(), color=COLOURS[0])
    ax.axvline(0, color="0.4", linewidth=0.7)
    ax.set_yticks(range(len(found)), found.index)
    ax.invert_yaxis()
    name, kind, k = place
    ax.set(title=f"{prefix[name]}along {kind} w_k c, k = {k}", xlabel="over the largest", xlim=(-1.05, 1.05))
save_figure(
    figure,
    f"{figures}/projections",
    pd.concat(drawn, names=["network", "along", "k", "product"]).reset_index(name="coefficient"),
)

# %% [markdown]
# ## Which frequencies does rounding decide?
# One row for each retraining of full length, and for the network shown if it is one. *missing* are the printed frequencies
# that it does not have, *more* the others that it has.

# %%
rows = read_population(*datasets["m_rounding"])
here = [row_of(network, COLUMNS)] if network.recipe.steps == full_length else []
rows = pd.concat([*(pd.DataFrame([row]).assign(trained="here") for row in here), rows], ignore_index=True)
rows = rows[(rows.steps == full_length) & (rows.modulus == RECIPES["two_layer_mlp"].modulus)].reset_index(drop=True)
rows["found"] = [sorted(map(int, found)) for found in rows.W_U_frequencies]
found_sets = pd.DataFrame(
    {
        "perturbation": rows.perturbation,
        "trained": rows.trained,
        "accuracy": rows.accuracy,
        "key frequencies": rows.found.map(len),
        "missing": [", ".join(map(str, sorted({*tabled} - {*found}))) or "none" for found in rows.found],
        "more": [", ".join(map(str, sorted({*found} - {*tabled}))) or "none" for found in rows.found],
        "norm ratio": rows.norm_ratio,
    }
)
save_table(found_sets, f"{figures}/sets", digits=5)
found_sets

# %% [markdown]
# ## Fraction of variance explained
# As in [M]: the power of the two products, each with its own coefficient, over all power of the projection, constant
# included. *Sum alone* has one coefficient for both, so that any dependence on a − b counts as unexplained. For the
# sine the two agree, since the network treats a and b alike. A star marks a printed frequency that is not key. Grey are the
# other retrainings with exactly the printed set.

# %%
by_kind = {kind: [*map(float, published.get(f"published_weights_fve_{kind}", []))] for kind in kinds}
compared = [kind for kind in kinds if by_kind[kind]]
printed = pd.DataFrame({kind: by_kind[kind] for kind in compared}, tabled, dtype=float)
table = pd.DataFrame({f"{prefix[name]}{column}": own[column] for name, own in fve.items() for column in own})
table = table.join(printed.add_prefix("published ")).rename_axis("frequency")
table.insert(0, "key", [", ".join(name for name in separables if k in key[name]) for k in table.index])
save_table(table.reset_index().round(6), f"{figures}/variance_explained", digits=5)

figure, axes = panels(2, columns=1, height=2.0, sharex=True, sharey=True)
same = rows.found.map(lambda found: found == tabled).astype(bool)
place, shifts = np.arange(len(table)), np.arange(len(separables)) * 0.25 - (len(separables) - 1) * 0.125
for ax, kind in zip(axes, kinds, strict=True):
    for index, row in enumerate(rows[same & (rows.perturbation != drawn_network.recipe.perturbation)].itertuples()):
        table[f"retraining {row.perturbation}, {kind}"] = pd.Series(getattr(row, f"fve_{kind}"), row.found)
        grey = {"color": "0.6", "markersize": 5, "zorder": 0, "label": "" if index else "other retrainings"}
        ax.plot(place + 0.3, table.iloc[:, -1], ".", **grey)
    for name, colour, marker, shift in zip(separables, COLOURS, MARKERS, shifts, strict=False):
        for words, style in (("", {"markersize": 3.5}), (", sum alone", {"markersize": 6.5, "fillstyle": "none"})):
            x, fraction = place + shift, table[f"{prefix[name]}{kind}{words}"]
            ax.plot(x, fraction, marker, color=colour, label=f"{name}{words}", **style)
    if kind in compared:
        ax.plot([], [], **PUBLISHED_LINE, label="published")
        ax.hlines(table[f"published {kind}"], place - 0.4, place + 0.4, **PUBLISHED_LINE)
    ax.set(ylabel=f"explained, {kind} w_k(a+b)", xlabel="frequency k")
    ax.set_xticks(place, [f"{k}*" if not keys else k for k, keys in table.key.items()])
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/fractions_explained", table.reset_index())
table.round(3)

# %% [markdown]
# ## Predicted and printed
# Every printed number with the interval in which a further retraining is expected. *off* is the median distance of a
# retraining from the printed number.

# %%
of_set = rows[same]
columns = {
    "norm ratio": (
        of_set.norm_ratio.to_numpy(float)[:, None],
        [float(published.get("published_weights_norm_ratio", np.nan))],
    )
}
columns |= {f"fve {kind}": (np.array(list(of_set[f"fve_{kind}"])), by_kind[kind]) for kind in compared}
predictions, apart = {}, {}
for name, (found, numbers) in columns.items():
    apart[name] = np.abs(found - numbers) if len(of_set) else np.full((0, len(numbers)), np.nan)
    ends = (
        prediction_interval(found, CONFIDENCE, fraction=True) if len(of_set) > 1 else np.full((len(numbers), 2), np.nan)
    )
    middle = found.mean(axis=0) if len(of_set) else np.full(len(numbers), np.nan)
    predictions[name] = [Estimate(*each, len(of_set)) for each in zip(middle, *ends.T, strict=True)]
forecast = pd.DataFrame(
    {"number": name, "frequency": k, "printed": number, "mean": each.value, "low": each.low, "high": each.high}
    | {"off": np.median(apart[name][:, place]) if len(of_set) else np.nan}
    for name, estimates in predictions.items()
    for place, (k, number, each) in enumerate(
        zip(tabled if len(estimates) > 1 else ["all"], columns[name][1], estimates, strict=True)
    )
)
save_table(forecast, f"{figures}/predictions", digits=5)
forecast.round(4)

# %% [markdown]
# ## Which networks break which claims
# All networks of full length, and the claims that their rows can be asked: those of [M], and those that other notebooks
# judge on the networks of other studies, whose marks stand before them. Claims that hold for every network are not drawn;
# the table has them.

# %%
asked = [*claims, *claims_elsewhere]
holds = claims_by_network(asked, rows)
asked = [claim for claim in asked if claim["id"] in holds]
broken = pd.DataFrame(
    {
        "studies": ", ".join(claim.get("studies", ["M"])),
        "claim": criterion(claim),
        "holds": int(holds[claim["id"]].sum()),
        "networks": int(holds[claim["id"]].count()),
    }
    for claim in asked
)
if asked:
    save_table(broken, f"{figures}/claims")
    words = {
        claim["id"]: f"{line.studies}: {line.claim}" for claim, line in zip(asked, broken.itertuples(), strict=True)
    }
    count = f"{len(rows)} networks ({(rows.trained == 'here').sum()} trained here)"
    names = rows.perturbation.rename("retraining")
    figure = draw_claims_map(holds, words, rows.found.map(len).rename("frequencies"), count, names)
    save_figure(figure, f"{figures}/claims_by_network", rows[["seed", "perturbation", "trained"]].join(holds))
broken

# %% [markdown]
# ## Result
# Claimed: thirteen frequencies, the same in W_U and W_neur; 98 % of the norm of W_U; more than 84 % explained at each.
#
# **Slip in [M].** Its summary says more than 84 % for each key frequency; its own table has one below, the sine of 35.
# **Caveats.** Recipe, initial weights and training pairs are the published ones to the last bit, and the loss follows
# the published log. But rounding errors grow over thousands of updates and decide which of the competing frequencies
# survive. So a network retrained by other arithmetic may keep other frequencies than the published one. At the frequencies that
# both keep, the two can be compared. A retraining that keeps one more frequency changes the fractions at all of them, so
# retrainings are compared only where the set is the printed one. Few of them give wide intervals, some wider than the range
# of a fraction. Then a printed fraction inside the interval shows nothing, so the distance of the fractions from the printed
# ones is judged instead. The fractions count the constant in the whole, and cos w_k(a−b) passes as
# explained, except in *sum alone*.

# %%
off = abs(fve["retrained"][compared] - printed)
of_each = (measures.frequencies_agree, measures.products_agree, measures.norm_ratio_of_W_neur, r2_full_clock)
of_printed = (measures.W_U_frequencies, measures.norm_ratio, measures.fve_sin, measures.fve_cos)
values = {number.__name__: number(network.separable()) for number in of_each}
if "published weights" in separables:  # what is printed of these is asked of retrainings below
    theirs = separables["published weights"]
    values |= {f"published_weights_{number.__name__}": number(theirs) for number in (*of_each, *of_printed)}
    whole = float(np.linalg.norm(theirs.W))
    values["published_weights_norms"] = [values["published_weights_norm_ratio"] * whole, whole]
fractions_off = np.concatenate([np.full((len(of_set), 0), 0.0), *(apart[f"fve {kind}"] for kind in compared)], axis=1)
typical = mean_of(np.median(fractions_off, axis=1) if compared else [])
smallest = np.array([min(*row.fve_sin, *row.fve_cos) for row in rows.itertuples()], float)
values |= {
    "printed_set": share(same),
    "norm_ratio": predictions["norm ratio"][0],
    "fractions_close": share((fractions_off <= close).all(axis=1)[: len(of_set) * bool(compared)]),
    "median_difference_at_most": typical.high,
    "above_claimed": share(smallest > claimed),
    "smallest_fractions": smallest,
    "printed_smallest": min((number for kind in compared for number in by_kind[kind]), default=np.nan),
}
record(values_file, network, values)
values

# %%
say(about(drawn_network))
for name, found in key.items():
    W_U, W_neur, own = ranks[name, "W_U"], ranks[name, "W_neur"].key_frequencies, fve[name].loc[found, kinds].to_numpy()
    say(
        f"**{name.capitalize()}**. Key frequencies of W_U ({len(found)}): {listed(found)}. The weakest has "
        f"{W_U.gap:.2f} times the power of the next one. Printed ones that are missing: "
        f"{listed({*tabled} - {*found}) or 'none'}; others: {listed({*found} - {*tabled}) or 'none'}. "
        f"W_neur has {'the same ones' if W_neur == found else f'{len(W_neur)}, not the same ones'}.",
        f"The key frequencies hold {readout.norm_ratio(separables[name].A, found):.3f} of the norm of W_neur. They hold "
        f"{norms.ratio[name, 'key']:.5f} of that of W_U, the printed ones "
        f"{norms.ratio[name, 'printed']:.5f}. Weighted cosines explain {norms['R², weighted'][name, 'key']:.3f} of the "
        f"logits' variance, equal ones {norms['R², equal'][name, 'key']:.3f}. The fractions explained have the median "
        f"{np.median(own):.3f}; the smallest is {own.min():.3f}, and {(own < claimed).sum()} of {own.size} lie below "
        f"{100 * claimed:.0f} %. With one weight for both products of a projection they lose "
        f"{readout.lost_to_differences(fve[name].loc[found]):.4f} at most.",
    )
if compared:
    median = pd.Series(off.to_numpy(float).ravel()).median()
    off_by = f"{median:.4f} in the median and {off.max().max():.4f} at most"
    say(f"The retrained network's fractions are off the printed ones by {off_by}, at {off.max(axis=1).idxmax()}.")
sentences = [
    f"{values['printed_set'].holds} of {len(rows)} networks of {full_length:,} updates have exactly the printed frequencies."
]
if len(of_set):
    ratio = values["norm_ratio"]
    sentences.append(
        f"Their norm ratios have the mean {ratio.value:.5f}; a further one is expected between {ratio.low:.5f} and "
        f"{ratio.high:.5f}. Their fractions differ from the printed ones by {typical.value:.4f} in "
        f"the median, as a mean over these networks. In {values['fractions_close'].holds} of {len(of_set)} all of them "
        f"lie within {close:g}."
    )
if len(rows):
    sentences.append(
        f"In {values['above_claimed'].holds} of {len(rows)} networks all fractions are above {claimed:g}. Weighted "
        f"cosines of the key frequencies explain {rows.r2_full_clock.mean():.3f} of the variance of the logits, on average."
    )
say(" ".join(sentences))
