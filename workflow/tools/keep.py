"""Keep the rows of a large population in data/, beside those kept before, with networks that witness what they mean
(`make keep POPULATION=c91_batch`, once the population is built); or the rows of a study's snapshots
(`make keep POPULATION=stages/embedding_mlp`), or of the pilot or the
competition (`make keep POPULATION=pilot`)."""

import sys
from pathlib import Path

from modadd.core.parquet import read_table, write_table
from modadd.networks.store import load_networks
from modadd.populations.competition import read_competition
from modadd.populations.pilot import read_pilot
from modadd.populations.rows import check_witnesses, keep_witnesses
from modadd.populations.stages import read_stages
from modadd.populations.tables import read_population


def keep_population(trained: Path, networks: list[Path], kept: Path) -> None:
    """Add the rows to the kept ones, in place of those of the same networks, and keep witnesses of the new ones.

    Every row says what trained it. Raises ValueError, and changes nothing, if the columns of the kept rows mean
    something else today, as their witnesses tell.
    """
    if kept.exists():
        check_witnesses(kept)
    rows = read_population(trained, kept if kept.exists() else None).drop(columns="trained")
    first = [network for path in networks[:2] for network in load_networks(path)]
    write_table(rows, kept)
    keep_witnesses(first, kept)
    print(f"{len(read_table(trained))} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


def keep_stages(built: Path, kept: Path) -> None:
    """Add the rows of every run's snapshots to the kept ones, in place of those of the same seeds."""
    files = sorted(built.glob("seed*.parquet"))
    if not files:
        sys.exit(f"{built} holds no rows of snapshots; build them first: `snakemake {built}/seed0.parquet`")
    rows = read_stages([*files, *([kept] if kept.exists() else [])])
    write_table(rows, kept)
    print(f"{len(files)} runs added or replaced; {kept} holds {rows.seed.nunique()}", file=sys.stderr)


EXPERIMENTS = {"pilot": read_pilot, "competition": read_competition}


def keep_experiment(built: Path, kept: Path) -> None:
    """Add the rows of an experiment's networks to the kept ones, in place of those of the same networks."""
    if not built.exists():
        sys.exit(f"{built} does not exist; build it first: `snakemake {built}`")
    rows = EXPERIMENTS[kept.stem]([built, *([kept] if kept.exists() else [])])
    write_table(rows, kept)
    print(f"{len(read_table(built))} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


if __name__ == "__main__":
    for population in sys.argv[1:]:
        if population in EXPERIMENTS:
            keep_experiment(Path(f"results/{population}.parquet"), Path(f"data/{population}.parquet"))
            continue
        if population.startswith("stages/"):
            keep_stages(Path("results") / population, Path("data") / f"{population}.parquet")
            continue
        built, kept = Path("results/populations"), Path("data/populations")
        if not (built / f"{population}.parquet").exists():
            sys.exit(
                f"results/populations/{population}.parquet does not exist; build it first: `snakemake` with its path"
            )
        shards = sorted((built / population).glob("shard*.safetensors"), key=lambda path: (len(path.name), path.name))
        keep_population(built / f"{population}.parquet", shards, kept / f"{population}.parquet")
