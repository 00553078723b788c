"""Make a site with contents and search from the project's Markdown pages (`make docs`): results/docs/index.html."""

import os
import re
import shutil
import sys
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib
import matplotlib.pyplot as plt
import networkx as nx

HOME = Path("docs/index.md")  # its links to pages are the contents of the site, under its headings
SITE = Path("results/docs")
NOT_WALKED = ("data", "figures", "notebooks", "results", "tests", "workflow")  # hold no pages, and many files
FORWARD = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=docs/index.html">\n'


def contents(home: Path) -> dict[str, list[str]]:
    """The pages that the home page links to, relative to its folder, under each of its headings."""
    parts = re.split(r"^## (.*)$", home.read_text(encoding="utf-8"), flags=re.MULTILINE)
    texts = {"": parts[0]} | dict(zip(parts[1::2], parts[2::2], strict=True))
    return {heading: re.findall(r"\]\(([^)#:]+\.md)\)", text) for heading, text in texts.items()}


def trees(home: Path) -> str:
    """The contents as the generator's own directives, which no reader of the Markdown needs to see."""
    text = ""
    for heading, pages in contents(home).items():
        caption = f":caption: {heading}\n" if heading else ""
        names = "\n".join(page.removesuffix(".md") for page in pages)
        text += f"\n```{{toctree}}\n:hidden:\n{caption}\n{names}\n```\n"
    return text


def layers(graph: nx.DiGraph) -> list[list[str]]:
    """The nodes of a graph from top to bottom; one that needs nothing stands just above the first that needs it."""
    depth = {node: i for i, generation in enumerate(nx.topological_generations(graph)) for node in generation}
    for node in [node for node in graph if not graph.in_degree(node)]:
        depth[node] = min(depth[after] for after in graph.successors(node)) - 1
    return [sorted(node for node in graph if depth[node] == i) for i in sorted(set(depth.values()))]


def picture(mermaid: str) -> str:
    """A graph in Mermaid's words as SVG, because a browser would need a script from elsewhere to draw it."""
    labels = dict(re.findall(r'^ *(\w+)\["(.*)"\]$', mermaid, re.MULTILINE))
    graph = nx.DiGraph(re.findall(r"^ *(\w+) --> (\w+)$", mermaid, re.MULTILINE))
    rows = layers(graph)
    figure, axes = plt.subplots(figsize=(9, 0.8 * len(rows)), dpi=72)  # as SVG has it
    axes.set(xlim=(0, 1), ylim=(-len(rows) + 0.5, 0.5))
    axes.axis("off")
    box = {"boxstyle": "round", "facecolor": "white", "edgecolor": "0.4"}
    boxes = {
        node: axes.text((i + 0.5) / len(row), -y, labels.get(node, node), ha="center", va="center", bbox=box)
        for y, row in enumerate(rows)
        for i, node in enumerate(row)
    }
    figure.canvas.draw()  # only then do the boxes know how large they are
    for a, b in graph.edges:
        ends = {"patchA": boxes[a].get_bbox_patch(), "patchB": boxes[b].get_bbox_patch()}
        arrow = {"arrowstyle": "-|>", "color": "0.4", "shrinkA": 0, "shrinkB": 0, **ends}
        axes.annotate("", boxes[b].get_position(), boxes[a].get_position(), arrowprops=arrow)
    with StringIO() as svg, matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "modadd"}):
        figure.savefig(svg, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
        plt.close(figure)
        return svg.getvalue()[svg.getvalue().index("<svg") :]


def as_the_site_shows_it(page: Path, text: str) -> str:
    """The Markdown of one page: with the contents if it is the home page, and with graphs as pictures."""
    parts = re.split(r"^```mermaid\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    parts[1::2] = [f"```{{raw}} html\n{picture(mermaid)}```" for mermaid in parts[1::2]]
    return "".join(parts) + (trees(page) if page == HOME else "")


def requests_elsewhere(site: Path) -> Iterable[str]:
    """What pages and styles of the site would fetch from another host, each with its file; links are no requests."""
    address = r"""((?:https?:)?//[^"' >)]+)"""
    loads = {
        "*.html": rf"""<(?:script|img|iframe|source|embed)\b[^>]*\bsrc=["']?{address}"""
        rf"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|icon|pre\w+|modulepreload))[^>]*\bhref=["']?{address}""",
        "*.css": rf"""url\(["']?{address}|@import\s+["']{address}""",
    }
    for kind, pattern in loads.items():
        for file in sorted(site.rglob(kind)):
            for found in re.findall(pattern, file.read_text(encoding="utf-8")):
                yield f"{file.relative_to(site)}: {''.join(found)}"


def build(site: Path) -> None:
    """Build the site; exits if the generator warns of anything, or if a page would ask another host."""
    from sphinx.application import Sphinx  # of the extra `docs`

    pages = [os.path.normpath(HOME.parent / page) for linked in contents(HOME).values() for page in linked]
    settings = {
        "project": "modadd",
        "html_title": "modadd",
        "root_doc": str(HOME.with_suffix("")),
        "include_patterns": [str(HOME), *pages],
        "exclude_patterns": [".*", *NOT_WALKED],
        "extensions": ["myst_parser"],
        "html_theme": "furo",
        "html_copy_source": False,
        "html_show_copyright": False,
        "smartquotes": False,
        "myst_heading_anchors": 4,
        "suppress_warnings": ["myst.xref_missing"],  # anchors in lists; tests/workflow/test_links.py checks all
    }
    shutil.rmtree(site, ignore_errors=True)
    with TemporaryDirectory() as trees_of_pages:
        app = Sphinx(".", None, site, trees_of_pages, "html", settings, status=None, warningiserror=True)
        app.connect("source-read", _read)
        app.build()
    (site / "index.html").write_text(FORWARD, encoding="utf-8")
    if app.statuscode:
        sys.exit(app.statuscode)
    if elsewhere := list(requests_elsewhere(site)):
        sys.exit(f"{site}: expected no request to another host, found {'; '.join(elsewhere)}")


def _read(app: object, name: str, source: list[str]) -> None:
    source[0] = as_the_site_shows_it(Path(f"{name}.md"), source[0])


if __name__ == "__main__":
    build(SITE)
    print(f"Open {SITE}/index.html")
