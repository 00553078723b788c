# %% [markdown]
# # Do other activations give the same integral?
#
# **Claim** ([QR]). The argument is not about the ReLU: the authors answer their reviewers that it "extends trivially
# ... to any non-negative activation function", the square among them.
#
# **Method.** For any activation f the substitution u = θ/2 + φ gives
#
# $$ \int_{-\pi}^{\pi} f(r\cos(\tfrac{\theta}{2} + \varphi)) \, e^{2i\varphi} d\varphi = c_2(r) \, e^{-i\theta}, \quad
# c_2(r) = \int_{-\pi}^{\pi} f(r\cos u) \cos 2u \, du. $$
#
# So every f doubles the frequency if its c₂ is not 0. The condition is not that f is non-negative: a constant is
# non-negative and has c₂ = 0, and 1 − u² has a negative c₂. A convex f has c₂ ≥ 0. The activations differ in how many
# neurons the integral takes. With h evenly spaced nodes the sum cannot tell the order −2 from −2 + jh, so its error is
# made of the coefficients c_l at l = jh ± 2. Adaptive quadrature checks coefficients and integrals in closed form. Then
# the angles, phases and weights of the trained network are given to each activation in turn.

# %%
import numpy as np
import pandas as pd
from matplotlib.ticker import NullLocator

from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, MARKERS, panels, save_figure, save_table, use_style
from modadd.quadrature import error_measures
from modadd.quadrature.activations import (
    DOUBLING,
    IDENTITY_ACTIVATION,
    activated_error,
    alias_error,
    even_nodes_error,
    expected_random_error,
    nodes_needed,
)
from modadd.quadrature.identities import closed_form_off, exponential_over_bound
from modadd.quadrature.scheme_measures import schemes_in
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/activations"
values_file = "results/by_hand/activations.json"
published = {}  # 4/3 and 0 are judged in another notebook
thetas = 13  # angles at which the integral is computed numerically
tolerances = [0.1, 0.01, 0.001]  # of c₂
most_nodes = 128  # evenly spaced, drawn
most_panels = 6  # frequencies of the trained network, strongest first

# %%
use_style()
network = load_network(network_file)
key = neurons_in(network).strongest(most_panels)
schemes = {k: scheme for k, scheme in schemes_in(network).items() if k in key}
activations = [*DOUBLING, IDENTITY_ACTIVATION]

# %% [markdown]
# ## The integral in closed form
# The table has c₂ at r = 1 by formula, and the largest deviation of the integral by adaptive quadrature from c₂ e^{−iθ}
# over `thetas` angles θ around the circle (at r = 1 and r = 2). It also has the fewest evenly spaced nodes that keep
# the error below a given share of c₂ (an absolute error for the identity, whose c₂ is 0). Softplus is log(1 +
# e^{βu})/β; its formula comes from the zeros of cosh.

# %%
around = np.linspace(-np.pi, np.pi, thetas)
rows = []
for f in activations:
    size = abs(f.coefficient(2)) or 1.0
    few = {f"nodes for {tolerance:g}": nodes_needed(f, tolerance * size) for tolerance in tolerances}
    closed = {
        "f": f.name,
        "formula": f.formula,
        "c₂": f.coefficient(2),
        "formula − quadrature": closed_form_off(f, around, (1.0, 2.0)),
    }
    rows.append(closed | few)
integrals = pd.DataFrame(rows).set_index("f")
in_units = integrals.assign(**{"formula − quadrature": 1e12 * integrals["formula − quadrature"]})
save_table(
    in_units.rename(columns={"formula − quadrature": "formula − quadrature (1e−12)"}).reset_index(),
    f"{figures}/integrals",
)
integrals

# %% [markdown]
# ## How many neurons?
# Markers show the largest error of h evenly spaced nodes over θ, divided by c₂. Lines show the sum of |c_l| over the
# aliased orders, which the error never exceeds. |u| has even orders only, so an odd h counts twice; its coefficients
# fall like 1/l², and the ReLU shares them. u² has no order above 2: three nodes are exact. u|u| adds odd orders only,
# so ReLU² is exact with six nodes and any even number from there. The orders of softplus and exp fall geometrically or
# faster: a smooth activation needs a handful of nodes, and more of them the sharper its corner is. |u| and ReLU
# coincide from h = 4, and so do u² and ReLU² for even h from 6.

