# %% [markdown]
# # Does more weight decay make a smaller and more compact model?
#
# **Claim** ([QR]). The reviewers asked whether weight decay has an effect on how clear the results are. The authors answer
# that large weight decay gives weights of a smaller norm, and so a *more compact model*. No number is printed. The weight
# decay λ acts in every update of AdamW, beside the step along the gradient's running means m̂ and v̂:
#
# $$ w \leftarrow (1 - \eta\lambda) \, w - \eta \, \hat m / (\sqrt{\hat v} + \epsilon) $$
#
# **Method.** The mainline recipe, with another weight decay λ and nothing else changed, from several seeds. A seed begins
# with the same weights at every λ, so each network is compared with that of its own seed at the published λ. We read
# *compact* as few key frequencies. Beside it stand the numbers that other notebooks measure of the mainline: how much of
# a neuron one frequency explains, how well ψ = 2φ holds, how far the quadrature is off, whether the answers are right and
# how many are certified. Of a number that exists once per key frequency, the worst is taken.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.columns.pizza_transformer import COLUMNS
from modadd.populations.paired import paired_difference, paired_ratio
from modadd.populations.rows import row_of
from modadd.populations.tables import over_frequencies, read_population
from modadd.quadrature.scheme import INTEGRAL

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_weight_decay": ["results/populations/q_weight_decay.parquet"],
    "q_seeds": ["results/populations/q_seeds.parquet"],
}
figures = "figures/weight_decay"
values_file = "results/values/weight_decay.json"
published = {}  # no number is printed

# %%
READ = """
    frequencies share_one_frequency median_share_preactivation median_share_neuron_logit rms_mismatch phase_line_r_squared
    actual_modulus whole_bound secondary_share certified_share_k certified_share_k_2k smallest_margin_full
    smallest_margin_absolute weight_norm
""".split()  # the other measures of a row take longer
use_style()
network = load_network(network_file)
mainline = pd.DataFrame([row_of(network, {name: COLUMNS[name] for name in READ})])
like = lambda rows: rows[rows.steps == network.recipe.steps]
others, seeds = (like(read_population(*datasets[name])) for name in ("q_weight_decay", "q_seeds"))
seeds = seeds[seeds.weight_decay == network.recipe.weight_decay]
others = others[others.weight_decay != network.recipe.weight_decay]
rows = pd.concat([seeds[seeds.seed.isin(others.seed)], others], ignore_index=True)
everyone = {"swept": rows, "seeds": seeds, "mainline": mainline}

# %%
numbers = {  # name: (label, how it is read off the rows)
    "median_share_preactivation": ("A, median neuron", lambda r: r.median_share_preactivation),
    "median_share_neuron_logit": ("W, median neuron", lambda r: r.median_share_neuron_logit),
    "share_one_frequency": ("neurons of one frequency", lambda r: r.share_one_frequency),
    "largest_rms_mismatch": ("rms of ψ − 2φ (rad)", lambda r: over_frequencies(r.rms_mismatch, np.max)),
    "phase_line_off": ("1 − R² of the line", lambda r: 1 - over_frequencies(r.phase_line_r_squared, np.min)),
    "key_frequencies": ("key frequencies", lambda r: r.frequencies.map(len)),
    "largest_error": ("actual error (modulus)", lambda r: over_frequencies(r.actual_modulus, np.max) / INTEGRAL),
    "largest_bound": ("whole bound", lambda r: over_frequencies(r.whole_bound, np.max) / INTEGRAL),
    "largest_secondary_share": ("largest", lambda r: over_frequencies(r.secondary_share, np.max)),
    "smallest_secondary_share": ("smallest", lambda r: over_frequencies(r.secondary_share, np.min)),
    "accuracy": ("accuracy", lambda r: r.accuracy),
    "certified_share_k": ("certified, k alone", lambda r: r.certified_share_k),
    "certified_share_k_2k": ("certified, k and 2k", lambda r: r.certified_share_k_2k),
    "train_loss": ("training pairs", lambda r: r.train_loss),
    "held_out_loss": ("held-out pairs", lambda r: r.held_out_loss),
    "smallest_margin_full": ("network", lambda r: r.smallest_margin_full),
    "smallest_margin_absolute": ("absolute-value part alone", lambda r: r.smallest_margin_absolute),
    "weight_norm": ("norm", lambda r: r.weight_norm),
}
read = {
    name: pd.DataFrame({number: np.asarray(of(part), float) for number, (_, of) in numbers.items()}).assign(
        weight_decay=part.weight_decay.to_numpy(), seed=part.seed.to_numpy()
    )
    for name, part in everyone.items()
}
swept = read["swept"].sort_values(["weight_decay", "seed"], ignore_index=True)
save_table(swept[["weight_decay", "seed", *numbers]], f"{figures}/sweep", digits=4)
swept[["weight_decay", "seed", *numbers]].round(4)

