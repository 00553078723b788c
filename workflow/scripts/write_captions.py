"""Write every caption of the ledger to a file of its own, for `snakemake --report`."""

import re
from pathlib import Path

from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger

MARKUP = r"[\\*`|_]"  # characters that a caption means as they stand

if __name__ == "__main__":
    begin(snakemake.log[0])
    notebooks = read_ledger()["notebooks"]
    for file in map(Path, snakemake.output.captions):
        entry = notebooks[file.parent.name]
        captions = {**entry.get("figures", {}), **entry.get("tables", {})}
        caption = captions[file.stem]
        plain = re.sub(MARKUP, r"\\\g<0>", caption).strip()
        file.write_text(plain + "\n", encoding="utf-8")
