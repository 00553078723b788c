"""Write every caption of the ledger to a file of its own, for `snakemake --report`."""

import re
import sys
from pathlib import Path

from modadd.ledger.entries import read_ledger

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    notebooks = read_ledger(snakemake.input.ledger, snakemake.params.schema)["notebooks"]
    for file in map(Path, snakemake.output.captions):
        entry = notebooks[file.parent.name]
        caption = (entry.get("figures", {}) | entry.get("tables", {}))[file.stem]
        file.write_text(re.sub(r"([\\*`|_])", r"\\\1", caption).strip() + "\n")  # nothing in it is markup
