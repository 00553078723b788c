"""Where numbers come from: code, versions and machine; for provenance files and for nothing else, since it differs everywhere."""

import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("torch", "numpy", "scipy", "numba", "pandas", "matplotlib", "snakemake")  # those that decide what is built


def provenance() -> dict[str, str]:
    """Commit of the code (with "-dirty" if it was changed since), versions, operating system and processor."""
    return {
        "commit": _commit(),
        "python": platform.python_version(),
        **{package: version(package) for package in PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
    }


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


def _processor() -> str:
    """The processor's name, as Linux gives it, or whatever Python knows."""
    cpuinfo = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE) if cpuinfo.exists() else []
    return names[0] if names else platform.processor() or "unknown"
