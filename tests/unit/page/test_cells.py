"""Where an executed notebook computes a value, which cell records it, and which one saves a figure or a table."""

import nbformat
import pytest

from modadd.page.cells import code_cells, computed_at, recorded_in, saved_in

SOURCES = [
    'angle = {"angle_term": 1}\nsave_table(angle, f"{figures}/angles")',
    'save_figure(figure, f"{figures}/{name}")',
    'for name in names:\n    save_table(table, f"{figures}/{name}")',
    'values = {"angle_term": 1}; record(file, network, values)',
    '"angle_term"',
]


@pytest.fixture
def code(tmp_path):
    """The code cells of a notebook: the first saves a table, the second a figure, the fourth records."""
    cells = [nbformat.v4.new_markdown_cell("record("), *map(nbformat.v4.new_code_cell, SOURCES)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    cells[2].outputs = [
        nbformat.v4.new_output("stream", text="drawn"),
        nbformat.v4.new_output("display_data", {"text/plain": "law"}, metadata={"saved_as": "law"}),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "phases.ipynb")
    return code_cells(tmp_path / "phases.ipynb")


def test_claim_leads_to_the_last_cell_that_names_its_value_up_to_recording(code):
    assert recorded_in(code, ["angle_term"])["angle_term"].id == "cell-4"


def test_value_whose_name_is_put_together_leads_to_the_cell_that_records(code):
    assert recorded_in(code[1:], ["loss_91"])["loss_91"].id == "cell-4"


def test_a_figure_leads_to_the_cell_that_shows_it_and_a_table_to_the_cell_that_names_it(code):
    found = saved_in(code, ["law"], ["angles", "put_together"])
    assert {name: cell.id for name, cell in found.items()} == {
        "law": "cell-2",
        "angles": "cell-1",
        "put_together": "cell-3",
    }


def test_a_number_leads_to_the_line_that_computes_it_not_to_the_one_that_records_it():
    sources = [
        "import numpy as np\nslope, other = 1, 2\nslope = fit(x, y)",
        'slope_again = slope\nvalues = {\n    "slope": float(slope),\n    "error": worst(x, y),\n    f"{name}": 1,\n}\n'
        'values["later"] = slope_again.max()',
        "record(file, network, values)\nslope = 3",
    ]
    cells = [nbformat.v4.new_code_cell(source, id=f"cell-{number}") for number, source in enumerate(sources)]
    assert computed_at(cells, ["slope", "error", "later", "put_together"]) == {
        "slope": "cell-0-3",
        "error": "cell-1-4",
        "later": "cell-1-1",
        "put_together": "cell-2-1",
    }
