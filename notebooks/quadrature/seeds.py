# %% [markdown]
# # Do the claims hold for every seed?
#
# **Claim** ([QR], Appendix C of the later version). The papers show one network, the *mainline*. They say of 150 more,
# which differ in their seed alone, that most of them agree with its formula for the weights of neuron i. They print no
# number for these networks.
#
# $$ A_i(a) \approx \alpha_i \cos(w_k a+\varphi_i),\; W_i(c) \approx \beta_i \cos(w_k c+\psi_i),\; \psi_i=2\varphi_i $$
#
# **Method.** We measure every number that is printed of the mainline on every network of the population. Where a number
# exists once per key frequency, a claim holds for a network only if it holds at all of them. The *share* of networks
# for which a claim holds comes with its Wilson interval at 95 %. The interval says how far the share among all seeds
# may be from the share among these. Networks short of accuracy 1 are counted and kept apart, because the claims are
# about networks that have learned the task. A network is trained here, or *kept*: its row comes with the repository.

# %%
import numpy as np
import pandas as pd

from modadd.core.statistics import share
from modadd.networks.store import load_network
from modadd.plots import seeds as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from modadd.populations.columns.pizza_transformer import COLUMNS
from modadd.populations.frequencies import membership
from modadd.populations.rows import row_of
from modadd.populations.spread import share_of_pizzas, share_with_frequencies, spread_over_networks
from modadd.populations.tables import faultless_or_all, over_frequencies, read_population
from modadd.populations.uniformity import uniformity
from paper.ledger.judge.exceptions import exceptions as broken_claims
from paper.ledger.judge.networks import claims_by_network, criterion, passing
from paper.notebook import interval, record, say
from paper.page.claims_map import broken_by, draw_claims_map, in_words

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_seeds": ["results/populations/q_seeds.parquet"],
}
claims = []  # those of the ledger that are judged on these networks
figures = "results/by_hand/seeds"
values_file = "results/by_hand/seeds.json"
published = {}  # what is printed of the mainline, by the name of the number; empty where the recipe is another one

# %%
use_style()
network = load_network(network_file)
rows = read_population(*datasets["q_seeds"])
judged = faultless_or_all(rows).reset_index(drop=True)
learned, here = (judged.accuracy == 1).all(), (judged.trained == "here").to_numpy()
standing = f"{len(judged)} networks ({here.sum()} trained here, {(~here).sum()} kept)"
standing += "" if learned else "; none has accuracy 1"
rows.loc[rows.accuracy < 1, ["seed", "trained", "accuracy", "held_out_loss"]]

# %% [markdown]
# ## Every number, over the seeds
# Bars count networks or, in the second figure, key frequencies of all networks. A triangle marks the mainline, a dashed
# line what the papers print of it. A number at the edge of its panel is special to the mainline, not typical of the
# recipe.

# %%
OF_NETWORK = """
    r2_full_pizza r2_full_clock r2_mlp_pizza r2_mlp_clock r2_absolute_pizza r2_absolute_clock
    median_share_preactivation median_share_neuron_logit smallest_share_preactivation smallest_share_neuron_logit
    identity_mass margin_added_by_identity smallest_margin_full smallest_certified_margin certified_share_k
    certified_share_k_2k certified_share_identity_kept share_one_frequency distance_irrelevance gradient_symmetricity circularity
""".split()
OF_FREQUENCY = """
    neurons secondary_share absolute_coefficients identity_coefficients phase_line_slope rms_mismatch interval_mean
    interval_std angle_term lipschitz_bound lipschitz_unfolded naive_error actual_error actual_modulus identity_part
    spectral_64
""".split()
DRAWN = OF_NETWORK[:6]  # as [Q2] Fig. 4 does
measured = ["frequencies", "number_of_key_frequencies", *OF_NETWORK, *OF_FREQUENCY]
mainline = pd.DataFrame([row_of(network, {name: COLUMNS[name] for name in measured})])  # the others take longer
printed = dict(published)
for name in set(published) & set(COLUMNS):  # what is printed of several numbers at once is printed of each
    if parts := COLUMNS[name].of:
        printed |= zip(parts, np.broadcast_to(np.array(published[name], float), len(parts)), strict=True)

