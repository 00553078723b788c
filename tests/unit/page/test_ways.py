"""From an item of a paper to what answers it, and from a claim to its figure, network and item."""

import re

import pytest
from support import LEDGER

from paper.page.ways import figures_named, places, twins, ways

NOTEBOOKS = {
    "phases": {"source": "phases", "inputs": {"shown": "mlp/seed0"}},
    "phases_89": {"source": "phases", "inputs": {"shown": "c89/exhibit"}},
    "seeds": {"source": "seeds", "inputs": {"shown": "mlp/seed0"}},
}
MAPS = {"slope": "seeds/map"}


def item(place, source="C", claims=(), shown=()):
    return {"source": source, "place": place, "says": "It holds.", "claims": list(claims), "shown": list(shown)}


def claim(name, notebook="phases", paper="C", **changes):
    return {"id": name, "notebook": notebook, "paper": paper, "place": "somewhere"} | changes


def test_figures_come_by_number_then_the_rest_in_the_order_of_the_source():
    found = places([item("§4.1"), item("App. B.4, Fig. 26"), item("Abstract"), item("Fig. 3b, left"), item("Fig. 3")])
    assert [place.title for place in found] == ["Fig. 3", "Fig. 26", "§4.1", "Abstract"]
    assert [place.is_figure for place in found] == [True, True, False, False]
    assert [part["place"] for part in found[0].items] == ["Fig. 3b, left", "Fig. 3"]


def test_every_place_and_item_has_an_anchor_of_its_own():
    found = places([item("§4"), item("§4"), item("§4.1"), item("Fig. 4")])
    anchors = [place.anchor for place in found] + [part["anchor"] for place in found for part in place.items]
    assert len(set(anchors)) == len(anchors) == 7
    assert {"item-C-fig-4", "item-C-4", "item-C-4_2", "item-C-4-1", "item-C-4-1_1"} <= set(anchors)


@pytest.fixture
def found():
    items = {
        "QR": [item("§1", source="QR", claims=["slope"], shown=["seeds/map"])],
        "C": [item("§2", claims=["slope", "slope_89"], shown=["seeds/map", "phases/law"]), item("§6, open")],
    }
    claims = [claim("slope"), claim("slope_89", "phases_89"), claim("ours", "seeds", "B", network="c91/exhibit")]
    named = {"open": "[C] §6, open", "part": "[C] §2, on [M]", "paper": "[C] §9", "elsewhere": "arXiv 1234.56789"}
    claims += [claim(name, paper="B", place=place) for name, place in named.items()]
    return ways(claims, NOTEBOOKS, {mark: places(of_source) for mark, of_source in items.items()} | {"B": []}, MAPS)


def test_a_claim_leads_to_the_item_of_its_own_source_and_to_a_figure_of_its_own_notebook(found):
    assert found["slope"] == {
        "figure": "phases-law",
        "network": "network-mlp-seed0",
        "all seeds": "seeds-map",
        "paper": "item-C-2_1",
    }


def test_a_notebook_that_executes_another_source_has_its_own_figures(found):
    assert (found["slope_89"]["figure"], found["slope_89"]["network"]) == ("phases_89-law", "population-c89")


def test_a_claim_of_no_item_leads_to_its_question_and_to_the_place_that_it_names(found):
    assert found["ours"] == {"question": "seeds", "network": "population-c91", "paper": "source-B"}
    ends = {"open": "item-C-6-open", "part": "item-C-2", "paper": "paper-C", "elsewhere": "source-B"}
    assert {name: found[name]["paper"] for name in ends} == ends


def test_every_claim_of_the_ledger_leads_to_a_figure_or_question_a_network_and_a_paper():
    of_papers = {
        mark: places([item for item in LEDGER["items"] if item["source"] == mark]) for mark in LEDGER["papers"]
    }
    there = {f"source-{mark}" for mark in of_papers} | {f"paper-{mark}" for mark in of_papers if of_papers[mark]}
    for place in (place for of_source in of_papers.values() for place in of_source):
        there |= {place.anchor, *(item["anchor"] for item in place.items)}
    there |= set(LEDGER["notebooks"]) | {
        f"{name}-{picture}"
        for name, entry in LEDGER["notebooks"].items()
        for kind in ("figures", "tables")
        for picture in entry.get(kind, {})
    }
    found = ways(LEDGER["claims"], LEDGER["notebooks"], of_papers, {})
    for claim in LEDGER["claims"]:
        way = found[claim["id"]]
        network = way.pop("network")
        assert re.match("network-|population-", network) and set(way) in ({"figure", "paper"}, {"question", "paper"})
        assert set(way.values()) <= there, f"{claim['id']} leads to {set(way.values()) - there}, which is not there"
        papers = {"B"} | set(re.findall(r"\[(\w+)\]", claim["place"]))
        if claim["paper"] == "B" and papers > {"B"}:
            assert way["paper"] != "source-B", f"{claim['id']} names {claim['place']}, and leads to no paper"


@pytest.mark.parametrize(
    ("paper", "place", "named"),
    [
        ("C", "Fig. 5a, §4.1", {("C", "Fig. 5")}),
        ("C", "§6, Fig. 26; App. C, Fig. 31", {("C", "Fig. 26"), ("C", "Fig. 31")}),
        ("B", "[Q2] Fig. 4, every seed; [Q] Fig. 1", {("Q2", "Fig. 4"), ("Q", "Fig. 1")}),
        ("QR", "Review 3, Fig. 4", set()),
    ],
)
def test_figures_are_read_from_the_place_of_a_claim(paper, place, named):
    assert figures_named({"paper": paper, "place": place}) == named


def test_a_claim_stands_under_every_figure_that_its_place_names():
    shown = {}
    for mark in LEDGER["papers"]:
        for place in places([item for item in LEDGER["items"] if item["source"] == mark], LEDGER["claims"]):
            shown[mark, place.title] = place.claims
    missing = [
        f"{claim['id']}: {mark} {figure}"
        for claim in LEDGER["claims"]
        for mark, figure in figures_named(claim)
        if claim["id"] not in shown.get((mark, figure), ())
    ]
    assert not missing, "the view by figure hides claims that name the figure"
    assert sum(bool(figures_named(claim)) for claim in LEDGER["claims"]) > 15, "the places are read at all"


def test_a_question_on_another_network_stands_under_the_one_whose_notebook_it_executes():
    assert twins(NOTEBOOKS) == {"phases": ["phases_89"], "phases_89": [], "seeds": []}
