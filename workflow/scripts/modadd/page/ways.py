"""What leads from an item of a paper to what answers it, and from a number to its cell, figure, network and item."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

FIGURE = re.compile(
    r"(?:(?:§|App\.)[^,]*, )?Fig\. (\d+)"
)  # "Fig. 4b, left", "App. B.4, Fig. 26"; not "Review 3, Fig. 4"


@dataclass(frozen=True)
class Place:
    """A figure or section of a source, with its items and with the figures and tables that answer them."""

    title: str
    anchor: str
    is_figure: bool
    items: list[dict[str, Any]]

    @property
    def pictures(self) -> list[str]:
        """NOTEBOOK/FIGURE or NOTEBOOK/TABLE of everything shown here, each once."""
        return list(dict.fromkeys(picture for item in self.items for picture in item["shown"]))


def places(items: Sequence[Mapping[str, Any]]) -> list[Place]:
    """The items of one source by place: its figures by number, then everything else in the source's order.

    Each item gets an `anchor`, the id of its place on the page.
    """
    found: dict[str, Place] = {}
    for item in items:
        number = FIGURE.match(item["place"])
        title = f"Fig. {number[1]}" if number else item["place"]
        name = f"item-{item['source']}-{re.sub('[^0-9a-z]+', '-', title.lower()).strip('-')}"
        place = found.setdefault(name, Place(title, name, bool(number), []))
        place.items.append({**item, "anchor": f"{name}_{len(place.items) + 1}"})
    return sorted(found.values(), key=lambda place: int(place.title.split()[1]) if place.is_figure else inf)


def network_anchor(name: str) -> str:
    """The row of a network among the page's networks; an exhibit has that of its population."""
    place, which = name.split("/")
    return f"population-{place}" if which == "exhibit" else f"network-{place}-{which}"


def ways(
    claims: Iterable[Mapping[str, Any]], notebooks: Mapping[str, Any], items: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, str]]:
    """By claim, the anchors of its figure, its network and its item, as far as there are any.

    `items` have their anchors. An item of the claim's own source comes first, then one that asks for the claim. A claim
    without a figure among its items leads to its notebook.
    """
    found = {}
    for claim in claims:
        own = notebooks[claim["notebook"]]
        naming = [item for item in items if claim["id"] in item["claims"]]
        naming.sort(key=lambda item: item["source"] != claim["paper"])
        shown = [_own(picture, claim["notebook"], notebooks) for item in naming for picture in item["shown"]]
        shown.sort(key=lambda picture: picture.split("/")[0] != claim["notebook"])
        network = network_anchor(claim.get("network", own["network"]))
        found[claim["id"]] = {"figure": (shown or [claim["notebook"]])[0].replace("/", "-"), "network": network}
        if naming:
            found[claim["id"]]["item"] = naming[0]["anchor"]
    return found


def _own(picture: str, notebook: str, notebooks: Mapping[str, Any]) -> str:
    """The same figure or table as the notebook itself draws it, where both execute one source."""
    drawn, name = picture.split("/")
    alike = notebooks[drawn]["source"] == notebooks[notebook]["source"]
    return f"{notebook}/{name}" if alike else picture
