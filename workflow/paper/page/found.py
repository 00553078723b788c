"""What a page of a notebook opens with: what was found, and the questions before and after it."""

import re
from collections.abc import Mapping
from itertools import chain
from string import Formatter
from typing import Any

from paper.ledger.read.words import filled

NOT_MEASURED = "This build has not measured it."
STOPPED_EARLY = (
    "Its networks answer some inputs wrong, as they do where training stops early, so nothing is found here."
)


def found_in_words(notebook: str, sentence: str, recorded: Mapping[str, Any]) -> str:
    """The sentence of a question, if it has one, with the values that its notebook recorded.

    Networks that answer some inputs wrong tell nothing, nor do values that this build lacks; then the sentence says so.
    Raises ValueError, in one line, for a value that the notebook does not record.
    """
    if sentence and recorded["network"]["accuracy"] < 1:
        return STOPPED_EARLY
    if any(recorded["values"].get(name, 0) is None for name in names_in(sentence)):
        return NOT_MEASURED
    try:
        return filled(sentence, recorded["values"])
    except ValueError as error:
        raise ValueError(f"{notebook}.yaml: found: {error}") from error


def names_in(sentence: str) -> set[str]:
    """The names of the values that a sentence has places for."""
    names = set()
    for _, place, _, _ in Formatter().parse(sentence):
        if place:
            names.add(re.split(r"[.\[]", place)[0])
    return names


def neighbours(notebook: str, ledger: Mapping[str, Any]) -> dict[str, list[str]]:
    """The questions `before` and `after` one in the order of its study, each as its name and title.

    A question that executes the notebook of another one stands where that one stands.
    """
    entries = ledger["notebooks"]
    source = entries[notebook]["source"]
    for study in ledger["studies"]:
        order = list(chain.from_iterable(study["parts"].values()))
        if source not in order:
            continue
        place = order.index(source)
        near = {}
        if place > 0:
            near["before"] = order[place - 1]
        if place + 1 < len(order):
            near["after"] = order[place + 1]
        return {side: [name, entries[name]["title"]] for side, name in near.items()}
    return {}
