"""One sentence for an unknown name: its place, what was expected, the nearest valid name."""

import difflib
from collections.abc import Collection, Iterable


def unknown(where: str, kind: str, name: str, valid: Iterable[str]) -> str:
    """'where: unknown kind 'name'; did you mean 'nearest'? expected one of …', in one line."""
    valid = sorted(valid)
    near = difflib.get_close_matches(str(name), valid, n=1, cutoff=0.5)
    guess = f"did you mean '{near[0]}'? " if near else ""
    return f"{where}: unknown {kind} '{name}'; {guess}expected one of {', '.join(valid) or '(none)'}"


def require_known(where: str, kind: str, names: Iterable[str], valid: Collection[str]) -> None:
    """Raise ValueError, the sentence of `unknown`, for the first of some names that is not a valid one."""
    for name in names:
        if name not in valid:
            raise ValueError(unknown(where, kind, name, valid))
