"""Execute a py:percent notebook with papermill and keep it as .ipynb and HTML, both free of clocks, hosts and paths."""

import os
import sys
from pathlib import Path

from modadd.notebooks import execute, to_html
from modadd.settings import require_parameters

if __name__ == "__main__":
    with open(snakemake.log[0], "w", buffering=1) as sys.stderr:
        os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent)  # the kernel imports modadd too
        os.environ["PYTHONWARNINGS"] = "error::UserWarning,error::RuntimeWarning"
        notebook, overrides = snakemake.input.notebook, snakemake.params.overrides
        require_parameters(overrides, notebook, notebook)
        parameters = {
            "network_file": snakemake.input.network,
            "figures": f"figures/{Path(notebook).stem}",
            "values_file": snakemake.output.values,
            "published": snakemake.params.published,
            **overrides,
        }
        execute(Path(notebook), Path(snakemake.output.executed), parameters)
        to_html(Path(snakemake.output.executed), Path(snakemake.output.page), Path(snakemake.input.template))
