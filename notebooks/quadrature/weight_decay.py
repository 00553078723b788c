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
import pandas as pd
import seaborn as sns
from matplotlib.ticker import MaxNLocator

from modadd.networks.store import load_network
from modadd.plots.axes import few_log_ticks
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.columns.pizza_transformer import COLUMNS
from modadd.populations.rows import row_of
from modadd.populations.tables import read_population
from modadd.populations.weight_decay import NUMBERS, READ, changes, compared, extremes, one_number_each
from paper.notebook import record, say, with_interval

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_weight_decay": ["results/populations/q_weight_decay.parquet"],
    "q_seeds": ["results/populations/q_seeds.parquet"],
}
figures = "results/by_hand/weight_decay"
values_file = "results/by_hand/weight_decay.json"
published = {}  # no number is printed

# %%
use_style()
network = load_network(network_file)
base = network.recipe.weight_decay
populations = {name: read_population(*files) for name, files in datasets.items()}
others, seeds, both = compared(populations["q_weight_decay"], populations["q_seeds"], network.recipe.steps, base)
mainline = pd.DataFrame([row_of(network, {name: COLUMNS[name] for name in READ})])

# %%
numbers = {name: one_number_each(rows) for name, rows in {"swept": both, "seeds": seeds, "mainline": mainline}.items()}
swept = numbers["swept"].sort_values(["weight_decay", "seed"], ignore_index=True)
save_table(swept[["weight_decay", "seed", *NUMBERS]], f"{figures}/sweep", digits=4)
swept[["weight_decay", "seed", *NUMBERS]].round(4)

# %% [markdown]
# ## Every number against weight decay
# Lines join the medians over the seeds; the darker band holds the middle half of the networks, the lighter one all of
# them. The triangle is the mainline. At the published λ a thin bar spans further seeds, and a thick one the middle half of
# them.

# %%
shares = ["median_share_preactivation", "median_share_neuron_logit", "share_one_frequency"]
secondary = ["largest_secondary_share", "smallest_secondary_share"]
drawn = {  # title: (label of the axis, scale, numbers)
    "One frequency": ("share", "linear", shares),
    "The phase law, worst k": ("", "log", ["largest_rms_mismatch", "phase_line_off"]),
    "Compactness": ("number", "linear", ["key_frequencies"]),
    "Quadrature, worst k": ("error over 4/3", "log", ["largest_bound", "largest_error"]),
    "Secondary frequency": ("share of variance of A at 2k", "log", secondary),
    "Right and certified": ("share of inputs", "linear", ["accuracy", "certified_share_k_2k"]),
    "Loss": ("cross-entropy (nats)", "log", ["held_out_loss", "train_loss"]),
    "Smallest margin": ("logits", "linear", ["smallest_margin_full", "smallest_margin_absolute"]),
    "All weights": ("norm of the weights", "log", ["weight_norm"]),
}
decays = sorted({*swept.weight_decay, base})
places = swept.weight_decay.map(decays.index)


# %%
def draw_number(ax, number, index):
    """Median, middle half and range of a number over the weight decays, the mainline, and bars of further seeds."""
    look = {"color": COLOURS[index], "linestyle": DASHES[index], "marker": MARKERS[index], "markersize": 4}
    bands = {"x": places, "y": number, "estimator": "median", "markeredgewidth": 0, "legend": False, "ax": ax}
    sns.lineplot(swept, errorbar=("pi", 100), err_kws={"alpha": 0.12, "linewidth": 0}, **bands, **look)
    sns.lineplot(swept, errorbar=("pi", 50), err_kws={"alpha": 0.3}, label=NUMBERS[number], **bands, **look)
    least, low, high, most = numbers["seeds"][number].quantile([0, 0.25, 0.75, 1])
    published = decays.index(base)
    x = published + 0.12 * (1 + index)
    ax.vlines(x, least, most, color=COLOURS[index], linewidth=0.8, zorder=0)
    ax.vlines(x, low, high, color=COLOURS[index], linewidth=3, alpha=0.5, zorder=0)
    mainline = numbers["mainline"][number]
    ax.plot(published, mainline, "^", color=COLOURS[index], markeredgecolor="black", markersize=6)


# %%
figure, axes = panels(len(drawn), columns=3, height=2.2)
for ax, (title, (unit, scale, names)) in zip(axes, drawn.items(), strict=True):
    for index, number in enumerate(names):
        draw_number(ax, number, index)
    ax.set(xlabel="weight decay λ", ylabel=unit, yscale=scale)
    ax.set_title(title, loc="left", pad=32)
    if scale == "log":
        few_log_ticks(ax.yaxis)
    ax.set_xticks(range(len(decays)), [f"{decay:g}" for decay in decays])
    ax.legend(loc="lower left", bbox_to_anchor=(-0.05, 0.97), borderpad=0, labelspacing=0.1)
axes[2].yaxis.set_major_locator(MaxNLocator(integer=True))
swept_words = f"{len(swept)} networks of {swept.seed.nunique()} seeds"
figure.suptitle(f"{swept_words}; bars: {len(seeds)} seeds at λ = {base:g}; ▲ mainline", fontsize=8)
save_figure(figure, f"{figures}/clarity", pd.concat([part.assign(part=name) for name, part in numbers.items()]))

# %% [markdown]
# ## Each seed against itself
# Every number less that of the same seed at the published λ: mean over the seeds, with its 95 % interval. Of the norm of
# the weights, the ratio.

# %%
table = changes(swept, base)
save_table(table, f"{figures}/changes", digits=4)
table.round(4)

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
values = extremes(swept, base)
record(values_file, network, values, [others, seeds])
values


# %%
def in_words(name):
    """A change with its interval."""
    return with_interval(values[name], ".3f")


say(
    f"{len(others)} networks have another weight decay than {base:g}. Beside them stand {len(seeds)} seeds at that. Medians "
    "over the networks of one λ:",
    "\n".join(
        f"- λ = {decay:g}: accuracy {middle.accuracy:.4f}, {middle.key_frequencies:.1f} key frequencies, norm of the weights "
        f"{middle.weight_norm:.1f}, median neuron {middle.median_share_preactivation:.4f} (A) and "
        f"{middle.median_share_neuron_logit:.4f} (W) at one frequency, rms of ψ − 2φ {middle.largest_rms_mismatch:.3f} rad, "
        f"error {middle.largest_error:.3f} of the integral, certified {middle.certified_share_k_2k:.2f} of the inputs."
        for decay, middle in swept.groupby("weight_decay")[list(NUMBERS)].median().iterrows()
    ),
    f"At λ = {base:g} the norm is {in_words('norm_of_large_decay')} times that of the same seed at "
    f"{values['smallest_decay']:g}, and the number of key frequencies differs by {in_words('frequencies_of_large_decay')}. "
    f"At λ = {values['largest_decay']:g} the norm is {in_words('norm_of_largest_decay')} times that at {base:g}. At λ = "
    f"{values['smallest_decay']:g} the phases of the worst key frequency miss their law by "
    f"{in_words('mismatch_of_small_decay')} rad (rms) more than at {base:g}.",
)
