"""One job alone, in a process of one's own: a script, a notebook, and what an editor's session imports."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import SMOKE, jobs_of, snakemake, variables

ROWS = "results/populations/q_seeds.parquet"
VALUES = "results/values/phases.json"


@pytest.fixture(scope="module")
def built(smoke_build: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The smoke build again, to be changed."""
    return shutil.copytree(smoke_build, tmp_path_factory.mktemp("debug") / "project")


def python(folder: Path, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Python with the library of a folder, from that folder; what is typed goes to its debugger."""
    line = [sys.executable, *words]
    return subprocess.run(line, cwd=folder, env=variables(folder), input=typed, capture_output=True, text=True)


def debug(folder: Path, *words: str, typed: str) -> subprocess.CompletedProcess[str]:
    """The job that the words name, of the smoke config, in Python's debugger, to which the words are typed."""
    return python(folder, "-m", "pdb", "-m", "modadd.debug", *words, *SMOKE, typed=f"{typed}q\n")


def test_a_script_is_stepped_through_and_the_next_build_makes_its_file_again(built: Path) -> None:
    before = (built / ROWS).read_bytes()
    (built / ROWS).unlink()
    code = (built / "workflow/scripts/gather_population.py").read_text(encoding="utf-8").splitlines()
    line = next(number for number, text in enumerate(code, 1) if "begin(" in text)
    typed = f"break workflow/scripts/gather_population.py:{line}\ncontinue\np snakemake.rule\ncontinue\n"
    done = debug(built, "gather_population", "population=q_seeds", typed=typed)
    assert f"gather_population.py({line})<module>()" in done.stdout, done.stdout + done.stderr
    assert (built / ROWS).read_bytes() == before
    assert jobs_of(snakemake(built, ROWS, "-n", *SMOKE)) == {"gather_population"}


def test_a_notebook_runs_line_by_line_on_what_its_job_gives_it(built: Path) -> None:
    before = (built / VALUES).read_bytes()
    (built / VALUES).unlink()
    code = (built / "notebooks/quadrature/phases.py").read_text(encoding="utf-8").splitlines()
    line = code.index("use_style()") + 1
    typed = f"break notebooks/quadrature/phases.py:{line}\ncontinue\np network_file, published\ncontinue\n"
    done = debug(built, "notebook_phases", typed=typed)
    assert f"phases.py({line})<module>()" in done.stdout, done.stdout + done.stderr
    assert "('results/networks/pizza_transformer/seed0.safetensors', {})" in done.stdout, (
        "stopped early: not comparable"
    )
    assert (built / VALUES).read_bytes() == before


def test_an_editor_gets_the_object_of_a_script_and_the_parameters_of_a_notebook(built: Path) -> None:
    code = (
        "import json; from modadd.debug import job, parameters; where = {'configfiles': ['config/smoke.yaml']}; "
        "one = job('measure_shard', population='q_seeds', shard='seeds50', **where); "
        "print(json.dumps([one.input.networks, one.output.rows, one.config['scale'], parameters('phases', **where)]))"
    )
    networks, rows, scale, given = json.loads(python(built, "-c", code).stdout)
    assert (Path(networks).with_suffix(".parquet"), scale) == (Path(rows), "smoke")
    assert given["values_file"] == VALUES and given["figures"] == "figures/phases"


# Calls of the command in one process, with what each ends with.
CALLS = """
import json, runpy, sys
for words in json.load(sys.stdin):
    sys.argv = ["modadd.debug", *words]
    try:
        runpy.run_module("modadd.debug", run_name="__main__")
    except SystemExit as end:
        print(end)
"""
REFUSED = {
    ("notebook_phase",): "rules: unknown rule 'notebook_phase'; did you mean 'notebook_phases'?",
    ("train_network", "dataset=mod_59"): "train_network: expected dataset=… seed=…, got dataset",
    ("measure_shard", "population=q_seeds", "shard=seeds50"): (
        "results/populations/q_seeds/seeds50.safetensors is missing; build what measure_shard reads: snakemake "
        "results/populations/q_seeds/seeds50.parquet --omit-from measure_shard"
    ),
}


def test_what_is_unknown_or_missing_is_refused_in_one_line_that_helps(built: Path) -> None:
    (built / "results/populations/q_seeds/seeds50.safetensors").unlink()
    done = python(built, "-c", CALLS, typed=json.dumps([[*words, *SMOKE] for words in REFUSED]))
    lines = done.stdout.splitlines()
    assert len(lines) == len(REFUSED), done.stderr
    for line, sentence in zip(lines, REFUSED.values(), strict=True):
        assert line.startswith(f"debug: {sentence}")
