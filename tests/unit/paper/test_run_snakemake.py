"""What a build shows: its stages, and what failed."""

import os
import signal
import subprocess
import sys
import time

import pytest
from snakemake_logger_plugin_stages import stage_of
from support import ROOT, variables

from modadd.run.failures import likely_memory, what_failed
from modadd.run.project import run_snakemake


def test_every_rule_belongs_to_a_stage():
    rules = ["train_shard", "import_network", "gather_population", "notebook_phases", "write_captions", "build_site"]
    assert [stage_of(rule) for rule in rules] == ["Networks", "Networks", "Populations", "Notebooks", "Pages", "Pages"]


SNAKEFILE = """
rule all:
    input: "a", "b"
rule bad:
    output: "a"
    log: "logs/bad.log"
    message: "Making a"
    shell: "seq 40 > {log}; echo the reason >> {log}; exit 3"
rule train_good:
    output: "b"
    message: "Making b"
    shell: "touch b"
"""


def test_a_failed_build_shows_its_stages_names_the_rule_and_shows_the_end_of_its_log(tmp_path, capfd):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    options = ("--cores", "1", "--keep-going", "--profile", "none")
    assert not run_snakemake(tmp_path, *options, log=tmp_path / "build.log", show=True)
    assert capfd.readouterr().out.startswith("Networks 1 of 1 after 0:")
    words = what_failed(tmp_path, tmp_path / "build.log")
    assert f"bad failed; its log is {tmp_path}/logs/bad.log\n27\n" in words and "the reason" in words
    assert "train_good" not in words and words.endswith(f"Full log: {tmp_path}/build.log")
    assert "-m modadd.debug" in words and ".ipynb" not in words
    (tmp_path / "logs/bad.ipynb").write_text("{}")
    kept = f"The notebook as far as it came, with its traceback: {tmp_path}/logs/bad.ipynb\n"
    assert kept in what_failed(tmp_path, tmp_path / "build.log")


@pytest.mark.parametrize(
    "words",
    [
        "died with <Signals.SIGKILL: 9>.",
        "DefaultCPUAllocator: can't allocate memory: you tried",
        "numpy MemoryError: Unable",
    ],
)
def test_a_job_that_had_too_little_memory_is_said_to(tmp_path, words):
    assert "probably had too little memory" in likely_memory(words) and likely_memory("ValueError: no") is None
    (tmp_path / "build.log").write_text(words)
    assert "probably had too little memory" in what_failed(tmp_path, tmp_path / "build.log")


CALL = """
from pathlib import Path
from modadd.run.project import run_snakemake
try:
    print(run_snakemake(Path("."), "b", "--cores", "1", "--profile", "none", log=Path("log")))
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