# %%
halves = np.union1d(np.arange(2, 9), np.round(np.geomspace(8, most_nodes / 2, 10)).astype(int))
sizes = np.union1d(2 * halves, np.append(2 * halves + 1, 3))
errors = pd.DataFrame(
    {
        "f": f.name,
        "h": h,
        "error": even_nodes_error(f, h) / f.coefficient(2),
        "alias": alias_error(f, h) / f.coefficient(2),
    }
    for f in DOUBLING
    for h in sizes.tolist()
)

# %%
floor = 1e-12  # below it only rounding is left
figure, axes = panels(2, height=3.2, sharey=True)
for ax, odd in zip(axes, (1, 0), strict=True):
    for f, colour, marker, dashes in zip(DOUBLING, COLOURS, MARKERS, DASHES, strict=False):
        curve = errors[(errors.h % 2 == odd) & (errors.f == f.name)]
        style = {"color": colour, "markersize": 3, "linewidth": 0.8, "linestyle": dashes}
        ax.plot(curve.h, np.maximum(curve.alias, floor), **style)
        ax.plot(curve.h, np.maximum(curve.error, floor), marker, color=colour, markersize=3)
        ax.plot([], [], marker, label=f.name, **style)
    ax.set(xscale="log", yscale="log", ylim=(floor / 3, 10))
    ax.set(xlabel="evenly spaced nodes h", title="odd h" if odd else "even h")
    ax.set_xticks([3, 5, 10, 20, 50, 100], [3, 5, 10, 20, 50, 100])
    ax.xaxis.set_minor_locator(NullLocator())
axes[0].set_ylabel("largest error/c₂ (cut at 1e−12)")
figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
save_figure(figure, f"{figures}/error_of_even_nodes", errors)

# %% [markdown]
# ## The trained nodes under another activation
# The trained angles, output phases and weights of each key frequency, with f in the place of |u|. *Chance* is the root
# mean square error of as many independent random angles with the same weights and exact phases. If the nodes were made
# for |u| alone, they would do better there than elsewhere. Part of every row comes from the output phases, which are
# not quite 2φ.


# %%
def trained_errors(f, k):
    """The errors of the trained nodes of frequency k under f, over c₂, beside those of random and of even nodes."""
    scheme, size = schemes[k], f.coefficient(2)
    error = abs(activated_error(f, scheme))
    return {
        "f": f.name,
        "frequency": k,
        "neurons": len(scheme.phi),
        "largest error/c₂": error.max() / size,
        "rms error/c₂": np.sqrt((error**2).mean()) / size,
        "chance, rms": expected_random_error(f, scheme) / size,
        "evenly spaced, largest": even_nodes_error(f, len(scheme.phi)) / size,
    }


trained = pd.DataFrame(trained_errors(f, k) for f in DOUBLING for k in schemes)
save_table(trained, f"{figures}/trained_errors", digits=4)
trained.round(4)

# %%
figure, (ax,) = panels(1, columns=1, height=3)
heights = {f.name: height for height, f in enumerate(DOUBLING)}
for k, colour, marker, shift in zip(key, COLOURS, MARKERS, np.linspace(-0.25, 0.25, len(key)), strict=False):
    points = trained[trained.frequency == k]
    y = points.f.map(heights) + shift
    ax.plot(points["rms error/c₂"], y, marker, color=colour, markersize=4, label=f"k = {k}")
    ax.plot(points["chance, rms"], y, marker, color=colour, markersize=4, markerfacecolor="none")
ax.plot([], [], "o", color="0.3", markerfacecolor="none", label="random angles")
ax.hlines(np.arange(len(DOUBLING) - 1) + 0.5, 0, 1, transform=ax.get_yaxis_transform(), color="0.9", linewidth=0.7)
ax.set(xscale="log", xlabel="root mean square error/c₂ of the trained nodes (filled)", ylim=(len(DOUBLING) - 0.5, -0.5))
ax.set_yticks(range(len(DOUBLING)), heights)
ax.xaxis.set_minor_locator(NullLocator())
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/trained_nodes", trained)

