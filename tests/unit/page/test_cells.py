"""What an executed notebook saves, whether its question declares that, and the line that computes a value."""

import nbformat
import pytest
from support import refuses

from paper.executed import code_cells, require_declared, saved_in
from paper.notebook import RECORDED
from paper.page.cells import computed_at


def cell(number, source, saved_as=None):
    """A code cell that printed, and saved something."""
    outputs = [nbformat.v4.new_output("stream", text="drawn")]
    if saved_as:
        outputs.append(nbformat.v4.new_output("display_data", {}, metadata={"saved_as": saved_as}))
    return nbformat.v4.new_code_cell(source, id=f"cell-{number}", outputs=outputs)


def test_what_a_cell_saves_is_read_off_its_outputs_whatever_its_text_says(tmp_path):
    own = [cell(0, 'save_table(table, f"{figures}/other")', "angles"), cell(1, "loop()", "law"), cell(2, "", RECORDED)]
    cells = [nbformat.v4.new_markdown_cell("save"), *own]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "phases.ipynb")
    found = saved_in(code_cells(tmp_path / "phases.ipynb"))
    assert {name: cell.id for name, cell in found.items()} == {"angles": "cell-0", "law": "cell-1", RECORDED: "cell-2"}


AS_DECLARED = {"made": ["law"], "recorded": ["slope", "error"], "declared": ["law"], "claimed": ["slope"]}


@pytest.mark.parametrize(
    ("changed", "fragments"),
    [
        ({"declared": ["law", "lwa"]}, ("did not save it: unknown figure or table 'lwa'; did you mean 'law'?",)),
        ({"made": ["law", "lwa"]}, ("has no caption: unknown figure or table 'lwa'; did you mean 'law'?",)),
        ({"claimed": ["slpoe"]}, ("did not record it: unknown value 'slpoe'; did you mean 'slope'?",)),
    ],
    ids=["not saved", "not declared", "not recorded"],
)
def test_a_notebook_makes_what_its_question_declares(changed, fragments):
    require_declared("phases", **AS_DECLARED)
    with refuses("phases.yaml: its notebook", *fragments):
        require_declared("phases", **AS_DECLARED | changed)


def test_a_number_leads_to_the_line_that_computes_it_not_to_the_one_that_records_it():
    sources = [
        "import numpy as np\nslope, other = 1, 2\nslope = fit(x, y)",
        'slope_again = slope\nvalues = {\n    "slope": float(slope),\n    "error": worst(x, y),\n    f"{name}": 1,\n}\n'
        'values["later"] = slope_again.max()',
        "record(file, network, values)\nslope = 3",
    ]
    cells = [cell(number, source) for number, source in enumerate(sources)]
    cells[-1] = cell(2, sources[-1], RECORDED)
    assert computed_at(cells, ["slope", "error", "later", "put_together"]) == {
        "slope": "cell-0-3",
        "error": "cell-1-4",
        "later": "cell-1-1",
        "put_together": "cell-2-1",
    }
