"""Write every caption of the ledger to a file of its own, for `snakemake --report`."""

import re
from pathlib import Path

from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger

if __name__ == "__main__":
    begin(snakemake.log[0])
    notebooks = read_ledger()["notebooks"]
    for file in map(Path, snakemake.output.captions):
        entry = notebooks[file.parent.name]
        caption = (entry.get("figures", {}) | entry.get("tables", {}))[file.stem]
        plain = re.sub(r"([\\*`|_])", r"\\\1", caption)  # nothing in it is markup
        file.write_text(plain.strip() + "\n", encoding="utf-8")
