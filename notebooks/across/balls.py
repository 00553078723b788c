# %% [markdown]
# # How far may the weights move?
#
# **Claim** (this project's; [Q] §5 asks for a proof of one network). A network that answers every input right stands
# among others that do. We certify balls around it in which every network is right, and search for the nearest network
# that is wrong.
#
# **Method.** *Entries*: every entry x may move by δ|x|, as rounding does. The smallest margin among all those tables A,
# B, W, C and D has a closed form: activations are smallest or largest where it is worst. *Norms*: every table, or every
# stored parameter, may move by ε of its own Frobenius norm. That may all be spent on one input, so this ball holds the
# one of entries of the same size. Let t = a + b, act the activations, r = ‖dA_a‖ + ‖dB_b‖ and q = ‖dW_t − dW_c‖ ≤
# √2 ‖dW‖. A ReLU is 1-Lipschitz, so the margin of (a, b) against c falls by at most
#
# $$ r \, (\|W_t - W_c\| + q) + q \, \|\mathrm{act}\| + \sqrt 2 \, (\|dC\| + \|dD\|) $$
#
# Where this is too much, the Lagrange dual of the worst move decides: neurons that are off then count only where waking
# them pays. Its minimiser is a network of the ball, the candidate for *found*. A and B are moved apart even where they
# share an embedding, which makes the ball larger. *Weights*: a table is a product of parameters, and
#
# $$ \|d(XY)\|_F \le \|dX\|_F \, \|Y\|_2 + \|X\|_2 \, \|dY\|_F + \|dX\|_F \, \|dY\|_F $$
#
# bounds how far each of its rows moves. *Certified* has all rounding errors taken off. *Found* is the smallest size at
# which a wrong network was found in the ball: by gradients for weights, at the input that is certified last and at the
# smallest margin. The true radius lies between the two.

# %%
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from modadd.certificates import ball, frobenius
from modadd.core.separable import margins
from modadd.core.statistics import share
from modadd.networks.store import load_network
from modadd.plots import balls as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from modadd.populations.events import events_of, read_longest, read_stages, share_growing
from modadd.populations.tables import read_population
from paper.notebook import record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
others = {
    "two_layer_mlp/seed0": "results/networks/two_layer_mlp/seed0.safetensors",
    "embedding_mlp/seed0": "results/networks/embedding_mlp/seed0.safetensors",
    "group_mlp/seed0": "results/networks/group_mlp/seed0.safetensors",
    "c91_batch/exhibit": "results/exhibits/c91_batch.safetensors",
    "c91_full/exhibit": "results/exhibits/c91_full.safetensors",
}
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "q_seeds": ["results/populations/q_seeds.parquet"],
    "q_weight_decay": ["results/populations/q_weight_decay.parquet"],
    "pizza_transformer": ["results/stages/pizza_transformer/seed0.parquet"],
    "two_layer_mlp": ["results/stages/two_layer_mlp/seed0.parquet"],
    "embedding_mlp": ["results/stages/embedding_mlp/seed0.parquet"],
}
figures = "results/by_hand/balls"
values_file = "results/by_hand/balls.json"
published = {}  # no paper prints any of these numbers
steps, halvings = 8, 6  # of the search for a wrong network in a ball of weights, and of its size
norm_steps = 3  # of the same search in a ball of norms, where more find no other

# %%
use_style()
network, further = load_network(network_file), {name: load_network(path) for name, path in others.items()}
mainlines = {"pizza_transformer": "Q, pizza transformer", "two_layer_mlp": "M, two-layer MLP"}
mainlines |= {"embedding_mlp": "C, embedding MLP"}
titles = {"group_mlp": "T, one hidden layer", "c91_batch": "C, another seed", "c91_full": "C, full batches"} | mainlines
stored = {mainlines["pizza_transformer"]: network}
stored |= {titles[name.split("/")[0]]: one for name, one in further.items()}
tables = {label: one.separable() for label, one in stored.items()}
true = {label: margins(separable.logits()) for label, separable in tables.items()}
right = [label for label in stored if (true[label] > 0).all()]
say(f"Networks that answer every input right, and so have a ball: {', '.join(right) or 'none'}.")

# %% [markdown]
# ## What is certified, and what is found
# Sizes in per cent, of each entry or of each norm. *Entries, tables* is exact: just outside, at 1 % more, the worst
# network of the ball errs. Weights of a ball of entries have two certificates, by products of moduli and by the ball of
# norms that holds it; the larger counts.

# %%
norm_radius = {label: frobenius.weight_radius(stored[label]) for label in right}


def balls_of_entries(label):
    """What is certified and what is found, of tables and of weights, where entries move."""
    exact = ball.table_radius(tables[label])
    certified = max(ball.weight_radius(stored[label]), norm_radius[label])
    outside = 1.01 * exact if ball.errs_outside(tables[label], 1.01 * exact) else np.nan
    yield "tables", exact, outside
    yield "weights", certified, ball.smallest_wrong_weights(stored[label], certified, steps, halvings)


def balls_of_norms(label):
    """The same, where norms do."""
    radius, found = frobenius.table_radius(tables[label]), frobenius.smallest_wrong_tables
    yield "tables", radius, found(tables[label], radius)
    radius, found = norm_radius[label], frobenius.smallest_wrong_weights
    yield "weights", radius, found(stored[label], radius, norm_steps, halvings)


# %%
balls = pd.DataFrame(
    [
        (label, kind, moved, true[label].min(), 100 * certified, 100 * found, found / certified)
        for label in right
        for kind, balls_of in (("entries", balls_of_entries), ("norms", balls_of_norms))
        for moved, certified, found in balls_of(label)
    ],
    columns=["network", "ball of", "moved", "smallest margin", "certified (%)", "found (%)", "found over certified"],
)
balls = balls.astype(dict.fromkeys(balls.columns[3:], float))
save_table(balls, f"{figures}/balls_table", digits=3)
balls.round(3)

