"""One sentence for an unknown name: its place, what was expected, the nearest valid name."""

import difflib
from collections.abc import Collection, Iterable, Mapping

NEAR = 0.65  # similarity of difflib: a slip in a word of three letters has more, division and addition have less
# Methods of the field that are no slip for one that resembles them.
OF_THEIR_OWN = frozenset({"adamax", "elu", "nadam", "radam", "selu"})


def unknown(where: str, kind: str, name: str, valid: Iterable[str]) -> str:
    """'where: unknown kind 'name'; did you mean 'nearest'? expected one of …', in one line."""
    valid = sorted(valid)
    near = _nearest(str(name).lower(), {known.lower(): known for known in valid})
    guess = f"did you mean '{near}'? " if near else ""
    return f"{where}: unknown {kind} '{name}'; {guess}expected one of {', '.join(valid) or '(none)'}"


def _nearest(name: str, valid: Mapping[str, str]) -> str | None:
    """The valid name that is another spelling of a name, or has the same first word; None if no one has. All in small letters."""
    if name in OF_THEIR_OWN:
        return None
    word = name.partition("_")[0]
    alike = [known for known in valid if len(word) > 3 and known.partition("_")[0] == word]
    for known in [*difflib.get_close_matches(name, valid, n=1, cutoff=NEAR), *alike]:
        return valid[known]
    return None


def require_known(where: str, kind: str, names: Iterable[str], valid: Collection[str]) -> None:
    """Raise ValueError, the sentence of `unknown`, for the first of some names that is not a valid one."""
    for name in names:
        if name not in valid:
            raise ValueError(unknown(where, kind, name, valid))
