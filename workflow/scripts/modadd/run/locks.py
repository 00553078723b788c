"""The lock that a killed Snakemake leaves behind in its folder."""

import time
from pathlib import Path

import psutil

from modadd.run.project import run_snakemake

ORPHANS_END = 10.0  # seconds within which the jobs of a killed run should have ended


def is_job(line: str) -> bool:
    """Whether a command line is that of a job, not of Snakemake itself."""
    return ".snakemake/scripts" in line


def running_in(folder: Path) -> dict[int, str]:
    """Command lines by pid of Snakemake processes and their jobs that work in a folder, but for the caller."""
    own = psutil.Process()
    asking = [process.pid for process in (own, *own.parents())]
    found = {}
    for process in psutil.process_iter(["pid", "cwd", "cmdline"]):
        line = " ".join(process.info["cmdline"] or [])
        works_in = process.info["cwd"]
        here = works_in and Path(works_in).resolve() == folder.resolve()
        if here and "snakemake" in line and process.pid not in asking:
            found[process.pid] = line
    return found


def remove_lock(folder: Path) -> bool:
    """Remove the lock of a run that is gone; False if the folder has none.

    Raises ValueError, and leaves the lock, while a process works in the folder: a run, or a job that outlived it.
    """
    if not list(folder.glob(".snakemake/locks/*.lock")):
        return False
    end = time.monotonic() + ORPHANS_END
    running = running_in(folder)
    while running and all(map(is_job, running.values())) and time.monotonic() < end:
        time.sleep(0.2)  # jobs look now and then whether their run is there, and end without it
        running = running_in(folder)
    for pid, line in running.items():
        kind = "a job of a killed run" if is_job(line) else "Snakemake"
        raise ValueError(f"{kind} still works in {folder.resolve()}: wait for it, or end it with `kill {pid}`")
    log = folder / ".snakemake/unlock.log"
    if not run_snakemake(folder, "--unlock", "--profile", "none", log=log):
        raise ValueError(log.read_text(encoding="utf-8"))
    return True
