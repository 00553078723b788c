"""What jobs inherit: floats that are the same everywhere, this folder's code, caches in the folder that is built in."""

import os
import subprocess
from pathlib import Path

import pytest
from snakemake.utils import format as formatted
from support import ROOT

from modadd.core.bits import job_variables
from paper.environment import FIGURE_FORMATS, FOLDERS, Quoted, job_environment


def test_an_interpreter_is_quoted_in_a_line_for_the_shell_and_itself_elsewhere():
    path = "/a folder é/it's $HOME/python"
    interpreter = Quoted(path)
    assert formatted("{interpreter} {interpreter:q}", interpreter=Quoted("/usr/bin/python")) == (
        "/usr/bin/python /usr/bin/python"
    )
    line = formatted("printf %s {interpreter}", interpreter=interpreter)  # as Snakemake writes it
    assert subprocess.run(line, shell=True, capture_output=True, text=True).stdout == path
    assert interpreter == path and os.path.dirname(interpreter) == "/a folder é/it's $HOME"


def test_a_job_has_the_floats_of_all_jobs_this_code_first_and_the_formats_of_the_config(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "mine")
    found = job_environment(["svg", "png"])
    assert job_variables().items() <= found.items()
    assert found["PYTHONPATH"].split(os.pathsep) == [*FOLDERS, "mine"]
    assert found[FIGURE_FORMATS] == "svg png" and found["PYTHONDONTWRITEBYTECODE"] == ""


@pytest.mark.parametrize("is_read_only", [False, True])
def test_caches_are_in_the_build_and_numbas_where_the_project_cannot_be_written(tmp_path, monkeypatch, is_read_only):
    monkeypatch.chdir(tmp_path)
    access = os.access
    denied = lambda path: is_read_only and Path(path) == ROOT  # root may write everywhere
    monkeypatch.setattr("paper.environment.os.access", lambda path, mode: not denied(path) and access(path, mode))
    found = job_environment(["svg"])
    caches = {"MPLCONFIGDIR", "IPYTHONDIR"} | ({"NUMBA_CACHE_DIR"} if is_read_only else set())
    assert {key for key, value in found.items() if value.startswith(str(tmp_path))} == caches