# %% [markdown]
# ## What it does to the answer
# The preactivation is 2α cos(w_k d/2) cos(θ/2+φ), d = a − b, so the answer of one frequency has the strength
# c₂(2α|cos(w_k d/2)|). For |u| and ReLU this is the pizza's |cos|. For u² it is the square of that, which leaves less
# where the cosine is small. No f here escapes the zero at w_k d = π: with pure cosines nothing reaches the activation
# there.

# %%
turn = np.linspace(0, 1, 101)
strength = pd.DataFrame(
    {"turn": turn}
    | {f.name: [f.coefficient(2, 2 * c) / f.coefficient(2, 2.0) for c in np.cos(np.pi * turn / 2)] for f in DOUBLING}
)
figure, (ax,) = panels(1, columns=1, height=2.7)
for f, colour, dashes in zip(DOUBLING, COLOURS, DASHES, strict=False):
    ax.plot(turn, strength[f.name], color=colour, linestyle=dashes, label=f.name)
ax.set(xlabel="w_k(a − b)/π", ylabel="strength c₂(2|cos|)/c₂(2)", ylim=(0, 1.03), xlim=(0, 1))
figure.legend(loc="outside right upper")
save_figure(figure, f"{figures}/strength", strength)

# %% [markdown]
# ## A function that is no cosine
# [QR] says that the method also serves other functions, as long as the weights have a formula. Take one number 0 ≤ x ≤ 1
# and h neurons ReLU(x − ξ_i) with the weights e^{ξ_i}/h, where the ξ_i are the midpoints of h equal boxes. Their sum
# stands for ∫_0^1 ReLU(x − ξ) e^ξ dξ = e^x − 1 − x. The integrand is nowhere steeper than e, so the argument of [Q] §5
# bounds the error by e/(4h) at every x.

# %%
boxes = [8, 32, 128]
over_bound = exponential_over_bound(np.linspace(0, 1, 1001), boxes)
over_bound

# %% [markdown]
# ## Result
# The identity holds for every activation with c₂ ≠ 0, and no proof about its sign is needed. Read *formula −
# quadrature* for the check and *nodes* for the price. The trained nodes against chance show whether training has found
# a rule that integrates |u| only, or functions of the circle in general.
#
# **Caveat.** The trained network has learned with the ReLU. Which angles a network with another activation learns is
# another question (notebook on other activations). exp and softplus are not homogeneous, so their numbers hold at r =
# 1, and their corner sharpens as r grows.

# %%
values = {
    "largest_deviation": integrals["formula − quadrature"].max(),
    "error_over_chance": error_measures.error_over_chance(network),
    "other_function_over_bound": over_bound,
}
record(values_file, network, values)
values

# %%
identity = max(abs(activated_error(IDENTITY_ACTIVATION, scheme)).max() for scheme in schemes.values())
say(
    about(network),
    f"Formula and adaptive quadrature differ by at most {values['largest_deviation']:.1e}. "
    f"For the identity c₂ = {IDENTITY_ACTIVATION.coefficient(2):g}, and the trained nodes leave at most "
    f"{identity:.4f}. For e^x − 1 − x the error of {', '.join(map(str, boxes))} neurons is "
    f"{', '.join(f'{ratio:.3f}' for ratio in values['other_function_over_bound'])} of its bound.",
    "The table has the number of evenly spaced nodes for each error relative to c₂. For the trained nodes it has the "
    "largest error relative to c₂, and the root mean square error over that of random angles, at the worst frequency.",
)

# %%
over_chance = pd.DataFrame(map(error_measures.over_chance, schemes.values()), list(schemes)).max()
summary = integrals.loc[over_chance.index, ["c₂", *(f"nodes for {tolerance:g}" for tolerance in tolerances)]]
largest = trained.groupby("f")["largest error/c₂"].max()
summary.assign(**{"trained, largest": largest, "trained over chance": over_chance}).round(4)
