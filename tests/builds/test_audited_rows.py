"""`make audit` in a copy of the project: a kept row comes out to the last bit, and one changed bit is found."""

from pathlib import Path

import numpy as np
import pytest
from support import copy_tree, paper

from modadd.core.parquet import read_table, write_table

TABLE = Path("data/populations/few_one_hot.parquet")
ON_A_GPU = Path("data/populations/few_factored.parquet")
DATASET = ("--dataset", TABLE.stem)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project that keeps one row of each of two tables, of the smallest network; the one is said to be of a GPU."""
    folder = copy_tree(tmp_path_factory.mktemp("audited") / "project")
    for table in (TABLE, ON_A_GPU):
        rows = read_table(folder / table).sort_values(["modulus", "seed"])[:1]
        write_table(rows if table == TABLE else rows.assign(arithmetic="cublas"), folder / table)
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
        (["--dataset", ON_A_GPU.stem], "nothing can be audited"),
    ],
)
def test_what_cannot_be_audited_is_refused_in_one_line(project: Path, options: list[str], words: str) -> None:
    said = paper(project, "audit", *DATASET, *options, check=False)
    assert words in said.splitlines()[-1]
