"""The snapshots of training that go to the explorer page: as many as its size allows, each packed on its own."""

import zlib
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from modadd.core.groups import ADDITION
from modadd.networks.snapshots import TABLES, History
from paper.page.templates import script_data

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
    numbers = [counts[index].ravel() for counts, _ in _tables(history).values()]
    signed = np.concatenate(numbers)
    zigzag = (signed << 1) ^ (signed >> 15)
    low_and_high = zigzag.astype("<i2").reshape(-1, 1).view(np.uint8)
    packed = zlib.compress(low_and_high.T.tobytes(), 6)
    return b64encode(packed).decode()


def data_of(history: History, every: int, packed: Callable[[int], str]) -> dict[str, Any]:
    """Every so many of the snapshots as plain data, from the first on; the last is the trained network, and left out.

    tables: shape of the coefficients of each table, basis functions first; units: what their whole numbers count, in
    units of the table; steps: updates done; packed: `packed_snapshot`; kept: how many snapshots the history has.
    """
    chosen = _chosen(history, every)
    shapes, units = {}, {}
    for name, (numbers, counted) in _tables(history).items():
        shapes[name] = list(numbers.shape[1:])
        units[name] = counted[chosen].tolist()
    return {
        "every": every,
        "kept": len(history.steps),
        "megabytes": LARGEST_PAGE // 10**6,
        "updates": int(history.steps[-1]),
        "steps": history.steps[chosen].tolist(),
        "tables": shapes,
        "units": units,
        "packed": [packed(index) for index in chosen],
    }


def histories_within(histories: Mapping[str, History], room: int) -> str:
    """The histories of networks, by name, as JSON of at most `room` bytes for a page's script.

    All leave out the same snapshots: every k-th stays, k being the least that fits. None stays where no k does.
    """

    @cache
    def packed(name: str, index: int) -> str:
        return packed_snapshot(histories[name], index)

    lengths = [len(history.steps) for history in histories.values()]
    longest = max(lengths, default=1)
    for every in range(1, longest):
        if _too_large(histories, every, packed, room):
            continue
        data = {}
        for name, history in histories.items():
            data[name] = data_of(history, every, partial(packed, name))
        text = script_data(data)
        if len(text) <= room:
            return text
    return script_data({})


def _too_large(
    histories: Mapping[str, History],
    every: int,
    packed: Callable[[str, int], str],
    room: int,
) -> bool:
    """Whether the snapshots alone have more than `room` bytes; packs no more of them than that takes."""
    size = 0
    for name, history in histories.items():
        for index in _chosen(history, every):
            size += len(packed(name, index))
            if size > room:
                return True
    return False


def _tables(history: History) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The whole numbers of each table that a network has, and what they count, in the order of `TABLES`."""
    return {name: history.rounded[name] for name in TABLES if name in history.rounded}


def _chosen(history: History, every: int) -> range:
    return range(0, len(history.steps) - 1, every)
