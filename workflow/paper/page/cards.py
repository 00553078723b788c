"""The pictures of the cards that the page opens with: one panel each, with letters that can be read at its width."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from modadd.core.wording import require_known
from modadd.plots import PALE
from modadd.plots.figures import COLOURS, NO_NUMBERS, pi_ticks, use_style
from modadd.populations.why_few import COUNTED_FROM
from modadd.quadrature.scheme import integrand, unwrapped

SIZE = (2.75, 1.7)  # inches: as wide as a card, 264 pixels
LETTERS = {"axes.labelsize": 8.5, "axes.titlesize": 8.5, "xtick.labelsize": 8, "ytick.labelsize": 8}
WHOLE = {"savefig.bbox": "standard"}  # as large as SIZE, whatever is drawn
EXHIBIT = 12  # the frequency that Yip et al. show
CUT = {"as trained": "as trained", "without second harmonics": "without second\nharmonics"}  # lines of cut
INPUTS = {"a": "one-hot\ninputs", "b": "a linear\nlayer", "f": "an em-\nbedding"}  # arms of why_few


def _exhibit(table: pd.DataFrame) -> tuple[int, pd.DataFrame]:
    """The rows of the frequency that the paper shows; of that with most rows where the network has not learned it."""
    counts = table.frequency.value_counts()
    k = EXHIBIT if EXHIBIT in counts.index else int(counts.idxmax())
    return k, table[table.frequency == k]


def _rectangles(ax: Axes, table: pd.DataFrame) -> None:
    k, boxes = _exhibit(table)
    widths = boxes.right - boxes.left
    ax.bar(boxes.left, boxes.height, widths, align="edge", color=PALE, edgecolor=COLOURS[6], linewidth=0.3)
    circle = np.linspace(-np.pi, np.pi, 361)
    ax.plot(circle, integrand(circle, 0.0, 0.0), color=COLOURS[0])
    pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
    ax.set(
        title=f"the rectangles of frequency {k}",
        xlabel="phase φ of a neuron",
        xlim=(-np.pi, np.pi),
        yticks=[0, 1],
    )


def _phase_law(ax: Axes, table: pd.DataFrame) -> None:
    k, points = _exhibit(table)
    ends = np.array([-np.pi, np.pi])
    ax.plot(ends, 2 * ends, color="0.6", linewidth=1, zorder=1)
    phi = points.phi.to_numpy()
    ax.scatter(phi, unwrapped(phi, points.psi.to_numpy()), s=9, color=COLOURS[0], linewidth=0)
    pi_ticks(ax.xaxis, -1.0, 0.0, 1.0)
    pi_ticks(ax.yaxis, -2.0, 0.0, 2.0)
    ax.set(title=f"{len(points)} neurons of frequency {k}", xlabel="input phase φ", ylabel="output phase ψ")


def _cut(ax: Axes, table: pd.DataFrame) -> None:
    """How well pizza and clock fit the logits, with and without second harmonics."""
    lines = table.set_index("second harmonics of A and B").loc[list(CUT)]
    places = np.arange(len(CUT))
    styles = {"pizza": (COLOURS[6], ""), "clock": (COLOURS[2], "///")}
    for side, (name, (colour, hatch)) in zip((-0.2, 0.2), styles.items(), strict=True):
        drawn = ax.bar(places + side, lines[name], 0.36, label=name, color=colour, hatch=hatch)
        ax.bar_label(drawn, fmt="%.2f", fontsize=8)
    ax.set_xticks(places, CUT.values())
    ax.set(ylabel="R² of the logits", yticks=[0, 1], ylim=(0, 1.55))
    ax.legend(loc="upper center", ncols=2, fontsize=8, columnspacing=1, handlelength=1.3)


def _frequencies(ax: Axes, table: pd.DataFrame) -> None:
    """The numbers of frequencies of networks of the largest modulus that count, for three ways in, and their means."""
    n = int(table.modulus.max())
    counted = table[(table.modulus == n) & (table.accuracy >= COUNTED_FROM)]
    scatter = np.random.default_rng(0)
    for place, arm in enumerate(INPUTS):
        found = counted.frequencies[counted.arm == arm]
        ax.plot(place + scatter.uniform(-0.2, 0.2, len(found)), found, ".", color="0.7", markersize=4)
        if len(found):
            ax.plot(place, found.mean(), "D", color=COLOURS[1], markersize=5)
            ax.annotate(f"{found.mean():.1f}", (place + 0.28, found.mean()), va="center", fontsize=8)
    ax.set_xticks(range(len(INPUTS)), INPUTS.values())
    ax.set(
        title=f"networks that add mod {n}", ylabel="frequencies", xlim=(-0.5, len(INPUTS) - 0.3), ylim=(0, n / 2 * 1.1)
    )


Draw = Callable[[Axes, pd.DataFrame], None]
# By the figure of an entry of data/readme.yaml: the CSV of the notebook that is drawn, and how.
DRAWINGS: dict[str, tuple[str, Draw]] = {
    "quadrature/rectangles": ("quadrature/rectangles", _rectangles),
    "phases/phase_law": ("phases/phase_law", _phase_law),
    "secondary_frequencies/regressions": ("secondary_frequencies/cut", _cut),
    "why_few/frequencies": ("why_few/frequencies", _frequencies),
}


def kept_card(figure: str) -> str:
    """The file in data/reference that has a card as the reference build drew it."""
    return f"cards/{figure.replace('/', '-')}.svg"


def card(figure: str, figures: Path) -> str:
    """The SVG of a card from a table in the folder `figures`; raises ValueError, with the nearest name, without a drawing."""
    require_known("data/readme.yaml: results", "figure of a card", [figure], DRAWINGS)
    stem, draw = DRAWINGS[figure]
    table = pd.read_csv(figures / f"{stem}.csv")
    use_style()
    with plt.rc_context(LETTERS | WHOLE):
        drawn, ax = plt.subplots(figsize=SIZE, layout="constrained")
        if table.empty:
            ax.set_axis_off()
            ax.set_title(NO_NUMBERS)
        else:
            draw(ax, table)
        text = BytesIO()
        drawn.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(drawn)
    return text.getvalue().decode()
