import re

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image

from modadd.plots.figures import (
    _STYLE,
    COLOURS,
    DASHES,
    MARKERS,
    NO_NUMBERS,
    draw_shares_below,
    panels,
    rounded,
    save_figure,
    save_table,
    use_style,
)

DATA = pd.DataFrame({"k": [12, 18], "value": [1 / 3, 2 / 3], "count": [123_456_789, 1]})


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """Two folders with the same figure, saved at different times; the user's style, and no open figure, after it."""
    folders = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("second") / "deeper"
    for year, folder in zip(("0", "1000000000"), folders, strict=True):
        with mpl.rc_context(), pytest.MonkeyPatch.context() as patched:
            patched.setenv("SOURCE_DATE_EPOCH", year)  # matplotlib's clock
            use_style()
            figure, axes = panels(2)
            axes[0].plot(DATA.k, DATA.value, label="ψ = 2φ")
            axes[0].fill_between(DATA.k, DATA.value, hatch="//")
            axes[1].imshow(np.eye(3), clip_on=True)
            axes[0].legend()
            save_figure(figure, folder / "phases", DATA)
            plt.close("all")
    return folders


def test_figure_saved_at_another_time_and_place_has_equal_bytes_and_names_no_version(saved):
    first, second = ({path.name: path.read_bytes() for path in sorted(folder.iterdir())} for folder in saved)
    assert list(first) == ["phases.csv", "phases.pdf", "phases.png", "phases.svg"]
    for name, content in first.items():
        assert content == second[name], f"{name} depends on the clock, the place or chance"
        assert mpl.__version__.encode() not in content, f"{name} would change with matplotlib's version alone"


def test_every_format_shows_the_same_extent(saved):
    svg = [
        float(re.search(rf'{side}="([\d.]+)pt"', (saved[0] / "phases.svg").read_text())[1])
        for side in ("width", "height")
    ]
    pdf = re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", (saved[0] / "phases.pdf").read_bytes()).groups()
    with Image.open(saved[0] / "phases.png") as picture:
        png = picture.size
    np.testing.assert_allclose([float(side) for side in pdf], svg, atol=1e-3)
    np.testing.assert_allclose(png, np.array(svg) * _STYLE["savefig.dpi"] / 72, atol=1)


def test_numbers_of_a_figure_are_kept_to_five_digits_and_whole_ones_in_full(saved):
    kept = pd.read_csv(saved[0] / "phases.csv")
    pd.testing.assert_frame_equal(kept, DATA, check_exact=False, rtol=1e-5, atol=0)
    assert kept.value[0] == 0.33333
    assert kept["count"].tolist() == [123_456_789, 1]


def test_picture_keeps_its_colours_in_a_palette(saved):
    picture = Image.open(saved[0] / "phases.png")
    assert picture.mode == "P"
    colours = {colour for _, colour in picture.convert("RGB").getcolors(256)}
    rgb = tuple(int(COLOURS[0][i : i + 2], 16) for i in (1, 3, 5))
    assert min(max(abs(a - b) for a, b in zip(rgb, other, strict=True)) for other in colours) <= 4


def test_table_is_written_in_full_and_to_read(tmp_path):
    table = DATA[["k", "value"]].assign(name="a_b")
    save_table(table, tmp_path / "new" / "table", digits=2)
    written = pd.read_csv(tmp_path / "new/table.csv")
    pd.testing.assert_frame_equal(written, table, check_dtype=False, check_exact=True)
    markdown, latex = ((tmp_path / f"new/table.{kind}").read_text(encoding="utf-8") for kind in ("md", "tex"))
    assert "0.33 |" in markdown
    assert "0.333" not in markdown
    assert "12 & 0.33 & a\\_b" in latex
    assert r"\begin{tabular}" in latex


def test_a_missing_number_leaves_the_rest_of_its_column_rounded_and_texts_are_left_alone(tmp_path):
    table = pd.DataFrame({"whole": [1, 2], "ratio": [1 / 3, None], "printed": ["0.12345", None]})
    save_table(table, tmp_path / "table", digits=2)
    markdown, latex = ((tmp_path / f"table.{kind}").read_text(encoding="utf-8") for kind in ("md", "tex"))
    assert [line.replace(" ", "") for line in markdown.splitlines()[2:]] == ["|1|0.33|0.12345|", "|2|–|–|"]
    assert "1 & 0.33 & 0.12345" in latex and "2 & – & –" in latex


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 7))
@example(1.5e-66, 3)
@example(-5e-324, 0)
@example(0.0441, 3)
def test_a_rounded_number_is_near_and_is_0_only_for_0(number, digits):
    written = float(rounded(number, digits))
    assert (written == 0) == (number == 0)
    half_a_unit = 0.5 * 10.0**-digits
    assert abs(written - number) <= max(half_a_unit, 0.05 * abs(number)) * (1 + 1e-9)


def test_small_numbers_keep_two_digits_in_every_column_of_a_table(tmp_path):
    table = pd.DataFrame(
        {
            "p": [1.5e-66, 0.0441],
            "share": np.array([2e-7, 0.5], np.float32),
            "mixed": pd.Series([1, -0.00441], dtype=object),
        }
    )
    save_table(table, tmp_path / "small")
    markdown, latex = ((tmp_path / f"small.{kind}").read_text(encoding="utf-8") for kind in ("md", "tex"))
    assert [line.replace(" ", "") for line in markdown.splitlines()[2:]] == [
        "|1.5e-66|2.0e-07|1|",
        "|0.044|0.500|-0.0044|",
    ]
    assert r"$1.5 \times 10^{-66}$ & $2.0 \times 10^{-7}$ & 1" in latex and "0.044 & 0.500 & -0.0044" in latex


def test_shares_below_count_what_is_infinite_and_leave_out_what_is_not_measured():
    _, ax = plt.subplots()
    draw_shares_below(ax, [300, np.inf, 100, np.nan, 200, np.inf])
    x, share = ax.lines[0].get_data()
    assert [share[x <= at].max() for at in (100, 200, 300, 1000)] == [0.2, 0.4, 0.6, 0.6]
    assert ax.get_xlim()[1] < 1000
    draw_shares_below(ax, [np.nan])
    assert len(ax.lines) == 1


def test_every_colour_has_a_dash_and_a_marker_of_its_own():
    assert len(set(COLOURS)) == len(set(DASHES)) == len(set(MARKERS)) == len(COLOURS), "colour must never stand alone"


def test_a_figure_without_numbers_says_so_in_place_of_empty_axes(tmp_path, monkeypatch):
    monkeypatch.setenv("MODADD_FIGURE_FORMATS", "svg")
    with mpl.rc_context():
        use_style()
        figure, (ax,) = panels(1)
        ax.set(xlabel="operations (millions)")
        save_figure(figure, tmp_path / "nothing", DATA[:0])
        plt.close("all")
    svg = (tmp_path / "nothing.svg").read_text(encoding="utf-8")
    assert NO_NUMBERS in svg and "operations" not in svg
    assert (tmp_path / "nothing.csv").read_text(encoding="utf-8") == "k,value,count\n"
