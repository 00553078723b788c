# %% [markdown]
# # Do the embeddings hold rotations?
# [C] looks for the entries of rotation matrices among the weights of the embeddings, finds weights outside [−1, 1] and phases
# that no rotation has, and concludes that rotations do not describe them (§4.1, §5.3). But a network may write a rotation in any
# basis of its embedding's 32 dimensions, and no single weight or column shows it there. What does not depend on the basis: the
# part of frequency f is two vectors, the real and the imaginary part of row f of the embedding's DFT,
#
# $$E_f(x) = \frac{2}{n} \left( \mathrm{Re} F_f \cos w_f x - \mathrm{Im} F_f \sin w_f x \right).$$
#
# If they are orthogonal and of one length, E_f(x) turns in a plane as the rotation by w_f x does. The ratio of the singular
# values of [Re F; Im F] is then 1. It is 0 if the embedding holds one projection of the rotation only.

# %%

from modadd.crt.components import FEWEST_OF_PLANE, least_even_plane
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, draw_shares_below, panels, save_figure, save_table, use_style
from modadd.populations.rotation_planes import PLANES, clusters_with_planes, evenness_of_planes
from modadd.populations.tables import read_populations
from paper.notebook import interval, record, say

# %% tags=["parameters"]
network_file = "results/networks/embedding_mlp/seed0.safetensors"
datasets = {  # rows trained here, then the kept ones; filled in by the workflow
    "c91_batch": ["results/populations/c91_batch.parquet"],
    "c91_full": ["results/populations/c91_full.parquet"],
    "c89_batch": ["results/populations/c89_batch.parquet"],
    "c89_full": ["results/populations/c89_full.parquet"],
}
figures = "results/by_hand/rotation_planes"
values_file = "results/by_hand/rotation_planes.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
even_from = 0.9  # ratio from which a plane counts as held evenly

# %%
use_style()
network = load_network(network_file)
tables, networks, _, titles = read_populations(datasets)
clusters = clusters_with_planes(networks, even_from)
clusters[["less_even"]].describe().T.round(3)

# %% [markdown]
# ## The ratio of every cluster of at least five working neurons
# Left, σ₂/σ₁ in E_a and in E_b, one mark for each of these clusters. Right, the share of them whose less even embedding
# has a smaller ratio. Smaller clusters are left out.

# %%
figure, (left, right) = panels(2, height=2.6)
populations = clusters.groupby("population", sort=False)
for (name, rows), colour, dash, marker in zip(populations, COLOURS, DASHES, MARKERS, strict=False):
    left.plot(rows[PLANES[0]], rows[PLANES[1]], marker, color=colour, markersize=3, fillstyle="none")
    label = f"{titles[name]}: {len(rows)} clusters"
    draw_shares_below(right, rows.less_even, color=colour, linestyle=dash, label=label)
for ax in (left, right):
    ax.axvline(even_from, color="0.6", linestyle=":", linewidth=0.8)
    ax.set_xlim(0, 1.02)
left.axhline(even_from, color="0.6", linestyle=":", linewidth=0.8)
left.set(xlabel="σ₂/σ₁ in E_a", ylabel="σ₂/σ₁ in E_b", ylim=(0, 1.02))
right.set(xlabel="σ₂/σ₁, the smaller of the two", ylabel="share of these clusters with less", ylim=(0, 1.02))
figure.legend(*right.get_legend_handles_labels(), loc="outside upper center", ncols=2)
save_figure(figure, f"{figures}/ratios", clusters)

# %% [markdown]
# ## Where a plane is not held evenly
# Each of these clusters with a smaller ratio in one embedding, with its share of the network's weight.

# %%
uneven = clusters[~clusters.even].drop(columns="even")
save_table(uneven, f"{figures}/uneven", digits=3)
uneven.round(3)

# %% [markdown]
# ## Result
# Read in how many networks both embeddings hold the plane of every such cluster evenly. Networks that answer an input wrong
# are left out.
#
# **Caveat.** A plane that is held evenly is the first step of the algorithm of Chughtai et al. up to basis and scale. It does
# not say that the neurons go on as that algorithm does: they take projections of the plane in many directions, as [C] says.

# %%
values = evenness_of_planes(clusters, even_from)
values["least_even_plane"] = least_even_plane(network)
record(values_file, network, values, list(tables.values()))
values

# %%
even = values["every_plane_even"]
say(
    f"Of {values['planes']} planes (each cluster with at least {FEWEST_OF_PLANE} working neurons, in each of its two "
    f"embeddings), {values['planes_even']} are held with σ₂/σ₁ of at least {even_from:g}; the median is "
    f"{values['median_ratio']:.3f}. In {even.holds} of {even.of} networks ({interval(even)}) this "
    "holds for every cluster in both embeddings."
)
