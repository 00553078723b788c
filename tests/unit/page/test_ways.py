"""From an item of a paper to what answers it, and from a claim to its figure, network and item."""

import pytest

from modadd.page.ways import network_anchor, places, ways

NOTEBOOKS = {
    "phases": {"source": "phases", "network": "mlp/seed0"},
    "phases_89": {"source": "phases", "network": "c89/exhibit"},
    "seeds": {"source": "seeds", "network": "mlp/seed0"},
}


def item(place, source="C", claims=(), shown=()):
    return {"source": source, "place": place, "says": "It holds.", "claims": list(claims), "shown": list(shown)}


def claim(name, notebook="phases", paper="C", **changes):
    return {"id": name, "notebook": notebook, "paper": paper} | changes


def test_figures_come_by_number_then_the_rest_in_the_order_of_the_source():
    found = places([item("§4.1"), item("App. B.4, Fig. 26"), item("Abstract"), item("Fig. 3b, left"), item("Fig. 3")])
    assert [place.title for place in found] == ["Fig. 3", "Fig. 26", "§4.1", "Abstract"]
    assert [place.is_figure for place in found] == [True, True, False, False]
    assert [part["place"] for part in found[0].items] == ["Fig. 3b, left", "Fig. 3"]


def test_a_review_of_a_figure_is_no_figure():
    (place,) = places([item("Review 3, Fig. 4", source="QR")])
    assert place.title == "Review 3, Fig. 4" and not place.is_figure


def test_every_place_and_item_has_an_anchor_of_its_own():
    found = places([item("§4"), item("§4"), item("§4.1"), item("Fig. 4")])
    anchors = [place.anchor for place in found] + [part["anchor"] for place in found for part in place.items]
    assert len(set(anchors)) == len(anchors) == 7
    assert {"item-C-fig-4", "item-C-4", "item-C-4_2", "item-C-4-1", "item-C-4-1_1"} <= set(anchors)


def test_a_place_shows_each_picture_once():
    (place,) = places([item("Fig. 1", shown=["phases/law", "phases/sums"]), item("Fig. 1a", shown=["phases/law"])])
    assert place.pictures == ["phases/law", "phases/sums"]


@pytest.fixture
def found():
    items = [
        item("§1", source="QR", claims=["slope"], shown=["seeds/map"]),
        item("§2", claims=["slope", "slope_89"], shown=["seeds/map", "phases/law"]),
    ]
    placed = [part for of_source in (items[:1], items[1:]) for place in places(of_source) for part in place.items]
    claims = [claim("slope"), claim("slope_89", "phases_89"), claim("ours", "seeds", "B", network="c91/exhibit")]
    return ways(claims, NOTEBOOKS, placed)


def test_a_claim_leads_to_the_item_of_its_own_source_and_to_a_figure_of_its_own_notebook(found):
    assert found["slope"] == {"figure": "phases-law", "network": "network-mlp-seed0", "item": "item-C-2_1"}


def test_a_notebook_that_executes_another_source_has_its_own_figures(found):
    assert (found["slope_89"]["figure"], found["slope_89"]["network"]) == ("phases_89-law", "population-c89")


def test_a_claim_of_no_item_leads_to_its_notebook_and_to_no_paper(found):
    assert found["ours"] == {"figure": "seeds", "network": "population-c91"}


def test_an_exhibit_stands_with_its_population():
    assert network_anchor("c91_batch/exhibit") == "population-c91_batch"
    assert network_anchor("two_layer_mlp/seed0") == "network-two_layer_mlp-seed0"
