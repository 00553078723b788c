"""One job in a process of one's own: the object of a script, and a notebook line by line."""

import subprocess
import sys
import traceback

import pytest
from support import ROOT, SMOKE, variables

from paper.mock import mock_snakemake, run_lines

NOTEBOOK = """# %% [markdown]
# # A question

# %% tags=["parameters"]
number = 1
out = ""

# %%
from pathlib import Path

Path(out).write_text(str(2 * number))

# %%
assert number < 10, "too large"
"""


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "twice.py"
    path.write_text(NOTEBOOK, encoding="utf-8")
    return path


def test_a_script_finds_what_is_given_by_name():
    job = mock_snakemake(input={"networks": "a.safetensors"}, params={"seeds": [1]})
    assert (job.input.networks, job.params.seeds) == ("a.safetensors", [1]) and not hasattr(job, "output")


def test_a_notebook_runs_with_given_parameters_and_its_lines_keep_their_numbers(notebook, tmp_path):
    run_lines(notebook, {"number": 4, "out": str(tmp_path / "out")})
    assert (tmp_path / "out").read_text() == "8"
    with pytest.raises(AssertionError, match="too large") as raised:
        run_lines(notebook, {"number": 40, "out": str(tmp_path / "out")})
    last = traceback.extract_tb(raised.value.__traceback__)[-1]
    line = NOTEBOOK.splitlines().index('assert number < 10, "too large"') + 1
    assert (last.filename, last.lineno) == (str(notebook), line)


def test_a_debugger_stops_in_a_notebook_with_what_its_job_gives_it_seen_from_the_folder_of_the_build(tmp_path):
    source = ROOT / "notebooks/quadrature/phases.py"
    line = source.read_text(encoding="utf-8").splitlines().index("use_style()") + 1
    typed = f"break {source}:{line}\ncontinue\np network_file, values_file\nq\n"
    call = ["-m", "pdb", "-m", "paper.mock", "phases", *SMOKE, "--directory", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, *call], cwd=ROOT, env=variables(ROOT), input=typed, capture_output=True, text=True
    )
    assert f"phases.py({line})<module>()" in done.stdout, done.stdout + done.stderr
    assert "('results/networks/pizza_transformer/seed0.safetensors', 'results/values/phases.json')" in done.stdout
