import os
import subprocess
import sys
import time

import psutil
import pytest
from support import ROOT

from modadd.core.bits import KEEP_MEMORY, as_a_job, with_first

JOB = """
import sys, time
sys.path[:0] = ["src", "workflow"]
from paper.jobs import begin
begin(sys.argv[1])
print("works", file=sys.stderr)
time.sleep(60)
"""
# A run, with a shell between it and its job, as Snakemake has one.
RUN = "import subprocess, sys; subprocess.run(['bash', '-c', '\"$0\" -c \"$1\" $2; true', *sys.argv[2:]])"

KEEP_NOTHING = dict.fromkeys(KEEP_MEMORY, "65536")


@pytest.fixture
def job(tmp_path):
    """A job of a run whose command line begins like Snakemake's; both are ended afterwards."""
    log = tmp_path / "log"
    run = subprocess.Popen([sys.executable, "-c", RUN, "snakemake", sys.executable, JOB, log], cwd=ROOT)
    for _ in range(100):
        if log.exists() and "works" in log.read_text():
            break
        time.sleep(0.1)
    (shell,) = psutil.Process(run.pid).children()
    (process,) = shell.children()
    yield run, process, log
    for left in (run, shell, process):
        try:
            left.kill()
        except psutil.NoSuchProcess:
            pass
    run.wait()


def test_a_job_ends_with_the_run_that_started_it_and_says_why(job):
    run, process, log = job
    assert process.is_running()
    os.kill(run.pid, 9)
    process.wait(timeout=10)
    assert "The run that started this job is gone" in log.read_text()


def test_a_job_whose_run_was_gone_before_it_began_ends_at_once(tmp_path):
    log = tmp_path / "log"
    ended = subprocess.run([sys.executable, "-c", JOB, log], cwd=ROOT, timeout=30)
    assert ended.returncode == 1
    assert log.read_text() == "The run that started this job is gone: the job ends too\n"


THREE_LINES = """
import torch
file = open("out", "w")
file.write("x" * 100)
"""


def test_a_script_of_a_user_keeps_what_it_wrote_to_a_file_that_it_did_not_close(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run([sys.executable, "-c", THREE_LINES], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "out").stat().st_size == 100


@pytest.mark.parametrize("first", ["", "import paper.jobs, paper.build; "], ids=["Python", "the library"])
def test_garbage_is_collected_as_in_a_plain_python(first):
    told = first + "import gc; print(gc.isenabled(), gc.get_freeze_count())"
    plain = subprocess.run([sys.executable, "-I", "-S", "-c", told[len(first) :]], capture_output=True, text=True)
    ours = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert ours.stdout == plain.stdout == "True 0\n"


@pytest.mark.skipif(
    not hasattr(os, "confstr") or "glibc" not in str(os.confstr("CS_GNU_LIBC_VERSION")), reason="no glibc"
)
def test_a_job_takes_memory_from_the_kernel_once():
    code = """
import resource, torch
def faults(): return resource.getrusage(resource.RUSAGE_SELF).ru_minflt
fewest = 10**9
for step in range(20):
    before = faults()
    tables = [torch.ones(100_000 + 70_000 * i) for i in range(8)]
    del tables
    fewest = min(fewest, faults() - before)
print(fewest)
"""
    taken = [
        int(subprocess.run([sys.executable, "-c", code], env=env, cwd=ROOT, capture_output=True, check=True).stdout)
        for env in (as_a_job(), as_a_job() | KEEP_NOTHING)
    ]
    assert taken[0] == 0 < 1000 < taken[1]  # of the best step: the kernel may take pages back on its own


def test_folders_of_a_users_own_stay_on_the_path_behind_the_library(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["mine", "ours", ""]))
    assert with_first("ours") == os.pathsep.join(["ours", "mine"])
    monkeypatch.delenv("PYTHONPATH")
    assert with_first("ours") == "ours"
