"""Targets that nobody makes: refused with the nearest one, as keys of the config and claims are."""

import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Any

BUILT = ("figures/", "results/")  # folders in which every file is an output
NEAR = 0.7  # how alike a word and the name of a rule are, of 1


def require_targets(line: Sequence[str], rules: Iterable[Any], made: Iterable[str], formats: Sequence[str]) -> None:
    """Raise ValueError, one line, for a rule or an output that a command line of Snakemake asks for and nobody has.

    Snakemake's own message names no other, and takes a misspelt rule for a file. `rules` are its own objects, and `made`
    are files that some of them make by wildcards.
    """
    program, *words = line
    if "snakemake" not in program:  # another program reads the workflow
        return
    rules = {rule.name: rule for rule in rules}
    named = set(made)
    for rule in rules.values():
        if not rule.has_wildcards():
            named.update(map(str, rule.output))
    said: dict[str, str] = {}
    for word in words:
        if word in rules or word in named or Path(word).exists():
            continue
        is_made = any(rule.is_producer(word) for rule in rules.values())
        if word.startswith(BUILT) and not is_made:
            said[word] = f"{word}: no such target; {_instead_of_file(word, named, formats)}"
        elif near := _rules_like(word, rules):
            said[word] = f"{word}: no such rule or file; did you mean {', '.join(near)}?"
    if not said:
        return
    for word in _asked_for(words):
        if word in said:
            raise ValueError(said[word])


def _asked_for(words: Sequence[str]) -> list[str]:
    """What of a command line means rules or files, as Snakemake reads it: it takes a second to make its parser."""
    from snakemake.cli import get_argument_parser

    options = get_argument_parser().parse_args(words)
    asked = []
    for named in (
        options.targets,
        options.forcerun,
        options.until,
        options.omit_from,
        options.prioritize,
    ):
        asked += named or []
    return asked


def _instead_of_file(word: str, made: Iterable[str], formats: Sequence[str]) -> str:
    """What to ask for in place of a file that nothing makes."""
    stem = PurePath(word).with_suffix("")
    same = [file for file in made if PurePath(file).with_suffix("") == stem]
    if same and word.startswith("figures/"):
        return f"`figure_formats: [{', '.join(formats)}]` makes {', '.join(sorted(same))}"
    near = difflib.get_close_matches(word, made, n=3, cutoff=0.5)
    if near:
        return f"did you mean {', '.join(near)}?"
    return "`snakemake --list` names the rules"


def _rules_like(word: str, names: Iterable[str]) -> list[str]:
    """Rules whose name the word resembles, or ends, as a notebook's own name does."""
    ended = [name for name in names if name.endswith(f"_{word}")]
    return ended or difflib.get_close_matches(word, names, n=3, cutoff=NEAR)
