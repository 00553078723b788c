"""Train the networks of several shards, one shard after the other: a process takes longer to start than to train a small one."""

import own_code  # noqa: F401

# isort: split

from pathlib import Path

from train_networks import train_networks

from modadd.networks.recipes import Recipe
from paper.jobs import begin

if __name__ == "__main__":
    begin(snakemake.log[0])
    for shard, networks in zip(snakemake.params.shards, snakemake.output.networks, strict=True):
        train_networks(
            recipe=Recipe(**shard["recipe"]),
            seeds=shard["seeds"],
            networks=Path(networks),
            losses=None,
            history=None,
            snapshots=0,
            checkpoints=Path(shard["checkpoints"]),
            use_gpu=bool(snakemake.resources.gpu),
            tf32=snakemake.params.tf32,
        )
