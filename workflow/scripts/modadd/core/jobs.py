"""What every job of the workflow does first."""

import os
import sys
import threading
import time

import psutil

EVERY = 1.0  # seconds between looks at the run that started the job


def begin(log: str) -> None:
    """Write messages to the job's log, and end the job when the Snakemake that started it is gone.

    An orphan would go on writing files that the next run makes too.
    """
    sys.stderr = open(log, "w", buffering=1, encoding="utf-8")  # left open: a traceback must reach it
    runs = [parent for parent in psutil.Process().parents() if "snakemake" in " ".join(parent.cmdline())]
    if runs:
        threading.Thread(target=_end_with, args=runs[:1], daemon=True).start()


def _end_with(run: psutil.Process) -> None:
    while run.is_running() and run.status() != psutil.STATUS_ZOMBIE:
        time.sleep(EVERY)
    print("The run that started this job is gone: the job ends too", file=sys.stderr, flush=True)
    os._exit(1)
