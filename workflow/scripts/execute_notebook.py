"""Execute a py:percent notebook with papermill and keep it as .ipynb and HTML, both free of clocks, hosts and paths."""

from pathlib import Path
from typing import Any

from snakemake.iocontainers import Snakemake

from modadd.core.files import read_json
from modadd.core.jobs import begin
from modadd.page.found import found_in_words
from modadd.page.notebooks import execute, to_html


def parameters_of(snakemake: Snakemake) -> dict[str, Any]:
    """What a job gives to the cell `parameters` of its notebook."""
    written = {"figures": f"figures/{Path(snakemake.output.values).stem}", "values_file": snakemake.output.values}
    return {**snakemake.params.inputs, **written, **snakemake.params.told, **snakemake.params.overrides}


if __name__ == "__main__":
    begin(snakemake.log[0])
    execute(Path(snakemake.input.notebook), Path(snakemake.output.executed), parameters_of(snakemake))
    page = Path(snakemake.output.page)
    found = found_in_words(page.stem, snakemake.params.found, read_json(snakemake.output.values))
    template = Path(snakemake.input.template)
    to_html(Path(snakemake.output.executed), page, template, f"../{page.stem}", found, snakemake.params.near)
