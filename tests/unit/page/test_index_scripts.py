"""The scripts of the pages in a browser: claims sort and filter, figures enlarge, folded places unfold."""

import json

import pytest
from browser import LOADED, visit
from explorers import needs_browser
from support import ROOT

SCRIPTS = [ROOT / f"workflow/templates/{name}.js" for name in ("enlarge", "filter", "sort")]
ROWS = [("b", "0.60", "Q"), ("a", "−3.7, 2", "C"), ("c", "–", "Q"), ("d", "12, 18", "M"), ("e", "5", "B")]
PAGE = """<!doctype html><html lang="en"><title>Page</title>
<a id="front" href="#law">A figure</a> <a id="way" href="#deep">An item</a>
<section aria-labelledby="phases"><h3 id="phases">Phases</h3>
<figure id="law"><a class="enlarge" href="law.svg"><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="law" loading="lazy"></a>
<figcaption>The law. <span class="quiet"><a href="law.csv">CSV</a></span></figcaption></figure></section>
<details><summary>Items</summary><details><summary>More</summary><p id="deep">An item.</p></details></details>
<form id="filter" hidden><select name="paper"><option value="">all</option><option>Q</option><option>B</option></select>
<input name="words"><input type="checkbox" name="own"><select id="order"></select><button type="reset">Show all</button><output id="count"></output></form>
<table id="claims"><thead><tr><th scope="col">Claim</th><th scope="col" data-order="number">Published</th></tr></thead>
<tbody>{rows}</tbody></table>
<dialog id="enlarged" aria-label="Enlarged figure"><button type="button" class="close">Close</button><figure></figure></dialog>
<script>{code}</script></html>"""
ORDER = "[...document.querySelectorAll('#claims tbody tr:not([hidden])')].map(row => row.cells[0].textContent).join('')"
SORTED = "document.querySelectorAll('#claims th')[1].ariaSort"


@pytest.fixture
def seen(browser, tmp_path):
    """Opens a small page with the scripts and returns the values of some JavaScript expressions, in turn."""

    def see(*expressions):
        rows = (
            f'<tr id="claim-{name}" data-paper="{paper}"><td>{name}</td><td>{value}</td></tr>'
            for name, value, paper in ROWS
        )
        page = tmp_path / "index.html"
        code = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS)
        page.write_text(PAGE.format(rows="".join(rows), code=code), encoding="utf-8")

        async def steps(tab):
            found = [await tab.evaluate(expression) for expression in expressions]
            return found, tab.complaints

        ready = f"{LOADED} && document.getElementById('claims') !== null"
        found, complaints = visit(browser, page, steps, ready=ready)
        assert not complaints, json.dumps(complaints)
        return found

    return see


@needs_browser
def test_headings_are_buttons_that_sort_by_the_first_number_and_leave_what_is_missing_last(seen):
    press = "document.querySelectorAll('#claims th button')[1].click()"
    text = "document.querySelectorAll('#claims th button')[0].click()"
    found = seen(press, ORDER, SORTED, press, ORDER, SORTED, press, ORDER, SORTED, text, ORDER)
    assert found[1::3][:3] == ["abdc", "dbac", "bacd"]
    assert found[2::3][:3] == ["ascending", "descending", None]
    assert found[-1] == "abcd"


@needs_browser
def test_a_list_sorts_where_the_headings_are_hidden_and_the_filter_stays(seen):
    choose = "order.value = '1 ascending', order.dispatchEvent(new Event('change')), 0"
    filtered = "filter.elements.paper.value = 'Q', filter.dispatchEvent(new Event('input')), 0"
    names = "var order = document.getElementById('order'), filter = document.getElementById('filter'); 0"
    reset = "filter.reset(), new Promise(resolve => setTimeout(resolve, 50))"
    found = seen(names, choose, ORDER, filtered, ORDER, reset, ORDER, "order.value")
    assert (found[2], found[4], found[6], found[7]) == ("abdc", "bc", "bacd", "")


@needs_browser
def test_a_link_to_a_figure_opens_it_with_caption_and_data_and_escape_returns(seen):
    open_it, dialog = "document.getElementById('front').click()", "document.getElementById('enlarged')"
    shown = f"{dialog}.innerText.replaceAll(/\\s+/g, ' ')"
    ids, leave = f"{dialog}.querySelectorAll('[id]').length", f"{dialog}.querySelector('a[href=\"#phases\"]').click()"
    found = seen(open_it, f"{dialog}.open", shown, ids, leave, f"{dialog}.open", "location.hash")
    assert (found[1], found[3], found[5], found[6]) == (True, 0, False, "#phases")
    for part in ("The law.", "CSV", "Show in context"):
        assert part in found[2]


@needs_browser
def test_a_link_into_folded_parts_unfolds_them(seen):
    folded = "[...document.querySelectorAll('details:has(#deep)')].map(part => part.open).join()"
    assert seen(folded, "document.getElementById('way').click()", folded)[::2] == ["false,false", "true,true"]


@needs_browser
def test_claims_of_this_project_stay_behind_a_switch_and_a_link_to_one_shows_it(seen):
    names = "var filter = document.getElementById('filter'); 0"
    change = "filter.dispatchEvent(new Event('input')), count.textContent"
    only = f"filter.elements.paper.value = 'B', {change}"
    every = f"filter.elements.paper.value = '', {change}"
    linked = "location.hash = '#claim-e', new Promise(resolve => setTimeout(resolve, 50))"
    found = seen(names, ORDER, only, ORDER, every, linked, ORDER, "filter.elements.own.checked")
    assert (found[1], found[3], found[6], found[7]) == ("bacd", "e", "bacde", True)
    assert found[2] == "1 of 5 claims" and found[4] == "4 of 5 claims; 1 more of our own"
