"""A Slurm of one node, this machine, with two partitions and two GPUs of paper: started for a test, stopped after it."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

import psutil

# The plugin drops SLURM_CONF from the environment, so the files have to lie where Slurm looks for them.
PLACE = Path("/etc/slurm")
TEMPLATES = [Path(__file__).with_name(name) for name in ("slurm.conf", "gres.conf", "job_submit.lua")]
UNTIL_WE_END = ("setpriv", "--pdeathsig", "TERM")  # even if we are killed, no daemon stays
LEFT = ["squeue", "--noheader", "--states=RUNNING,COMPLETING,PENDING"]
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch")
GPUS = 2
NOTHING = os.makedev(1, 3)  # what /dev/null is: Slurm takes a device only
MEMORY_FOR_JOBS = 0.9  # of this machine; the rest is for Snakemake, Slurm and whatever else runs here
PATIENCE = 60.0  # seconds for the node to come up, and for cancelled jobs to end


def check_machine() -> None:
    """Exit with one line that says what to do if this machine cannot start a Slurm of its own."""
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing:
        packages = "slurmd slurmctld slurm-client slurm-wlm-basic-plugins munge"
        sys.exit(f"test-slurm: {missing[0]} is missing; on Debian: apt-get install --no-install-recommends {packages}")
    if os.geteuid():
        sys.exit(
            f"test-slurm: only root can write in {PLACE} and start slurmd; run it as root, in a container or a virtual machine"
        )
    for template in TEMPLATES:
        config = PLACE / template.name
        if config.exists() and _first_line(config) != _first_line(template):
            sys.exit(
                f"test-slurm: {config} exists, so this machine has a Slurm already; run it on a machine without one"
            )


def _first_line(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]


@contextmanager
def one_node(cores: int, partition: str, gpu_partition: str) -> Iterator[Path]:
    """Start munged, slurmctld and slurmd; in the end cancel all jobs, stop the three and remove their files.

    Gives the file that has a line for each job that has ended.

    Exits with the last lines of their logs if the node does not come up.
    """
    with TemporaryDirectory(prefix="modadd-slurm-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # munged wants its socket where every user can reach it
        _configure(folder, cores, partition=partition, gpu_partition=gpu_partition)
        daemons: list[subprocess.Popen[bytes]] = []
        try:
            _start(daemons, folder)
            yield folder / "ended.txt"
        finally:
            _stop(daemons)
            for template in TEMPLATES:
                (PLACE / template.name).unlink()


def _configure(folder: Path, cores: int, **partitions: str) -> None:
    """Write the configuration, a key of our own, the files that stand for GPUs, and the folders that the daemons expect."""
    (folder / "munge.key").write_bytes(os.urandom(128))
    (folder / "munge.key").chmod(0o600)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    megabytes = int(psutil.virtual_memory().total / 2**20 * MEMORY_FOR_JOBS)
    values = {"host": socket.gethostname().split(".")[0], "cores": cores, "megabytes": megabytes, "folder": folder}
    values |= {"gpus": GPUS, "last_gpu": GPUS - 1, **partitions}
    for gpu in range(GPUS):
        os.mknod(folder / f"gpu{gpu}", stat.S_IFCHR, NOTHING)
    PLACE.mkdir(parents=True, exist_ok=True)
    for template in TEMPLATES:
        (PLACE / template.name).write_text(Template(template.read_text()).substitute(values))


def _start(daemons: list[subprocess.Popen[bytes]], folder: Path) -> None:
    """Start the daemons one after the other, each in the foreground as a child of ours, and wait for the node."""
    files = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munge.pid", "seed-file": "munge.seed"}
    munged = ["munged", "--foreground", *(f"--{option}={folder / name}" for option, name in files.items())]
    ready = ["sinfo", "--noheader", "--format=%t"]
    with open(folder / "daemons.log", "wb") as log:
        for command in (munged, ["slurmctld", "-D"], ["slurmd", "-D"]):
            daemons.append(subprocess.Popen([*UNTIL_WE_END, *command], stdout=log, stderr=log, start_new_session=True))
            time.sleep(1.0)  # the next one needs it
    until = time.monotonic() + PATIENCE
    while set(subprocess.run(ready, capture_output=True, text=True).stdout.split()) != {"idle"}:
        if time.monotonic() > until or any(daemon.poll() is not None for daemon in daemons):
            logs = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(folder.glob("*.log"))]
            lines = [line for log in logs for line in log.splitlines()[-10:]]
            sys.exit("\n".join([*lines, "test-slurm: the node did not come up"]))
        time.sleep(0.5)


def _stop(daemons: list[subprocess.Popen[bytes]]) -> None:
    """Cancel what still runs, then stop the daemons, the last one first."""
    if len(daemons) == 3:
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(["scancel", "--user=root"], capture_output=True, timeout=PATIENCE)
        until = time.monotonic() + PATIENCE
        while subprocess.run(LEFT, capture_output=True).stdout and time.monotonic() < until:
            time.sleep(0.5)
    for daemon in reversed(daemons):
        daemon.send_signal(signal.SIGTERM)
        daemon.wait()
