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
    """Every rule that failed in a build of `folder`, with its log and the log's end; else the end of the build's log.

    Then what may help.
    """
    words = log.read_text(encoding="utf-8")
    shown = []
    for rule, own in FAILED.findall(words):
        shown += [f"{rule} failed; its log is {folder / own}", _end(folder / own)]
    shown = shown or [_end(log)]
    return "\n".join([*shown, *what_helps(folder, "\n".join([words, *shown])), f"Full log: {log}"])


def what_helps(folder: Path, words: str) -> list[str]:
    """Sentences after a failed build whose log has these words: notebooks that were kept, memory, debugging."""
    said = []
    for _, own in FAILED.findall(words):
        if (notebook := (folder / own).with_suffix(".ipynb")).exists():
            said.append(f"The notebook as far as it came, with its traceback: {notebook}")
    if memory := likely_memory(words):
        said.append(memory)
    return [*said, DEBUGGING] if FAILED.search(words) else said


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
