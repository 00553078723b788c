"""What a build is of: a checked config and the ledger, with the datasets and questions that follow from them."""

import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from snakemake.utils import validate

from modadd.core.files import ROOT, Data, visible
from paper.config import check_config, with_numbers
from paper.datasets import Datasets, Population, datasets_of
from paper.ledger.read.entries import ledger_files, read_ledger
from paper.ledger.read.known import require_measures
from paper.ledger.read.published import require_known_weights
from paper.questions import Question, questions_of
from paper.schemas import SCHEMAS
from paper.yaml_files import read_yaml

PUBLISHED = "data/published/values.json"  # what was measured of published weights


@dataclass(frozen=True)
class Build:
    """A config with its defaults, the ledger, and what follows: the datasets by kind, the questions by name."""

    config: Data
    ledger: Data
    datasets: Datasets
    questions: Mapping[str, Question]

    @property
    def together(self) -> dict[str, list[Population]]:
        """Populations by their architecture, where the config says that those of one share their jobs; else none."""
        found: dict[str, list[Population]] = {}
        for population in self.datasets.populations.values() if self.config["together"] else ():
            found.setdefault(population.architecture, []).append(population)
        return found

    @property
    def judged(self) -> dict[str, Any]:
        """What claims are judged on, as `judge_built` takes it."""
        return {
            "scale": self.config["scale"],
            "external": sorted(self.datasets.imported),
            "rows": {name: question.rows for name, question in self.questions.items()},
        }


def say_future(files: Iterable[Path]) -> None:
    """Say which files are dated in the future: Snakemake would delete what is made of them, as it would seem older."""
    late = [file for file in files if file.stat().st_mtime > time.time() + 60]
    if late:
        others = f" and {len(late) - 1} more" if len(late) > 1 else ""
        print(f"{late[0]}{others}: dated in the future; `touch` them before they are built", file=sys.stderr)


def read_build(
    config: Mapping[str, Any], published: str, files: Iterable[Path | str] = (), check: bool = True
) -> Build:
    """The build of a config as Snakemake gives it, from the `files` that it read.

    With `check`, ValueError names in one line the first thing in config or ledger that is wrong; without, they were checked before.
    """
    ledger = read_ledger()
    settled = with_numbers(config)
    if check:
        say_future([*ledger_files(), *visible(ROOT, "notebooks/*/*.py")])
        for file in files:
            read_yaml(file)  # Snakemake keeps the last of two equal keys without a word
        datasets = check_config(settled, ledger)
        require_measures(datasets, ledger)
        require_known_weights(ledger["claims"], published, datasets.imported)
    validate(settled, str(SCHEMAS / "config.schema.yaml"))  # fills in the defaults
    datasets = datasets_of(settled)
    return Build(settled, ledger, datasets, questions_of(settled, ledger, datasets))
