"""The links from an item of a paper to its answers, and from a number to its cell, figure, network and item."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

PLACE = re.compile(r"\[(\w+)\] ?([^;]*)")  # of a claim of ours that names a paper: "[Q] §5, on the network of [M]"
FIGURE = re.compile(r"(?:(?:§|App\.)[^,]*, )?Fig\. (\d+)")  # "Fig. 4b", "App. B.4, Fig. 26"; not "Review 3, Fig. 4"


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
        return list(dict.fromkeys(picture for item in self.items for picture in item["shown"]))

    @property
    def claims(self) -> list[str]:
        """Ids of everything claimed here, each once."""
        return list(dict.fromkeys([claim for item in self.items for claim in item["claims"]] + self.others))


def places(items: Sequence[Mapping[str, Any]], claims: Iterable[Mapping[str, Any]] = ()) -> list[SourcePlace]:
    """The items of one source by place: its figures by number, then everything else in the source's order.

    Each item gets an `anchor`, the id of its place on the page. Of `claims`, those whose place names a figure of the source
    stand there, whatever item they answer.
    """
    found: dict[str, SourcePlace] = {}
    for item in items:
        number = FIGURE.match(item["place"])
        title = f"Fig. {number[1]}" if number else item["place"]
        name = f"item-{item['source']}-{re.sub('[^0-9a-z]+', '-', title.lower()).strip('-')}"
        place = found.setdefault(name, SourcePlace(title, name, bool(number), [], []))
        place.items.append({**item, "anchor": f"{name}_{len(place.items) + 1}"})
    for place in (place for place in found.values() if place.is_figure):
        naming = [claim["id"] for claim in claims if (place.items[0]["source"], place.title) in figures_named(claim)]
        place.others.extend(claim for claim in naming if claim not in place.claims)
    return sorted(found.values(), key=lambda place: int(place.title.split()[1]) if place.is_figure else inf)


def figures_named(claim: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The figures that a claim's place names, as mark and title: of its own source, or of the one in brackets before them.

    "Fig. 4, left" of a review is no figure of the review itself where "Review" or "Reply" stands before it.
    """
    named, mark = set(), claim["paper"]
    for word in re.finditer(r"\[(\w+)\]|((?:Review|Reply) \d+, )?Fig\. (\d+)", claim["place"]):
        mark = word[1] or mark
        if word[3] and not word[2]:
            named.add((mark, f"Fig. {word[3]}"))
    return named


def twins(notebooks: Mapping[str, Any]) -> dict[str, list[str]]:
    """By question, the others that execute the same notebook on another network."""
    return {
        name: [other for other, entry in notebooks.items() if entry["source"] == name != other] for name in notebooks
    }


def network_anchor(name: str) -> str:
    """The row of a network among the page's networks; an exhibit has that of its population."""
    place, which = name.split("/")
    return f"population-{place}" if which == "exhibit" else f"network-{place}-{which}"


def ways(
    claims: Iterable[Mapping[str, Any]],
    notebooks: Mapping[str, Any],
    of_papers: Mapping[str, Sequence[SourcePlace]],
    maps: Mapping[str, str],
) -> dict[str, dict[str, str]]:
    """By claim, by the word that stands on the page, the anchors of its figure, its network, all seeds and its paper.

    `of_papers` are the places of each source; `maps` name the figure that shows a claim on many networks, if one does. Of
    the items that ask for the claim, one of its own source comes first; a claim that no item asks for leads to the place
    it names, or to its source. Where no item shows a figure, the claim leads to its notebook's question, below which all
    figures stand.
    """
    found = {}
    for claim in claims:
        own = notebooks[claim["notebook"]]
        items = [item for of_source in of_papers.values() for place in of_source for item in place.items]
        naming = [item for item in items if claim["id"] in item["claims"]]
        naming.sort(key=lambda item: item["source"] != claim["paper"])
        shown = [_own(picture, claim["notebook"], notebooks) for item in naming for picture in item["shown"]]
        shown.sort(key=lambda picture: picture.split("/")[0] != claim["notebook"])
        figure = {"figure": shown[0].replace("/", "-")} if shown else {"question": claim["notebook"]}
        paper = naming[0]["anchor"] if naming else _place(claim, of_papers)
        network = network_anchor(claim.get("network", own["inputs"]["shown"]))
        seeds = {"all seeds": maps[claim["id"]].replace("/", "-")} if claim["id"] in maps else {}
        found[claim["id"]] = figure | {"network": network} | seeds | {"paper": paper}
    return found


def _place(claim: Mapping[str, Any], of_papers: Mapping[str, Sequence[SourcePlace]]) -> str:
    """The anchor of the place that a claim names: as it stands, else its first part, else the paper, else the source."""
    mark, words = found.groups() if (found := PLACE.match(claim["place"])) else (claim["paper"], claim["place"])
    by_title = {place.title: place.anchor for place in of_papers.get(mark, [])}
    for title in (words, words.split(",")[0]):
        if title in by_title:
            return by_title[title]
    return f"paper-{mark}" if by_title else f"source-{mark}"


def _own(picture: str, notebook: str, notebooks: Mapping[str, Any]) -> str:
    """The same figure or table as the notebook itself draws it, where both execute one source."""
    drawn, name = picture.split("/")
    alike = notebooks[drawn]["source"] == notebooks[notebook]["source"]
    return f"{notebook}/{name}" if alike else picture
