"""Train one network; progress goes to the log, an interrupted run resumes from its last checkpoint."""

import sys
from functools import partial
from pathlib import Path

import pandas as pd
from modadd.networks import save_network
from modadd.recipes import Recipe
from modadd.training import train, training_device
from tqdm import tqdm


def train_network(
    recipe: dict, seed: int, network: Path, losses: Path, checkpoint: Path, use_gpu: bool, tf32: bool
) -> None:
    """Write the trained network and its losses, then drop the checkpoint."""
    device = training_device(use_gpu, tf32)
    if use_gpu and device == "cpu":
        print("A GPU was granted, but torch sees none: training on the CPU", file=sys.stderr)
    progress = partial(tqdm, desc=f"seed {seed} on {device}", unit="step", mininterval=5)
    trained, curve = train(Recipe(**recipe), seed, checkpoint, device, progress)
    table = pd.DataFrame(curve, columns=["train_loss", "held_out_loss"])
    table.to_csv(losses, index_label="step")
    save_network(trained, network)
    checkpoint.unlink(missing_ok=True)
    print({key: float(f"{value:.6g}") for key, value in trained.results.items()}, file=sys.stderr)


if __name__ == "__main__":
    sys.stderr = open(snakemake.log[0], "w", buffering=1)  # left open: a traceback must reach it
    train_network(
        recipe=snakemake.params.recipe,
        seed=int(snakemake.wildcards.seed),
        network=Path(snakemake.output.network),
        losses=Path(snakemake.output.losses),
        checkpoint=Path(snakemake.params.checkpoint),
        use_gpu=bool(snakemake.resources.gpu),
        tf32=snakemake.params.tf32,
    )
