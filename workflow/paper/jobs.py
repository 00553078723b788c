"""What every job of the workflow does first."""

import atexit
import gc
import os
import sys
import threading
import time
from pathlib import Path

import psutil

EVERY = 1.0  # seconds between looks at the run that started the job


def begin(log: str) -> None:
    """Write messages to the job's log, and end the job when the Snakemake that started it is gone.

    An orphaned job would keep writing files that the next run also writes. What lives at the end is not searched for
    garbage once more: that would take a tenth of a short job.
    """
    atexit.register(gc.freeze)
    sys.stderr = open(log, "w", buffering=1, encoding="utf-8")  # left open: a traceback must reach it
    runs = [parent for parent in psutil.Process().parents() if _is_snakemake(parent)]
    if not runs:  # gone while this job was still importing
        _end()
    threading.Thread(target=_end_with, args=runs, daemon=True).start()


def _is_snakemake(process: psutil.Process) -> bool:
    """Whether the process runs Snakemake: a shell or a script below its folder only names it inside a longer word."""
    return "snakemake" in (Path(word).name for word in process.cmdline())


def _end_with(*runs: psutil.Process) -> None:
    while all(run.is_running() and run.status() != psutil.STATUS_ZOMBIE for run in runs):
        time.sleep(EVERY)
    _end()


def _end() -> None:
    print("The run that started this job is gone: the job ends too", file=sys.stderr, flush=True)
    os._exit(1)
