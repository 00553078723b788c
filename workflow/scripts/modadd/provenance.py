"""Where numbers come from: code, versions and machine; for provenance files and for nothing else, since it differs everywhere."""

import platform
import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("torch", "numpy", "scipy", "numba", "pandas", "matplotlib", "snakemake")  # those that decide what is built
NOT_OF_THE_PLATFORM = ("commit", "snakemake")  # they decide no bits


def provenance() -> dict[str, str]:
    """Commit of the code (with "-dirty" if it was changed since), versions, operating system and processor.

    `processor_model` tells processors of one name apart, where Linux knows it: equal bits are expected of equal ones.
    """
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _cpuinfo("model name") or platform.processor() or "unknown",
        "processor_model": " ".join(map(_cpuinfo, ("vendor_id", "cpu family", "model"))).strip() or "unknown",
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


def _cpuinfo(key: str) -> str:
    """What Linux says of the first processor; empty where it says nothing."""
    cpuinfo = Path("/proc/cpuinfo")
    found = re.findall(rf"^{key}\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.exists() else []
    return found[0] if found else ""
