"""A drawing of the infinite-width lens: a layer of finitely many neurons beside a continuum of them ([Q2] Fig. 1)."""

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from modadd.page.figures import COLOURS
from modadd.quadrature.scheme import Scheme

INPUT, NEURONS, OUTPUTS = 0.0, 1.0, 2.0  # abscissae of the three columns
LOGITS = (0.7, 0.0, -0.7)  # heights of the logits that are drawn
PALE = "#cfe3f5"  # COLOURS[6], lighter
WIDEST = 3.0  # points: the line of the largest weight
ROUND = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": COLOURS[0]}


def draw_finite(ax: Axes, scheme: Scheme, answers: tuple[int, int, int]) -> Float[np.ndarray, "h answers"]:
    """Neurons at their angles φ_i, joined to the logits of some answers by lines as wide as w_i g_c(ξ_i), which it returns.

    g_c(ξ_i) = cos(w_k c + ψ_i), as trained; solid lines are positive, dashed ones negative.
    """
    heights = scheme.phi / np.pi
    weights = scheme.weight[:, None] * np.cos(scheme.thetas[list(answers)] + scheme.psi[:, None])
    for y, row in zip(heights, weights, strict=True):
        ax.plot([INPUT, NEURONS], [0, y], color="0.75", linewidth=0.8, zorder=0)
        for logit, weight in zip(LOGITS, row, strict=True):
            colour, dash = (COLOURS[0], "-") if weight >= 0 else (COLOURS[1], "--")
            width = WIDEST * abs(weight) / np.abs(weights).max()
            ax.plot([NEURONS, OUTPUTS], [y, logit], color=colour, linestyle=dash, linewidth=width, zorder=1)
    ax.plot(np.full_like(heights, NEURONS), heights, "o", color="white", markeredgecolor=COLOURS[0], markersize=7)
    _label(ax, answers, "neuron i at $\\xi_i$", "$w_i\\,g_c(\\xi_i)$")
    ax.set_title(f"{len(heights)} neurons: $\\sum_i w_i \\, f_x(\\xi_i) \\, g_c(\\xi_i)$")
    return weights


def draw_continuum(ax: Axes, answers: tuple[int, int, int]) -> None:
    """The same layer with a neuron at every angle: one band for all of them, and for each logit."""
    low, high = -1.0, 1.0
    ax.fill([INPUT, NEURONS, NEURONS], [0, low, high], color="0.92", zorder=0)
    for logit in LOGITS:
        ax.fill([NEURONS, NEURONS, OUTPUTS], [low, high, logit], color=PALE, alpha=0.5, linewidth=0, zorder=1)
    ax.plot([NEURONS, NEURONS], [low, high], color=COLOURS[0], linewidth=5, solid_capstyle="butt")
    _label(ax, answers, "neurons at every $\\xi$", "$g_c(\\xi)\\,d\\xi$")
    ax.set_title("infinitely many: $\\int f_x(\\xi) \\, g_c(\\xi) \\, d\\xi$")


def _label(ax: Axes, answers: tuple[int, int, int], neurons: str, weights: str) -> None:
    """Names of the columns and of the two kinds of weights; the angle is the ordinate."""
    middle = {"ha": "center", "va": "center"}
    ax.text(INPUT, 0, "x = (a, b)", bbox=ROUND, zorder=3, **middle)
    for logit, answer in zip(LOGITS, answers, strict=True):
        ax.text(OUTPUTS, logit, f"c = {answer}", bbox=ROUND, zorder=3, **middle)
    ax.text(NEURONS, 1.22, neurons, **middle)
    ax.text((INPUT + NEURONS) / 2, -1.1, "$f_x(\\xi)$", **middle)
    ax.text((NEURONS + OUTPUTS) / 2, -1.1, weights, **middle)
    ax.text(OUTPUTS, 1.22, "logits", **middle)
    ax.set(xlim=(-0.35, 2.3), ylim=(-1.25, 1.35), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
