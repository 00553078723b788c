"""Where numbers come from: code, versions and machine; for provenance files and for nothing else, since it differs everywhere."""

import platform
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

from modadd.environment import choices, processor

PACKAGES = ("torch", "numpy", "scipy", "numba", "pandas", "matplotlib", "snakemake")  # those that decide what is built
NOT_OF_THE_PLATFORM = ("commit", "snakemake")  # they decide no bits


def provenance() -> dict[str, str]:
    """Commit of the code (with "-dirty" if it was changed since), versions, system, processor, choices made by it."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
        **choices(),
    }


def platform_of(origin: Mapping[str, str]) -> dict[str, str]:
    """The part of `provenance` that decides bits: where it is equal, so is everything that is built from the same code."""
    return {name: value for name, value in origin.items() if name not in NOT_OF_THE_PLATFORM}


def _commit() -> str:
    """What git calls this state of the code; "unknown" outside a clone, as in an archive."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return described.stdout.strip()
