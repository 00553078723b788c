"""Put the verdicts of this build into README.md and docs, its speeds, rules and picture into docs (`python workflow/dev/readme.py`)."""

import ast
import json
import re
import shutil
import sys
import tomllib
from itertools import pairwise, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import networkx as nx
import own_library  # noqa: F401
import pandas as pd
from build import PROVENANCE, require_build

from modadd.core.parquet import read_table
from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import NOT_JUDGED, with_claims
from modadd.page.claims import limits_page, slips_page
from modadd.page.front import brief, what_differs
from modadd.page.manual import with_section
from modadd.page.site import in_a_sentence
from modadd.page.unseen import in_a_sentence as unseen_in_a_sentence
from modadd.planning.root import question_file
from modadd.populations.tables import trained_by
from modadd.run.coq import ABSENT
from modadd.run.project import run_snakemake

CHECKS = {  # what docs/reviewers.md asks to check first
    "phase_line": "[Q2]: ψ = 2φ at every key frequency",
    "frequencies": "[Q]: the key frequencies are the four printed ones",
    "actual_error": "[Q]: how much the quadrature errs",
    "whole_bound": "[Q]: the proven bound on this error",
    "r2_absolute": "[Q]: how much pizza terms explain",
    "mlp_losses": "[M]: the training loss, step by step",
    "mlp_sum_of_cosines": "[M]: the logits are a weighted sum of cosines",
    "cluster_alone_population": "[C] §6: how well one cluster answers varies a lot",
    "equal_waves_model_the_logits": "[C]: one cosine for each cluster models the logits",
    "clusters_logarithm_best": "[C]: their number grows like ln n",
    "mainlines_machine_checked": "[B]: Coq proves that the trained networks add",
}
RATIOS = ["faster than published", "faster than autograd", "over the floor", "late over early"]


def speed_table(bench: Path, kept: Path) -> str:
    """The ratios of every benchmark, a column for each processor: the kept ones, and `bench` in its own place."""
    new = pd.read_csv(bench)
    old = pd.read_csv(kept) if kept.exists() else new[:0]
    every = pd.concat([old[~old.processor.isin(new.processor)], new], ignore_index=True)
    every.to_csv(kept, index=False)
    lines = every.melt(["step", "processor"], RATIOS, "ratio").dropna(subset="value")
    table = lines.pivot(index=["step", "ratio"], columns="processor", values="value")
    table = table.astype(object).where(table.notna(), None)
    order = [(step, ratio) for step in new.step for ratio in RATIOS if (step, ratio) in table.index]
    return table.loc[order].reset_index().to_markdown(index=False, floatfmt=".2f", missingval="–") + "\n"


def map_of_packages(library: Path) -> str:
    """The packages of the library in the order of their contract: who may import from whom, and the sentence about each."""
    contract = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
    layers = [re.findall(r"modadd\.(\w+)", layer) for layer in contract["layers"]]
    arrows = [f"    {one} --> {other}" for above, below in pairwise(layers) for one, other in product(above, below)]
    names = [name for layer in reversed(layers) for name in layer]
    texts = {
        name: ast.get_docstring(ast.parse((library / name / "__init__.py").read_text(encoding="utf-8")))
        for name in names
    }
    lines = [f"| `{name}` | {' '.join(text.split(chr(10) * 2)[0].split())} |" for name, text in texts.items()]
    picture = ["```mermaid", "flowchart TB", *arrows, "```", ""]
    return "\n".join([*picture, "| package | what lives there |", "|---|---|", *lines]) + "\n"


def rule_graph(mermaid: str) -> str:
    """Snakemake's rule graph in Mermaid, without colours: one box for all notebooks, no arrow that a path replaces."""
    names = dict(re.findall(r"^\s*(id\d+)\[(\w+)\]", mermaid, re.MULTILINE))
    notebooks = sum(name.startswith("notebook_") for name in names.values())
    box = {id: "notebooks" if name.startswith("notebook_") else name for id, name in names.items()}
    arrows = [(box[a], box[b]) for a, b in re.findall(r"^\s*(id\d+) --> (id\d+)", mermaid, re.MULTILINE)]
    graph = nx.transitive_reduction(nx.DiGraph(arrow for arrow in arrows if arrow[0] != arrow[1]))
    lines = ["flowchart TB", *[f'    notebooks["{notebooks} notebooks, a rule each"]'] * bool(notebooks)]
    return "\n".join([*lines, *(f"    {a} --> {b}" for a, b in sorted(graph.edges))]) + "\n"


