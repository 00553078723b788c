"""Put the verdicts, the benchmark and the picture of this build into README.md, so that nothing there is typed in by hand."""

import json
import shutil
import sys
from pathlib import Path

from modadd.sections import with_section
from modadd.verdicts import NOT_JUDGED


def update_readme(readme: Path, sections: dict[str, Path], verdicts: Path, scale: str, picture: Path) -> None:
    """Replace each section between its two markers; raises ValueError if one is missing or a claim was not judged.

    Claims about published weights, which are not part of the repository, may stay unjudged.
    """
    rows = [row for row in json.loads(verdicts.read_text()) if scale in row["scales"] and row["external"] is None]
    unjudged = [row["id"] for row in rows if row["verdict"] == NOT_JUDGED]
    if unjudged:
        raise ValueError(
            f"{readme} shows a full build of the published recipes; not judged here: {', '.join(unjudged)}"
        )
    text = readme.read_text()
    for name, content in sections.items():
        text = with_section(text, name, content.read_text(), readme)
    readme.write_text(text)
    folder = readme.parent / "docs"
    folder.mkdir(exist_ok=True)
    shutil.copyfile(picture, folder / picture.name)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    update_readme(
        Path("README.md"),
        sections={"claims": Path(snakemake.input.claims), "bench": Path(snakemake.input.bench)},
        verdicts=Path(snakemake.input.verdicts),
        scale=snakemake.params.scale,
        picture=Path(snakemake.input.picture),
    )
