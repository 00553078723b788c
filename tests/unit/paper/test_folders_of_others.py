"""Folders as other people have them: files of editors, times in the future, values that no job recorded."""

import os
import time

import pytest
from support import refuses

from modadd.core.files import sha256, visible, write_json
from modadd.networks.overrides import recipe_of
from paper.build import say_future
from paper.environment import job_environment
from paper.execution import read_notebook
from paper.ledger.judge.built import Built


def test_files_and_folders_whose_name_begins_with_a_dot_are_nobodys(tmp_path):
    for name in ("a/phases.yaml", "a/.#phases.yaml", "a/._phases.yaml", ".ipynb_checkpoints/x.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert visible(tmp_path, "*/*.yaml") == [tmp_path / "a/phases.yaml"]


def test_files_dated_in_the_future_are_named_before_work_is_done(tmp_path, capsys):
    files = [tmp_path / name for name in ("a", "b", "c")]
    for file in files:
        file.write_text("")
    say_future(files)
    assert capsys.readouterr().err == ""
    for file in files[:2]:
        os.utime(file, (time.time() + 3600,) * 2)
    say_future(files)
    said = capsys.readouterr().err
    assert said.startswith(f"{files[0]} and 1 more: dated in the future") and said.count("\n") == 1


def test_values_that_no_job_recorded_are_refused(tmp_path):
    values = tmp_path / "results/values/phases.json"
    write_json(values, {"network": {}, "values": {"slope": 2.0}})
    values.with_suffix(".sha256").write_text(f"{sha256(values)}\n")
    assert Built(tmp_path).recorded("phases")["values"] == {"slope": 2.0}
    write_json(values, {"network": {}, "values": {"slope": 1.0}})
    with refuses("phases.json: expected what the job of the notebook recorded", "delete the file"):
        Built(tmp_path).recorded("phases")


COMMENTS = (
    "# %% [markdown]\n# # A title\n\n# %%\n# copy what is there\n# %matplotlib is a magic elsewhere\n# help?\nx = 1\n"
)


def test_comments_of_a_notebook_stay_comments(tmp_path):
    file = tmp_path / "phases.py"
    file.write_text(COMMENTS)
    (_, code) = read_notebook(file).cells
    assert code.source == COMMENTS.split("# %%\n", 1)[1].rstrip("\n")


def test_an_indented_mark_of_a_cell_is_refused_with_its_line(tmp_path):
    file = tmp_path / "phases.py"
    file.write_text("# %%\nif True:\n    x = 1\n    # %%\n    y = 2\n")
    with refuses("phases.py: line 4: expected the mark of a cell at the beginning of its line"):
        read_notebook(file)


def test_jobs_keep_docstrings_whatever_the_user_has_set():
    assert job_environment(["svg"])["PYTHONOPTIMIZE"] == ""


@pytest.mark.parametrize("n", [3, 4, 31, 64, 81, 97, 113])
def test_another_modulus_keeps_batches_of_n_and_the_nearest_share_of_pairs(n):
    recipe = recipe_of("datasets.mine", {"recipe": "embedding_mlp", "modulus": n})
    assert recipe.batch_size == n and recipe.train_pairs % n == 0
    assert abs(recipe.train_pairs - 5096 / 91**2 * n**2) <= n / 2 + 1 or recipe.train_pairs == n


def test_what_an_entry_gives_itself_stays():
    whole = recipe_of("datasets.mine", {"recipe": "embedding_mlp", "modulus": 64, "batch_size": 0})
    assert (whole.batch_size, whole.train_pairs) == (0, 2520)
    given = recipe_of("datasets.mine", {"recipe": "embedding_mlp", "modulus": 64, "train_pairs": 2560})
    assert (given.batch_size, given.train_pairs) == (64, 2560)
