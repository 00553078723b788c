"""Keep the rows of a large population in data/, beside those kept before, with networks that witness what they mean."""

import sys
from pathlib import Path

import pandas as pd
from modadd.environment import set_arithmetic
from modadd.networks import load_networks
from modadd.populations import read_population, write_rows
from modadd.witnesses import check_witnesses, keep_witnesses


def keep_population(trained: Path, networks: list[Path], kept: Path) -> None:
    """Add the rows to the kept ones, of which the same networks are replaced, and keep witnesses among the new networks.

    Every row says what trained it. Raises ValueError, and changes nothing, if the columns of the kept rows mean something
    else today, as their witnesses tell.
    """
    if kept.exists():
        check_witnesses(kept)
    rows = read_population(trained, kept if kept.exists() else None).drop(columns="trained")
    first = [network for path in networks[:2] for network in load_networks(path)]
    write_rows(rows.to_dict("records"), kept)
    keep_witnesses(first, kept)
    print(f"{len(pd.read_parquet(trained))} rows added or replaced; {kept} holds {len(rows)}", file=sys.stderr)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    set_arithmetic()
    keep_population(
        Path(snakemake.input.trained), list(map(Path, snakemake.input.networks)), Path(snakemake.params.kept)
    )
