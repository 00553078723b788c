"""The snapshots of training that go to the explorer page: as many as its size allows, each packed on its own."""

import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from modadd.core.groups import ADDITION
from modadd.networks.snapshots import TABLES, History
from modadd.page.templates import script_data

LARGEST_PAGE = 8_000_000  # bytes of the whole page: with the pages of results less than 10 MB


def name_of_history(path: Path) -> str:
    """dataset/seedN, of a history's file in results/."""
    return f"{path.parent.name}/{path.stem.removesuffix('.history')}"


def is_shown(history: History) -> bool:
    """Whether the elements of a network stand in the order in which it adds, as the page reads its tables."""
    return history.recipe.operation == ADDITION


def packed_snapshot(history: History, index: int) -> str:
    """The whole numbers of all tables of one snapshot, in the order of `TABLES`, row by row, as base64 text.

    A number x ≥ 0 is written as 2x, x < 0 as −2x − 1; low bytes stand before high bytes, of which most are thus 0. zlib has
    packed them, so that a browser unpacks one snapshot without the others.
    """
    numbers = [history.rounded[name][0][index].ravel() for name in TABLES if name in history.rounded]
    signed = np.concatenate(numbers)
    both = (signed << 1 ^ signed >> 15).astype("<i2").reshape(-1, 1).view(np.uint8)
    return b64encode(zlib.compress(both.T.tobytes(), 6)).decode()


def data_of(history: History, every: int, packed: Callable[[int], str]) -> dict[str, Any]:
    """Every so many of the snapshots as plain data, from the first on; the last is the trained network, and left out.

    tables: shape of the coefficients of each table, basis functions first; units: what their whole numbers count, in
    units of the table; steps: updates done; packed: `packed_snapshot`; kept: how many snapshots the history has.
    """
    chosen = _chosen(history, every)
    tables = {name: history.rounded[name] for name in TABLES if name in history.rounded}
    return {
        "every": every,
        "kept": len(history.steps),
        "megabytes": LARGEST_PAGE // 10**6,
        "updates": int(history.steps[-1]),
        "steps": history.steps[chosen].tolist(),
        "tables": {name: list(numbers.shape[1:]) for name, (numbers, _) in tables.items()},
        "units": {name: units[chosen].tolist() for name, (_, units) in tables.items()},
        "packed": [packed(index) for index in chosen],
    }


def histories_within(histories: Mapping[str, History], room: int) -> str:
    """The histories of networks, by name, as JSON of at most `room` bytes for a page's script.

    All leave out the same snapshots: every k-th stays, k being the least that fits. None stays where no k does.
    """

    @cache
    def packed(name: str, index: int) -> str:
        return packed_snapshot(histories[name], index)

    for every in range(1, max((len(history.steps) for history in histories.values()), default=1)):
        chosen = ((name, index) for name, history in histories.items() for index in _chosen(history, every))
        if any(size > room for size in accumulate(len(packed(*one)) for one in chosen)):
            continue
        data = {name: data_of(history, every, partial(packed, name)) for name, history in histories.items()}
        if len(text := script_data(data)) <= room:
            return text
    return script_data({})


def _chosen(history: History, every: int) -> range:
    return range(0, len(history.steps) - 1, every)
