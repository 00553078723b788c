import pytest
from paper.notebook_files import notebook_parameters, require_parameters, require_valid, with_numbers
from support import refuses

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
        ("exhibit", "abc", "a whole number"),
        ("exhibit", 1.5, "a whole number"),
        ("exhibit", True, "a whole number"),
        ("exhibit", None, "a whole number"),
        ("share", "half", "a number"),
        ("share", False, "a number"),
        ("drawn", 1, "true or false"),
        ("lens", 16, "a list"),
        ("mixed", "two", "a list"),
        ("published", [1], "a mapping"),
    ],
)
def test_parameter_of_another_type_is_refused(notebook, parameter, value, expected):
    with refuses(f"here.{parameter}: expected {expected}, got {value!r}"):
        require_parameters({parameter: value}, notebook, "here")


def test_an_item_of_another_type_is_named(notebook):
    with refuses("here.lens.1: expected a whole number, got 'four'"):
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


def test_notebook_without_a_parameters_cell_is_refused(notebook):
    notebook.write_text(NOTEBOOK.replace(' tags=["parameters"]', ""))
    with refuses(str(notebook), "no cell tagged 'parameters'", '# %% tags=["parameters"]'):
        notebook_parameters(notebook)


def test_numbers_and_truth_values_spelled_as_text_are_read_at_every_depth():
    given = {
        "scale": "smoke",
        "datasets": {"a": {"seeds": ["0", 50], "learning_rate": "1e-3"}},
        "tf32": "True",
    }
    read = with_numbers(given)
    assert read == {
        "scale": "smoke",
        "datasets": {"a": {"seeds": [0, 50], "learning_rate": 1e-3}},
        "tf32": True,
    }
    assert type(read["datasets"]["a"]["seeds"][0]) is int
    assert read["tf32"] is True


def test_what_is_no_number_stays_as_it_is():
    given = {"a": None, "b": "12 apples", "c": [1.5, False], "d": ""}
    read = with_numbers(given)
    assert read == given
    assert read["c"][1] is False


@pytest.mark.parametrize("spelled", [1.0, "1.0", "1e0", 1, "1"])
def test_whole_numbers_become_integers_so_that_file_names_do_not_depend_on_their_spelling(spelled):
    (seed,) = with_numbers({"seeds": [spelled]})["seeds"]
    assert f"seed{seed}" == "seed1"


def test_paths_and_hashes_of_digits_alone_stay_text():
    digits = {"datasets": {"ours": {"path": "12", "sha256": "1" * 64}}}
    assert with_numbers(digits) == digits


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_not_finite_are_refused(tmp_path, value):
    (tmp_path / "any.yaml").write_text("{}")
    with refuses("here: a.0: expected a finite number", str(value)):
        require_valid({"a": [value]}, tmp_path / "any.yaml", "here")


@pytest.mark.parametrize(
    ("schema", "data", "sentence"),
    [
        ("{type: array}", "x", "here: top level: expected a list, got 'x'"),
        ("{type: object}", [1], "here: top level: expected a mapping, got [1]"),
        ("{type: [number, array]}", "x", "here: top level: expected a number or a list, got 'x'"),
        ("{uniqueItems: true}", [3, 3], "here: top level: expected each once, got [3, 3]"),
        ("{pattern: ^a$, description: the letter a.}", "b", "here: top level: expected the letter a, got 'b'"),
        ("{type: string}", 11, "here: top level: expected text (YAML reads digits without quotes as a number), got 11"),
        ("{contains: {const: a}}", ["b"], "here: top level: expected a among them, got ['b']"),
        ("{pattern: ^a$}", "b", "here: top level: expected text that matches ^a$, got 'b'"),
        ("{properties: {}, additionalProperties: false}", {1: 2, "b": 3}, "here: top level: unknown key '1'"),
    ],
)
def test_schema_errors_are_sentences(tmp_path, schema, data, sentence):
    (tmp_path / "any.yaml").write_text(schema)
    with refuses(sentence):
        require_valid(data, tmp_path / "any.yaml", "here")


def test_habits_of_other_projects_are_told_which_key_has_what_they_mean(tmp_path):
    schema = tmp_path / "schema.yaml"
    schema.write_text("{type: object, additionalProperties: false, properties: {train_pairs: {}}}")
    with refuses("unknown key 'train_fraction'; did you mean 'train_pairs'?", "0.3 of them mod 113 are 3831"):
        require_valid({"train_fraction": 0.3}, schema, "config")
    with refuses("unknown key 'modulus'", "a modulus belongs to a dataset"):
        require_valid({"modulus": 61}, schema, "config")
