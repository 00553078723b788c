"""Where and with what a build is made: the commit of the code, versions, machine."""

import platform
import subprocess
from importlib.metadata import version

from modadd.core.files import ROOT
from modadd.core.processor import processor

PACKAGES = ("torch", "numpy", "scipy", "numba", "pandas", "matplotlib", "snakemake")  # those that decide what is built


def provenance() -> dict[str, str]:
    """Commit of the code (with "-dirty" if it was changed since), versions, system, processor."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
    }


def _commit() -> str:
    """What git calls this state of the code; where it cannot tell, as in an archive, "unknown" and why."""
    # also in a clone of another user: who runs the code of a clone trusts it already
    line = ["git", "-c", "safe.directory=*", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(line, cwd=ROOT, capture_output=True, encoding="utf-8")
    except FileNotFoundError:
        return "unknown: git is not installed"
    if done.returncode:
        first, *_ = [*done.stderr.strip().splitlines(), f"status {done.returncode}"]
        return f"unknown: git says '{first}'"
    return done.stdout.strip()
