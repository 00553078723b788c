"""The site of `make docs`: its contents, its pictures, and that it asks no other host."""

from pathlib import Path

import networkx as nx
import pytest
from docs import HOME, NOT_WALKED, as_the_site_shows_it, contents, layers, picture, requests_elsewhere, trees
from support import ROOT

GRAPH = 'flowchart TB\n    notebooks["2 notebooks, a rule each"]\n    train --> notebooks\n    notebooks --> all\n'
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "config/README.md")]


def test_the_contents_name_every_page_once_and_no_other():
    linked = [(ROOT / HOME.parent / page).resolve() for pages in contents(ROOT / HOME).values() for page in pages]
    assert sorted(linked) == sorted([*PAGES, *(set(ROOT.glob("docs/*.md")) - {ROOT / HOME})])


def test_every_folder_that_is_not_walked_through_is_one_and_no_page_is_in_it():
    assert not [name for name in NOT_WALKED if not (ROOT / name).is_dir() and name != "results"]
    assert not {page.relative_to(ROOT).parts[0] for page in PAGES} & {*NOT_WALKED, "docs"}


def test_contents_are_the_links_under_each_heading(tmp_path):
    home = tmp_path / "index.md"
    home.write_text(
        "# Title\n\n[first](../README.md)\n\n## A part\n\n- [a](a.md): see [b](b.md#place).\n"
        "- [code](x.py), [elsewhere](https://example.org/c.md)\n- [d](sub/d.md)\n"
    )
    assert contents(home) == {"": ["../README.md"], "A part": ["a.md", "sub/d.md"]}
    assert trees(home) == (
        "\n```{toctree}\n:hidden:\n\n../README\n```\n\n```{toctree}\n:hidden:\n:caption: A part\n\na\nsub/d\n```\n"
    )


def test_what_needs_nothing_stands_just_above_the_first_that_needs_it():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d"), ("e", "d"), ("e", "c")])
    assert layers(graph) == [["a"], ["b", "e"], ["c"], ["d"]]


def test_a_graph_is_drawn_with_its_labels_and_an_arrow_for_each_line():
    svg = picture(GRAPH)
    assert svg.startswith("<svg") and all(label in svg for label in (">2 notebooks, a rule each<", ">train<", ">all<"))
    heads = GRAPH.replace("    notebooks --> all\n", "")
    assert svg.count("<path") - picture(heads).count("<path") == 3, "a box, and an arrow's line and head"
    assert svg == picture(GRAPH), "equal bytes again"


def test_a_page_shows_graphs_as_pictures_and_the_home_page_has_the_contents(monkeypatch):
    monkeypatch.chdir(ROOT)
    page = as_the_site_shows_it(Path("docs/x.md"), f"before\n\n```mermaid\n{GRAPH}```\nafter\n```python\nx = 1\n```\n")
    assert page.startswith("before\n\n```{raw} html\n<svg") and page.endswith("after\n```python\nx = 1\n```\n")
    assert "flowchart" not in page and "toctree" not in page
    assert as_the_site_shows_it(HOME, "text").startswith("text\n```{toctree}")


@pytest.mark.parametrize(
    "load",
    [
        '<script async src="https://example.org/x.js">',
        "<img alt='a' src=//example.org/x.png>",
        '<link href="https://example.org/x.css" rel="stylesheet">',
        '<link rel="preconnect" href="//example.org">',
        "<iframe src='http://example.org'>",
    ],
)
def test_what_a_page_fetches_elsewhere_is_found(tmp_path, load):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/page.html").write_text(f"<p>{load}</p>")
    (found,) = requests_elsewhere(tmp_path)
    assert found.startswith("folder/page.html: ") and "//example.org" in found


def test_what_a_style_fetches_elsewhere_is_found(tmp_path):
    (tmp_path / "a.css").write_text("@import 'https://example.org/a.css'; p {background: url(//example.org/b.png)}")
    assert len(list(requests_elsewhere(tmp_path))) == 2


def test_links_and_files_of_the_site_are_no_requests_elsewhere(tmp_path):
    (tmp_path / "a.html").write_text(
        '<a href="https://example.org">a</a><script src="a.js"></script><link rel="stylesheet" href="a.css">'
        '<svg xmlns="http://www.w3.org/2000/svg"></svg><link rel="index" href="https://example.org">'
    )
    (tmp_path / "a.css").write_text(
        "p {background: url(data:image/svg+xml;charset=utf-8,%3Csvg)} /* https://example.org */"
    )
    assert not list(requests_elsewhere(tmp_path))
