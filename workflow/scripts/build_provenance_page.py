"""Show on a page where a build was made and what it cost: versions, machine, config, hashes; seconds and memory."""

import json
from pathlib import Path

import pandas as pd
import yaml

from modadd.core.jobs import begin
from modadd.page.site import table_html
from modadd.page.templates import render
from modadd.run.costs import cost_by_notebook, cost_by_rule

if __name__ == "__main__":
    begin(snakemake.log[0])
    origin = json.loads(Path(snakemake.input.provenance).read_text())
    costs = json.loads(Path(snakemake.input.costs).read_text())
    hashes = lambda files: table_html(pd.DataFrame(sorted(files.items()), columns=["file", "SHA-256"]))
    render(
        Path(snakemake.input.template),
        Path(snakemake.output.page),
        written=origin["written"],
        total=costs["total"],
        without_benchmark=costs["without_benchmark"],
        rules=table_html(cost_by_rule(pd.DataFrame(costs["jobs"]))),
        notebooks=table_html(cost_by_notebook(pd.DataFrame(costs["claims"]))),
        origin=table_html(pd.DataFrame(origin["origin"].items(), columns=["what", "which"])),
        config=yaml.safe_dump(origin["config"], sort_keys=False, allow_unicode=True, width=120),
        networks=hashes(origin["networks"]),
        inputs=hashes(origin["inputs"]),
    )
