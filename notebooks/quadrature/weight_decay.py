# %% [markdown]
# # What does weight decay do to the clarity of the mechanism?
#
# **Claim** ([QR]). The reviewers asked whether the authors had varied it. They answer that large weight decay *gives
# rise to a more compact model*, and take it as given. No number is printed. The weight decay λ acts in every update of
# AdamW, beside the step along the gradient's running means m̂ and v̂:
#
# $$ w \leftarrow (1 - \eta\lambda) \, w - \eta \, \hat m / (\sqrt{\hat v} + \epsilon) $$
#
# **Method.** The mainline recipe, with another weight decay λ and nothing else changed. Of each network this notebook
# reads what the other notebooks measure of the mainline: how much of a neuron one frequency explains, how well ψ = 2φ
# holds, how many frequencies there are, how far the quadrature is off, whether the answers are right and how many are
# certified. Of a number that exists once per key frequency, the worst is taken. One network per λ says little by
# itself, since other seeds differ at the published λ too. How much they differ is drawn beside it: their range, and the
# middle half of them.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.page.prose import say
from modadd.populations.columns.pizza_transformer import COLUMNS
from modadd.populations.rows import row_of
from modadd.populations.tables import over_frequencies, read_population, recipe_columns
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
    smallest_margin_absolute
""".split()  # the other measures of a row take longer
use_style()
network = load_network(network_file)
mainline = pd.DataFrame([row_of(network, {name: COLUMNS[name] for name in READ})])
others = read_population(*datasets["q_weight_decay"])
others = others[(others.seed == network.seed) & (others.steps == network.recipe.steps)]  # witnesses have other seeds
rows = pd.concat([mainline, others], ignore_index=True).drop_duplicates(recipe_columns(mainline))
seeds = read_population(*datasets["q_seeds"])
seeds = seeds[(seeds.weight_decay == network.recipe.weight_decay) & (seeds.steps == network.recipe.steps)]
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
# seeds, and a thick one the middle half of them. A difference inside the bar is no evidence for an effect of weight
# decay.

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
    f"{len(swept)} networks of the sweep; bars: {len(seeds)} seeds at λ = {decays[centre]:g}; ▲ mainline", fontsize=8
)
save_figure(figure, f"{figures}/clarity", pd.concat([part.assign(part=name) for name, part in read.items()]))

# %% [markdown]
# ## Result
# The rank correlation ρ (Spearman) of a number with λ over the sweep says in which direction the number goes and how
# steadily; it is −1 or 1 if it always goes the same way. *Outside the seeds* lists the λ of the sweep, other than the
# published one, at which the number lies outside what the middle 95 % of the seeds at the published λ span.
#
# **Not judged.** The sweep has one network for most λ, and networks of one λ differ from seed to seed. So nothing here is
# judged: neither how clear the mechanism is, nor whether more weight decay makes a more compact model.
#
# **Caveat.** All λ get equally many updates: with less decay a network may not have finished. AdamW decays the weights
# by the factor 1 − ηλ per update, so weights without gradient fade in a time of 1/(ηλ) updates.

# %%
ranks = swept.rank()
rank = ranks[list(numbers)].corrwith(ranks.weight_decay).round(9)  # 0.9 is a possible value; NaN for what does not vary
other = swept[swept.weight_decay != network.recipe.weight_decay]
ends = read["seeds"][list(numbers)].agg(["min", "max"])
middle = read["seeds"][list(numbers)].quantile([0.025, 0.975])  # the ends themselves are one seed each
outside = {n: other[other[n].notna() & ~other[n].between(*middle[n])].weight_decay.unique().tolist() for n in numbers}
table = pd.DataFrame(
    {
        "number": list(numbers),
        "rank correlation with λ": rank.to_numpy(),
        "2.5 % of the seeds below": middle.loc[0.025].to_numpy(),
        "2.5 % of the seeds above": middle.loc[0.975].to_numpy(),
        "outside the seeds at λ": [", ".join(f"{decay:g}" for decay in found) or None for found in outside.values()],
    }
)
save_table(table, f"{figures}/effect", digits=4)
table

# %%
medians = swept.groupby("weight_decay")[list(numbers)].median()
values = {
    "rank_largest_rms_mismatch": rank.largest_rms_mismatch,
    "mismatch_outside_seeds": len(outside["largest_rms_mismatch"]),
    "other_decays": other.weight_decay.nunique(),
    "least_mismatch_over_seeds": ends.largest_rms_mismatch["min"],
    "most_mismatch_over_seeds": ends.largest_rms_mismatch["max"],
}
record(values_file, network, values, [rows, seeds])
values

# %%
span = " to ".join(f"{decay:g}" for decay in medians.index[[0, -1]])
steady = rank[rank.abs() > 1 - 1e-9]
beyond = [f"{number} ({', '.join(f'{decay:g}' for decay in found)})" for number, found in outside.items() if found]
say(
    f"{len(swept)} networks have a weight decay of {span}. Beside them stand {len(seeds)} seeds at "
    f"{network.recipe.weight_decay:g}. Medians over the networks of one λ:",
    "\n".join(
        f"- λ = {decay:g}: accuracy {found.accuracy:.4f}, {found.key_frequencies:.0f} key frequencies, median neuron "
        f"{found.median_share_preactivation:.4f} (A) and {found.median_share_neuron_logit:.4f} (W) at one frequency, "
        f"rms of ψ − 2φ {found.largest_rms_mismatch:.3f} rad, error {found.largest_error:.3f} of the integral, "
        f"certified {found.certified_share_k_2k:.2f} of the inputs."
        for decay, found in medians.iterrows()
    ),
    f"The number of key frequencies has the rank correlation {rank.key_frequencies:+.2f} with λ. "
    f"The smallest accuracy of the sweep is {swept.accuracy.min():.4f}.",
    f"Always the same way with λ go: {', '.join(f'{n} ({r:+.0f})' for n, r in steady.items()) or 'none'}.",
    f"Outside the middle 95 % of the seeds at some λ lie: {'; '.join(beyond) or 'none'}.",
)
