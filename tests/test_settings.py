import pytest
from modadd.settings import notebook_parameters, read_yaml, require_parameters, with_numbers
from support import refuses

NOTEBOOK = """# %% [markdown]
# # A question

# %%
import numpy

# %% tags=["parameters"]
network_file = "network.safetensors"
exhibit = 12  # a frequency

# %%
later = 1
"""


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "phases.py"
    path.write_text(NOTEBOOK)
    return path


def test_parameters_are_the_names_assigned_in_their_cell_only(notebook):
    assert notebook_parameters(notebook) == ("network_file", "exhibit")


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
    given = {"scale": "smoke", "studies": {"a": {"seeds": ["0", 50], "learning_rate": "1e-3"}}, "portable_bits": "True"}
    read = with_numbers(given)
    assert read == {
        "scale": "smoke",
        "studies": {"a": {"seeds": [0, 50], "learning_rate": 1e-3}},
        "portable_bits": True,
    }
    assert type(read["studies"]["a"]["seeds"][0]) is int
    assert read["portable_bits"] is True


def test_what_is_no_number_stays_as_it_is():
    given = {"a": None, "b": "12 apples", "c": [1.5, False], "d": ""}
    assert with_numbers(given) == given


def test_nothing_in_a_settings_file_is_executed(tmp_path):
    path = tmp_path / "evil.yaml"
    path.write_text("!!python/object/apply:os.getcwd []")
    with pytest.raises(ValueError, match="evil.yaml: not YAML"):
        read_yaml(path)
