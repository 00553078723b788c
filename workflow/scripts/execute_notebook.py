"""Execute a py:percent notebook with papermill and keep it as .ipynb and HTML, both free of clocks, hosts and paths."""

from pathlib import Path

from modadd.core.jobs import begin
from modadd.page.notebooks import execute, to_html
from modadd.run.config import EXPERIMENTS
from modadd.run.settings import notebook_parameters

if __name__ == "__main__":
    begin(snakemake.log[0])
    notebook = snakemake.input.notebook
    parameters = {
        "network_file": snakemake.input.network,
        "figures": f"figures/{Path(snakemake.output.values).stem}",
        "values_file": snakemake.output.values,
        "published": snakemake.params.published,
        **snakemake.params.overrides,
    }
    offered = {
        "losses_file": snakemake.input.losses,
        "history_file": snakemake.input.history,
        **{
            name: snakemake.params[name]
            for name in ("populations", "kept", "claims", "others", "external", "stages", "proofs", *EXPERIMENTS)
        },
    }
    declared = notebook_parameters(notebook)
    parameters |= {name: value for name, value in offered.items() if name in declared}  # in this order: cells show it
    execute(Path(notebook), Path(snakemake.output.executed), parameters)
    page = Path(snakemake.output.page)
    to_html(Path(snakemake.output.executed), page, Path(snakemake.input.template), figures=f"../{page.stem}")
