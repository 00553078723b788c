"""Draw some kept rows, train their networks again, and compare every bit of every number (`make audit`)."""

import argparse
import shutil
import sys
from pathlib import Path

import own_library  # noqa: F401
from build import build
from command import errors_of, whole_number, with_cores
from tabulate import tabulate

from modadd.core.parquet import read_table
from modadd.core.wording import unknown
from modadd.planning.config import read_config
from modadd.planning.outputs import write_config
from modadd.planning.paths import table_of
from modadd.populations.audit import Drawn, as_dataset, drawn, otherwise
from modadd.run.project import copy_project

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
    copy_project(Path("."), FOLDER)
    config = read_config("config/config.yaml")
    for name, rows in chosen.items():
        config["datasets"][name] = as_dataset(rows)
    file = FOLDER / "audit.yaml"
    write_config(config, file)
    tables = map(table_of, chosen)
    options = ["--profile", "none", "--rerun-incomplete", "--cores", cores]
    log = FOLDER / "results/logs/build.log"
    build(FOLDER, log, [str(file)], *tables, *options)


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


if __name__ == "__main__":
    parser = with_cores(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--rows", type=whole_number, default=20, help="how many are drawn (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the draw (default: %(default)s)")
    parser.add_argument("--dataset", help="draw from the rows of one table alone")
    options = parser.parse_args()
    with errors_of("audit"):
        audit(options.dataset, options.rows, options.seed, options.cores)
