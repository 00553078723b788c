"""What failed in a build, with the ends of the logs that tell why."""

import re
from pathlib import Path

FAILED = re.compile(r"Error in rule (\w+):\n(?:    .*\n)*?    log: (.+?)(?: \(check.*)?\n")
LAST_LINES = 15  # of a log


def what_failed(folder: Path, log: Path) -> str:
    """Every rule that failed in a build of `folder`, with its log and the log's end; else the end of the build's log."""
    shown = []
    for rule, own in FAILED.findall(log.read_text(encoding="utf-8")):
        shown += [f"{rule} failed; its log is {folder / own}", _end(folder / own)]
    return "\n".join([*(shown or [_end(log)]), f"Full log: {log}"])


def _end(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return "\n".join(lines[-LAST_LINES:])