# %% [markdown]
# ## Every number against weight decay
# Points are networks; lines join the medians. The triangle is the mainline. At the published λ a thin bar spans all the
# seeds, and a thick one the middle half of them.

# %%
shown = {  # title: (label of the axis, scale, numbers)
    "One frequency": ("share", "linear", list(numbers)[:3]),
    "The phase law, worst k": ("", "log", ["largest_rms_mismatch", "phase_line_off"]),
    "Compactness": ("number", "linear", ["key_frequencies"]),
    "Quadrature, worst k": ("error over 4/3", "log", ["largest_bound", "largest_error"]),
    "Secondary frequency": (
        "share of variance of A at 2k",
        "log",
        ["largest_secondary_share", "smallest_secondary_share"],
    ),
    "Right and certified": (
        "share of inputs",
        "linear",
        ["accuracy", "certified_share_k_2k"],
    ),
    "Loss": ("cross-entropy (nats)", "log", ["held_out_loss", "train_loss"]),
    "Smallest margin": ("logits", "linear", ["smallest_margin_full", "smallest_margin_absolute"]),
    "All weights": ("norm of the weights", "log", ["weight_norm"]),
}


def readable(axis):
    low, high = axis.get_view_interval()
    ticks = LogLocator(subs=(1, 3) if high < 100 * low else (1,))
    axis.set(major_locator=ticks, minor_locator=NullLocator(), major_formatter="{x:g}")


decays = sorted({*swept.weight_decay, network.recipe.weight_decay})
centre = decays.index(network.recipe.weight_decay)
place = swept.weight_decay.map(decays.index)
middle = swept.groupby(place)[list(numbers)].median()
figure, axes = panels(len(shown), columns=3, height=2.2)
for ax, (title, (unit, scale, drawn)) in zip(axes, shown.items(), strict=True):
    for index, (number, colour, dashes, marker) in enumerate(zip(drawn, COLOURS, DASHES, MARKERS, strict=False)):
        ax.plot(middle.index, middle[number], color=colour, linestyle=dashes)
        ax.plot(place, swept[number], marker, color=colour, markersize=4)
        ax.plot([], [], color=colour, linestyle=dashes, marker=marker, markersize=4, label=numbers[number][0])
        least, low, high, most = read["seeds"][number].quantile([0, 0.25, 0.75, 1])
        at = centre + 0.12 * (1 + index)
        ax.vlines(at, least, most, color=colour, linewidth=0.8, zorder=0)
        ax.vlines(at, low, high, color=colour, linewidth=3, alpha=0.5, zorder=0)
        ax.plot(centre, read["mainline"][number], "^", color=colour, markeredgecolor="black", markersize=6)
    ax.set(xlabel="weight decay λ", ylabel=unit, yscale=scale)
    ax.set_title(title, loc="left", pad=32)
    if scale == "log":
        readable(ax.yaxis)
    ax.set_xticks(range(len(decays)), [f"{decay:g}" for decay in decays])
    ax.legend(loc="lower left", bbox_to_anchor=(-0.05, 0.97), borderpad=0, labelspacing=0.1)
