"""Write what a build cost and how it was made: time, code, versions, machine, config, hashes; and a page that shows it."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from modadd.core.bits import set_arithmetic
from modadd.core.jobs import begin
from modadd.ledger.differences import sha256
from modadd.ledger.entries import read_ledger
from modadd.page.site import table_html
from modadd.page.templates import render
from modadd.run.costs import cost_by_notebook, cost_by_rule, read_costs, sums
from modadd.run.paths import table_of
from modadd.run.project import provenance
from modadd.run.records import jobs_behind, made_by


def costs_of(files: list[str], ledger: Mapping[str, Any], results: Path) -> dict[str, Any]:
    """What the jobs behind some files of a build cost: each job, every notebook, every claim, and all together."""
    made = cache(made_by)  # notebooks stand on the same networks
    jobs = sorted(jobs_behind(files, made))
    costs = read_costs(jobs, results)
    behind = {name: jobs_behind(_read_for(name, entry), made) for name, entry in ledger["notebooks"].items()}
    notebooks = cost_by_notebook(behind, costs)
    claims = pd.DataFrame([{"claim": claim["id"], "notebook": claim["notebook"]} for claim in ledger["claims"]])
    return {
        "total": {"jobs": len(costs), **sums(costs)},
        "without_benchmark": sorted(set(jobs) - set(costs.job)),
        "notebooks": notebooks.to_dict("records"),
        "claims": claims.merge(notebooks, on="notebook").to_dict("records"),
        "jobs": costs.to_dict("records"),
    }


def _read_for(notebook: str, entry: Mapping[str, Any]) -> list[str]:
    """What the claims of a notebook are judged on: its values, and tables of further networks."""
    populations = [*entry["inputs"]["seeds"], *entry["inputs"]["retrainings"]]
    return [f"results/values/{notebook}.json", *map(table_of, populations)]


def write_page(origin: Mapping[str, Any], costs: Mapping[str, Any], template: Path, page: Path) -> None:
    """The page of costs and origin."""
    units = {"cpu_seconds": "CPU minutes", "shared_cpu_seconds": "of these shared", "wall_seconds": "wall minutes"}
    notebooks = pd.DataFrame(costs["notebooks"])
    notebooks[[*units]] /= 60
    notebooks = notebooks.rename(columns=units | {"memory_mb": "largest memory (MB)"})
    hashes = lambda files: table_html(pd.DataFrame(sorted(files.items()), columns=["file", "SHA-256"]))
    render(
        template,
        page,
        written=origin["written"],
        total=costs["total"],
        without_benchmark=costs["without_benchmark"],
        rules=table_html(cost_by_rule(pd.DataFrame(costs["jobs"]))),
        notebooks=table_html(notebooks.drop(columns=["without_benchmark", "device"])),
        origin=table_html(pd.DataFrame(origin["origin"].items(), columns=["what", "which"])),
        config=yaml.safe_dump(origin["config"], sort_keys=False, allow_unicode=True, width=120),
        networks=hashes(origin["networks"]),
        inputs=hashes(origin["inputs"]),
    )


if __name__ == "__main__":
    begin(snakemake.log[0])
    set_arithmetic()
    read, write = snakemake.input, snakemake.output
    costs = costs_of([read.claims, *read.networks, *read.populations], read_ledger(), Path("results"))
    origin = {
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "origin": {**provenance(), "device": costs["total"]["device"]},
        "config": json.loads(json.dumps(snakemake.config)),
        "inputs": {
            name: sha256(name)
            for name in sorted([*read.ledger, read.published, *read.notebooks, *read.kept, *read.external])
        },
        "networks": {name: sha256(name) for name in sorted(read.networks)},
    }
    pd.DataFrame(costs["claims"]).to_csv(write.csv, index=False)
    for path, content in ((write.costs, costs), (write.json, origin)):
        Path(path).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    write_page(origin, costs, Path(read.template), Path(write.page))
