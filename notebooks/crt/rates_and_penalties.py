# %% [markdown]
# # Do sines replace neurons at other rates and penalties?
#
# **Claim** ([C1] Fig. 6). Networks are trained with 10 rates, 20 penalties and 10 seeds. If what enters every neuron is replaced by its
# best sine, the accuracy stays 100 %.
#
# **What was open.** The networks of Study C have one rate and one penalty. So have those of [the launchers](launchers.html). A coauthor
# published a launcher with 10 rates and 10 penalties [L]. Ten further penalties stand in it as comments. It starts groups of 18 elements. That
# its 200 cells are the grid of [C1] is an inference.
#
# **Method.** Twenty of the 200 cells of the grid were drawn at random. Each has one network mod 59, with two embeddings, one hidden
# layer of 1,024 neurons and 290,000 updates. All have the same seed, so only rate and penalty differ. A network counts if it answers at
# least 0.99 of all inputs right. What enters a neuron becomes two cosines of its strongest frequency, one of a and one of b. Each has its own
# phase, both have the mean of their amplitudes. Constants and biases are left out. First what enters the neurons is replaced, and what they
# answer stays, as in [C1]. Then what they answer is replaced as well.
#
# **Said before any of these networks was trained** (`data/launchers/grid.yaml`): in every cell that counts both networks made of sines answer at
# least 0.99 of the inputs right, and at least 0.9 of these cells have at most half of all frequencies.

# %%
import numpy as np
from matplotlib.patches import Rectangle

from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style
from modadd.populations.launched_grid import PENALTIES, RATES, answers, table_of_cells
from modadd.populations.tables import read_population, without_others
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "launched_grid": ["results/populations/launched_grid.parquet"],
}
figures = "results/by_hand/rates_and_penalties"
values_file = "results/by_hand/rates_and_penalties.json"
published = {}  # "stays 100 %" is the claim's bound

# %%
use_style()
network = load_network(network_file)
rows = without_others(read_population(*datasets["launched_grid"]))
table = table_of_cells(rows)
save_table(table, f"{figures}/cells")
table.round(4).assign(**{name: table[name].map("{:g}".format) for name in ("learning_rate", "penalty")})

# %% [markdown]
# ## The cells that were drawn
# Every square is a cell of the grid, every number a network. Above: the share of all inputs that it answers right when what enters every
# neuron is replaced by its sine. Below: how many frequencies it has. Grey: networks that do not count.

# %%
SHOWN = {
    "sine_inputs": ("right answers when sines enter (%)", 100, "{:.3g}"),
    "frequencies": ("frequencies", 1, "{:.0f}"),
}


def draw_cells(ax, column):
    """One number of every network in its cell; darker where it is larger."""
    title, unit, form = SHOWN[column]
    largest = max(table[column].max(), 1)
    for cell in table.to_dict("records"):
        x, y = penalties.index(f"{cell['penalty']:g}"), rates.index(f"{cell['learning_rate']:g}")
        colour = COLOURS[0] if cell["counted"] else "0.6"
        shade = 0.1 + 0.4 * cell[column] / largest
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=colour, alpha=shade, linewidth=0))
        ax.text(x, y, form.format(unit * cell[column]), ha="center", va="center", fontsize=6.5)
    ax.set(title=title, ylabel="rate", xlim=(-0.5, len(PENALTIES) - 0.5), ylim=(len(RATES) - 0.5, -0.5))
    ax.set_xticks(range(len(PENALTIES)), penalties, rotation=45, ha="right")
    ax.set_yticks(range(len(RATES)), rates)
    ax.set_xticks(np.arange(len(PENALTIES) + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(len(RATES) + 1) - 0.5, minor=True)
    ax.grid(which="minor", linewidth=0.4)
    ax.tick_params(which="both", length=0)


# %%
rates, penalties = ([f"{number:g}" for number in numbers] for numbers in (RATES, PENALTIES))
figure, axes = panels(len(SHOWN), columns=1, height=2.4, sharex=True)
for ax, column in zip(axes, SHOWN, strict=True):
    draw_cells(ax, column)
axes[-1].set(xlabel="penalty")
save_figure(figure, f"{figures}/grid", table)

# %% [markdown]
# ## Result
# **Caveat.** Twenty cells of 200, one seed each, one hidden layer. [C1] has 10 seeds and one to four layers. Some of the cells that were not
# drawn may fail; the bound below says how many.

# %%
values = answers(rows)
record(values_file, network, values)  # without the population: its recipes are stated here
values

# %%
counted = table[table.counted]
same = (counted.frequencies == counted.halfway).sum()
paragraphs = [
    f"**Cells.** {len(table)} of {len(RATES) * len(PENALTIES)} are trained; {len(counted)} networks answer at least 0.99 of all inputs right. "
    f"{same} of these have as many frequencies as after half of their updates."
]
if len(counted):
    kinds = {"sine_inputs": "what enters", "sine_inputs_and_outputs": "what enters and what they answer"}
    paragraphs += [
        f"**{words.capitalize()} replaced.** {(counted[name] == 1).sum()} of {len(counted)} answer every input right; the smallest share is "
        f"{counted[name].min():.4f}."
        for name, words in kinds.items()
    ]
    paragraphs.append(
        f"**Frequencies.** {counted.frequencies.min()} to {counted.frequencies.max()}, median {np.median(counted.frequencies):g}."
    )
    paragraphs.append(
        f"**Cells that were not drawn.** If all of {len(counted)} pass, up to {100 * values['grid_may_fail']:.0f} % of those that would count may still fail "
        "(95 %)."
    )
say(*paragraphs)
