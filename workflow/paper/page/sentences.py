"""Texts of claims, shortened for the page."""

import re

ABBREVIATED = ("Fig", "App", "al", "eq", "eqs")  # words that end with a point


def brief(statement: str) -> str:
    """The statement without what stands in parentheses after a space, which the claim itself keeps; intervals and pairs stay."""
    words = re.sub(r" \((?![−\d]|\w, \w\))[^()]*(?:\([^()]*\)[^()]*)*\)", "", statement)
    return re.sub(r"\.\.$", ".", words)  # after an abbreviation one point ends the sentence, too


def first_sentence(words: str) -> str:
    """The first sentence of a text; the point of an abbreviation ends none."""
    for end in re.finditer(r"(\w*)[.!?] (?=[A-Z\[])", words):
        if end[1] not in ABBREVIATED:
            return words[: end.end() - 1]
    return words
