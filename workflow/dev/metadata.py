"""Write what archives and checkers read of CITATION.cff and of README's results (`python workflow/dev/metadata.py`):
codemeta.json, .zenodo.json, codecheck.yml."""

import json
import os
import re
from pathlib import Path

import yaml
from project import errors_of, without_arguments

from modadd.core.files import ROOT
from paper.citation import codecheck, codemeta, read_citation, zenodo
from paper.yaml_files import read_yaml

RESULT = re.compile(r"^\| [✓≈◐✗§?+− ]+ \| (?P<says>.*) \| \[.*\]\(.*\) \| `(?P<claim>\w+)` \|$", re.MULTILINE)
EVERY_CLAIM = {
    "file": "figures/claims.csv",
    "comment": "Every claim: printed and measured number, verdict. Command: make",
}


def manifest_of(readme: str) -> list[dict[str, str]]:
    """What the results of README.md say, each with the figure that shows it; then the table of all claims.

    Raises ValueError, one line, if README.md has not the results of data/readme.yaml.
    """
    told = {match["claim"]: match["says"] for match in RESULT.finditer(readme)}
    manifest = []
    for entry in read_yaml(ROOT / "data/readme.yaml")["results"]:
        claim = next(iter(entry["claims"]))
        if claim not in told:
            raise ValueError(f"README.md: expected a result that names '{claim}'; workflow/dev/readme.py writes it")
        comment = f"{told[claim]} Command: make check CLAIM={claim}"
        manifest.append({"file": f"figures/{entry['figure']}.png", "comment": comment})
    return [*manifest, EVERY_CLAIM]


def metadata() -> dict[str, str]:
    """By file, what it should say today; raises ValueError as `read_citation` and `manifest_of` do."""
    citation = read_citation()
    manifest = manifest_of((ROOT / "README.md").read_text(encoding="utf-8"))
    checked = yaml.safe_dump(codecheck(citation, manifest), sort_keys=False, allow_unicode=True, width=120)
    return {
        "codemeta.json": json.dumps(codemeta(citation), indent=2, ensure_ascii=False) + "\n",
        ".zenodo.json": json.dumps(zenodo(citation), indent=2, ensure_ascii=False) + "\n",
        "codecheck.yml": f"---\n# Written by workflow/dev/metadata.py; a name, a report and a certificate are the checker's.\n{checked}",
    }


def write_metadata() -> None:
    """Write the three files; raises ValueError as `metadata` does."""
    for name, text in metadata().items():
        Path(name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    without_arguments(__doc__)
    os.chdir(ROOT)
    with errors_of("metadata"):
        write_metadata()
