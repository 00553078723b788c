"""Keep in data/ what was built here, beside what was kept before (`python workflow/dev/keep.py WHAT ...`).

c91_batch    a population: the rows of its shards that are planned in config/kept.yaml and built, with a network that witnesses what they mean
embedding_mlp, competition    watched networks: the rows of their snapshots; an experiment: its rows
published    what a full build measured on published weights, with the figures that show them best
weights      fetches published weights into data/external, and prints the config that names them
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pandas as pd
from project import errors_of
from published import KEPT, keep_published, keep_weights

from modadd.core.parquet import read_table, write_table
from modadd.core.wording import require_known
from modadd.networks.store import Network, load_networks
from modadd.populations.competition import read_competition
from modadd.populations.events import read_stages
from modadd.populations.published_log import read_published_log
from modadd.populations.symmetric_sets import read_symmetric_sets
from modadd.populations.tables import one_each, rows_like, rows_of_networks
from modadd.populations.unmeasured import stacked
from modadd.populations.witnesses import check_witness, keep_witness
from paper.config import read_config
from paper.datasets import Shard, datasets_of, table_of
from paper.ledger.read.entries import read_ledger

POPULATION, EXPERIMENT, WATCHED = "population", "experiment", "watched"  # kinds of datasets
CONFIGS = ("config/config.yaml", "config/paper.yaml", "config/kept.yaml")
READ_EXPERIMENT = {
    "competition": read_competition,
    "published_log": read_published_log,
    "symmetric_sets": read_symmetric_sets,
}


def keep_population(trained: list[Path], networks: list[Path], kept: Path, alone: bool = False) -> None:
    """Add the rows of some tables to the kept ones, in place of those of the same networks, and keep their first as a witness.

    `alone`: no row that is kept already stays. Every row says what trained it. Raises ValueError, and changes nothing, without
    networks, and if the columns of kept rows that stay mean something else today, as their witness tells.
    """
    before = [kept] if kept.exists() and not alone else []
    for table in before:
        check_witness(table)
    rows = one_each(stacked(map(rows_of_networks, [*trained, *before])))
    witness = _first_of(rows, networks)
    if witness is None:
        raise ValueError(
            f"{kept.stem}: no file of a trained network is there to keep as a witness; build the population again"
        )
    write_table(rows, kept)
    keep_witness(witness, kept)
    _say(trained, rows, kept)


def _first_of(rows: pd.DataFrame, files: Iterable[Path]) -> Network | None:
    """The first network of some files that has a row."""
    for file in files:
        for network in load_networks(file):
            if rows_like(network, rows).any():
                return network
    return None


def keep_rows(built: list[Path], kept: Path, read: Callable[[list[Path]], pd.DataFrame]) -> None:
    """Add rows to the kept ones as `read` does: in place of those of the same networks."""
    before = [kept] if kept.exists() else []
    rows = read([*built, *before])
    write_table(rows, kept)
    _say(built, rows, kept)


def _say(built: list[Path], rows: pd.DataFrame, kept: Path) -> None:
    added = sum(len(read_table(file)) for file in built)
    print(f"{added} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


NO_DATASET = {
    "published": lambda: keep_published(KEPT, read_ledger()),
    "weights": keep_weights,
}


def known() -> dict[str, str]:
    """The kind of every dataset that can be kept: of the configs, and of what configs of one's own have built here."""
    planned = datasets_of(read_config(*CONFIGS))
    kinds = dict.fromkeys((table.stem for table in Path("results/populations").glob("*.parquet")), POPULATION)
    kinds |= dict.fromkeys((folder.name for folder in Path("results/stages").glob("*")), WATCHED)
    kinds |= dict.fromkeys(planned.populations, POPULATION) | dict.fromkeys(planned.experiments, EXPERIMENT)
    return kinds | dict.fromkeys(planned.watched, WATCHED)


def keep(name: str) -> None:
    """Keep what is built under a name; raises ValueError, one line, if it is not built, or nothing has the name."""
    if name in NO_DATASET:
        return NO_DATASET[name]()
    kinds = known()
    require_known("datasets", "name", [name], [*kinds, *NO_DATASET])
    kind = kinds[name]
    table = Path(table_of(name))
    kept = Path(f"data/stages/{name}.parquet") if kind == WATCHED else Path("data", table.relative_to("results"))
    if kind == WATCHED:
        folder = Path("results/stages") / name
        runs = sorted(folder.glob("seed*.parquet"), key=by_number)
        if not runs:
            raise _unbuilt(folder / "seed0.parquet")
        keep_rows(runs, kept, read_stages)
    elif kind == POPULATION:
        _keep_shards(name, table, kept)
    elif table.exists():
        keep_rows([table], kept, READ_EXPERIMENT[name])
    else:
        raise _unbuilt(table)


def _keep_shards(name: str, table: Path, kept: Path) -> None:
    """Keep the shards that are built of a population, as config/kept.yaml plans it; of one that only another config has, all."""
    folder = table.with_suffix("")
    planned = datasets_of(read_config(*CONFIGS)).populations
    if name not in planned:
        return keep_population([table], networks_in(folder), kept)
    rows = []
    networks = []
    for shard in planned[name].shards:
        trained = folder / f"{shard.name}.safetensors"
        measured = trained.with_suffix(".parquet")
        if measured.exists() and _follows(trained, shard):
            rows.append(measured)
            networks.append(trained)
    if not rows:
        raise _unbuilt(table)
    keep_population(rows, networks, kept)


def _follows(file: Path, shard: Shard) -> bool:
    """Whether the networks of a file have the recipe of a shard: another config may train as many for fewer updates."""
    return file.exists() and load_networks(file)[0].recipe == shard.recipe


def _unbuilt(target: Path) -> ValueError:
    return ValueError(f"no row of {target} is built; build it first: `snakemake --cores all {target}`")


def networks_in(folder: Path) -> list[Path]:
    """The files of a population's networks, in the order of their numbers."""
    return sorted(folder.glob("*.safetensors"), key=by_number)


def by_number(path: Path) -> list[str | int]:
    """A key that sorts names by the numbers in them."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.name)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="+", help="of a dataset, or one of " + ", ".join(NO_DATASET))
    with errors_of("keep"):
        for name in parser.parse_args().name:
            keep(name)
