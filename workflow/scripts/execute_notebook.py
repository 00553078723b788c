"""Execute a py:percent notebook with papermill and keep it as .ipynb, free of clocks, hosts and paths."""

import own_code  # noqa: F401

# isort: split

import gc

# Imports make objects that stay: to look through them again and again would take a tenth of a notebook.
gc.set_threshold(100_000)

from pathlib import Path

from modadd.core.files import read_json, sha256
from paper.executed import code_cells, require_declared, saved_in
from paper.execution import execute
from paper.headers import require_recipes
from paper.jobs import begin
from paper.notebook import RECORDED

if __name__ == "__main__":
    begin(snakemake.log[0])
    require_recipes(snakemake.params.recipes)
    name = Path(snakemake.output.executed).stem
    # Snakemake deletes the outputs of a job that fails, but keeps its log: until all is well, the notebook stands beside it.
    executed = Path(snakemake.log[0]).with_suffix(".ipynb")
    executed.unlink(missing_ok=True)  # of a job that failed before: one that is killed now leaves none of its own
    execute(Path(snakemake.input.notebook), executed, snakemake.params.given)
    pictures = [*snakemake.output.figures, *snakemake.output.tables]
    require_declared(
        name,
        made=saved_in(code_cells(executed)).keys() - {RECORDED},
        declared={Path(file).stem for file in pictures},
        recorded=read_json(snakemake.output.values)["values"],
        claimed=snakemake.params.claimed,
    )
    Path(snakemake.output.sha256).write_text(f"{sha256(snakemake.output.values)}\n", encoding="utf-8")
    executed.replace(snakemake.output.executed)
