"""Execute a py:percent notebook with papermill and keep it as .ipynb and HTML, both free of clocks, hosts and paths."""

import os
import sys
from pathlib import Path

from modadd.notebooks import execute, to_html
from modadd.settings import require_parameters

if __name__ == "__main__":
    with open(snakemake.log[0], "w", buffering=1) as sys.stderr:  # noqa: F821
        os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent)  # the kernel imports modadd too
        os.environ["PYTHONWARNINGS"] = "error::UserWarning,error::RuntimeWarning"
        notebook, overrides = snakemake.input.notebook, snakemake.params.overrides  # noqa: F821
        require_parameters(overrides, notebook, notebook)
        parameters = {
            "network_file": snakemake.input.network,  # noqa: F821
            "figures": snakemake.params.figures,  # noqa: F821
            "values_file": snakemake.output.values,  # noqa: F821
            "published": snakemake.params.published,  # noqa: F821
            **overrides,
        }
        execute(Path(notebook), Path(snakemake.output.executed), parameters)  # noqa: F821
        to_html(Path(snakemake.output.executed), Path(snakemake.output.page))  # noqa: F821
