"""Train kept populations again by today's arithmetic, shard by shard (`python workflow/dev/retrain.py c91_batch ...`).

Each shard that config/kept.yaml plans is trained and measured in this folder; its rows go to data/retrained/POPULATION/SHARD.parquet.
A shard that lies there is not trained again, so an interruption costs no finished one. Nothing reads data/retrained: when a
population is complete, --replace puts its rows in the place of the kept ones, with a new witness. --cores N trains as many shards
at once.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
from keep import CONFIGS, keep_population
from project import errors_of

from modadd.core.files import write_whole
from modadd.core.wording import require_known
from modadd.populations.audit import otherwise
from modadd.populations.tables import rows_of_networks
from paper.commands.options import whole_number
from paper.config import read_config
from paper.datasets import datasets_of

RETRAINED = Path("data/retrained")
KEPT = Path("data/populations")
TOGETHER = 4  # shards that one Snakemake makes: its start costs seconds, and their rows are safe only afterwards


def planned(population: str) -> list[Path]:
    """The measured shards of a population, as a build names them."""
    populations = datasets_of(read_config(*CONFIGS)).populations
    require_known("config/kept.yaml: datasets", "population", [population], populations)
    return list(map(Path, populations[population].files("parquet")))


def missing(population: str) -> list[Path]:
    """Those whose rows are not in RETRAINED yet."""
    return [shard for shard in planned(population) if not kept_as(shard).exists()]


def kept_as(shard: Path) -> Path:
    """Where the rows of a measured shard go."""
    return RETRAINED / shard.parent.name / shard.name


def train(shards: list[Path], cores: int) -> None:
    """Train and measure shards in this folder, and keep the rows of each; raises CalledProcessError if Snakemake fails."""
    make(shards, cores)
    for shard in shards:
        write_whole(kept_as(shard), shard.read_bytes())


def make(files: list[Path], cores: int) -> None:
    """Let Snakemake make files in this folder; raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--configfile", *CONFIGS[1:], "--"]
    subprocess.run([*command, *map(str, files)], check=True)


def replace(population: str, cores: int) -> None:
    """Let the rows of RETRAINED be the kept ones of a population, with the first network of its first shard as the witness.

    This shard is trained and measured once more. Raises ValueError, and changes nothing, if a shard is missing, or if a bit of
    these networks' numbers comes out otherwise.
    """
    if left := missing(population):
        raise ValueError(f"{population}: {len(left)} of {len(planned(population))} shards are not trained yet")
    first, *others = planned(population)
    networks = first.with_suffix(".safetensors")
    make([networks, first], cores)
    again = rows_of_networks(first)
    require_equal(rows_of_networks(kept_as(first)), again)
    keep_population([first, *map(kept_as, others)], [networks], KEPT / f"{population}.parquet", alone=True)
    shutil.rmtree(RETRAINED / population)


def require_equal(before: pd.DataFrame, again: pd.DataFrame) -> None:
    """Raise ValueError with the first network, and its numbers, of which a bit came out otherwise."""
    own = {row["seed"]: row for row in again.to_dict("records")}
    for row in before.to_dict("records"):
        _, differing = otherwise(row, own[row["seed"]])
        if differing:
            raise ValueError(f"seed {row['seed']}, trained again: expected equal bits, {', '.join(differing)} differ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("population", nargs="+", help="as config/kept.yaml names it")
    parser.add_argument("--cores", type=whole_number, default=1, help="shards that are trained at once (default: 1)")
    parser.add_argument(
        "--replace", action="store_true", help="let complete populations take the place of the kept rows"
    )
    asked = parser.parse_args()
    for population in asked.population:
        if asked.replace:
            replace(population, asked.cores)
            continue
        todo = missing(population)
        print(f"{population}: {len(todo)} shards to train", file=sys.stderr)
        for start in range(0, len(todo), TOGETHER * asked.cores):
            train(todo[start : start + TOGETHER * asked.cores], asked.cores)
            left = len(missing(population))
            print(f"{population}: {left} shards left", file=sys.stderr)


if __name__ == "__main__":
    with errors_of("retrain"):
        main()
