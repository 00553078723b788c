"""What a build shows: its stages with the time left by a clock that is set, on a terminal and in a file; what failed."""

import io
import os
import re
import signal
import subprocess
import sys
import time
from itertools import product

import numpy as np
import pytest
from simulated_builds import lines_of
from support import ROOT, variables

from modadd.run.estimates import read_reference
from modadd.run.names_of_jobs import BETWEEN
from modadd.run.progress import RISE, Display, Progress, stage_of, what_failed
from modadd.run.project import run_snakemake

PLAN = """\
Provided cores: 2
Job stats:
job                  count
-----------------  -------
train_network            2
measure_shard            1
notebook_phases          1
build_site               1
all                      1
total                    6
"""


class Clock:
    """Seconds that a test sets."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def shown(progress, text):
    """What is shown after these lines of Snakemake."""
    return [line for own in text.splitlines(keepends=True) for line in progress.read(own)]


def done(job, rule):
    return f"Finished jobid: {job} (Rule: {rule})\n"


def test_every_rule_belongs_to_a_stage():
    rules = ["train_shard", "import_network", "gather_population", "notebook_phases", "write_captions", "build_site"]
    assert [stage_of(rule) for rule in rules] == ["Networks", "Networks", "Populations", "Notebooks", "Pages", "Pages"]
    assert [stage_of(rule) for rule in ("measure_shard", "choose_exhibit", "all")] == ["Populations"] * 2 + ["Pages"]


def test_stages_go_by_in_order_with_the_time_left_on_all_cores(clock):
    trained = {f"train_network/a/seed{seed}": seconds for seed, seconds in ((0, 100.0), (1, 20.0))}
    expected = trained | {"measure_shard/b/seeds0": 10.0, "notebooks/phases": 30.0, "build_site": 0.0}
    progress = Progress({job: seconds - BETWEEN for job, seconds in expected.items()}, clock)
    assert shown(progress, PLAN) == ["Networks 0 of 2 · 1:20 left"]  # (100 + 20 + 10 + 30) / 2
    assert shown(progress, "Job 1: Training a/seed0\nJob 2: Training a/seed1\n") == []
    clock.now = 20.0 - BETWEEN
    assert shown(progress, done(2, "train_network")) == ["Networks 1 of 2 · 1:00 left"]  # (100 − 20 + 10 + 30) / 2
    clock.now = 100.0 - BETWEEN
    assert shown(progress, done(1, "train_network")) == [
        "Networks 2 of 2 · done after 1:39",
        "Populations 0 of 1 · 0:20 left",
    ]
    assert shown(progress, "Job 3: Executing phases.py on a/seed0\n" + done(3, "notebook_phases"))[0] == (
        "A first page to read: figures/notebooks/phases.html"
    )
    clock.now = 150.0
    assert shown(progress, done(4, "measure_shard")) == [
        "Populations 1 of 1 · done after 2:30",
        "Notebooks 1 of 1 · done after 2:30",
        "Pages 0 of 1 · 0:00 left",
    ]


def test_without_a_reference_the_jobs_that_ended_say_how_long_the_others_take(clock):
    progress = Progress({}, clock)
    plan = "Provided cores: 1\nJob stats:\ntrain_shard   4\ntotal   4\n"
    assert shown(progress, plan) == ["Networks 0 of 4 · time left not known yet"]
    shown(progress, "Job 1: Training a/seeds0\n")
    clock.now = 30.0 - BETWEEN
    assert shown(progress, done(1, "train_shard")) == ["Networks 1 of 4 · 1:30 left"]


# How far an estimate may be off, of what is left, and in seconds; how much more a line may promise than the one before.
FIFTH, ROUNDED = 0.2, 6.0
EVERYTHING = read_reference(ROOT / "data/reference").took


def said_and_true(slower, noise=0.15, seed=0):
    """Of a simulated build on two cores, whose jobs take what they took in the reference, but for some noise: every time
    left that it shows where lines stay, with its moment, and the true one."""
    factors = np.exp(noise * np.random.default_rng(seed).standard_normal(len(EVERYTHING)))
    jobs = {job: seconds * factor for (job, seconds), factor in zip(EVERYTHING.items(), factors, strict=True)}
    clock, stream = Clock(), io.StringIO()
    progress, display, moments = Progress(EVERYTHING, clock), Display(stream, clock), []
    for clock.now, line in lines_of(jobs, 2, slower):
        for words in progress.read(line):
            display(words)
        for minutes, seconds in re.findall(r"(\d+):(\d+) left", stream.getvalue()):
            moments.append((clock.now, 60 * int(minutes) + int(seconds)))
        stream.seek(0)
        stream.truncate()
    when, said = np.array(moments).T
    return when, said, clock.now - when


def within(said, true):
    """Which lines are within a fifth of what is left."""
    return np.abs(said - true) <= FIFTH * true + ROUNDED


def test_on_an_idle_machine_the_time_left_is_right_within_a_fifth_from_the_first_line_on():
    """At the first line of every build; in nineteen of twenty builds at every line; and at 99 of 100 of all lines.

    Not at every line of all builds: where a long job is left, nobody knows how long just this one will take.
    """
    builds = []
    for seed in range(40):
        when, said, true = said_and_true(lambda now: 1.0, seed=seed)
        assert len(when) > 15 and when[0] == 0
        builds.append(within(said, true))
    assert all(lines[0] for lines in builds)
    assert np.mean([lines.all() for lines in builds]) >= 0.95
    assert np.mean(np.concatenate(builds)) >= 0.99


@pytest.mark.parametrize("until", [400, np.inf])
def test_when_other_work_starts_the_time_left_follows_and_no_line_rises_by_more_than_a_third(until):
    """Where it stays, it is believed after six minutes: of the lines after these, 99 of 100 are within a fifth."""
    late = []
    for slower, seed in product([1.5, 2, 3], range(2)):
        when, said, true = said_and_true(lambda now, slower=slower: slower if 200 <= now < until else 1.0, seed=seed)
        assert (said[1:] <= RISE * said[:-1] + 1).all()
        late.append(within(said, true)[when > 200 + 360])
    assert np.isfinite(until) or np.mean(np.concatenate(late)) >= 0.99


def test_where_lines_stay_a_stage_says_its_beginning_its_end_and_sometimes_how_far_it_is(clock):
    stream = io.StringIO()
    display = Display(stream, clock)
    for clock.now, done_so_far in ((0.0, 0), (1.0, 1), (40.0, 2), (41.0, 3)):
        display(f"Networks {done_so_far} of 4 · 0:45 left")
    display("Networks 4 of 4 · done after 0:50")
    display("Pages 0 of 1 · 0:03 left")
    display.end()
    assert [line.split(" of")[0] for line in stream.getvalue().splitlines()] == [
        *("Networks 0", "Networks 2", "Networks 4", "Pages 0")
    ]


def test_on_a_terminal_a_line_replaces_the_one_before_until_its_stage_ends(clock):
    stream = io.StringIO()
    stream.isatty = lambda: True
    display = Display(stream, clock)
    for line in ("Networks 0 of 1 · 0:45 left", "Networks 1 of 1 · done after 0:50", "Pages 0 of 1 · 0:03 left"):
        display(line)
    display.end()
    kept = [line.split("\r\x1b[K")[-1] for line in stream.getvalue().split("\n")]
    assert kept == ["Networks 1 of 1 · done after 0:50", "Pages 0 of 1 · 0:03 left", ""]


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
    shell: "touch go; sleep 1; touch b"
"""


def test_a_failed_build_names_the_rule_and_shows_the_end_of_its_log(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    lines = []
    options = ("--cores", "1", "--keep-going", "--profile", "none")
    assert not run_snakemake(tmp_path, *options, log=tmp_path / "build.log", show=lines.append)
    assert "Networks 1 of 1 · done" in "\n".join(lines)
    words = what_failed(tmp_path, tmp_path / "build.log")
    assert f"bad failed; its log is {tmp_path}/logs/bad.log\n27\n" in words and "the reason" in words
    assert "train_good" not in words and words.endswith(f"Full log: {tmp_path}/build.log")


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
    (tmp_path / "Snakefile").write_text(SNAKEFILE.replace("touch go; sleep 1; touch b", WAITS))
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
