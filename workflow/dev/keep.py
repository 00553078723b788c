"""Keep the rows of a large population in data/, beside those kept before, with a network that witnesses what they mean
(`python workflow/dev/keep.py c91_batch`, once the population is built); or the rows of watched networks' snapshots
(`… embedding_mlp`), or of the pilot or the competition (`… pilot`); or all networks of config/held_out.yaml that are
built, in data/held_out, with what notebooks recorded on them (`… held_out`)."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import own_library  # noqa: F401
import pandas as pd

from modadd.core.files import write_whole
from modadd.core.parquet import read_table, write_table
from modadd.core.wording import unknown
from modadd.ledger.claims import counts_networks
from modadd.ledger.entries import read_ledger
from modadd.ledger.freeze import FROZEN, differing, frozen, state, whole
from modadd.ledger.here import VALUES
from modadd.networks.store import Network, load_networks
from modadd.planning.config import read_config
from modadd.planning.datasets import EXPERIMENT, POPULATION, WATCHED, datasets_of
from modadd.planning.paths import kept_table, table_of
from modadd.populations.competition import read_competition
from modadd.populations.events import read_stages
from modadd.populations.pilot import read_pilot
from modadd.populations.tables import read_population, rows_like
from modadd.populations.witnesses import check_witnesses, keep_witness

USAGE = (
    "usage: python workflow/dev/keep.py NAME; a dataset of the config that is trained here, as `snakemake` has built it"
)
CONFIGS = ("config/config.yaml", "config/paper.yaml", "config/kept.yaml")
HELD_OUT = "held_out"
BUILT_APART = Path("results", HELD_OUT)  # a folder of its own, so that nothing of another build is taken for it
READ_EXPERIMENT = {"pilot": read_pilot, "competition": read_competition}


def keep_population(trained: Path, networks: list[Path], kept: Path, freeze: str = "") -> None:
    """Add the rows to the kept ones, in place of those of the same networks, and keep the first of the new ones as a witness.

    Every row says what trained it and, if something was frozen before, the checksum of that `freeze`. Raises ValueError, and
    changes nothing, without networks, and if the columns of the kept rows mean something else today, as their witnesses tell.
    """
    if kept.exists():
        check_witnesses(kept)
    rows = read_population(trained, kept if kept.exists() else None).drop(columns="trained")
    witness = _first_of(rows, networks)
    if witness is None:
        raise ValueError(f"{trained.with_suffix('')} holds no network to keep as a witness; build the population again")
    write_table(rows.assign(freeze=freeze) if freeze else rows, kept)
    keep_witness(witness, kept)
    print(f"{len(read_table(trained))} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


def _first_of(rows: pd.DataFrame, files: Iterable[Path]) -> Network | None:
    """The first network of some files that has a row."""
    for file in files:
        for network in load_networks(file):
            if rows_like(network, rows).any():
                return network
    return None


def keep_stages(built: Path, kept: Path) -> None:
    """Add the rows of every run's snapshots to the kept ones, in place of those of the same seeds."""
    files = sorted(built.glob("seed*.parquet"))
    if not files:
        raise ValueError(f"{built} holds no rows of snapshots; build them first: `snakemake {built}/seed0.parquet`")
    rows = read_stages([*files, *([kept] if kept.exists() else [])])
    write_table(rows, kept)
    print(f"{len(files)} runs added or replaced; {kept} holds {rows.seed.nunique()}", file=sys.stderr)


def keep_experiment(built: Path, kept: Path) -> None:
    """Add the rows of an experiment's networks to the kept ones, in place of those of the same networks."""
    rows = READ_EXPERIMENT[kept.stem]([built, *([kept] if kept.exists() else [])])
    write_table(rows, kept)
    print(f"{len(read_table(built))} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


def keep_held_out() -> None:
    """Keep, once, every population of config/held_out.yaml that is built, and what notebooks recorded in that build.

    Raises ValueError if nothing is frozen, if something is not as it was frozen, and if nothing is built.
    """
    fixed = frozen(Path())
    if not fixed:
        raise ValueError(f"{FROZEN} does not exist; freeze before you train: `python workflow/dev/freeze.py`")
    ledger = read_ledger()
    if apart := differing(fixed, state(ledger)):
        raise ValueError(
            f"{min(apart)} is not as it was frozen: these rows would be of other measures, or judge other claims"
        )
    tables = {name: BUILT_APART / table_of(name) for name in read_config(f"config/{HELD_OUT}.yaml")["datasets"]}
    built = {name: table for name, table in tables.items() if table.exists()}
    if not built:
        raise ValueError(f"no population of config/{HELD_OUT}.yaml is built in {BUILT_APART}; its first lines say how")
    for name, table in built.items():
        kept = Path(f"data/{HELD_OUT}/{name}.parquet")
        if not kept.exists():  # no networks are added afterwards
            keep_population(table, networks_of(table), kept, whole(Path()))
    for claim in ledger["claims"]:
        values = BUILT_APART / VALUES / f"{claim['notebook']}.json"
        if counts_networks(claim) and set(claim["counted_over"]) <= built.keys() and values.exists():
            write_whole(Path(f"data/{HELD_OUT}/values/{values.name}"), values.read_bytes())


def known() -> dict[str, str]:
    """The kind of every dataset that can be kept: of the configs, and of what configs of one's own have built here."""
    config = read_config(*CONFIGS)
    built = {path.stem: POPULATION for path in Path("results/populations").glob("*.parquet")}
    built |= {path.name: WATCHED for path in Path("results/stages").glob("*")}
    for kind in (POPULATION, EXPERIMENT, WATCHED):
        built |= dict.fromkeys(datasets_of(config, kind), kind)
    return built


def keep(name: str) -> None:
    """Keep what is built under a name; raises ValueError, one line, if it is not built, or nothing has the name."""
    kinds = known()
    if name not in kinds:
        raise ValueError(unknown("datasets", "name", name, kinds))
    kind = kinds[name]
    kept = Path(kept_table(name, watched=kind == WATCHED))
    if kind == WATCHED:
        return keep_stages(Path("results/stages") / name, kept)
    built = Path(table_of(name))
    if not built.exists():
        raise ValueError(f"{built} does not exist; build it first: `snakemake --cores all {built}`")
    if kind == EXPERIMENT:
        return keep_experiment(built, kept)
    keep_population(built, networks_of(built), kept)


def networks_of(built: Path) -> list[Path]:
    """The files of a population's networks, in the order of their numbers."""
    return sorted(built.with_suffix("").glob("*.safetensors"), key=by_number)


def by_number(path: Path) -> list[str | int]:
    """A key that sorts names by the numbers in them."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.name)]


if __name__ == "__main__":
    if not sys.argv[1:]:
        print(USAGE, file=sys.stderr)
        sys.exit(2)
    try:
        for name in sys.argv[1:]:
            keep_held_out() if name == HELD_OUT else keep(name)
    except (OSError, ValueError) as error:
        sys.exit(f"keep: {error}")
