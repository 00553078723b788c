"""Put the verdicts, the benchmark and the picture of this build into README.md and docs, so that nothing there is typed in by hand."""

import json
import shutil
import sys
from pathlib import Path

import pandas as pd
from modadd.sections import with_section
from modadd.settings import read_yaml
from modadd.site import verdict_counts
from modadd.verdicts import NOT_JUDGED

CLAIMS = """# Every claim, with its verdict

Written by `make readme` from a full build (scale `{scale}`). Lists run over the key frequencies in order; "differs" is a result,
explained on the page `figures/index.html`. The entries, with their explanations, stand in [the ledger](../data/claims.yaml).

{table}"""


RATIOS = ["faster than published", "faster than autograd", "over the floor", "late over early"]


def speed_table(bench: Path, kept: Path) -> str:
    """The ratios of every benchmark, a column for each processor: those kept before and, in its place, the one of `bench`."""
    new = pd.read_csv(bench)
    old = pd.read_csv(kept) if kept.exists() else new[:0]
    every = pd.concat([old[~old.processor.isin(new.processor)], new], ignore_index=True)
    every.to_csv(kept, index=False)
    lines = every.melt(["step", "processor"], RATIOS, "ratio").dropna(subset="value")
    table = lines.pivot(index=["step", "ratio"], columns="processor", values="value")
    table = table.astype(object).where(table.notna(), None)
    order = [(step, ratio) for step in new.step for ratio in RATIOS if (step, ratio) in table.index]
    return table.loc[order].reset_index().to_markdown(index=False, floatfmt=".2f", missingval="–") + "\n"


def update_readme(
    readme: Path, ledger: Path, table: Path, bench: Path, kept: Path, verdicts: Path, scale: str, picture: Path
) -> None:
    """Count the verdicts in the README and list all of them in docs/claims.md, beside the picture.

    Raises ValueError if a marker of the README is missing or a claim was not judged; claims about published weights, which
    are not part of the repository, may stay unjudged.
    """
    rows = json.loads(verdicts.read_text())
    here = [row for row in rows if scale in row["scales"] and row["external"] is None]
    unjudged = [row["id"] for row in here if row["verdict"] == NOT_JUDGED]
    if unjudged:
        raise ValueError(
            f"{readme} shows a full build of the published recipes; not judged here: {', '.join(unjudged)}"
        )
    counts = verdict_counts(rows, read_yaml(ledger)["papers"]).rename_axis("source")
    text = with_section(readme.read_text(), "claims", counts.to_markdown() + "\n", readme)
    text = with_section(text, "bench", speed_table(bench, kept), readme)
    readme.write_text(text)
    folder = readme.parent / "docs"
    folder.mkdir(exist_ok=True)
    (folder / "claims.md").write_text(CLAIMS.format(scale=scale, table=table.read_text()))
    shutil.copyfile(picture, folder / picture.name)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    update_readme(
        Path("README.md"),
        ledger=Path(snakemake.input.ledger),
        table=Path(snakemake.input.claims),
        bench=Path(snakemake.input.bench),
        kept=Path(snakemake.params.kept),
        verdicts=Path(snakemake.input.verdicts),
        scale=snakemake.params.scale,
        picture=Path(snakemake.input.picture),
    )
