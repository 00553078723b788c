# %% [markdown]
# # How short can a proof be?
#
# **Claim** (this project's; [Q] §5 asks for less than brute force). The networks are right at every input. Trying them
# all proves it, with p²·h activations, each of which adds to p answers. Two shorter ways use what is understood of the
# neurons: they are cosines of few frequencies, so they rarely turn on or off.
#
# **Method.** *Flips.* With u = A_i(a) + B_i(b), Σ ReLU(u) W_i = Σ 1[u > 0] A_i(a) W_i + Σ 1[u > 0] B_i(b) W_i. In the
# first sum fix a and walk b in the order of k b mod n, k the frequency of the neuron. Along the walk the sum changes
# only where a neuron turns on or off, which a cosine does at most twice. The second sum walks a. This gives every logit
# exactly. Dead neurons, which are noise, are left out, and the most that they can add is taken off. *Channels.* The
# walks give, for each frequency, five sums against α_i cos mφ_i and α_i sin mφ_i. They carry most of what W reads.
# The rest of the activations meets the rest of W by Cauchy–Schwarz. *Short*: the size of that rest is bounded by walks
# too, so that no sum runs over all neurons at all inputs. *Coarse first*: the right answer leads the answer t − d by what
# hardly depends on more than a − b and d. So each pair of these is bounded once, for all inputs; only pairs for which
# that does not suffice are looked at input by input. *Certified* is a margin with all rounding errors taken off.

# %%
import numpy as np
import pandas as pd

from modadd.certificates.certify import for_stored_weights
from modadd.certificates.ladder import RUNGS
from modadd.certificates.proofs import certified_share_short, coarse_over_short, flips_over_brute_operations
from modadd.core.separable import margins
from modadd.core.statistics import share
from modadd.ledger.record import record
from modadd.networks.importers import load_external
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.tables import faultless, read_population

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
}
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_seeds": ["results/populations/q_seeds.parquet"],
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
external = {}  # published weights by the name that the config gives them
figures = "figures/short_proofs"
values_file = "results/values/short_proofs.json"
published = {}  # no paper prints any of these numbers

# %%
use_style()
network, beside = load_network(network_file), {name: load_network(path) for name, path in others.items()}
titles = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
titles |= {"embedding_mlp": "C, embedding MLP"}
ours = {own.recipe.architecture: own for own in (network, *beside.values())}
theirs = {name: load_external(path) for name, path in sorted(external.items())}
separables = {titles[name]: own.separable() for name, own in ours.items()}
separables |= {name: own.separable() for name, own in theirs.items() if own.separable() is not None}
true = {label: margins(separable.logits()) for label, separable in separables.items()}
say(f"Networks of others: {', '.join(name for name in theirs if name in separables) or 'none'}.")

# %% [markdown]
# ## Length of the proof against what it proves
# Operations are terms of sums, evaluated activations, and the sort and search for the flips; *of brute force* divides
# them by those of brute force for the same network. If A = B the walks along a and b are the same and are taken once;
# brute force makes no use of that here. Rungs that cost more than brute force are left to the notebook on certificates.
# *Tightness*: median over the inputs of the certified margin over the true one; proofs whose median is below 0 are drawn
# at 0. A rung is *dominated* if another one takes fewer operations and proves at every input as much of the same: about
# the network, or about the same family of networks. Rungs that are dominated on every network are not kept.

# %%
stored = {titles[name]: own for name, own in ours.items()}
of = {name: name.partition(": ")[0] if ": " in name else "the network" for name in RUNGS}  # what each rung proves
rows = []
for label, separable in separables.items():
    found = {name: rung(separable) for name, rung in RUNGS.items() if "sums" not in name and "worst" not in name}
    for name, certificate in found.items():
        rivals = [found[other] for other in found if of[other] == of[name]]
        beaten = [r.operations < certificate.operations and (r.margin >= certificate.margin).all() for r in rivals]
        if label in stored:
            certificate = for_stored_weights(certificate, stored[label])
        rows.append(
            {
                "network": label,
                "rung": name,
                "proves": of[name],
                "operations": certificate.operations,
                "dominated": any(beaten),
                "of brute force": certificate.operations / found["brute force"].operations,
                "certified share": certificate.share,
                "smallest certified margin": certificate.margin.min(),
                "smallest true margin": true[label].min(),
                "tightness": np.median(certificate.margin / np.where(true[label] > 0, true[label], np.nan)),
            }
        )
lengths = pd.DataFrame(rows)
save_table(lengths, f"{figures}/lengths_table")
lengths.round(3)

