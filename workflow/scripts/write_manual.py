"""Write the manual of the config from its schema."""

import sys
from pathlib import Path

from modadd.manual import manual
from modadd.settings import read_yaml

if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    Path(snakemake.params.manual).write_text(manual(read_yaml(snakemake.input.schema)))