# %%
half_units = {name: 2.0 ** -(format.bits + 1) for name, format in ball.FORMATS.items()}  # of normal numbers, relative
save_figure(drawings.draw_balls(balls, right, half_units), f"{figures}/balls", balls)

# %% [markdown]
# ## Rounded weights
# Every stored weight rounded to the nearest number of a format. Formats of eight and of four bits have one scale for each
# parameter, by its largest modulus. *Largest move*: the most by which a weight moves, in per cent of itself. It is 100 if a
# weight becomes 0, and far above half a unit in the last place if small weights lie below the normal numbers of a format.
# *Inside*: this is below the certified radius of the weights' entries, so that no input can change its answer. The counts
# say what happens.

# %%
formats = {name: partial(ball.rounded, format=format) for name, format in ball.FORMATS.items()}
formats |= {name: partial(ball.scaled, most=most) for name, most in ball.LARGEST_CODE.items()}
certified = balls[(balls["ball of"] == "entries") & (balls.moved == "weights")].set_index("network")["certified (%)"]
rows = []
for label in mainlines.values():
    for name, to_format in formats.items():
        weights = stored[label].parameters
        parameters = {key: to_format(value) for key, value in weights.items()}
        moved = max(ball.largest_error(value, parameters[key]) for key, value in weights.items())
        wrong = int((margins(replace(stored[label], parameters=parameters).separable().logits()) <= 0).sum())
        line = {"network": label, "format": name, "largest move (%)": 100 * moved}
        line |= {"inside": 100 * moved <= certified.get(label, 0.0), "wrong": wrong, "of": true[label].size}
        rows.append(line)
rounding = pd.DataFrame(rows)
save_table(rounding, f"{figures}/formats", digits=3)
rounding.round(3)

# %% [markdown]
# ## The ball during training
# How far every entry of the tables may move at every 25th snapshot of a run, and at its end, for every run that was
# watched (median, and all between the least and the greatest); 0 where an input is answered wrong. Dotted: when the first run has generalised (99 % of all inputs).

# %%
runs = {study: read_longest(datasets[study]).dropna(subset=["radius"]) for study in mainlines}
generalised = {}
for study, title in mainlines.items():
    stages = read_stages(datasets[study])
    generalised[title] = events_of(stages[stages.seed == stages.seed.min()])["generalised"]
figure = drawings.draw_training({mainlines[study]: run for study, run in runs.items()}, generalised)
columns = ["architecture", "seed", "updates", "radius"]
save_figure(figure, f"{figures}/training", pd.concat([run[columns] for run in runs.values()]))

# %% [markdown]
# ## Other seeds, and other weight decays
# The balls of entries of all networks of Study Q.

# %%
swept = {name: read_population(*datasets[name]) for name in ("q_seeds", "q_weight_decay")}
seeds, decays = swept["q_seeds"].dropna(subset=["weight_radius"]), pd.concat(swept.values())
decays = decays[decays.steps == network.recipe.steps]  # trained as long as the mainline
decays = decays[["weight_decay", "seed", "table_radius", "weight_radius"]].dropna().drop_duplicates()
save_figure(drawings.draw_seeds(seeds, decays), f"{figures}/seeds", decays)

# %% [markdown]
# ## Result
# Claimed, of most networks of Study Q: the ball of entries of the weights holds rounding to eleven significant bits, those
# of float16. Small weights move further in float16 itself, as it has no smaller exponents: the table says how far, and what
# happens. Of every watched run:
# training at least doubles the ball after its first. Shown, and not judged: how far every entry of the tables may move, and
# how near the ball of norms of the weights ends to a wrong network.
#
# **Caveats.** Sizes of the two shapes are not alike: a move of norms may be spent on one input, one of entries may not. The
# certified ball of weights takes the worst of each factor of a table at the same time. Balls during training are those
# of tables that a snapshot has rounded. The balls of weights of other seeds have the certificate by moduli alone, which is
# faster and often smaller. Other seeds of Study C are two exhibits and the curves above.


# %%
gap = balls[(balls["ball of"] == "norms") & (balls.moved == "weights")]["found over certified"]
values = {
    "table_radius": ball.table_radius(tables[mainlines["pizza_transformer"]]),
    "weight_radius": ball.weight_radius(network),
    "norm_weights_found_over_certified": gap.tolist(),
    "grows_twice": [share_growing(rows, times=2) for rows in runs.values()],
    "share_with_ball": share(seeds.weight_radius > 0),
}
record(values_file, network, values, others=further)
values

# %%
for label, lines in balls.groupby("network", sort=False):
    sizes = [
        f"{line.moved} by {line['certified (%)']:.3f} % (wrong at {line['found (%)']:.3f} %)"
        for _, line in lines.iterrows()
    ]
    say(f"**{label}**: every entry of its {sizes[0]} or {sizes[1]}; every norm of its {sizes[2]} or {sizes[3]}.")
say(
    f"**{len(seeds)} seeds of Study Q**: {values['share_with_ball'].holds} have a certified ball of weights. The median is "
    f"{100 * seeds.weight_radius.median():.3f} % of every entry, for the tables {100 * seeds.table_radius.median():.2f} %.",
)
say(
    "From its first size to the last, during training, the ball at least doubles in",
    "; ".join(
        f"{doubled.holds} of {doubled.of} runs ({mainlines[study]})"
        for study, doubled in zip(runs, values["grows_twice"], strict=True)
    )
    + ".",
)
