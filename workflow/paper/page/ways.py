"""The links from an item of a paper to its answers, and from a number to its cell, figure, network and item."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf
from typing import Any

PLACE = re.compile(r"\[(\w+)\] ?([^;]*)")  # of a claim of ours that names a paper: "[Q] §5, on the network of [M]"
FIGURE = re.compile(r"(?:(?:§|App\.)[^,]*, )?Fig\. (\d+)")  # "Fig. 4b", "App. B.4, Fig. 26"; not "Review 3, Fig. 4"

Entry = Mapping[str, Any]  # of the ledger


@dataclass(frozen=True)
class SourcePlace:
    """A figure or section of a source, with its items and with the figures and tables that answer them.

    `others` are ids of claims that name the figure in their place, and that no item of it asks for.
    """

    title: str
    anchor: str
    is_figure: bool
    items: list[dict[str, Any]]
    others: list[str]

    @property
    def pictures(self) -> list[str]:
        """NOTEBOOK/FIGURE or NOTEBOOK/TABLE of everything shown here, each once."""
        return _each_once(item["shown"] for item in self.items)

    @property
    def claims(self) -> list[str]:
        """Ids of everything claimed here, each once."""
        return _each_once([*(item["claims"] for item in self.items), self.others])


Places = Mapping[str, Sequence[SourcePlace]]  # by the mark of their source


def _each_once(lists: Iterable[Sequence[str]]) -> list[str]:
    return list(dict.fromkeys(chain.from_iterable(lists)))


def places(items: Sequence[Entry], claims: Iterable[Entry] = ()) -> list[SourcePlace]:
    """The items of one source by place: its figures by number, then everything else in the source's order.

    Each item gets an `anchor`, the id of its place on the page. Of `claims`, those whose place names a figure of the source
    stand there, whatever item they answer.
    """
    found: dict[str, SourcePlace] = {}
    for item in items:
        title = item["place"]
        number = FIGURE.match(title)
        if number:
            title = f"Fig. {number[1]}"
        words = re.sub("[^0-9a-z]+", "-", title.lower())
        anchor = f"item-{item['source']}-{words.strip('-')}"
        if anchor not in found:
            found[anchor] = SourcePlace(title, anchor, bool(number), items=[], others=[])
        place = found[anchor]
        place.items.append({**item, "anchor": f"{anchor}_{len(place.items) + 1}"})
    for place in found.values():
        figure = (place.items[0]["source"], place.title)
        answers = place.claims
        for claim in claims:
            if figure in figures_named(claim) and claim["id"] not in answers:
                place.others.append(claim["id"])
    return sorted(found.values(), key=_number)


def _number(place: SourcePlace) -> float:
    """The number of a figure; anything else comes after all figures."""
    return float(place.title.split()[1]) if place.is_figure else inf


def figures_named(claim: Entry) -> set[tuple[str, str]]:
    """The figures that a claim's place names, as mark and title: of its own source, or of the one in brackets before them.

    "Fig. 4, left" of a review is no figure of the review itself where "Review" or "Reply" stands before it.
    """
    named, mark = set(), claim["paper"]
    for word in re.finditer(r"\[(\w+)\]|((?:Review|Reply) \d+, )?Fig\. (\d+)", claim["place"]):
        bracketed, review, number = word.groups()
        mark = bracketed or mark
        if number and not review:
            named.add((mark, f"Fig. {number}"))
    return named


def twins(notebooks: Entry) -> dict[str, list[str]]:
    """By question, the others that execute the same notebook on another network."""
    found = {name: [] for name in notebooks}
    for name, entry in notebooks.items():
        if entry["source"] != name:
            found.setdefault(entry["source"], []).append(name)
    return found


def network_anchor(name: str) -> str:
    """The row of a network among the page's networks; an exhibit has that of its population."""
    place, which = name.split("/")
    if which == "exhibit":
        return f"population-{place}"
    return f"network-{place}-{which}"


def ways(
    claims: Iterable[Entry],
    notebooks: Entry,
    of_papers: Places,
    maps: Mapping[str, str],
) -> dict[str, dict[str, str]]:
    """By claim, by the word that stands on the page, the anchors of its figure, its network, all seeds and its paper.

    `of_papers` are the places of each source; `maps` name the figure that shows a claim on many networks, if one does. Of
    the items that ask for the claim, one of its own source comes first; a claim that no item asks for leads to the place
    it names, or to its source. Where no item shows a figure, the claim leads to its notebook's question, below which all
    figures stand.
    """
    every = []
    for of_source in of_papers.values():
        for place in of_source:
            every += place.items
    found = {}
    for claim in claims:
        name, question = claim["id"], claim["notebook"]
        asking = [item for item in every if name in item["claims"]]
        asking.sort(key=lambda item: item["source"] != claim["paper"])
        way = _figure(question, asking, notebooks)
        shown = notebooks[question]["inputs"]["shown"]
        way["network"] = network_anchor(claim.get("network", shown))
        if name in maps:
            way["all seeds"] = anchor_of(maps[name])
        way["paper"] = asking[0]["anchor"] if asking else _place(claim, of_papers)
        found[name] = way
    return found


def anchor_of(picture: str) -> str:
    """The place of QUESTION/FIGURE or QUESTION/TABLE on the page."""
    return picture.replace("/", "-")


def _figure(question: str, asking: Sequence[Entry], notebooks: Entry) -> dict[str, str]:
    """The first figure or table that the items show, one of this question if there is one; else the question itself."""
    shown = []
    for item in asking:
        shown += [_own(picture, question, notebooks) for picture in item["shown"]]
    if not shown:
        return {"question": question}
    own = [picture for picture in shown if picture.split("/")[0] == question]
    first = own[0] if own else shown[0]
    return {"figure": anchor_of(first)}


def _place(claim: Entry, of_papers: Places) -> str:
    """The anchor of the place that a claim names: as it stands, else its first part, else the paper, else the source."""
    mark, words = claim["paper"], claim["place"]
    if named := PLACE.match(claim["place"]):
        mark, words = named.groups()
    anchors = {}
    for place in of_papers.get(mark, []):
        anchors[place.title] = place.anchor
    if not anchors:
        return f"source-{mark}"
    for title in (words, words.split(",")[0]):
        if title in anchors:
            return anchors[title]
    return f"paper-{mark}"


def _own(picture: str, question: str, notebooks: Entry) -> str:
    """The same figure or table as the question itself draws it, where both execute one notebook."""
    drawn, name = picture.split("/")
    if notebooks[drawn]["source"] == notebooks[question]["source"]:
        return f"{question}/{name}"
    return picture
