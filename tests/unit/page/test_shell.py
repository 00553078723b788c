import sys
import warnings

import jupytext
import papermill
import pytest
from papermill import PapermillExecutionError

from paper.shell import ENGINE

pytestmark = pytest.mark.usefixtures("backend_kept")
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def executed(*cells: str) -> list:
    """Code cells, executed in this process."""
    notebook = jupytext.reads("\n\n".join(f"# %%\n{cell}" for cell in cells), "py:percent")
    notebook.metadata["kernelspec"] = KERNEL
    return papermill.execute_notebook(notebook, None, engine_name=ENGINE, progress_bar=False).cells


def test_outputs_stand_in_the_order_in_which_a_cell_makes_them():
    (cell,) = executed("import sys\nprint(1)\nprint(2)\ndisplay(3)\nprint(4, file=sys.stderr)\nprint(5)\n6")
    kinds = [(output.output_type, output.get("text") or output.data["text/plain"]) for output in cell.outputs]
    assert kinds == [
        ("stream", "1\n2\n"),
        ("display_data", "3"),
        ("stream", "4\n"),
        ("stream", "5\n"),
        ("execute_result", "6"),
    ]


def test_cells_are_counted_and_an_empty_one_is_not():
    cells = executed("1", "", "2;", "3")
    assert [cell.execution_count for cell in cells] == [1, None, 2, 3]
    assert [len(cell.outputs) for cell in cells] == [1, 0, 0, 1]
    assert cells[3].outputs[0].execution_count == 3


def test_a_wide_table_is_printed_whole():
    (cell,) = executed("import pandas as pd\npd.DataFrame([range(19)], columns=[f'column {i}' for i in range(19)])")
    assert "column 10" in cell.outputs[0].data["text/plain"] and "..." not in cell.outputs[0].data["text/plain"]


@pytest.mark.parametrize("category", ["UserWarning", "RuntimeWarning"])
def test_a_warning_stops_the_notebook(category):
    with pytest.raises(PapermillExecutionError, match=f"{category}: too few"):
        executed(f"import warnings\nwarnings.warn('too few', {category})", "never = 1")


@pytest.mark.parametrize("code", ["1 +", "raise SystemExit(1)"])
def test_a_cell_that_fails_is_an_error(code):
    with pytest.raises(PapermillExecutionError):
        executed(code)


def test_what_a_cell_says_on_stderr_reaches_the_log(capsys):
    executed("import sys\nprint('slowly', file=sys.stderr)")
    assert capsys.readouterr().err == "slowly\n"


def test_nothing_of_a_notebook_is_left_in_the_process():
    main, filters = sys.modules["__main__"], list(warnings.filters)
    executed("left_over = 1\nassert __name__ == '__main__'")
    assert sys.modules["__main__"] is main and warnings.filters == filters
    with pytest.raises(PapermillExecutionError, match="left_over"):
        executed("left_over")


def test_another_environment_that_is_activated_gives_no_packages(tmp_path, monkeypatch):
    packages = tmp_path / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    packages.mkdir(parents=True)
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    before = list(sys.path)
    executed("1")
    assert sys.path == before
