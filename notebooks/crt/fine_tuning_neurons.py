# %% [markdown]
# # What is a fine-tuning neuron made of?
#
# **Claim** ([C] §4.1 and App. B.1.2). A simple neuron receives one cosine from either number. A *fine-tuning* neuron receives
# a sum of several. Relabelling the residues, x ↦ u·x, which makes a simple neuron of
# frequency f one slow cosine, turns a fine-tuning neuron into half a period of a wave instead of a whole one.
#
# **Method.** The two strongest fine-tuning neurons are drawn of a network that has a cluster of them, as the one of [C] has
# (or, where there is none, the simple ones nearest to it): what they receive, its DFT, and the first of them built up from its
# strongest lines. Then half a period is fitted, and one period. The claim is judged on all networks of four populations that
# have such neurons.

# %%
import numpy as np
import pandas as pd

from modadd.core.fourier import spectrum
from modadd.crt.clusters import BAND
from modadd.crt.coset_measures import half_minus_one_period
from modadd.crt.exhibits import nearest_to_fine_tuning, read
from modadd.crt.several_lines import partial_sums, periods_table, strongest_lines
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, PUBLISHED_LINE, panels, save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/exhibits/c91_batch.safetensors"  # of which the record says what stands in it
others = {"fine_tuning_mlp/seed314": "results/networks/fine_tuning_mlp/seed314.safetensors"}
figures = "results/by_hand/fine_tuning_neurons"
values_file = "results/by_hand/fine_tuning_neurons.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
most_terms = 6  # representations added up

# %%
use_style()
network = load_network(network_file)
((tuned_name, tuned_file),) = others.items()
tuned_network = load_network(tuned_file)
tuned = read(tuned_network)
pair, word = nearest_to_fine_tuning(tuned)

# %% [markdown]
# ## What they receive
# Two neurons: what they receive from a and from b.

# %%
received = {(int(i), side): getattr(tuned.separable, side.upper())[:, i] for i in pair for side in "ab"}
residues = np.arange(tuned.separable.modulus)
figure, axes = panels(len(received), height=1.5, sharex=True)
tables = []
for ax, ((i, side), values) in zip(axes, received.items(), strict=True):
    ax.plot(residues, values, "o", color=COLOURS[0], markersize=2.5)
    ax.set(title=f"neuron {i} ({word}), from {side}", xlabel="residue", ylabel="preactivation")
    ax.label_outer()
    tables.append(pd.DataFrame({"neuron": i, "from": side, "residue": residues, "value": values}))
save_figure(figure, f"{figures}/fine_tuning_neurons", pd.concat(tables))

# %% [markdown]
# ## Of which lines they consist
# Their DFT; dashed, the magnitudes between which [C] looks for their lines.

# %%
k, tables = np.arange(1, len(residues) // 2 + 1), []
number = {"ha": "center", "size": 6, "textcoords": "offset points"}
number["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.3}  # hides the dashed line behind it
figure, axes = panels(len(received), height=1.5, sharex=True, sharey=True)
for ax, ((i, side), values) in zip(axes, received.items(), strict=True):
    magnitude = np.abs(spectrum(values))[1:]
    ax.vlines(k, 0, magnitude, color=COLOURS[0], linewidth=2)
    for edge, label in zip(BAND, ("7.5 and 30 ([C])", None), strict=True):
        ax.axhline(edge, **PUBLISHED_LINE, label=label)
    for line in k[magnitude >= min(BAND[0], magnitude.max())]:
        ax.annotate(str(line), (line, magnitude[line - 1]), (0, 2), **number)
    ax.set(title=f"neuron {i} ({word}), from {side}", xlabel="frequency", ylabel="|DFT|")
    ax.margins(y=0.15)
    ax.label_outer()
    tables.append(pd.DataFrame({"neuron": i, "from": side, "frequency": k, "magnitude": magnitude}))
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center")
save_figure(figure, f"{figures}/fine_tuning_spectra", pd.concat(tables))

# %% [markdown]
# The first neuron, built from its strongest representations, with the share of its variance.

# %%
built = tuned.separable.A[:, pair[0]]
lines, sums = strongest_lines(built, most_terms), partial_sums(built, most_terms)
save_table(lines, f"{figures}/representations_table")
figure, axes = panels(max(1, len(lines)), columns=3, height=1.6, sharex=True, sharey=True)
for ax, total, row in zip(axes, sums, lines.itertuples(), strict=False):
    ax.plot(residues, built, "o", color="0.6", markersize=3, markerfacecolor="none", label="neuron")
    ax.plot(residues, total, "o", color=COLOURS[1], markersize=1.5, label="sum of its strongest waves")
    title = f"{'+ ' if row.Index else ''}f = {row.frequency}: {100 * row.share:.1f} %"
    ax.set(title=title, xlabel="a", ylabel="A(a)")
    ax.label_outer()
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/representations", pd.DataFrame({"a": residues} | dict(enumerate([built, *sums]))))
lines.round(3)

# %% [markdown]
# ## Half a period
# R² of a constant and half a period after relabelling, and of one period, the strongest line.

# %%
periods = periods_table(received, tuned.dfts.frequency)
periods.round(3)

# %% [markdown]
# ## Result
# The network drawn illustrates. That half a period explains more than one is judged on the networks of four populations, by
# the mean over the fine-tuning neurons of each.
#
# **Caveat.** Half a period is the shape of a fine-tuning neuron whose second line stands at 2f. Where it stands at 3f,
# crests are flattened or sharpened, and half a period fits no better than one.

# %%
values = {
    "half_minus_one_period": half_minus_one_period(network),
    "half_period_of_strongest": periods["half a period"][0],
    "one_period_of_strongest": periods["one period"][0],
}
record(values_file, network, values, others={tuned_name: tuned_network})
values

# %%
working = tuned.kind.fine_tuning & ~tuned.kind.idle
say(about(tuned_network))
if working.any():
    drawn = periods[working[periods.neuron]].round(3)
    halves, ones = (", ".join(f"{value:.3f}" for value in drawn[column]) for column in ("half a period", "one period"))
    say(
        f"In {tuned_name} {working.sum()} fine-tuning neurons work. R² of half a period is {halves} (A and B of the two "
        f"drawn), of one period {ones}."
    )
else:
    further_line = max(tuned.dfts.beside_A[pair[0]], tuned.dfts.beside_B[pair[0]])
    say(f"In {tuned_name} no fine-tuning neuron works. In the simple ones drawn, another line is {further_line:.2f}.")
