"""Build figures/index.html from the verdicts, the ledger, the tables and the networks' metadata."""

import json
import sys
from collections import Counter
from pathlib import Path

import pandas as pd
from markupsafe import Markup
from modadd.networks import load_network
from modadd.pages import render
from modadd.ledger import read_ledger
from modadd.verdicts import show, show_spread


def table_html(table: pd.DataFrame) -> Markup:
    """A table as HTML, four significant digits."""
    return Markup(table.to_html(index=False, border=0, float_format=lambda x: f"{x:.4g}", na_rep="–"))


def build_site(
    claims: Path, ledger: Path, schema: Path, networks: list[Path], template: Path, page: Path, scale: str
) -> None:
    """One page: verdict summary, claims, networks, and per notebook its figures and tables with their captions."""
    rows, entries = json.loads(claims.read_text()), read_ledger(ledger, schema)
    tables = {
        name: {table: table_html(pd.read_csv(page.parent / name / f"{table}.csv")) for table in notebook["tables"]}
        for name, notebook in entries["notebooks"].items()
        if "tables" in notebook
    }
    loaded = {path: load_network(path) for path in networks if path.suffix == ".safetensors"}
    listed = pd.DataFrame(
        {
            "network": f"{path.parent.name}/{path.stem}",
            "modulus": n.recipe.modulus,
            "updates": n.recipe.steps,
            **n.results,
        }
        for path, n in loaded.items()
    )
    render(
        template,
        page,
        summary=Counter(row["verdict"] for row in rows),
        unexpected=[row["id"] for row in rows if not row["as_expected"]],
        claims=rows,
        show=show,
        show_spread=show_spread,
        scale=scale,
        networks=table_html(listed.rename(columns=lambda column: column.replace("_", " "))),
        notebooks=entries["notebooks"],
        tables=tables,
        papers=entries["papers"],
    )


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    build_site(
        claims=Path(snakemake.input.claims),
        ledger=Path(snakemake.input.ledger),
        schema=Path(snakemake.params.schema),
        networks=[Path(path) for path in snakemake.input.networks],
        template=Path(snakemake.input.template),
        page=Path(snakemake.output.page),
        scale=snakemake.params.scale,
    )
