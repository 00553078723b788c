"""The site of `make docs`: its contents and its pictures."""

import runpy

import networkx as nx
from support import ROOT

SITE = runpy.run_path(str(ROOT / "docs/conf.py"))
GRAPH = 'flowchart TB\n    notebooks["2 notebooks, a rule each"]\n    train --> notebooks\n    notebooks --> all\n'


def test_the_contents_name_every_page_once_and_no_other():
    home = ROOT / f"{SITE['root_doc']}.md"
    listed = SITE["contents"](home.read_text(encoding="utf-8")).splitlines()
    linked = [page for page in (home.parent / f"{name}.md" for name in listed if name) if page.exists()]
    pages = {page for pattern in SITE["include_patterns"] for page in ROOT.glob(pattern)}
    assert sorted(page.resolve() for page in linked) == sorted(pages - {home})


def test_contents_are_the_links_under_each_heading():
    home = (
        "# Title\n\n[first](../README.md)\n\n## A part\n\n- [a](a.md): see [b](b.md#place).\n"
        "- [code](x.py), [elsewhere](https://example.org/c.md)\n- [d](sub/d.md)\n"
    )
    assert SITE["contents"](home) == (
        "\n```{toctree}\n:hidden:\n\n../README\n```\n\n```{toctree}\n:hidden:\n:caption: A part\n\na\nsub/d\n```\n"
    )


def test_what_needs_nothing_stands_just_above_the_first_that_needs_it():
    graph = nx.DiGraph([("a", "b"), ("b", "c"), ("c", "d"), ("e", "d"), ("e", "c")])
    assert SITE["layers"](graph) == [["a"], ["b", "e"], ["c"], ["d"]]


def test_a_graph_is_drawn_with_its_labels_and_an_arrow_for_each_line():
    picture = SITE["picture"]
    svg = picture(GRAPH)
    assert svg.startswith("<svg") and all(label in svg for label in (">2 notebooks, a rule each<", ">train<", ">all<"))
    heads = GRAPH.replace("    notebooks --> all\n", "")
    assert svg.count("<path") - picture(heads).count("<path") == 3, "a box, and an arrow's line and head"
    assert svg == picture(GRAPH), "equal bytes again"
