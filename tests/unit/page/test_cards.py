"""The cards that the page opens with: their pictures, drawn from the tables of a build."""

import re

import pandas as pd
import pytest
from support import refuses

from modadd.plots.figures import NO_NUMBERS
from paper.page.cards import DRAWINGS, SIZE, card

TABLES = {
    "quadrature/rectangles": {"frequency": [18, 18], "left": [-3, 0], "right": [0, 3], "height": [0.5, 1.0]},
    "phases/phase_law": {"frequency": [12, 12, 18], "phi": [0.1, 1.0, 2.0], "psi": [0.2, 2.0, -2.2]},
    "secondary_frequencies/cut": {
        "second harmonics of A and B": ["as trained", "without second harmonics"],
        "pizza": [0.86, 0.99],
        "clock": [0.98, 0.87],
    },
    "why_few/frequencies": {
        "modulus": [97, 97, 31],
        "arm": ["a", "f", "a"],
        "accuracy": 1.0,
        "frequencies": [43, 5, 15],
    },
}
LETTERS = 7.5  # points, in a picture that is as wide as a card


@pytest.fixture
def figures(tmp_path):
    """A folder of a build's tables."""
    for stem, columns in TABLES.items():
        (tmp_path / stem).parent.mkdir(exist_ok=True)
        pd.DataFrame(columns).to_csv(tmp_path / f"{stem}.csv", index=False)
    return tmp_path


@pytest.mark.parametrize("figure", DRAWINGS)
def test_a_card_is_drawn_as_wide_as_it_is_shown_with_letters_that_can_be_read(figure, figures):
    drawn = card(figure, figures)
    assert f'width="{72 * SIZE[0]:g}pt"' in drawn
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", drawn)]
    assert sizes and min(sizes) >= LETTERS
    assert drawn == card(figure, figures), "the same tables give the same bytes"


def test_a_card_without_numbers_says_so(figures):
    table = figures / "phases/phase_law.csv"
    table.write_text(table.read_text().splitlines()[0])
    assert NO_NUMBERS in card("phases/phase_law", figures)


def test_a_figure_without_a_drawing_is_no_card(figures):
    with refuses("unknown figure of a card 'phases/phase_laws'; did you mean 'phases/phase_law'?"):
        card("phases/phase_laws", figures)
