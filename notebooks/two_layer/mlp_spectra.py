# %% [markdown]
# # What does the two-layer MLP look like in the Fourier basis?
#
# **Claim** ([M]). A neuron is a sum of nine terms of one frequency k: a constant, the sine and the cosine of w_k a and
# of w_k b, and their four products,
#
# $$ \sum_{g, h} \lambda_{gh} \, g(a) \, h(b), \qquad g(x), h(x) \in \{ 1, \sin w_k x, \cos w_k x \} . $$
#
# Only the ReLU makes products. The logits are almost all products. All of this happens at a few *key frequencies*.
#
# **Method.** A table f(a, b) is written in products of the orthonormal functions const, sin 1, cos 1, sin 2, … of a and
# of b. This is a change of basis; nothing is fitted. *Power* is the sum of squared coefficients over all neurons, or
# over all answers ([M] labels it norm), less the mean over the inputs, so that shares of it are shares of variance. Key
# frequencies are those of W_U above the widest gap in log power; the notebook on key frequencies examines this rule.
#
# A config may stop this network before its 50,000 updates, at which its frequencies are not yet those that [M] lists. Then
# the figures show a kept one in its place: trained to the end, from initial weights changed in their last bit.

# %%
import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.colors import LogNorm, SymLogNorm

from modadd.core.basis import basis_frequencies, names
from modadd.networks.foreign import beside_published
from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, panels, save_figure, save_table, use_style, visible
from modadd.populations.witnesses import in_full_length
from modadd.two_layer import basis_measures as measures
from modadd.two_layer.preactivations import shares_before_relu
from modadd.two_layer.readout import own_terms, power, shares_of_terms, transform_2d
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/two_layer_mlp/seed0.safetensors"
others = {"m_rounding/witness": "data/populations/witnesses/m_rounding.safetensors"}  # a retraining of full length
external = {}  # published weights by name; those of a two-layer MLP mod the same n stand beside the retrained one
figures = "results/by_hand/mlp_spectra"
values_file = "results/by_hand/mlp_spectra.json"
published = {}  # nothing is printed about these spectra but pictures and words
exhibits = 3  # neurons and answers shown one by one

# %%
use_style()
network = load_network(network_file)
full_length = in_full_length(network, load_network(others["m_rounding/witness"], kept=True))
n = full_length.recipe.modulus
separables = beside_published(full_length, external)
key = {name: measures.W_U_frequencies(separable) for name, separable in separables.items()}
neurons = {name: neurons_in(separable) for name, separable in separables.items()}
stages = {"pre": "before the ReLU", "post": "after the ReLU", "logits": "in the logits"}


def preactivations_in_basis(separable):
    """Coefficients of the preactivations at products of basis functions of a and b."""
    return transform_2d(separable.preactivations())


in_basis = {"pre": preactivations_in_basis, "post": measures.activations_in_basis, "logits": measures.logits_in_basis}
spectra = {(name, stage): in_basis[stage](tables) for name, tables in separables.items() for stage in stages}

