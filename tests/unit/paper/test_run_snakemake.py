"""Snakemake as the commands call it: its stages, what ends it, and the lock of a killed run."""

import os
import signal
import subprocess
import sys
import time

import pytest
from snakemake_logger_plugin_stages import stage_of
from support import ROOT, refuses, variables

from paper.snakemake import remove_lock, run_snakemake


def test_every_rule_belongs_to_a_stage():
    rules = ["train_shard", "import_network", "gather_population", "notebook_phases", "judge_claims", "build_site"]
    assert [stage_of(rule) for rule in rules] == ["Networks", "Networks", "Populations", "Notebooks", "Pages", "Pages"]


SNAKEFILE = """
rule all:
    input: "a", "b"
rule bad:
    output: "a"
    log: "logs/bad.log"
    message: "Making a"
    shell: "echo the reason >> {log}; exit 3"
rule train_good:
    output: "b"
    message: "Making b"
    shell: "touch b"
"""
OPTIONS = ("--cores", "1", "--keep-going", "--profile", "none")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with two rules of its own in place of the workflow."""
    monkeypatch.setattr("paper.snakemake.ROOT", tmp_path)
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    return tmp_path


def test_a_build_shows_its_stages_and_its_log_has_all_words(folder, capfd):
    log = folder / "build.log"
    assert not run_snakemake(folder, *OPTIONS, log=log, show=True)
    assert capfd.readouterr().out.startswith("Networks 1 of 1 after 0:")
    assert "Error in rule bad" in log.read_text() and "logs/bad.log" in log.read_text()
    assert run_snakemake(folder, "b", *OPTIONS, log=log) and not capfd.readouterr().out
    assert "Nothing to be done" in log.read_text()


def test_a_user_without_a_home_builds(folder, monkeypatch):
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    assert run_snakemake(folder, "b", *OPTIONS, log=folder / "log"), (folder / "log").read_text()


def test_a_build_in_another_folder_writes_nothing_beside_the_rules(folder, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    assert run_snakemake(elsewhere, "b", *OPTIONS, log=elsewhere / "log")
    assert (elsewhere / "b").exists() and not (folder / "b").exists()


def test_the_lock_of_a_killed_run_is_removed_but_not_that_of_a_running_one(folder):
    assert not remove_lock(folder)
    locks = folder / ".snakemake/locks"
    locks.mkdir(parents=True)
    (locks / "0.output.lock").write_text("b\n")
    with subprocess.Popen([sys.executable, "-c", "input()", "snakemake"], cwd=folder, stdin=subprocess.PIPE) as running:
        with refuses(f"Snakemake still works in {folder}", f"`kill {running.pid}`"):
            remove_lock(folder)
        assert list(locks.glob("*.lock"))
        running.communicate(b"\n")
    assert remove_lock(folder) and not list(locks.glob("*.lock"))


CALL = """
from pathlib import Path
import paper.snakemake
paper.snakemake.ROOT = Path.cwd()
try:
    print(paper.snakemake.run_snakemake(Path("."), "b", "--cores", "1", "--profile", "none", log=Path("log")))
except KeyboardInterrupt:
    print("interrupted")
"""


PATIENCE = 120  # seconds, for what takes a few, on the busiest machine


def wait_until(holds):
    """Wait for a condition; raise AssertionError where it does not come."""
    until = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < until, "this did not come"
        time.sleep(0.05)


def is_gone(group):
    """Whether no process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


# Bash waits for the test without a program of its own: one that just ends when the interrupt comes would let it go on.
WAITS = ": > go; read line < on; touch b"


@pytest.mark.parametrize(
    ("how", "said", "made"), [(signal.SIGINT, "interrupted\n", False), (signal.SIGTERM, "False\n", True)]
)
def test_an_interrupt_ends_snakemake_and_its_jobs_and_a_termination_lets_the_jobs_end(tmp_path, how, said, made):
    (tmp_path / "Snakefile").write_text(SNAKEFILE.replace("touch b", WAITS))
    os.mkfifo(tmp_path / "on")
    run = subprocess.Popen(
        [sys.executable, "-c", CALL],
        cwd=tmp_path,
        env=variables(ROOT),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # even in the background
    )
    try:
        wait_until((tmp_path / "go").exists)
        run.send_signal(how) if how == signal.SIGTERM else os.killpg(run.pid, how)  # a terminal interrupts all of them
        if made:
            wait_until(lambda: "Will exit after finishing currently running jobs" in (tmp_path / "log").read_text())
            (tmp_path / "on").write_text("go on\n")
        assert run.communicate(timeout=PATIENCE)[0] == said
        wait_until(lambda: is_gone(run.pid))
    finally:
        if not is_gone(run.pid):
            os.killpg(run.pid, signal.SIGKILL)
    assert (tmp_path / "b").exists() == made
