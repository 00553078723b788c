"""Pack the project for anonymous review: its files without the names of its authors and without its history."""

import sys
from pathlib import Path

from modadd.networks import write_whole
from modadd.review import bundle, names_in, removable

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    names = names_in(Path("."))
    for name in names:
        print(f"{'removed' if removable(name) else 'NOT removed, look for it yourself'}: {name}", file=sys.stderr)
    write_whole(Path(snakemake.output.zip), bundle(Path("."), list(snakemake.input.files), names, folder="modadd"))
