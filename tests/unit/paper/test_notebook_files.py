import pytest
from support import refuses

from modadd.core.files import write_whole
from paper.notebook_files import notebook_file, notebook_parameters, require_parameters


def test_two_notebooks_of_one_name_are_refused_and_a_misspelt_one_is_guessed(tmp_path, monkeypatch):
    monkeypatch.setattr("paper.notebook_files.in_project", lambda name: str(tmp_path / name))
    for name in ("across/phases.py", "quadrature/phases.py", "quadrature/bounds.py"):
        write_whole(tmp_path / "notebooks" / name, b"")
    with refuses("expected one file named phases.py", "across/phases.py, ", "quadrature/phases.py", "rename or delete"):
        notebook_file("phases")
    with refuses("unknown notebook 'bound'", "did you mean 'bounds'?"):
        notebook_file("bound")
    assert notebook_file("bounds").endswith("notebooks/quadrature/bounds.py")


NOTEBOOK = """# %% [markdown]
# # A question

# %%
import numpy

# %% tags=["parameters"]
network_file = "network.safetensors"
exhibit = 12  # a frequency
share = 0.5
drawn = True
lens = (16, 4, 1)
mixed = [1, "two"]
published = {}
bound = 2 * exhibit

# %%
later = 1
"""


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "phases.py"
    path.write_text(NOTEBOOK)
    return path


def test_parameters_are_the_names_assigned_in_their_cell_only(notebook):
    names = ["network_file", "exhibit", "share", "drawn", "lens", "mixed", "published", "bound"]
    assert list(notebook_parameters(notebook)) == names


def test_parameters_come_with_their_defaults_and_none_for_what_is_no_literal(notebook):
    defaults = notebook_parameters(notebook)
    assert (defaults["exhibit"], defaults["lens"], defaults["bound"]) == (12, (16, 4, 1), None)


@pytest.mark.parametrize(
    "given",
    [
        {"exhibit": 3},
        {"share": 0.25},
        {"share": 1},
        {"drawn": False},
        {"lens": [8, 2]},
        {"lens": []},
        {"mixed": ["a", 0.5]},
        {"published": {"a": 1}},
        {"bound": "anything"},
        {"network_file": "other"},
    ],
)
def test_parameter_of_the_type_of_its_default_is_accepted(notebook, given):
    require_parameters(given, notebook, "here")


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("exhibit", "abc", "integer"),
        ("exhibit", 1.5, "integer"),
        ("exhibit", True, "integer"),
        ("exhibit", None, "integer"),
        ("share", "half", "number"),
        ("share", False, "number"),
        ("drawn", 1, "boolean"),
        ("lens", 16, "array"),
        ("mixed", "two", "array"),
        ("published", [1], "object"),
    ],
)
def test_parameter_of_another_type_is_refused(notebook, parameter, value, expected):
    with refuses(f"here.{parameter}: expected {expected}, got {value!r}"):
        require_parameters({parameter: value}, notebook, "here")


def test_an_item_of_another_type_is_named(notebook):
    with refuses("here.lens.1: expected integer, got 'four'"):
        require_parameters({"lens": [16, "four"]}, notebook, "here")


def test_notebook_that_is_not_python_is_refused_in_one_line(notebook):
    notebook.write_text(NOTEBOOK.replace("exhibit = 12", "exhibit = = 12"))
    with refuses(str(notebook), "not Python", "exhibit = = 12"):
        notebook_parameters(notebook)


def test_declared_parameters_are_accepted_and_others_refused_with_the_nearest_name(notebook):
    require_parameters({"exhibit": 3}, notebook, "here")
    with refuses("here:", "unknown notebook parameter 'exhibt'", "did you mean 'exhibit'?"):
        require_parameters({"exhibit": 3, "exhibt": 3}, notebook, "here")
    with refuses("unknown notebook parameter 'later'"):
        require_parameters({"later": 2}, notebook, "here")


def test_other_bytes_than_utf8_and_two_cells_of_parameters_are_refused_with_the_file(notebook):
    text = notebook.read_text()
    notebook.write_bytes(text.encode() + b"# caf\xe9\n")
    with refuses(f"{notebook}: expected UTF-8"):
        notebook_parameters(notebook)
    notebook.write_text(text + '\n# %% tags=["parameters"]\nexhibit = 3\n')
    with refuses(f"{notebook}: 2 cells tagged 'parameters'"):
        notebook_parameters(notebook)


def test_notebook_without_a_parameters_cell_is_refused(notebook):
    notebook.write_text(NOTEBOOK.replace(' tags=["parameters"]', ""))
    with refuses(str(notebook), "no cells tagged 'parameters'", '# %% tags=["parameters"]'):
        notebook_parameters(notebook)
