"""What failed in a build, with the ends of the logs that tell why."""

import re
from pathlib import Path

FAILED = re.compile(r"Error in rule (\w+):\n(?:    .*\n)*?    log: (.+?)(?: \(check.*)?\n")
DEBUGGING = (
    "`python -m pdb -m modadd.debug RULE` runs the job of a rule line by line, a notebook, too: docs/running.md."
)
LAST_LINES = 15  # of a log
# What systems and libraries say where memory ends; a killed job says nothing itself, and Snakemake names the signal.
NO_MEMORY = re.compile(
    r"MemoryError|[Cc](?:annot|an't) allocate memory|bad_alloc|failed to map segment|SIGKILL|oom-kill"
)


def what_failed(folder: Path, log: Path) -> str:
    """Every rule that failed in a build of `folder`, with its log and the log's end; else the end of the build's log."""
    words = log.read_text(encoding="utf-8")
    shown = []
    for rule, own in FAILED.findall(words):
        shown += [f"{rule} failed; its log is {folder / own}", _end(folder / own)]
    shown = shown or [_end(log)]
    why = likely_memory("\n".join([words, *shown]))
    return "\n".join([*shown, *([why] if why else []), f"Full log: {log}"])


def likely_memory(words: str) -> str | None:
    """A sentence where a log looks as if a job had too little memory; else None."""
    if not (found := NO_MEMORY.search(words)):
        return None
    return (
        f"A job probably had too little memory (its log says {found[0]}): start fewer at once (`--cores 1`), or, on a cluster, "
        "raise `mem` of its rule in the profile."
    )


def _end(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
    return "\n".join(lines[-LAST_LINES:])
