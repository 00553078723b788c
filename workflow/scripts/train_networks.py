"""Train networks of one recipe together; progress goes to the log, an interrupted run resumes from its last checkpoint."""

import sys
from functools import partial
from pathlib import Path

import pandas as pd
import torch
from modadd.networks import save_networks
from modadd.recipes import Recipe
from modadd.training import networks_at_once, train_ensemble, training_device
from tqdm import tqdm


def train_networks(
    recipe: Recipe, seeds: list[int], networks: Path, losses: Path | None, checkpoint: Path, use_gpu: bool, tf32: bool
) -> None:
    """Write the trained networks, and the losses of a single one if asked for, then drop the checkpoint."""
    device = training_device(use_gpu, tf32)
    if use_gpu and device == "cpu":
        print("A GPU was granted, but torch sees none: training on the CPU", file=sys.stderr)
    at_once = len(seeds) if device == "cpu" else networks_at_once(recipe, torch.cuda.mem_get_info()[0])
    trained = []
    for group in (seeds[start : start + at_once] for start in range(0, len(seeds), at_once)):
        progress = partial(tqdm, desc=f"{len(group)} network(s) on {device}", unit="step", mininterval=5)
        members, curve = train_ensemble(recipe, group, checkpoint, device, progress)
        trained += members
    if losses is not None:
        table = pd.DataFrame(curve[:, 0], columns=["train_loss", "held_out_loss"])
        table.to_csv(losses, index_label="step")
    save_networks(trained, networks)
    checkpoint.unlink(missing_ok=True)
    for network in trained:
        results = {key: float(f"{value:.6g}") for key, value in network.results.items()}
        print(f"seed {network.seed}: {results}", file=sys.stderr)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    train_networks(
        recipe=Recipe(**snakemake.params.recipe),
        seeds=list(snakemake.params.seeds),
        networks=Path(snakemake.output.networks),
        losses=Path(snakemake.output.losses) if "losses" in snakemake.output.keys() else None,
        checkpoint=Path(snakemake.params.checkpoint),
        use_gpu=bool(snakemake.resources.gpu),
        tf32=snakemake.params.tf32,
    )
