"""Train kept populations again by today's arithmetic, shard by shard (`python workflow/dev/retrain.py c91_batch ...`).

Each shard that config/kept.yaml plans is trained and measured in this folder; its rows go to data/retrained/POPULATION/SHARD.parquet.
A shard that lies there is not trained again, so an interruption costs no finished one. Nothing reads data/retrained: when a
population is complete, its rows take the place of the kept ones. --cores N trains as many shards at once.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from keep import CONFIGS
from project import errors_of

from modadd.core.files import write_whole
from modadd.core.wording import require_known
from paper.config import read_config
from paper.datasets import datasets_of

RETRAINED = Path("data/retrained")
TOGETHER = 4  # shards that one Snakemake makes: its start costs seconds, and their rows are safe only afterwards


def missing(population: str) -> list[Path]:
    """The measured shards of a population, as a build names them, whose rows are not in RETRAINED yet."""
    populations = datasets_of(read_config(*CONFIGS)).populations
    require_known("config/kept.yaml: datasets", "population", [population], populations)
    shards = map(Path, populations[population].files("parquet"))
    return [shard for shard in shards if not kept_as(shard).exists()]


def kept_as(shard: Path) -> Path:
    """Where the rows of a measured shard go."""
    return RETRAINED / shard.parent.name / shard.name


def train(shards: list[Path], cores: int) -> None:
    """Train and measure shards in this folder, and keep the rows of each; raises CalledProcessError if Snakemake fails."""
    targets = [str(shard) for shard in shards]
    command = [sys.executable, "-m", "snakemake", "--cores", str(cores), "--configfile", *CONFIGS[1:], "--", *targets]
    subprocess.run(command, check=True)
    for shard in shards:
        write_whole(kept_as(shard), shard.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("population", nargs="+", help="as config/kept.yaml names it")
    parser.add_argument("--cores", type=int, default=1, help="shards that are trained at once (default: 1)")
    asked = parser.parse_args()
    for population in asked.population:
        todo = missing(population)
        print(f"{population}: {len(todo)} shards to train", file=sys.stderr)
        for start in range(0, len(todo), TOGETHER * asked.cores):
            train(todo[start : start + TOGETHER * asked.cores], asked.cores)
            left = len(missing(population))
            print(f"{population}: {left} shards left", file=sys.stderr)


if __name__ == "__main__":
    with errors_of("retrain"):
        main()