# %%
figure, axes = panels(len(separables), columns=3, height=2.5, sharex=True, sharey=True)
for ax, (label, rungs) in zip(axes, lengths.groupby("network", sort=False), strict=True):
    for (_, rung), colour, marker in zip(rungs.iterrows(), COLOURS, MARKERS, strict=False):
        ax.plot(
            rung["of brute force"],
            max(np.nan_to_num(rung.tightness), 0),
            marker,
            color=colour,
            markersize=7,
            label=rung.rung,
        )
    ax.axhline(1, color="0.6", linewidth=0.7, zorder=0)
    ax.set(title=label, xscale="log", xlabel="operations over those of brute force", ylim=(-0.05, 1.1))
    ax.tick_params(labelbottom=True)
axes[0].set_ylabel("certified over true margin\n(median over the inputs)")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
save_figure(figure, f"{figures}/lengths", lengths)

# %% [markdown]
# ## The same over seeds
# All networks of Study Q, and of Study C at its two moduli, that answer every input right and whose rows hold these
# shares; of the kept rows, the oldest do not. *Whole*: every input is proven right.

# %%
rows = {name: faultless(read_population(*files)) for name, files in datasets.items()}
seeds = pd.concat([found.assign(study=name[0].upper()) for name, found in rows.items()], ignore_index=True)
seeds = seeds.dropna(subset=["certified_share_flips"])
by_study = dict(tuple(seeds.groupby("study")))
proofs = {f"certified_share_{name}": name for name in ("flips", "short", "coarse")}
whole = {
    study: {name: share(found[column] == 1) for column, name in proofs.items()} for study, found in by_study.items()
}
figure, axes = panels(2, columns=2, height=2.1)
for (study, found), colour, marker in zip(by_study.items(), COLOURS, MARKERS, strict=False):
    for index, (column, name) in enumerate(proofs.items()):
        at = index + (0.15 if study == "Q" else -0.15)
        low, high = whole[study][name].low, whole[study][name].high
        axes[0].vlines(at, 100 * low, 100 * high, color=colour, linewidth=1)
        axes[0].plot(at, 100 * whole[study][name].share, marker, color=colour, markersize=4)
    axes[0].plot([], [], marker, color=colour, markersize=4, label=f"{study}: {len(found)} networks")
axes[0].set_xticks(range(len(proofs)), ["flips", "short", "short,\ncoarse first"])
axes[0].set(xlabel="proof", ylabel="networks proven whole (%)", ylim=(-4, 104))
axes[0].legend(loc="center right")
axes[1].hist(by_study["Q"].coarse_over_short.dropna(), 16, color=COLOURS[0])
axes[1].axvline(1, color="0.4", linestyle=":", linewidth=1)
axes[1].set(xlabel="operations: coarse first over short", ylabel="networks of Study Q")
save_figure(figure, f"{figures}/seeds", seeds[["study", "modulus", "batch_size", "seed", *proofs, "coarse_over_short"]])

# %% [markdown]
# ## Result
# Claimed: in most networks flips give every margin with a fifth of the operations of brute force; the short
# proof proves most networks of Study Q whole, and no answer of nine in ten of Study C; coarse first, half of its operations
# suffice for most networks of Study Q, for margins that are proven positive but no more.
#
# **Caveats.** Operations are not seconds: a matrix product runs at the full speed of a processor, a walk does not
# (figures/benchmark has the seconds). Neurons that are less pure than those of Study Q flip more often; there the walks
# save less, and channels lose what the cosines do not hold.

# %%
mainline = separables[titles["pizza_transformer"]]
saved = by_study["Q"].coarse_over_short.dropna()
values = {
    "flips_over_brute_operations": flips_over_brute_operations(mainline),
    "certified_share_short": certified_share_short(mainline),
    "coarse_over_short": coarse_over_short(mainline),
    "coarse_at_most_half_q": share(saved <= 0.5),
    "coarse_over_short_median": saved.median(),
    "no_short_proof_c": share(by_study["C"].certified_share_short == 0),
}
record(values_file, network, values, others=beside)
values

# %%
for label, rungs in lengths.groupby("network", sort=False):
    rung = rungs.set_index("rung")
    say(
        f"**{label}**: flips take {100 * rung['of brute force']['flips']:.0f} % of the operations of brute force. The short "
        f"proof takes {rung.operations['quadrature channels, short'] / 1e6:.1f} million operations and certifies "
        f"{100 * rung['certified share']['quadrature channels, short']:.1f} % of the inputs; coarse first it takes "
        f"{rung.operations['quadrature channels, short, coarse first'] / 1e6:.1f} million.",
    )
half = values["coarse_at_most_half_q"]
say(
    f"Of {half.of} networks of Study Q, coarse first takes at most half of the operations of the short proof for {half.holds}."
)
