import subprocess
import sys

from support import ROOT
from timing import fastest

from modadd.core.bits import as_a_job


def test_the_best_round_counts_and_a_slow_step_runs_once_in_each():
    now, calls = 0.0, []

    def step(name, seconds):
        nonlocal now
        calls.append(name)
        now += seconds * (3 if len(calls) == 1 else 1)  # the first call compiles something

    steps = {"quick": lambda: step("quick", 0.25), "slow": lambda: step("slow", 2.0)}
    assert fastest(steps, rounds=2, at_least=0.5, clock=lambda: now) == {"quick": 0.25, "slow": 2.0}
    assert calls == ["quick", "slow", "quick", "quick", "slow"]


def test_what_is_timed_computes_as_the_jobs_do_on_this_library():
    code = (
        "import os, modadd; print(modadd.__file__, os.environ['OPENBLAS_NUM_THREADS'], os.environ['OMP_NUM_THREADS'])"
    )
    done = subprocess.run([sys.executable, "-c", code], env=as_a_job(), cwd="/", stdout=subprocess.PIPE, text=True)
    assert done.stdout.split() == [str(ROOT / "src/modadd/__init__.py"), "1", "1"]
