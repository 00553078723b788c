"""The site of `make docs`: which pages it has, and graphs as pictures, as a browser would need a script to draw them."""

import re
from io import StringIO

import matplotlib
import matplotlib.pyplot as plt
import networkx as nx

project = html_title = "modadd"
root_doc = "docs/index"
include_patterns = ["*.md", "docs/*.md", "config/README.md"]
exclude_patterns = [".*", "data", "figures", "notebooks", "results", "tests", "workflow"]  # no pages, and many files
extensions = ["myst_parser"]
html_theme = "furo"
html_copy_source = html_show_copyright = smartquotes = False
myst_heading_anchors = 4
suppress_warnings = ["myst.xref_missing"]  # anchors in lists; tests/workflow/test_links.py checks all


def setup(app: object) -> None:
    """What Sphinx calls first: pages are read with graphs as pictures, and the home page with the contents."""
    app.connect("source-read", _read)


def _read(app: object, name: str, source: list[str]) -> None:
    parts = re.split(r"^```mermaid\n(.*?)^```$", source[0], flags=re.DOTALL | re.MULTILINE)
    parts[1::2] = [f"```{{raw}} html\n{picture(mermaid)}```" for mermaid in parts[1::2]]
    source[0] = "".join(parts) + (contents(source[0]) if name == root_doc else "")


def contents(home: str) -> str:
    """The pages that the home page links to, under each of its headings, as directives: no reader of it needs these."""
    parts = re.split(r"^## (.*)$", home, flags=re.MULTILINE)
    text = ""
    for heading, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        caption = f":caption: {heading}\n" if heading else ""
        pages = "\n".join(re.findall(r"\]\(([^)#:]+)\.md\)", part))
        text += f"\n```{{toctree}}\n:hidden:\n{caption}\n{pages}\n```\n"
    return text


def layers(graph: nx.DiGraph) -> list[list[str]]:
    """The nodes of a graph from top to bottom; one that needs nothing stands just above the first that needs it."""
    depth = {node: i for i, generation in enumerate(nx.topological_generations(graph)) for node in generation}
    for node in [node for node in graph if not graph.in_degree(node)]:
        depth[node] = min(depth[after] for after in graph.successors(node)) - 1
    return [sorted(node for node in graph if depth[node] == i) for i in sorted(set(depth.values()))]


def picture(mermaid: str) -> str:
    """A graph in Mermaid's words as SVG."""
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
