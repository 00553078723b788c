# %% [markdown]
# # Does the margin grow with the number of frequencies?
#
# **Claim** ([C1] Fig. 12). With one embedding and one hidden layer the mean margin of a network grows with the number of
# frequencies that it learns, from 2.82 at one frequency. The theorem of [C1] says why it should: more frequencies separate
# the right answer from the wrong ones.
#
# **Method.** Networks of one recipe that answer every input right are compared: they have the same modulus, the same batches and
# equally many updates, and differ in their seeds. Two numbers are taken. The *mean margin* is the right logit less the best
# wrong one, mean over all inputs. Rows that were kept before this measure was written lack it. So the *log odds* stand beside
# it, which the held-out loss ℓ of every row gives. With p the geometric mean of the probabilities of the right answers,
#
# $$ \ln \frac{p}{1 - p} = -\ln(e^{\ell} - 1), \qquad p = e^{-\ell} $$
#
# They weigh inputs and wrong answers the more the nearer the wrong logit comes to the right one. Of both numbers the slope over the
# number of frequencies is given: how many nats one more frequency adds. Its interval is at 95 %, and does not assume that the
# deviations are equally large everywhere.

# %%
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.populations.margins import log_odds, means_by_frequencies, slopes_of_margins
from modadd.populations.tables import faultless_or_all, read_population, regime_of, without_others
from paper.notebook import interval, record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
figures = "results/by_hand/margin_by_frequencies"
values_file = "results/by_hand/margin_by_frequencies.json"
published = {}  # filled in from the ledger: the one printed number has no counterpart here
items = {"C1/margin_of_one_frequency": 0.0}  # what this item of the source prints, in nats; filled in by the workflow
fewest = 3  # networks of which a mean is drawn

# %%
use_style()
network = load_network(network_file)
networks = {}
for files in datasets.values():
    rows = faultless_or_all(without_others(read_population(*files))).reset_index(drop=True)
    networks[regime_of(rows)] = rows.assign(log_odds=log_odds(rows.held_out_loss.to_numpy()))
numbers = {"mean_margin": "mean margin (nats)", "log_odds": "log odds (nats)"}

# %% [markdown]
# ## Margins by the number of frequencies
# Mean with its 95 % interval over the networks with equally many frequencies. Left, the networks whose margin was measured; right,
# all. The star is what [C1] prints for one frequency.

# %%
table = means_by_frequencies(networks, list(numbers))
save_table(table, f"{figures}/by_frequencies")
table.round(2)

# %%
figure, axes = panels(2, columns=2, height=2.6)
for ax, (number, label) in zip(axes, numbers.items(), strict=True):
    for place, title in enumerate(networks):
        means = table[(table.population == title) & (table[f"{number}, networks"] >= fewest)]
        distances = [means[number] - means[f"{number}, low"], means[f"{number}, high"] - means[number]]
        style = {"color": COLOURS[place], "linestyle": DASHES[place], "marker": MARKERS[place], "markersize": 4}
        x = means.frequencies + 0.06 * (place - 1.5)
        ax.errorbar(x, means[number], distances, capsize=2, label=title, **style)
    ax.set(xlabel="frequencies", ylabel=label)
axes[0].plot(1, items["C1/margin_of_one_frequency"], "k*", markersize=8, label="[C1], one frequency")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper center", ncols=3)
save_figure(figure, f"{figures}/margins", table)

# %% [markdown]
# ## Result
# **Caveat.** Networks of one recipe have few different numbers of frequencies, and none has one. Seeds decide both numbers, so
# the slope is no effect of a frequency that was added to a given network.

# %%
values = slopes_of_margins(networks)
record(values_file, network, values, list(networks.values()))
values


# %%
def by_population(slopes):
    """The slope of each population with its interval, in words."""
    sentences = []
    for title, slope in zip(networks, slopes, strict=True):
        sentences.append(f"{title}: {slope.value:.2f} nats ({interval(slope)})")
    return "; ".join(sentences)


say(
    f"**Mean margin.** {values['measured']} networks were measured. One more frequency goes with: "
    f"{by_population(values['margin_slope'])}.",
    f"**Log odds.** Over {values['networks']} networks one more frequency goes with: "
    f"{by_population(values['log_odds_slope'])}.",
)
