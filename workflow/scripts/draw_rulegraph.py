"""Put the graph of the rules into README.md, drawn by Snakemake in Mermaid, which GitHub shows as a picture."""

import sys
from pathlib import Path

from modadd.clones import run_snakemake
from modadd.rulegraph import condensed
from modadd.sections import with_section

if __name__ == "__main__":
    log, readme = Path(snakemake.log[0]), Path("README.md")
    if not run_snakemake(Path("."), "all", "--rulegraph", "mermaid-js", "--nolock", "--profile", "none", log=log):
        sys.exit(log.read_text())
    picture = f"```mermaid\n{condensed(log.read_text())}```\n"
    readme.write_text(with_section(readme.read_text(), "rulegraph", picture, readme))
