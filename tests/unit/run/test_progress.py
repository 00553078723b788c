"""What a build shows: its stages with the time left by a clock that is set, on a terminal and in a file; what failed."""

import io
import os
import signal
import subprocess
import sys
import time

import pytest
from support import ROOT, costs_of, variables

from modadd.run.estimates import seconds_by_rule, with_work, work_of
from modadd.run.progress import Display, Progress, stage_of, what_failed
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
    expected = {"train_network": 60.0, "measure_shard": 10.0, "notebook_phases": 30.0, "build_site": 0.0}
    progress = Progress(expected, clock)
    assert shown(progress, PLAN) == ["Networks 0 of 2 · 1:20 left"]  # (2 · 60 + 10 + 30) / 2
    assert shown(progress, "Job 1: Training\nJob 2: Training\n") == []
    clock.now = 30.0  # twice as fast as expected, which is not known before the rule is through: short jobs end first
    assert shown(progress, done(1, "train_network")) == [
        "Networks 1 of 2 · 0:50 left"
    ]  # (2 · 60 − 30 − 30 + 10 + 30) / 2
    assert shown(progress, done(2, "train_network")) == [
        "Networks 2 of 2 · done after 0:30",
        "Populations 0 of 1 · 0:10 left",  # (5 + 15) / 2
    ]
    assert shown(progress, "Job 3: Executing\n" + done(3, "notebook_phases")) == [
        "A first page to read: figures/notebooks/phases.html",
        "Populations 0 of 1 · 0:02 left",  # 10 · 60 / 150 / 2: the last job took no time
    ]
    clock.now = 90.0
    assert shown(progress, done(4, "measure_shard")) == [
        "Populations 1 of 1 · done after 1:30",
        "Notebooks 1 of 1 · done after 1:30",
        "Pages 0 of 1 · 0:00 left",
    ]


def test_jobs_that_take_longer_than_expected_are_believed(clock):
    progress = Progress({"train_shard": 10.0}, clock)
    plan = "Provided cores: 1\nJob stats:\ntrain_shard   4\ntotal   4\n"
    assert shown(progress, plan) == ["Networks 0 of 4 · 0:40 left"]
    shown(progress, "Job 1: Training\n")
    clock.now = 30.0
    assert shown(progress, done(1, "train_shard")) == ["Networks 1 of 4 · 1:30 left"]


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


@pytest.mark.parametrize(
    ("how", "said", "made"), [(signal.SIGINT, "interrupted\n", False), (signal.SIGTERM, "False\n", True)]
)
def test_an_interrupt_ends_snakemake_and_its_jobs_and_a_termination_lets_the_jobs_end(tmp_path, how, said, made):
    seconds = 3 if made else 60  # an interrupt ends the job long before, however busy the machine is
    (tmp_path / "Snakefile").write_text(SNAKEFILE.replace("sleep 1", f"sleep {seconds}"))
    run = subprocess.Popen(
        [sys.executable, "-c", CALL],
        cwd=tmp_path,
        env=variables(ROOT),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # even in the background
    )
    while not (tmp_path / "go").exists() and run.poll() is None:
        time.sleep(0.05)
    run.send_signal(how) if how == signal.SIGTERM else os.killpg(run.pid, how)  # a terminal interrupts all of them
    assert run.communicate()[0] == said
    with pytest.raises(ProcessLookupError):
        os.killpg(run.pid, 0)
    assert (tmp_path / "b").exists() == made


CONFIG = {
    "scale": "laptop",
    "datasets": {
        "pizza_transformer": {"seeds": [0], "steps": 100, "snapshots": 200},
        "many": {"recipe": "pizza_transformer", "seeds": 6, "shard": 4, "steps": 100},
    },
}


def test_a_job_of_a_rule_should_take_the_mean_and_at_least_as_long_as_the_shortest_of_its_kind():
    costs = costs_of(
        train_network__pizza_transformer__seed0=10.0,
        **{"train_shard__many__seeds0-3": 40.0, "train_shard__many__seeds4-5": 30.0},
        notebooks__phases=5.0,
        notebooks__seeds=7.0,
    )
    reference = with_work(costs, work_of(CONFIG))
    full = {"train_network": 10.0, "train_shard": 35.0, "notebook_phases": 5.0, "notebook_seeds": 7.0}
    assert seconds_by_rule(CONFIG, reference) == full  # the reference measured no network of a population
    one_step = {"pizza_transformer": {"seeds": [0], "steps": 1, "snapshots": 200}}
    short = {**CONFIG, "datasets": CONFIG["datasets"] | one_step}
    assert seconds_by_rule(short, reference)["train_network"] == 10.0
    smoke = {"train_network": 10.0, "train_shard": 10.0, "notebook_phases": 5.0, "notebook_seeds": 5.0}
    assert seconds_by_rule({**short, "scale": "smoke"}, reference) == smoke
