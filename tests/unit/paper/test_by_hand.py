"""A notebook that is run by hand says so, and computes with the settings of a job, or says that it does not."""

import json
import os
import subprocess
import sys

import pytest
from support import ROOT

from modadd.core.bits import FIGURE_FORMATS, job_variables
from paper.by_hand import LATE, ON_TIME, is_by_hand
from paper.environment import FOLDERS

SCRIPT = """
{first}
from pathlib import Path
import paper.by_hand
paper.by_hand.NOTEBOOKS = Path({folder!r})  # as if it were the project's
if paper.by_hand.is_by_hand():
    print(paper.by_hand.compute_as_a_job())
import json, os, numpy
print(json.dumps([dict(os.environ), os.getcwd(), bool(numpy._core._multiarray_umath.__cpu_features__["X86_V4"])]))
"""


def lines_of(*command, cwd=ROOT, **given):
    """What a process prints that has none of a job's variables but those that are given."""
    environment = {name: value for name, value in os.environ.items() if name not in (*job_variables(), FIGURE_FORMATS)}
    environment["PYTHONPATH"] = os.pathsep.join(FOLDERS)
    done = subprocess.run(
        [sys.executable, *command], cwd=cwd, env=environment | given, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def script(tmp_path, first):
    """A notebook as a script, whose first import this is."""
    path = tmp_path / "notebook.py"
    path.write_text(SCRIPT.format(first=first, folder=str(tmp_path)), encoding="utf-8")
    return path


@pytest.mark.parametrize("first", ["", "import numpy"])
def test_a_script_computes_with_the_variables_of_a_job_whatever_it_imports_first(tmp_path, first):
    said, found = lines_of(str(script(tmp_path, first)))
    assert said.startswith(f"Run by hand: it writes to {ROOT / 'results/by_hand'}, which no build reads. {ON_TIME}")
    environment, _, is_wide = json.loads(found)
    assert job_variables().items() <= environment.items() and not is_wide


def test_a_script_that_starts_in_the_folder_of_notebooks_reads_and_writes_in_the_project(tmp_path):
    said, found = lines_of(script(tmp_path, "import numpy").name, cwd=tmp_path)
    assert json.loads(found)[1] == str(ROOT) and str(ROOT / "results/by_hand") in said


def test_a_job_says_nothing(tmp_path):
    (found,) = lines_of(str(script(tmp_path, "")), **{FIGURE_FORMATS: "png"})
    assert json.loads(found)[1] == str(ROOT)
    assert not is_by_hand()  # nor does a process that is no notebook


@pytest.mark.parametrize(
    ("first", "words"), [("import numpy", LATE), ("", ON_TIME)], ids=["NumPy first", "paper.notebook first"]
)
def test_a_kernel_says_whether_numpy_was_imported_before(tmp_path, first, words):
    code = f"{first}\nimport paper.notebook\n"
    (said,) = lines_of("-m", "IPython", "--no-banner", "--quick", "-c", code, IPYTHONDIR=str(tmp_path))
    assert said == f"Run by hand: it writes to {ROOT / 'results/by_hand'}, which no build reads. {words}."


def test_a_kernel_that_has_the_variables_of_a_job_may_import_numpy_first(tmp_path):
    code = "import numpy\nimport paper.notebook\n"
    call = ("-m", "IPython", "--no-banner", "--quick", "-c", code)
    (said,) = lines_of(*call, IPYTHONDIR=str(tmp_path), **job_variables())
    assert said.endswith(f"{ON_TIME}.")


def test_every_notebook_writes_by_hand_where_the_line_says():
    for notebook in ROOT.glob("notebooks/*/*.py"):
        text = notebook.read_text(encoding="utf-8")
        assert f'figures = "results/by_hand/{notebook.stem}"' in text, notebook
        assert f'values_file = "results/by_hand/{notebook.stem}.json"' in text, notebook
