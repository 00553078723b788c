"""Put the verdict table and the picture of this build into README.md, so that nothing there is typed in by hand."""

import shutil
import sys
from pathlib import Path

START, END = "<!-- claims: written by `make readme` -->", "<!-- end of claims -->"


def update_readme(readme: Path, claims: Path, picture: Path) -> None:
    """Replace what stands between the markers; raises ValueError if a marker is missing."""
    before, _, rest = readme.read_text().partition(START)
    old, _, after = rest.partition(END)
    if not after:
        raise ValueError(f"{readme}: expected the markers '{START}' and '{END}', each once")
    readme.write_text(f"{before}{START}\n\n{claims.read_text()}\n{END}{after}")
    folder = readme.parent / "docs"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(picture, folder / picture.name)


if __name__ == "__main__":
    with open(snakemake.log[0], "w", buffering=1) as sys.stderr:
        update_readme(Path("README.md"), Path(snakemake.input.claims), Path(snakemake.input.picture))
