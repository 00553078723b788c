"""Snakemake called by the commands of this project: here or in another folder, with its stages shown, and after a killed run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
from platformdirs import user_cache_path

from modadd.core.files import ROOT

PLUGINS = ROOT / "workflow/plugins"  # of Snakemake, which finds them on the path of Python
JOBS_END = 5.0  # seconds within which the jobs of a killed run end: they look now and then whether it is there
# Set by a workflow for its own jobs or by its user; a workflow that is called from there has its own.
NOT_INHERITED = ("PYTHONPATH", "SNAKEMAKE_PROFILE")


def run_snakemake(folder: Path, *arguments: str, log: Path, show: bool = False, verbose: bool = False) -> bool:
    """Run this project's workflow in a folder, which may be another one; True if it succeeded. Its words go to the log.

    If `show`, its stages are shown as they proceed; if `verbose`, all its words instead. An interrupt is raised again
    when Snakemake, which the terminal interrupts too, has ended.
    """
    folder.mkdir(parents=True, exist_ok=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    stages = show and not verbose
    plugins = {"PYTHONPATH": str(PLUGINS)} if stages else {}
    inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED} | cache_for(folder)
    line = [sys.executable, "-m", "snakemake", "--directory", str(folder.absolute()), *arguments]
    line += ["--logger", "stages"] if stages else []
    # The stages go to this process's own output, which may be a terminal.
    output = {"stderr": subprocess.PIPE} if stages else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    text = {"encoding": "utf-8", "errors": "replace"}
    with (
        open(log, "w", buffering=1, encoding="utf-8") as everything,
        subprocess.Popen(line, cwd=ROOT, env=inherited | plugins, **output, **text) as process,
        _termination_of(process),
    ):
        words = process.stderr if stages else process.stdout
        try:
            for said in words:
                everything.write(said)
                if verbose:
                    print(said, end="", flush=True)
        except KeyboardInterrupt:
            everything.writelines(words)
            process.wait()
            raise
    return process.returncode == 0


def cache_for(folder: Path) -> dict[str, str]:
    """The variable that names a cache in the folder, where the user's own cannot be written, as in many containers.

    Snakemake makes a place for the sources of other workflows before it reads any rule, and ends if it cannot.
    """
    users = user_cache_path()
    nearest = next(
        place for place in (users, *users.parents) if os.path.exists(place)
    )  # False, too, where it may not look
    if nearest.is_dir() and os.access(nearest, os.W_OK):
        return {}
    return {"XDG_CACHE_HOME": str(folder.absolute() / ".snakemake/cache")}


@contextmanager
def _termination_of(process: subprocess.Popen) -> Iterator[None]:
    """Let what would end this process (kill, a container's stop) end that one, and so this one after it."""
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def remove_lock(folder: Path) -> bool:
    """Remove the lock of a killed run; whether there was one. Raises ValueError, one line, while a process works in the folder."""
    if not list(folder.glob(".snakemake/locks/*.lock")):
        return False
    end = time.monotonic() + JOBS_END
    while working := _working_in(folder):
        if time.monotonic() > end:
            raise ValueError(f"Snakemake still works in {folder.resolve()}: wait for it, or `kill {working[0]}`")
        time.sleep(0.5)
    log = folder / ".snakemake/unlock.log"
    if not run_snakemake(folder, "--unlock", "--profile", "none", log=log):
        raise ValueError(log.read_text(encoding="utf-8"))
    return True


def _working_in(folder: Path) -> list[int]:
    """The processes of Snakemake, and its jobs, that work in a folder, but for those that this one is of."""
    own = psutil.Process()
    asking = {process.pid for process in (own, *own.parents())}
    found = []
    for process in psutil.process_iter(["pid", "cwd", "cmdline"]):
        place, line = process.info["cwd"], " ".join(process.info["cmdline"] or [])
        if place and Path(place).resolve() == folder.resolve() and "snakemake" in line and process.pid not in asking:
            found.append(process.pid)
    return found
