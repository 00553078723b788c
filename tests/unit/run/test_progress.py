"""What a build shows: its stages with the time left by a clock that is set; what failed."""

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
from modadd.run.progress import BETWEEN, RISE, Progress, stage_of, wall_seconds, what_failed
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

Planned: train_network/a/seed0 train_network/a/seed1 measure_shard/b/seeds0 notebooks/phases build_site
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


def test_stages_go_by_with_the_time_left_on_all_cores(clock):
    trained = {f"train_network/a/seed{seed}": seconds for seed, seconds in ((0, 100.0), (1, 20.0))}
    expected = trained | {"measure_shard/b/seeds0": 10.0, "notebooks/phases": 30.0, "build_site": BETWEEN}
    progress = Progress({job: seconds - BETWEEN for job, seconds in expected.items()}, clock)
    assert shown(progress, PLAN) == [
        "5 jobs to run; expect about 2 minutes on 2 cores.",  # 102 seconds, as the longest takes 100
        "Networks 0 of 2 · 01:22 left",  # (100 + 20 + 10 + 30) / 2 + END
    ]
    assert shown(progress, "Job 1: Training a/seed0\nJob 2: Training a/seed1\n") == []
    clock.now = 20.0 - BETWEEN
    assert shown(progress, done(2, "train_network")) == []  # too soon after the last line
    assert shown(progress, "Job 3: Measuring b/seeds0\n") == []
    clock.now += 10.0 - BETWEEN
    assert shown(progress, done(3, "measure_shard")) == [
        "Populations 1 of 1 · done after 00:29",
        "Networks 1 of 2 · 00:53 left",  # (100 − 29 + 30) / 2 + BETWEEN + END
    ]
    clock.now = 100.0 - BETWEEN
    assert shown(progress, done(1, "train_network")) == [
        "Networks 2 of 2 · done after 01:39",
        "Notebooks 0 of 1 · 00:17 left",
    ]
    assert shown(progress, "Job 4: Executing phases.py on a/seed0\n" + done(4, "notebook_phases")) == [
        "A first page to read: figures/notebooks/phases.html",
        "Notebooks 1 of 1 · done after 01:39",
        "Pages 0 of 1 · 00:05 left",
    ]


def test_without_a_reference_the_jobs_that_ended_say_how_long_the_others_take(clock):
    progress = Progress({}, clock)
    plan = "Provided cores: 1\nJob stats:\ntrain_shard   4\ntotal   4\n"
    assert shown(progress, plan + "Job 1: Training a/seeds0\n") == ["Networks 0 of 4 · time left not known yet"]
    clock.now = 30.0 - BETWEEN
    assert shown(progress, done(1, "train_shard")) == ["Networks 1 of 4 · 01:32 left"]


# How far an estimate may be off, of what is left, and in seconds.
FIFTH, ROUNDED = 0.2, 6.0
# Standard deviations of log time, of each job and of a whole build, which a probe of the machine misses.
JOB, MACHINE = 0.15, 0.1
EVERYTHING = read_reference(ROOT / "data/reference").took


def said_and_true(slower, seed, costs=EVERYTHING, machine=MACHINE):
    """Of a simulated build on two cores, whose jobs take what they took in the reference, but for some noise: every time
    left that `Progress` says who expects these costs, with its moment, and the true one."""
    rng = np.random.default_rng(seed)
    whole = machine * rng.standard_normal()
    jobs = {job: s * np.exp(whole + JOB * rng.standard_normal()) for job, s in EVERYTHING.items()}
    clock, moments = Clock(), []
    progress = Progress(costs, clock)
    for clock.now, line in lines_of(jobs, 2, slower, seed):
        found = re.findall(r"(?:(\d+):)?(\d+):(\d+) left", "\n".join(progress.read(line)))
        moments += [(clock.now, 3600 * int(h or 0) + 60 * int(m) + int(s)) for h, m, s in found]
    when, said = np.array(moments).T
    return when, said, clock.now - when


def within(said, true):
    """Which lines are within a fifth of what is left."""
    return np.abs(said - true) <= FIFTH * true + ROUNDED


def idle(now):
    """The machine has nothing else to do."""
    return 1.0


@pytest.mark.parametrize(("machine", "first", "lines", "builds"), [(0.0, 1.0, 0.99, 0.95), (MACHINE, 0.9, 0.98, 0.7)])
def test_on_an_idle_machine_the_time_left_is_right_within_a_fifth_from_the_first_line_on(machine, first, lines, builds):
    """In so many first lines, of all lines, and in so many builds at every line; where the probe misses nothing of the
    machine, and where it does."""
    replays = [said_and_true(idle, seed, machine=machine) for seed in range(40)]
    assert all(len(when) > 15 and when[0] == 0 for when, _, _ in replays)
    right = [within(said, true) for _, said, true in replays]
    assert np.mean([one[0] for one in right]) >= first
    assert np.mean(np.concatenate(right)) >= lines
    assert np.mean([one.all() for one in right]) >= builds


def test_costs_of_a_machine_that_is_twice_as_fast_are_seen_to_be_wrong_and_are_corrected_on_the_way():
    for seed in range(5):
        when, said, true = said_and_true(idle, seed, {job: seconds / 2 for job, seconds in EVERYTHING.items()})
        right = within(said, true)
        assert not right[0] and right[when > wall_seconds(EVERYTHING, 2) / 2].mean() > 0.8


@pytest.mark.parametrize("until", [400, np.inf])
def test_when_other_work_starts_the_time_left_follows_and_no_line_rises_by_more_than_a_third(until):
    """Where it stays, it is believed after a quarter of a build: of the lines after it, nine of ten are within a fifth."""
    late, quarter = [], wall_seconds(EVERYTHING, 2) / 4
    for slower, seed in product([1.5, 2, 3], range(6)):
        when, said, true = said_and_true(lambda now, slower=slower: slower if 200 <= now < until else 1.0, seed)
        assert (said[1:] <= RISE * said[:-1] + 1).all()
        late.append(within(said, true)[when > 200 + quarter])
    assert np.isfinite(until) or np.mean(np.concatenate(late)) >= 0.9


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
