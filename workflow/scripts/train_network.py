"""Train one network; progress goes to the log, an interrupted run resumes from its last checkpoint."""

import sys
from pathlib import Path

import pandas as pd
import torch
from modadd.networks import save_network
from modadd.recipes import Recipe
from modadd.training import train
from tqdm import tqdm


def train_network(recipe: dict, seed: int, network: Path, losses: Path, checkpoint: Path, use_gpu: bool) -> None:
    """Write the trained network and its losses, then drop the checkpoint."""
    torch.set_num_threads(1)
    device = "cuda" if use_gpu and torch.cuda.is_available() else "cpu"
    progress = lambda steps: tqdm(steps, desc=f"seed {seed} on {device}", unit="step", mininterval=5)  # noqa: E731
    trained, curve = train(Recipe(**recipe), seed, checkpoint, device, progress)
    table = pd.DataFrame(curve, columns=["train_loss", "held_out_loss"])
    table.to_csv(losses, index_label="step")
    save_network(trained, network)
    checkpoint.unlink(missing_ok=True)
    print({key: float(f"{value:.6g}") for key, value in trained.results.items()}, file=sys.stderr)


if __name__ == "__main__":
    with open(snakemake.log[0], "w", buffering=1) as sys.stderr:  # noqa: F821
        train_network(
            recipe=snakemake.params.recipe,  # noqa: F821
            seed=int(snakemake.wildcards.seed),  # noqa: F821
            network=Path(snakemake.output.network),  # noqa: F821
            losses=Path(snakemake.output.losses),  # noqa: F821
            checkpoint=Path(snakemake.params.checkpoint),  # noqa: F821
            use_gpu=bool(snakemake.resources.gpu),  # noqa: F821
        )
