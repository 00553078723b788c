"""`make audit` in a copy of the project: a kept row comes out to the last bit, and one changed bit is found."""

from pathlib import Path

import numpy as np
import pytest
from keep import CONFIGS
from support import copy_tree, paper

from modadd.core.parquet import read_table, write_table
from modadd.populations.columns.every import row_of_any
from modadd.training.train import train_network
from paper.config import read_config
from paper.datasets import datasets_of

TABLE = Path("data/populations/few_one_hot.parquet")


DATASET = ("--dataset", "few_one_hot")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that keeps one row of this table, of the smallest network, trained by today's arithmetic."""
    folder = copy_tree(tmp_path_factory.mktemp("audited") / "project")
    smallest = datasets_of(read_config(*CONFIGS)).populations[TABLE.stem].shards[0]
    network, _ = train_network(smallest.recipe, smallest.seeds[0], folder.parent / "checkpoint")
    write_table([row_of_any(network)], folder / TABLE)
    return folder


def test_a_kept_row_comes_out_to_the_last_bit(project: Path) -> None:
    assert "numbers of 1 networks are the kept ones, to the last bit" in paper(project, "audit", *DATASET)
    assert not (project / "results/audit").exists()


def test_one_changed_bit_is_found(project: Path) -> None:
    rows = read_table(project / TABLE)
    write_table(rows.assign(train_loss=np.nextafter(rows.train_loss, 1)), project / TABLE)
    said = paper(project, "audit", *DATASET, check=False)
    write_table(rows, project / TABLE)
    assert "train_loss" in said and "audit: 1 of" in said, said


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rows", "0"], "expected a whole number of at least 1, got '0'"),
        (["--dataset", "few_onehot"], "did you mean 'few_one_hot'?"),
        (["--dataset", "c91_batch"], "nothing can be audited"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_one_line(project: Path, options: list[str], words: str) -> None:
    said = paper(project, "audit", *DATASET, *options, check=False)
    assert words in said.splitlines()[-1]
