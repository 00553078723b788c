"""The one style of all figures and tables, and how they are written: equal content gives equal bytes."""

import os
from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from IPython import get_ipython
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.transforms import Bbox
from numpy.typing import ArrayLike
from PIL import Image
from tabulate import tabulate

from modadd.core.bits import FIGURE_FORMATS


def with_palette(png: bytes) -> bytes:
    """The same picture in at most 256 colours, which hold a figure at a third of the bytes, on white."""
    picture = Image.open(BytesIO(png)).convert("RGBA")
    on_white = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    small = BytesIO()
    on_white.quantize(256, dither=Image.Dither.NONE).save(small, "PNG")
    return small.getvalue()


PAGE = 7.0  # width of the text, inches
PUBLISHED_LINE = {"color": "black", "linestyle": (0, (4, 2)), "linewidth": 1.0}  # how a published value is drawn


# Distinct in hue for colour-blind readers, in lightness for grey print; markers and dashes repeat the distinction.
COLOURS = ("#0b3c5d", "#d1495b", "#edae49", "#66a182", "#7b5ea7", "#8d6b48", "#4f9bd9", "#5a5a5a")
DASHES = (
    "-",
    (0, (4, 1)),
    (0, (1, 1)),
    (0, (5, 1, 1, 1)),
    (0, (6, 2)),
    (0, (2, 1)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 1)),
)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
HATCHES = ("", "///", "...", "\\\\\\", "xxx", "---", "|||", "ooo")  # of areas

# Seaborn's theme "ticks", as far as it is not matplotlib's default: importing seaborn would take longer than a figure.
TICKS = {
    "axes.axisbelow": True,
    "axes.edgecolor": ".15",
    "axes.labelcolor": ".15",
    "grid.color": ".8",
    "grid.linewidth": 1.0,
    "legend.title_fontsize": 12.0,
    "lines.solid_capstyle": "round",
    "patch.edgecolor": "w",
    "patch.force_edgecolor": True,
    "text.color": ".15",
    "xtick.color": ".15",
    "xtick.minor.size": 4.0,
    "xtick.minor.width": 1.0,
    "ytick.color": ".15",
    "ytick.minor.size": 4.0,
    "ytick.minor.width": 1.0,
}
_STYLE = {
    "figure.dpi": 90,
    "savefig.dpi": 150,
    "savefig.bbox": "tight",
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "axes.linewidth": 0.7,
    "xtick.major.width": 0.7,
    "ytick.major.width": 0.7,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.prop_cycle": mpl.cycler(color=COLOURS),
    "lines.linewidth": 1.2,
    "image.cmap": "cividis",
    "text.hinting": "none",  # text is as wide in every format and at every size
    "svg.hashsalt": "modadd",
    "svg.fonttype": "none",
    "pdf.fonttype": 42,
}

_DIGITS = 5  # of the numbers behind a figure: more than an eye or a printer tells apart
_OPTIONS = {
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "pdf": {"metadata": {"CreationDate": None, "ModDate": None, "Creator": None, "Producer": None}},
    "png": {"pil_kwargs": {"compress_level": 0}},  # `with_palette` writes it again, without metadata
}


def use_style() -> None:
    """Set the style for every figure drawn afterwards, whatever style the user has."""
    mpl.rcdefaults()
    mpl.rcParams.update(TICKS | _STYLE)


def save_figure(figure: Figure, stem: Path | str, data: pd.DataFrame, digits: int = _DIGITS) -> None:
    """Write the figure in all formats asked for, and its numbers to `digits` digits as CSV, under `stem`; show it.

    Without a single row of numbers, a sentence says so in place of empty axes.
    """
    if data.empty:
        figure = _without_numbers(figure)
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    extent = _laid_out(figure)
    for suffix in os.environ.get(FIGURE_FORMATS, " ".join(_OPTIONS)).split():
        figure.savefig(f"{stem}.{suffix}", bbox_inches=extent, **_OPTIONS[suffix])
        if suffix == "png":
            png = Path(f"{stem}.png")
            png.write_bytes(with_palette(png.read_bytes()))
    data.to_csv(f"{stem}.csv", index=False, float_format=f"%.{digits}g")
    if get_ipython():  # the file, not the figure: that would be drawn once more
        plt.close(figure)
        shown = {"image/svg+xml": Path(f"{stem}.svg").read_text(encoding="utf-8")}
        display(shown, raw=True, metadata={"saved_as": stem.name})  # the notebook's page shows the file of this name


NO_NUMBERS = "This build has no numbers for this figure."