axes[2].yaxis.set_major_locator(MaxNLocator(integer=True))
figure.suptitle(
    f"{len(swept)} networks of {swept.seed.nunique()} seeds; bars: {len(seeds)} seeds at λ = {decays[centre]:g}; ▲ mainline",
    fontsize=8,
)
save_figure(figure, f"{figures}/clarity", pd.concat([part.assign(part=name) for name, part in read.items()]))

# %% [markdown]
# ## Each seed against itself
# Every number less that of the same seed at the published λ: mean over the seeds, with its 95 % interval. Of the norm of
# the weights, the ratio.

# %%
base = network.recipe.weight_decay
of_seed = swept.pivot(index="seed", columns="weight_decay", values=list(numbers))


def change(number, decay, than):
    """What a number is at one weight decay beside another, in the networks of equal seeds."""
    return (paired_ratio if number == "weight_norm" else paired_difference)(of_seed[number], decay, than)


changes = pd.DataFrame(
    {"weight_decay": decay, "number": number, **vars(change(number, decay, base))}
    for decay in decays
    if decay != base
    for number in numbers
)
save_table(changes, f"{figures}/changes", digits=4)
changes.round(4)

# %% [markdown]
# ## Result
# The authors say that their weight decay is large. So both parts of their answer are judged against the smallest one
# tried: the norm of the weights at the published λ over that at the smallest, and how many more key frequencies the
# published one has, each by its interval. We also ask whether the norm goes on falling, up to the largest one tried, and, as
# the reviewers did, whether the phases miss their law by more where weight decay is small.
#
# **Caveat.** All λ get equally many updates: with less decay a network may not have finished. AdamW decays the weights
# by the factor 1 − ηλ per update, so weights without gradient fade in a time of 1/(ηλ) updates.

# %%
smallest, largest = min(decays), max(decays)
medians = swept.groupby("weight_decay")[list(numbers)].median()
values = {
    "smallest_decay": smallest,
    "largest_decay": largest,
    "norm_of_large_decay": change("weight_norm", base, smallest),
    "frequencies_of_large_decay": change("key_frequencies", base, smallest),
    "norm_of_largest_decay": change("weight_norm", largest, base),
    "mismatch_of_small_decay": change("largest_rms_mismatch", smallest, base),
}
record(values_file, network, values, [others, seeds])
values

# %%
in_words = lambda name: f"{values[name].value:.3f} (95 %: {values[name].low:.3f} to {values[name].high:.3f})"
say(
    f"{len(others)} networks have another weight decay than {base:g}. Beside them stand {len(seeds)} seeds at that. Medians "
    "over the networks of one λ:",
    "\n".join(
        f"- λ = {decay:g}: accuracy {found.accuracy:.4f}, {found.key_frequencies:.1f} key frequencies, norm of the weights "
        f"{found.weight_norm:.1f}, median neuron {found.median_share_preactivation:.4f} (A) and "
        f"{found.median_share_neuron_logit:.4f} (W) at one frequency, rms of ψ − 2φ {found.largest_rms_mismatch:.3f} rad, "
        f"error {found.largest_error:.3f} of the integral, certified {found.certified_share_k_2k:.2f} of the inputs."
        for decay, found in medians.iterrows()
    ),
    f"At λ = {base:g} the norm is {in_words('norm_of_large_decay')} times that of the same seed at {smallest:g}, and the "
    f"number of key frequencies differs by {in_words('frequencies_of_large_decay')}. At λ = {largest:g} the norm is "
    f"{in_words('norm_of_largest_decay')} times that at {base:g}. At λ = {smallest:g} the phases of the worst key frequency miss "
    f"their law by {in_words('mismatch_of_small_decay')} rad (rms) more than at {base:g}.",
)