# %%
title = f"{standing}; ▲ the mainline, dashed: as published"
labels = {number: COLUMNS[number].label for number in DRAWN}
figure = drawings.draw_numbers(judged, mainline.iloc[0], printed, labels, title)
save_figure(figure, f"{figures}/networks", judged[["seed", "trained", *DRAWN]])

# %% [markdown]
# ## The share of seeds for which each claim holds
# The claims are those that the other notebooks judge on the mainline, with the same limits, as far as half of these
# networks, or many, have the number: rows that were kept before it could be measured do not.

# %%
if not learned:  # of networks that have not learned the task, whatever they do
    claims = [claim | {"needs_accuracy": 0} for claim in claims]
holds = claims_by_network(claims, judged)
answered = {claim["id"]: claim for claim in claims if claim["id"] in holds}
words = {name: criterion(claim) for name, claim in answered.items()}
shares = {name: share(passing(claim, rows).dropna()) for name, claim in answered.items()}
parts = ("holds", "of", "share", "low", "high")
table = pd.DataFrame(
    {"claim": words.values()} | {part: [getattr(one, part) for one in shares.values()] for part in parts}
)
save_table(table, f"{figures}/shares_table")
figure = drawings.draw_shares(table, f"{standing}; bars: 95 % intervals")
save_figure(figure, f"{figures}/shares", table)
table

# %% [markdown]
# ## The seeds for which a claim does not hold
# One column per network, sorted by the number of claims it breaks, and above it how many key frequencies it has. Where
# a claim is about every key frequency, the table names the worst one and its rank by C_k, 1 for the strongest.


# %%
def weakest_share(C):
    """The share of the weakest key frequency in Σ C_k."""
    return C.min() / C.sum()


exceptions = broken_claims(claims, judged, holds)
save_table(exceptions, f"{figures}/exceptions", digits=4)
summary = pd.DataFrame(
    {
        "seed": judged.seed,
        "key_frequencies": judged.frequencies.map(len),
        "weakest": over_frequencies(judged.absolute_coefficients, weakest_share),
        "broken": broken_by(holds).to_numpy(),
    }
)
above, marked = summary.key_frequencies.rename("key fre-\nquencies"), np.flatnonzero(judged.seed == network.seed)
labels = {name: in_words(claim) for name, claim in answered.items()}
figure = draw_claims_map(holds, labels, above, f"{standing}; ▼ the mainline", judged.seed, marked)
save_figure(figure, f"{figures}/exceptions_map", holds.join(summary.drop(columns="weakest")))
exceptions.head(20)

# %% [markdown]
# ## How many key frequencies, and which
# The claim here is loose: *only a few frequencies occur (in many models we see 4 different frequencies used)* ([Q] §3).
# Which ones they are should not matter. For a prime n, multiplying all residues by one of them permutes the
# frequencies, and changes neither the task nor the distribution of initial weights and splits. Cochran's test asks whether
# the counts in the middle agree. On the right each point is a network. Its height is the number of claims it breaks,
# its place the share of its weakest key frequency in Σ C_k. On the upright lines all key frequencies are alike.

# %%
half = int(judged.modulus.iloc[0]) // 2
used = membership(judged.frequencies, 2 * half + 1).sum(axis=0)
figure = drawings.draw_counts(summary, used, len(mainline.frequencies[0]))
save_figure(figure, f"{figures}/frequency_counts", summary)

# %%
worst = {name: over_frequencies(judged[name], np.max) for name in ("rms_mismatch", "whole_bound")}
columns = summary[["key_frequencies", "broken"]]
by_count = (
    judged.assign(**columns, **worst)
    .groupby("key_frequencies")
    .agg(
        networks=("seed", "size"),
        claims_broken=("broken", "mean"),
        certified_k_2k=("certified_share_k_2k", "mean"),
        smallest_margin=("smallest_margin_full", "median"),
        largest_rms_mismatch=("rms_mismatch", "median"),
        largest_bound=("whole_bound", "median"),
        held_out_loss=("held_out_loss", "median"),
    )
)
save_table(by_count.reset_index(), f"{figures}/by_count", digits=4)
by_count

# %% [markdown]
# ## Where the mainline lies, and whether the kept networks are like ours
# A network has one number: the median over its key frequencies where there are several. *Below* is the share of
# networks whose number is smaller than the mainline's. Rounding differs between machines, so a network trained on
# another one is another network of the same distribution. The two-sample Kolmogorov–Smirnov test asks about this.