def _without_numbers(figure: Figure) -> Figure:
    """A frame as large as the given figure, which is closed, around NO_NUMBERS."""
    size = figure.get_size_inches()
    plt.close(figure)
    instead = plt.figure(figsize=size)
    instead.add_artist(Rectangle((0, 0), 1, 1, transform=instead.transFigure, fill=False, edgecolor="0.8"))
    instead.text(0.5, 0.5, NO_NUMBERS, ha="center", va="center", fontsize=12)
    return instead


def _laid_out(figure: Figure) -> Bbox:
    """Lay the figure out, once, so that all formats show the same picture; return its extent in inches."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
        figure.set_layout_engine(None)
    return figure.get_tightbbox().padded(mpl.rcParams["savefig.pad_inches"])


def visible(table: pd.DataFrame, least: float) -> pd.DataFrame:
    """The rows of a large table of numbers in which one is at least `least` of the largest of all, in magnitude."""
    size = table.abs()
    return table[(size >= least * size.max().max()).any(axis=1)]


MISSING = "–"
NUMBERS = ("floating", "integer", "mixed-integer-float")  # kinds of a column, as pandas names them


def rounded(number: float, digits: int) -> str:
    """A number to `digits` decimals, or to two significant digits where so few decimals would leave fewer of them.

    To three decimals 0.0441 is 0.044, 0.00441 is 0.0044 and 1.5e-66 is 1.5e-66: no number but 0 is written as 0.
    """
    if 0 < abs(number) < 10.0 ** (1 - digits):
        return f"{number:#.2g}"
    return f"{number:.{digits}f}"


def rounded_in_latex(number: float, digits: int) -> str:
    """The same, with a power of ten as LaTeX writes it."""
    mantissa, _, exponent = rounded(number, digits).partition("e")
    return rf"${mantissa} \times 10^{{{int(exponent)}}}$" if exponent else mantissa


def save_table(table: pd.DataFrame, stem: Path | str, digits: int = 3) -> None:
    """Write the table as CSV in full precision, and `rounded` to `digits` decimals as Markdown and LaTeX, under `stem`."""
    stem = Path(stem)
    stem.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(f"{stem}.csv", index=False)
    Path(f"{stem}.md").write_text(_in_markdown(table, digits) + "\n", encoding="utf-8")
    in_latex = partial(rounded_in_latex, digits=digits)
    latex = table.to_latex(index=False, float_format=in_latex, escape=True, na_rep=MISSING)
    Path(f"{stem}.tex").write_text(latex, encoding="utf-8")
    if get_ipython():
        display({}, raw=True, metadata={"saved_as": stem.name})


def _in_markdown(table: pd.DataFrame, digits: int) -> str:
    """The table in Markdown, numbers by their points; a column of whole numbers stays one beside a column of decimals."""
    lines = []
    for row in table.astype(object).where(table.notna(), MISSING).values.tolist():
        lines.append([rounded(cell, digits) if isinstance(cell, float | np.floating) else cell for cell in row])
    kinds = [pd.api.types.infer_dtype(table.iloc[:, column]) for column in range(table.shape[1])]
    sides = ["decimal" if kind in NUMBERS else "left" for kind in kinds]
    return tabulate(lines, headers=list(table), tablefmt="pipe", disable_numparse=True, colalign=sides)


def panels(count: int, columns: int = 2, height: float = 2.2, **options: object) -> tuple[Figure, Sequence[Axes]]:
    """A text-wide figure with `count` panels in rows of `columns`, and its axes in reading order."""
    columns = min(columns, count)
    rows = -(-count // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(PAGE, height * rows), squeeze=False, layout="constrained", **options
    )
    for unused in axes.ravel()[count:]:
        unused.remove()
    return figure, list(axes.ravel()[:count])


def draw_shares_below(ax: Axes, values: ArrayLike, **style: object) -> None:
    """Draw, against x, the share of some numbers (in a list) that are at most x.

    Infinite ones count; seaborn's ecdfplot leaves them out. NaN is not measured, and does not count.
    """
    measured = pd.Series(values).dropna()
    if len(measured):
        ax.ecdf(measured, **style)


def published_line(ax: Axes, value: float | str | None, label: str = "published") -> None:
    """Draw a published value as a vertical line; nothing if there is none."""
    if value is not None:
        ax.axvline(float(value), label=label, zorder=1, **PUBLISHED_LINE)


def pi_ticks(axis: Axis, *multiples: float) -> None:
    """Ticks at multiples of π, halves among them."""
    labels = {0: "0", 1: "π", -1: "−π", 0.5: "π/2", -0.5: "−π/2"}
    axis.set_ticks([m * np.pi for m in multiples], [labels.get(m, f"{m:g}π".replace("-", "−")) for m in multiples])
