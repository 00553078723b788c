"""Execute a py:percent notebook with papermill and keep it as .ipynb and HTML, both free of clocks, hosts and paths."""

import gc

# Imports make objects that stay: to look through them again and again would take a tenth of a notebook.
gc.set_threshold(100_000)

from pathlib import Path

from modadd.core.files import read_json
from modadd.core.jobs import begin
from modadd.ledger.record import RECORDED
from modadd.page.cells import code_cells, require_declared, saved_in
from modadd.page.found import found_in_words
from modadd.page.notebooks import execute, to_html

if __name__ == "__main__":
    begin(snakemake.log[0])
    page = Path(snakemake.output.page)
    # Snakemake deletes the outputs of a job that fails, but keeps its log: until all is well, the notebook stands beside it.
    executed = Path(snakemake.log[0]).with_suffix(".ipynb")
    executed.unlink(missing_ok=True)  # of a job that failed before: one that is killed now leaves none of its own
    execute(Path(snakemake.input.notebook), executed, snakemake.params.given)
    recorded = read_json(snakemake.output.values)
    saved = saved_in(code_cells(executed))
    pictures = [*snakemake.output.figures, *snakemake.output.tables]
    require_declared(
        page.stem,
        made=saved.keys() - {RECORDED},
        declared={Path(file).stem for file in pictures},
        recorded=recorded["values"],
        claimed=snakemake.params.claimed,
    )
    found = found_in_words(page.stem, snakemake.params.found, recorded)
    template = Path(snakemake.input.template)
    to_html(executed, page, template, f"../{page.stem}", found, snakemake.params.near)
    executed.replace(snakemake.output.executed)