# %%
labels, every = names(n), np.arange(0, n // 2 + 1, 10)
axis = {"ticks": 2 * every, "ticklabels": every, "lim": (-3, n)}  # off the frame: lines at frequency 0 are seen
axis = {f"{side}{word}": value for side in "xy" for word, value in axis.items()}
terms = pd.MultiIndex.from_product([labels, labels], names=["function of a", "function of b"])
prefix = {name: f"{name}\n" if len(separables) > 1 else "" for name in separables}


# %%
def draw(ax, table, title, norm):
    """A map over the functions of a and of b."""
    image = ax.imshow(
        table, norm=norm, cmap="RdBu_r" if norm.vmin < 0 else None, origin="lower", interpolation="nearest"
    )
    ax.set(title=title, xlabel="frequency of b", ylabel="frequency of a", **axis)
    ax.label_outer()
    return image


def draw_power(ax, powers, title, over):
    """The power in four decades, with a bar of its colours."""
    top = powers.max()
    image = draw(ax, np.maximum(powers, top / 1e4), title, LogNorm(top / 1e4, top))
    ax.figure.colorbar(image, ax=ax, label=f"power over all {over}", extend="min", shrink=0.8).minorticks_off()


def numbers(maps, least):
    """The maps as a table, without what is invisible in them."""
    drawn = pd.DataFrame({label: coefficients.ravel() for label, coefficients in maps.items()}, index=terms)
    return visible(drawn, least).reset_index()


# %% [markdown]
# ## Neurons over all inputs
# [M] draws neurons at random. Here each of the strongest frequencies is shown by the neuron with the greatest αβ, the
# product of the amplitudes of its preactivation and of its row of W_U.

# %%
count = min(len(read.strongest(exhibits)) for read in neurons.values())
shown = []
for name, read in neurons.items():
    for k in read.strongest(count):
        shown.append((name, k, int(np.argmax(read.alpha * read.beta * (read.frequency == k)))))
activations = {(name, k, i): measures.activations_in(separables[name])[..., i] for name, k, i in shown}
figure, axes = panels(len(shown), columns=count, height=2.3, sharex=True, sharey=True)
top = max(table.max() for table in activations.values())
for ax, ((name, k, i), table) in zip(axes, activations.items(), strict=True):
    image = ax.imshow(table, vmin=0, vmax=top, origin="lower", interpolation="nearest")
    ax.set(title=f"{prefix[name]}neuron {i}, k = {k}", xlabel="b", ylabel="a")
    ax.label_outer()
figure.colorbar(image, ax=axes, label="activation", shrink=0.8)
inputs = pd.MultiIndex.from_product([range(n), range(n)], names=["a", "b"])
drawn = {f"{name}: neuron {i}": table.ravel() for (name, _, i), table in activations.items()}
save_figure(figure, f"{figures}/neuron_activations", pd.DataFrame(drawn, index=inputs).reset_index(), digits=3)

# %% [markdown]
# ## Single neurons in that basis, before and after the ReLU
# All coefficients of the same neurons. Colours are linear up to a hundredth of the largest and logarithmic beyond.
# Lines along the edges are terms of one input alone. Squares on the diagonal are products at one frequency.

# %%
single = {}
for network_name in separables:
    for stage in ("pre", "post"):
        neurons_shown = [(name, k, i) for name, k, i in shown if name == network_name]
        single |= {(name, k, i, stage): spectra[name, stage][..., i] for name, k, i in neurons_shown}
top = max(np.abs(coefficients).max() for coefficients in single.values())
figure, axes = panels(len(single), columns=count, height=2.4, sharex=True, sharey=True)
for ax, ((name, k, i, stage), coefficients) in zip(axes, single.items(), strict=True):
    title = f"{prefix[name]}neuron {i}, k = {k}\n{stages[stage]}"
    image = draw(ax, coefficients, title, SymLogNorm(top / 100, vmin=-top, vmax=top))
figure.colorbar(image, ax=axes, label="coefficient", shrink=0.6).minorticks_off()
drawn = {f"{name}: neuron {i}, {stage}": coefficients for (name, _, i, stage), coefficients in single.items()}
save_figure(figure, f"{figures}/neurons_in_basis", numbers(drawn, 1e-3), digits=3)

# %% [markdown]
# Now the nine terms of the neuron's own frequency, cut out of these maps. The title says how much of the neuron's
# variance they hold; the constant holds none. Then the same share for every neuron, whose frequency is the strongest
# one of its preactivation. A neuron that is never active has no variance after the ReLU; its share counts as 0.

# %%
shares = {}
for name, separable in separables.items():
    shares[f"{name}: pre"] = own_terms(spectra[name, "pre"], neurons[name].frequency)
    shares[f"{name}: post"] = measures.shares_of_nine_terms(separable)
shares = pd.DataFrame(shares).rename_axis("neuron")

# %%
figure, axes = panels(len(single), columns=count, height=2.2)
rows = []
for ax, ((name, k, i, stage), coefficients) in zip(axes, single.items(), strict=True):
    nine = np.flatnonzero(np.isin(basis_frequencies(n), (0, k)))
    words = [labels[row] for row in nine]
    block = pd.DataFrame(np.round(coefficients[np.ix_(nine, nine)], 1) + 0.0, words, words)  # no −0
    top = np.abs(block.to_numpy()).ravel()[1:].max()
    numbers_in = {
        "annot": block.map("{:.1f}".format).replace("-", "−", regex=True),
        "fmt": "",
        "annot_kws": {"size": 7},
    }
    sns.heatmap(block, vmin=-top, vmax=top, cmap="RdBu_r", cbar=False, square=True, ax=ax, **numbers_in)
    ax.set(xlabel="function of b", ylabel="function of a")
    ax.tick_params(rotation=0)
    held = 100 * shares.loc[i, f"{name}: {stage}"]
    ax.set_title(f"{prefix[name]}neuron {i}, {stages[stage]}\n{held:.1f} % of its variance")
    rows += [(name, i, stages[stage], labels[r], labels[c], coefficients[r, c]) for r in nine for c in nine]
columns = ["network", "neuron", "stage", "function of a", "function of b", "coefficient"]
save_figure(figure, f"{figures}/nine_terms", pd.DataFrame(rows, columns=columns))

# %%
bins = np.linspace(np.floor(10 * shares.min().min()) / 10, 1, 41)
figure, axes = panels(len(separables), height=2.2, sharex=True, sharey=True)
for ax, name in zip(axes, separables, strict=True):
    ax.hist(shares[f"{name}: pre"], bins=bins, histtype="step", color=COLOURS[1], linewidth=1.4, label=stages["pre"])
    ax.hist(shares[f"{name}: post"], bins=bins, color=COLOURS[6], alpha=0.8, label=stages["post"])
    ax.set(title=prefix[name].strip(), xlabel="share of variance in the nine terms", ylabel="neurons", yscale="log")
    ax.set(ylim=(0.7, 2000), yticks=[1, 10, 100, 1000], yticklabels=["1", "10", "100", "1000"])
    ax.minorticks_off()
    ax.legend(loc="upper left")
save_figure(figure, f"{figures}/share_of_nine_terms", shares.reset_index())

# %% [markdown]
# ## All neurons, before and after the ReLU, and all answers
# Power at every pair of functions. A preactivation is a sum of functions of a and of b: the ReLU makes all products.

# %%
norms = {pair: power(coefficients) for pair, coefficients in spectra.items()}
for powers in norms.values():
    powers[0, 0] = 0  # less the mean over the inputs
figure, axes = panels(len(norms), columns=len(stages), height=2.5, sharex=True, sharey=True)
for ax, ((name, stage), powers) in zip(axes, norms.items(), strict=True):
    draw_power(ax, powers, f"{prefix[name]}{stages[stage]}", "answers" if stage == "logits" else "neurons")
save_figure(figure, f"{figures}/norms", numbers({": ".join(pair): powers for pair, powers in norms.items()}, 1e-5))

# %% [markdown]
# ## Logits
# First a few answers, then all of them. If the logits are sums of cos(w_k(a + b − c)), each answer has the four
# products of the key frequencies and nothing along the edges. Colours are linear up to a twentieth of the largest.

# %%
answers = [(name, c) for name in separables for c in np.arange(exhibits) * n // exhibits]
chosen = {(name, c): spectra[name, "logits"][..., c] for name, c in answers}
top = max(np.abs(coefficients).ravel()[1:].max() for coefficients in chosen.values())
figure, axes = panels(len(chosen), columns=exhibits, height=2.4, sharex=True, sharey=True)
for ax, ((name, c), coefficients) in zip(axes, chosen.items(), strict=True):
    image = draw(ax, coefficients, f"{prefix[name]}answer {c}", SymLogNorm(top / 20, vmin=-top, vmax=top))
bar = {"ticks": top * np.array([-1, -0.05, 0, 0.05, 1]), "format": "{x:.3g}", "shrink": 0.8}
figure.colorbar(image, ax=axes, label="coefficient (logits)", **bar).minorticks_off()
drawn = {f"{name}: answer {c}": coefficients for (name, c), coefficients in chosen.items()}
save_figure(figure, f"{figures}/logits_in_basis", numbers(drawn, 1e-3), digits=3)

# %% [markdown]
# ## How much of it is which term
# *Linear*: sine or cosine of one input, at a key frequency. *Quadratic*: products of both inputs at one key frequency.
# *Rest*: products of two frequencies, and everything at other frequencies, the double 2k of a key frequency among them.

# %%
kinds = {(name, stage): shares_of_terms(powers, key[name]) for (name, stage), powers in norms.items()}
table = pd.DataFrame(kinds).T.rename_axis(["network", "stage"]).reset_index()
save_table(table, f"{figures}/terms", digits=4)
table.round(4)

# %% [markdown]
# ## Result
# Claimed: neurons are nine terms of one frequency; the products are missing before the ReLU; in the logits they
# outweigh the linear terms. The second holds for any network of this form: A[a] + A[b] has no products, whatever has
# been learned. The ReLU makes products of *any* preactivation. Training brings them to one frequency per neuron, and it
# makes W_U cancel the linear terms that come with them.
#
# **Slips in [M].** The nine terms are printed with cos(w_k a) twice; one is cos(w_k b). The products fill squares of
# 2 × 2 functions, not of 4 × 4.
#
# **Caveat.** The ReLU also makes terms outside the nine, at 2k above all. They are in *rest*, and where its share is
# not small, "almost nothing but products" does not hold.

# %%
stated = (measures.neurons_of_nine_terms, measures.quadratic_over_linear_logits)
separable = network.separable()
values = {"quadratic_share_pre": shares_before_relu(separable)["quadratic"]}
values |= {number.__name__: number(separable) for number in stated}
if "published weights" in separables:  # the words of [M] are about these
    theirs = separables["published weights"]
    values |= {f"published_weights_{number.__name__}": number(theirs) for number in stated}
record(values_file, network, values)
values

# %%
percent = {
    pair: ", ".join(f"{kind} {100 * part:.2f} %" for kind, part in parts.items()) for pair, parts in kinds.items()
}
say(about(full_length))
for name in separables:
    held = 100 * shares[f"{name}: post"]
    say(
        f"**{name.capitalize()}**. Key frequencies ({len(key[name])}): {', '.join(map(str, key[name]))}. The nine "
        f"terms hold {held.median():.1f} % of the median neuron's variance after the ReLU, at least {held.min():.1f} %, and "
        f"{100 * measures.OF_NINE_TERMS:.0f} % or more in {100 * measures.neurons_of_nine_terms(separables[name]):.0f} % of "
        "the neurons.",
        *(f"Power {words}: {percent[name, stage]}." for stage, words in stages.items()),
    )
