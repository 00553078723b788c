"""The commands of the project: their help, and one line that says what is missing or stands in the way."""

import os
import shutil
import subprocess
import sys
from argparse import ArgumentTypeError

import pytest
from support import ROOT, paper, told_by, variables

from modadd.core.bits import job_variables
from paper.__main__ import COMMANDS
from paper.commands import release
from paper.commands.build import require_build
from paper.commands.options import number_of_cores, seed


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_help_with_its_options(command):
    said = paper(ROOT, command, "--help")
    assert "--help" in said and "\n\n" in said


def test_the_commands_are_listed_with_what_they_do():
    said, status = told_by("--help")
    assert status == 0 and all(command in said for command in COMMANDS)
    assert COMMANDS["release"] in " ".join(said.split())


def test_the_code_of_one_folder_refuses_to_work_in_another_copy_of_the_project(tmp_path):
    (tmp_path / "workflow/paper").mkdir(parents=True)
    line = [sys.executable, "-m", "paper", "release"]
    done = subprocess.run(line, cwd=tmp_path, env=variables(ROOT), capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.startswith(f"paper: this is the code of {ROOT}; run it there")
    assert len(done.stderr.splitlines()) == 1 and not done.stdout


def test_without_the_last_file_of_a_build_a_command_says_to_build_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="^verify: results/provenance.json does not exist; build everything first"):
        require_build("verify")
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").touch()
    require_build("verify")


def test_cores_are_a_number_or_all():
    given = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(given)})  # as a job that is given one core of many
        assert (number_of_cores("3"), number_of_cores("all")) == ("3", "1")
    finally:
        os.sched_setaffinity(0, given)
    for bad in ("many", "0", "-1", "1.5"):
        with pytest.raises(ArgumentTypeError, match=f"expected a whole number of at least 1, or `all`, got '{bad}'"):
            number_of_cores(bad)


def test_a_seed_is_a_whole_number_that_may_be_0():
    assert seed("0") == 0
    with pytest.raises(ArgumentTypeError, match="expected a whole number of at least 0, got '-1'"):
        seed("-1")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--network foo", "NETWORK: expected DATASET/seedN or POPULATION/exhibit, got 'foo'"),
        ("--network foo/seedx", "NETWORK: expected DATASET/seedN or POPULATION/exhibit, got 'foo/seedx'"),
        ("--network q_seed/exhibit", "config: datasets: unknown population 'q_seed'; did you mean 'q_seeds'?"),
        ("--network two_layer_mlp/seed77", "config: datasets.two_layer_mlp.seeds: expected seed 77, among"),
        ("--file mine.pt --format two_layer_mlp --keep", "--keep: expected nothing but --format beside --file"),
        ("--file mine.pt --published", "--published: expected nothing but --format beside --file"),
        ("--published --check", "--check: expected nothing but --keep beside --published"),
        ("--network two_layer_mlp/seed0 --keep", "--keep: expected nothing but --check beside --network"),
        ("--format two_layer_mlp", "--format: expected --file beside it"),
    ],
)
def test_a_proof_of_nothing_that_is_there_or_of_two_things_is_refused_in_one_line(words, said):
    printed, sentence = told_by("proof", *words.split())
    assert sentence.startswith(f"proof: {said}") and "\n" not in sentence and not printed


@pytest.mark.parametrize(
    ("target", "options"),
    [
        ("proof PUBLISHED=no CHECK=0 KEEP=", []),
        ("proof PUBLISHED=yes KEEP=yes", ["--published", "--keep"]),
        ("proof CHECK=yes", ["--check"]),
        ("all VERBOSE=0", []),
        ("all VERBOSE=1", ["--verbose"]),
        ("all VERBOSE=yes", ["--verbose"]),
    ],
)
def test_make_takes_yes_for_an_option_and_no_for_none(target, options):
    assert made(target).stdout.splitlines()[-1].split(" -m paper ")[1].split()[1:] == options


@pytest.mark.parametrize("target", ["proof KEEP=1", "proof CHECK=true", "all VERBOSE=2"])
def test_make_refuses_another_word_for_an_option(target):
    done = made(target)
    assert done.returncode != 0 and f"{target.split()[1]}: expected yes or no" in done.stderr


def made(words):
    """What make would run for a target with variables."""
    command = ["make", "--no-print-directory", "-n", *words.split()]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_whoever_waits_at_a_terminal_is_told_what_takes_time():
    ours, theirs = os.openpty()
    line = [sys.executable, "-m", "paper", "look"]
    subprocess.run(line, cwd=ROOT, env=variables(ROOT), stdout=subprocess.PIPE, stderr=theirs)
    assert os.read(ours, 100).decode().strip() == "look: loading the libraries"
    for end in (ours, theirs):
        os.close(end)


ANOTHER = """#!/bin/sh
exec {python} -c 'import sys; sys.version_info = (3, {minor}, 0); exec(sys.argv[1])' "$2"
"""


@pytest.mark.parametrize("minor", [10, 14])
def test_a_python_that_does_not_fit_is_named_before_anything_is_installed(tmp_path, minor):
    for name in ("Makefile", "requirements.txt", "requirements-test.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    another = tmp_path / "python3"
    another.write_text(ANOTHER.format(python=sys.executable, minor=minor))
    another.chmod(0o755)
    command = ["make", "--no-print-directory", ".venv/ready", f"PYTHON={another}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode != 0 and not (tmp_path / ".venv").exists()
    assert done.stderr.startswith(
        f"make: this project needs Python 3.11, 3.12 or 3.13; {another} is 3.{minor}; name another one"
    )


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "release: too little memory: Python got no more"),
        (ValueError("a bad key"), "release: a bad key"),
        (OSError("a full disk"), "release: a full disk"),
    ],
)
def test_what_stands_in_the_way_is_one_line(monkeypatch, error, said):
    assert told_by_failing(monkeypatch, error) == said


def test_an_interrupt_says_how_to_go_on(monkeypatch, capsys):
    assert told_by_failing(monkeypatch, KeyboardInterrupt()) == 130  # as a shell says it
    assert capsys.readouterr().err.strip() == "Interrupted; the same command continues from here."


def told_by_failing(monkeypatch, error):
    """What a command ends with that raises an error."""

    def fail(options):
        raise error

    monkeypatch.setattr(release, "run", fail)
    return told_by("release")[1]


COMPUTES = """
import os, sys
from paper import __main__
before = "numpy" in sys.modules
sys.argv = ["paper", "--help"]
try:
    __main__.main()
except SystemExit:
    print(before, os.environ["OPENBLAS_CORETYPE"])
"""


def test_a_command_computes_as_the_jobs_do():
    told = [sys.executable, "-c", COMPUTES]
    done = subprocess.run(told, cwd=ROOT, env=variables(ROOT), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == f"False {job_variables()['OPENBLAS_CORETYPE']}"


def test_a_script_of_maintainers_whose_numbers_are_kept_computes_as_the_jobs_do():
    told = "import own_code, sys, os; print('numpy' in sys.modules, os.environ['OPENBLAS_CORETYPE'])"
    line = [sys.executable, "-c", told]
    done = subprocess.run(line, cwd=ROOT / "workflow/dev", capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", job_variables()["OPENBLAS_CORETYPE"]]
