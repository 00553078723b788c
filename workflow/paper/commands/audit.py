"""Draw some kept rows, train their networks again, and compare every bit of every number (`make audit`)."""

import argparse
import shutil
import sys
from pathlib import Path

from tabulate import tabulate

from modadd.core.parquet import read_table
from modadd.core.wording import unknown
from modadd.populations.audit import Drawn, as_dataset, drawn, otherwise
from paper.commands.build import build
from paper.commands.options import seed, whole_number, with_cores
from paper.config import read_config
from paper.datasets import table_of
from paper.outputs import write_config

FOLDER = Path("results/audit")  # the networks are trained there, apart from the build; it goes when all is equal
KEPT = Path("data/populations")
SHOWN = 20  # numbers that differ, in the table
COLUMNS = ["table", "seed", "column", "kept", "trained again"]


def tables_named(dataset: str | None) -> dict[str, Path]:
    """The kept tables by name, or the one of a dataset; raises ValueError for a name that none has."""
    tables = {path.stem: path for path in sorted(KEPT.glob("*.parquet"))}
    if dataset is None:
        return tables
    if dataset not in tables:
        raise ValueError(unknown("DATASET", "table of kept rows", dataset, tables))
    return {dataset: tables[dataset]}


def train_again(chosen: dict[str, Drawn], cores: str) -> None:
    """Build the tables of the drawn networks in FOLDER; an interrupted run goes on there."""
    config = read_config("config/config.yaml")
    for name, rows in chosen.items():
        config["datasets"][name] = as_dataset(rows)
    file = FOLDER / "audit.yaml"
    FOLDER.mkdir(parents=True, exist_ok=True)
    write_config(config, file)
    tables = map(table_of, chosen)
    log = FOLDER / "results/logs/build.log"
    build(FOLDER, log, [str(file)], *tables, "--cores", cores)


def audit(dataset: str | None, number: int, seed: int, cores: str) -> None:
    """Draw, train, compare, print what differs; exits with status 1 if a bit does."""
    groups = drawn(tables_named(dataset), number, seed)
    chosen = {}
    networks = 0
    tables = set()
    for place, rows in enumerate(groups):
        chosen[f"audit_{place}_{rows.table}"] = rows
        networks += len(rows.rows)
        tables.add(rows.table)
    print(f"audit: {networks} networks of {len(tables)} tables, drawn by seed {seed}", flush=True)
    train_again(chosen, cores)
    compared = 0
    differing = []
    for name, rows in chosen.items():
        table = read_table(FOLDER / table_of(name))
        again = {row["seed"]: row for row in table.to_dict("records")}
        for kept in rows.rows.to_dict("records"):
            count, others = otherwise(kept, again[kept["seed"]])
            compared += count
            for column, both in others.items():
                line = (rows.table, kept["seed"], column, *map(str, both))
                differing.append(line)
    if differing:
        print(tabulate(differing[:SHOWN], headers=COLUMNS, maxcolwidths=[20, 10, 30, 40, 40]))
        sys.exit(f"audit: {len(differing)} of {compared:,} numbers differ; the networks are in {FOLDER}")
    shutil.rmtree(FOLDER)
    print(f"audit: all {compared:,} numbers of {networks} networks are the kept ones, to the last bit")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How many rows, from which seed, of which table."""
    with_cores(parser)
    parser.add_argument("--rows", type=whole_number, default=20, help="how many are drawn (default: %(default)s)")
    parser.add_argument("--seed", type=seed, default=0, help="of the draw (default: %(default)s)")
    parser.add_argument("--dataset", help="draw from the rows of one table alone")


def run(options: argparse.Namespace) -> None:
    """Audit what the options draw."""
    audit(options.dataset, options.rows, options.seed, options.cores)
