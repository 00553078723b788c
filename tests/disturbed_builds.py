"""Builds of the smoke config that are disturbed: killed at random moments, or read with flipped bits."""

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import psutil
from support import SMOKE, variables

from modadd.core.files import FileError, read_json
from modadd.core.parquet import read_table
from modadd.ledger.differences import difference
from modadd.networks.store import read_tensors
from modadd.planning.outputs import TIMED

VICTIMS = {"job": ".snakemake/scripts", "Snakemake": "-m snakemake", "terminal": "sh -c"}
READERS = {".safetensors": read_tensors, ".parquet": read_table, ".json": read_json}
# Kinds of our files: where they are, as patterns from the root of the project.
KINDS = {
    "networks": "results/networks/*/*.safetensors",
    "losses": "results/networks/*/*.parquet",
    "shards of networks": "results/populations/*/*.safetensors",
    "rows of shards": "results/populations/*/*.parquet",
    "tables of populations": "results/populations/*.parquet",
    "values": "results/values/*.json",
    "kept rows": "data/populations/*.parquet",
    "witnesses": "data/populations/witnesses/*.safetensors",
}


def start(folder: Path, *targets: str, cores: int = 2, before: str = "") -> subprocess.Popen:
    """What `make` does, on the smoke config, as a terminal would start it; its words go to run.log."""
    call = " ".join([sys.executable, f"-m snakemake --cores {cores}", *targets, *SMOKE])
    line = f"{before}{sys.executable} workflow/dev/unlock.py && {before}{call}; exit $?"
    with open(folder / "run.log", "w") as log:
        return subprocess.Popen(
            ["sh", "-c", line],
            cwd=folder,
            env=variables(folder),
            stdout=log,
            stderr=log,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # even where we run under nohup
        )


def words(folder: Path) -> str:
    """What the last command printed."""
    return (folder / "run.log").read_text(encoding="utf-8", errors="replace")


def again(folder: Path, *targets: str) -> bool:
    """The same command once more, to its end; whether it succeeded."""
    return start(folder, *targets).wait() == 0


def differing(folder: Path, reference: Path, whole: bool = True) -> list[str]:
    """Built files that are not as in an undisturbed build, and whatever is half-written.

    A `whole` build must have every file of the reference, too; one of a few targets has only some of them.
    """
    names = {
        str(path.relative_to(side))
        for side in ((folder, reference) if whole else (folder,))
        for place in ("results", "figures")
        for path in (side / place).rglob("*")
        if path.is_file() and not {"logs", "benchmarks", "made"} & set(path.parts)
    }
    found = [
        name
        for name in sorted(names - {*TIMED})
        if not (folder / name).exists() or difference(reference / name, folder / name)
    ]
    return found + [str(path) for pattern in ("**/*.partial", "results/checkpoints/*") for path in folder.glob(pattern)]


def kill_one(run: subprocess.Popen, kind: str, rng: np.random.Generator) -> bool:
    """Kill a process of this kind among those of a run, or hang up its terminal; False if it has none."""
    shell = psutil.Process(run.pid)
    alive = [shell, *shell.children(recursive=True)]
    shells = kind == "terminal"  # their command lines name Snakemake, too
    found = [
        process for process in alive if (process is shell) == shells and VICTIMS[kind] in " ".join(process.cmdline())
    ]
    if not found:
        return False
    if kind == "terminal":
        os.killpg(run.pid, signal.SIGHUP)
    else:
        found[rng.integers(len(found))].kill()
    return True


def kills(
    folder: Path,
    reference: Path,
    count: int,
    rng: np.random.Generator,
    *targets: str,
    cores: int = 2,
    longest: float = 16,
) -> dict[str, str]:
    """Kill something at random moments of a build, give the same command again after each, compare at the end.

    `longest` seconds pass at most between two kills.
    """
    killed, commands = Counter(), 0
    while True:
        run, commands = start(folder, *targets, cores=cores), commands + 1
        while run.poll() is None:
            try:
                run.wait(timeout=rng.uniform(2, longest) if killed.total() < count else None)
            except subprocess.TimeoutExpired:
                kind = rng.choice(list(VICTIMS))
                try:
                    killed[kind] += kill_one(run, kind, rng)
                except psutil.NoSuchProcess:
                    pass
        if run.returncode == 0 and killed.total() < count:  # it ended too early: begin anew
            shutil.rmtree(folder / "results")
        elif run.returncode == 0:
            break
        elif commands > 4 * count + 4:
            raise RuntimeError(f"{folder}: the build does not end:\n{words(folder)[-2000:]}")
    listed = ", ".join(f"{kind} {killed[kind]}" for kind in VICTIMS)
    apart = differing(folder, reference, whole=not targets)
    return {
        "fault": f"{killed.total()} kills at random moments of a build ({listed})",
        "what came of it": f"{commands} times the same command; {len(apart)} differing or half-written files at the end",
        "passed": not apart,
    }


def flips(folder: Path, count: int, rng: np.random.Generator) -> dict[str, str]:
    """Flip single bits in files of every kind, read each file, and put the bit back."""
    files = [path for pattern in KINDS.values() for path in sorted(folder.glob(pattern))[:8]]
    missed = []
    for path in rng.choice(np.array(files, object), size=count):
        content = path.read_bytes()
        flipped, place = bytearray(content), rng.integers(8 * len(content))
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        try:
            READERS[path.suffix](path)
            missed.append(str(path))
        except FileError:
            pass
        finally:
            path.write_bytes(content)
    kinds = [kind for kind, pattern in KINDS.items() if any(folder.glob(pattern))]
    return {
        "fault": f"{count} flipped bits in {', '.join(kinds)}",
        "what came of it": f"{count - len(missed)} refused by an error that names the file",
        "passed": not missed,
    }
