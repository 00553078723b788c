"""The name of the processor. Nothing is chosen by it."""

import platform
import re
from functools import cache
from pathlib import Path


@cache
def cpuinfo(key: str) -> str:
    """What Linux says of the first processor; empty where it says nothing."""
    path = Path("/proc/cpuinfo")
    found = re.findall(rf"^{key}\s*:\s*(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) if path.exists() else []
    return found[0] if found else ""


def processor() -> str:
    """The processor's name, with vendor, family and model, which tell apart kinds of one name."""
    kind = " ".join(map(cpuinfo, ("vendor_id", "cpu family", "model"))).strip()
    return f"{cpuinfo('model name') or platform.processor() or 'unknown'} ({kind or 'unknown'})"