# %%
numbers = [*OF_NETWORK, "held_out_loss", *OF_FREQUENCY, "number_of_key_frequencies"]
spread = spread_over_networks(judged, mainline, numbers, here)
save_table(spread, f"{figures}/numbers", digits=4)
spread

# %% [markdown]
# ## Result
# Read the shares with their intervals. [QR] says of most networks that the formula for the weights holds, of which the
# law ψ = 2φ is the part about phases. The papers show the share of variance, the compact bound below the naive error and
# the certificates of one network only. Where the mainline lies at an edge of the distribution, they show the best case.
#
# **Caveat.** All networks have the published number of updates. A frequency that is still growing or fading counts as a
# key frequency like any other, and can alone make a claim about *every* key frequency fail.

# %%
values = {
    "share_pizza_by_distance": share_of_pizzas(judged),
    "share_with_four": share_with_frequencies(judged, 4),
}
record(values_file, network, values, [rows])
values

# %%
line, alike = shares["phase_line"], uniformity(membership(judged.frequencies, 2 * half + 1))
frequencies_by_bound = summary.groupby(holds.bound_beats_naive.astype(bool)).key_frequencies.mean()
always = "; ".join(words[name] for name, one in shares.items() if one.share == 1)
rarely = "; ".join(words[name] for name, one in shares.items() if one.share < 0.5)
apart = (
    "are kept apart" if learned else "are all of them: what follows is about networks that have not learned the task"
)
say(
    f"The population has {len(rows)} networks: {(rows.trained == 'here').sum()} trained here, "
    f"{(rows.trained == 'kept').sum()} kept. Of these, {(rows.accuracy < 1).sum()} answer an input wrong and {apart}.",
    f"Networks whose bound lies below the naive error have {frequencies_by_bound.get(True, np.nan):.1f} key frequencies on "
    f"average, the others {frequencies_by_bound.get(False, np.nan):.1f}. The more frequencies share the neurons, the fewer "
    "and the less even are the nodes of the weakest one.",
    f"The law ψ = 2φ (R² of the line at every key frequency) holds for {line.holds} networks, a share of {line.share:.2f} "
    f"({interval(line)}).",
    f"Claims that hold for every network: {always or 'none'}. Claims that hold for less than half: {rarely or 'none'}.",
    f"A network has {summary.key_frequencies.min()} to {summary.key_frequencies.max()} key frequencies; "
    f"{(summary.key_frequencies == 4).sum()} networks have exactly 4. Cochran's test of an even spread over 1 to {half}: "
    f"p = {alike.p:.2g}.",
)

# %%
broken = summary.broken
fewest, most = judged.seed[broken == broken.min()].astype(str)[:9], judged.seed[broken.argmax()]
means = [
    f"{same.broken.mean():.1f} with {k} (in {len(same)} networks)" for k, same in summary.groupby("key_frequencies")
]
at_one = exceptions.dropna(subset="worst at k")
at_weakest = (at_one["rank of C_k"] == at_one["key frequencies"]).sum()
say(
    f"A network breaks {broken.min()} to {broken.max()} of {len(answered)} claims. Seed {', '.join(fewest)} breaks the "
    f"fewest, seed {most} the most. The average by the number of key frequencies is {', '.join(means)}. "
    f"Of {len(at_one)} failures at a key frequency, {at_weakest} are worst at the weakest one of the network."
)

# %%
p, extreme = spread.p.dropna(), spread.number[np.minimum(spread.below, 1 - spread.below) < 0.05]
mainline_lies = f"The mainline lies within 5 % of an end of the distribution in: {', '.join(extreme) or 'no number'}."
compared = "No network is kept, or none is trained here: there is nothing to compare."
if len(p):
    compared = (
        f"Between the networks trained here ({here.sum()}) and the kept ones ({(~here).sum()}) the smallest p is "
        f"{p.min():.2g} ({spread.number[p.idxmin()]}), where {1 / (len(p) + 1):.2g} is expected of {len(p)} "
        f"independent numbers. After Bonferroni's correction {(p < 0.05 / len(p)).sum()} are below 0.05."
    )
    compared += " So few networks trained here would show gross differences only." if here.sum() < 20 else ""
say(
    mainline_lies if len(judged) >= 20 else "There are too few networks to say where the mainline lies among them.",
    compared,
)
