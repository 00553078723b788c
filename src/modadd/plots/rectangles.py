"""A drawing of the infinite-width lens: a layer of finitely many neurons beside a continuum of them ([Q2] Fig. 1)."""

import numpy as np
from jaxtyping import Float
from matplotlib.axes import Axes

from modadd.plots import PALE
from modadd.plots.figures import COLOURS
from modadd.quadrature.scheme import Scheme

INPUT, NEURONS, OUTPUTS = 0.0, 1.0, 2.0  # abscissae of the three columns
LOW, HIGH = -1.0, 1.0  # ends of the circle of neurons, over π
LOGITS = (0.7, 0.0, -0.7)  # heights of the logits that are drawn
HEADS, FEET = 1.22, -1.1  # heights of the words above and below
WIDEST = 3.0  # points: the line of the largest weight
POSITIVE = {"color": COLOURS[0], "linestyle": "-"}
NEGATIVE = {"color": COLOURS[1], "linestyle": "--"}
NEURON = {
    "color": "white",
    "marker": "o",
    "markersize": 7,
    "markeredgecolor": COLOURS[0],
    "linestyle": "none",
}
BAND = {"color": PALE, "alpha": 0.5, "linewidth": 0}
MIDDLE = {"ha": "center", "va": "center"}
ROUND = {
    "boxstyle": "round,pad=0.35",
    "facecolor": "white",
    "edgecolor": COLOURS[0],
}


def draw_finite(ax: Axes, scheme: Scheme, answers: tuple[int, int, int]) -> Float[np.ndarray, "h answers"]:
    """Neurons at their angles φ_i, joined to the logits of some answers by lines as wide as w_i g_c(ξ_i), which it returns.

    g_c(ξ_i) = cos(w_k c + ψ_i), as trained; solid lines are positive, dashed ones negative.
    """
    heights = scheme.phi / np.pi
    g = np.cos(scheme.thetas[list(answers)] + scheme.psi[:, None])
    weights = scheme.weight[:, None] * g
    widths = WIDEST * np.abs(weights) / np.abs(weights).max()
    for neuron, y in enumerate(heights):
        ax.plot([INPUT, NEURONS], [0, y], color="0.75", linewidth=0.8, zorder=0)
        for answer, logit in enumerate(LOGITS):
            positive = weights[neuron, answer] >= 0
            ax.plot(
                [NEURONS, OUTPUTS],
                [y, logit],
                linewidth=widths[neuron, answer],
                zorder=1,
                **(POSITIVE if positive else NEGATIVE),
            )
    ax.plot(np.full_like(heights, NEURONS), heights, **NEURON)
    _label(ax, answers, "neuron i at $\\xi_i$", "$w_i\\,g_c(\\xi_i)$")
    ax.set_title(f"{len(heights)} neurons: $\\sum_i w_i \\, f_x(\\xi_i) \\, g_c(\\xi_i)$")
    return weights


def draw_continuum(ax: Axes, answers: tuple[int, int, int]) -> None:
    """The same layer with a neuron at every angle: one band for all of them, and for each logit."""
    ax.fill([INPUT, NEURONS, NEURONS], [0, LOW, HIGH], color="0.92", zorder=0)
    for logit in LOGITS:
        ax.fill([NEURONS, NEURONS, OUTPUTS], [LOW, HIGH, logit], zorder=1, **BAND)
    ax.plot(
        [NEURONS, NEURONS],
        [LOW, HIGH],
        color=COLOURS[0],
        linewidth=5,
        solid_capstyle="butt",
    )
    _label(ax, answers, "neurons at every $\\xi$", "$g_c(\\xi)\\,d\\xi$")
    ax.set_title("infinitely many: $\\int f_x(\\xi) \\, g_c(\\xi) \\, d\\xi$")


def _label(ax: Axes, answers: tuple[int, int, int], neurons: str, weights: str) -> None:
    """Names of the columns and of the two kinds of weights; the angle is the ordinate."""
    words = [
        (NEURONS, HEADS, neurons),
        ((INPUT + NEURONS) / 2, FEET, "$f_x(\\xi)$"),
        ((NEURONS + OUTPUTS) / 2, FEET, weights),
        (OUTPUTS, HEADS, "logits"),
    ]
    boxed = [(INPUT, 0, "x = (a, b)")]
    for logit, answer in zip(LOGITS, answers, strict=True):
        boxed.append((OUTPUTS, logit, f"c = {answer}"))
    for x, y, text in boxed:
        ax.text(x, y, text, bbox=ROUND, zorder=3, **MIDDLE)
    for x, y, text in words:
        ax.text(x, y, text, **MIDDLE)
    ax.set(
        xlim=(-0.35, 2.3),
        ylim=(-1.25, 1.35),
        xticks=[],
        yticks=[],
    )
    ax.spines[:].set_visible(False)
