"""Targets that nobody makes: refused with the nearest one, as keys of the config and claims are."""

import difflib
from collections.abc import Iterable, Sequence
from pathlib import PurePath


def require_targets(words: Sequence[str], made: Iterable[str], formats: Sequence[str]) -> None:
    """Raise ValueError, one line, for a word of the command line that names a file in `figures`, but none that is made.

    Snakemake's own message names no other.
    """
    made = set(made)
    for word in words:
        if not word.startswith("figures/") or word in made:
            continue
        stem = str(PurePath(word).with_suffix(""))
        same = sorted(file for file in made if str(PurePath(file).with_suffix("")) == stem)
        if same:
            raise ValueError(
                f"{word}: no such target; `figure_formats: [{', '.join(formats)}]` makes {', '.join(same)}"
            )
        near = difflib.get_close_matches(word, made, n=3, cutoff=0.5)
        guess = f"did you mean {', '.join(near)}?" if near else "`snakemake --list` names the rules"
        raise ValueError(f"{word}: no such target; {guess}")