def drawn_by_snakemake() -> str:
    """The rule graph of this folder's workflow; exits with Snakemake's words if it fails."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "rulegraph.log"
        if not run_snakemake(Path("."), "all", "--rulegraph", "mermaid-js", "--nolock", "--profile", "none", log=log):
            sys.exit(log.read_text(encoding="utf-8"))
        return log.read_text(encoding="utf-8")


def write_pages(docs: Path, rows: list[dict[str, Any]], ledger: dict[str, Any], populations: Path, scale: str) -> None:
    """The slips of the papers and the limits of the results, from the verdicts of this build."""
    (docs / "slips.md").write_text(slips_page(rows, ledger["items"]), encoding="utf-8")
    trained = pd.concat(
        trained_by(read_table(path, ["device", "processor"])) for path in sorted(populations.glob("*.parquet"))
    )
    (docs / "limits.md").write_text(
        limits_page(rows, ledger["papers"], trained.value_counts().to_dict(), scale), encoding="utf-8"
    )


def put(page: Path, name: str, content: str) -> None:
    """Replace one section of a page; raises ValueError naming the page if a marker is missing."""
    page.write_text(with_section(page.read_text(encoding="utf-8"), name, content, page), encoding="utf-8")


def lacks_rows(row: dict[str, Any]) -> bool:
    """Whether a claim about many networks asks for a number that came after most kept rows."""
    return row.get("seeds") is not None and row["seeds"]["without"] > row["seeds"]["of"]


def update_readme(readme: Path, rows: list[dict[str, Any]], scale: str, processor: str, unseen: str = "") -> None:
    """Count the verdicts in the README, and name what is not reproduced.

    `unseen` says how claims fare on networks that nobody had seen. Raises ValueError if a marker is missing or a claim could
    not be judged on these networks; that they are too few to tell, or that most kept rows lack the number, is a result, and
    a claim may need Coq.
    """
    unjudged = []
    for row in rows:
        if scale not in row["scales"] or row["verdict"] != NOT_JUDGED:
            continue
        is_told_why = row["interval"] is not None or row.get("note") == ABSENT or lacks_rows(row)
        if not is_told_why:
            unjudged.append(row["id"])
    if unjudged:
        raise ValueError(
            f"{readme} shows a full build of the published recipes; not judged here: {', '.join(unjudged)}"
        )
    put(
        readme, "claims", f"{in_a_sentence(rows)} {unseen} Counted in a full build on {processor}.\n".replace("  ", " ")
    )
    missed = [
        f"- [{row['paper']}] {brief(row['statement'])} ([`{row['id']}`]({question_file(row['notebook'])}))\n"
        for row in what_differs(rows)
    ]
    put(readme, "missed", "".join(missed))


def check_table(rows: list[dict[str, Any]]) -> str:
    """The claims to check first: words, command, and the verdict of this build."""
    verdicts = {row["id"]: row["verdict"] for row in rows}
    lines = [
        f"| {words} | `make check CLAIM={claim}` | {verdicts[claim]} |"
        for claim, words in CHECKS.items()
        if claim in verdicts
    ]
    return "\n".join(["| what is claimed | command | verdict |", "|---|---|---|", *lines]) + "\n"


def update_speeds(page: Path, bench: Path, kept: Path) -> None:
    """Put the speeds that were measured here into their page; without any, it stays as it is."""
    if bench.exists():
        put(page, "bench", speed_table(bench, kept))
    else:
        print(
            f"{bench} does not exist, so the speeds stay as they are; `python workflow/dev/bench.py` measures them",
            file=sys.stderr,
        )


def main() -> None:
    """Write all of it from the build in this folder; exits with one line where something stands in the way."""
    require_build("readme")
    figures, docs = Path("figures"), Path("docs")
    provenance = json.loads(PROVENANCE.read_text(encoding="utf-8"))
    scale = provenance["config"]["scale"]
    entries = read_ledger()
    try:
        rows = with_claims(json.loads((figures / "claims.json").read_text(encoding="utf-8")), entries)
        found = json.loads((figures / "unseen.json").read_text(encoding="utf-8"))
        unseen = unseen_in_a_sentence(found)
        update_readme(Path("README.md"), rows, scale, provenance["origin"]["processor"], unseen)
        update_speeds(
            docs / "speed.md", figures / "benchmark/training_step.csv", Path("data/reference/training_speed.csv")
        )
        if "quadrature" in entries["notebooks"]:  # the picture of the README
            shutil.copyfile(figures / "quadrature/rectangles.png", docs / "rectangles.png")
        write_pages(docs, rows, entries, Path("data/populations"), scale)
        put(docs / "reviewers.md", "checks", check_table(rows))
        put(docs / "architecture.md", "rulegraph", f"```mermaid\n{rule_graph(drawn_by_snakemake())}```\n")
        put(docs / "architecture.md", "packages", map_of_packages(Path("workflow/scripts/modadd")))
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
