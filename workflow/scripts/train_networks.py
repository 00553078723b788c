"""Train networks of one recipe, with progress in the log, from the last checkpoint if there is one."""

import own_code  # noqa: F401

# isort: split

import sys
from pathlib import Path

import torch
from tqdm import tqdm

from modadd.networks.recipes import Recipe
from modadd.networks.snapshots import schedule, write_history
from modadd.networks.store import save_networks
from modadd.training.on_gpu import networks_at_once
from modadd.training.train import already_trained, checkpoint_in, train_ensemble, training_device
from paper.jobs import begin


def train_networks(
    recipe: Recipe,
    seeds: list[int],
    networks: Path,
    losses: Path | None,
    history: Path | None,
    snapshots: int,
    checkpoints: Path,
    use_gpu: bool,
    tf32: bool,
) -> None:
    """Write the trained networks, and the losses and the snapshots of a single one if asked for.

    Networks of a population that files beside theirs hold already are taken from there: a shard may have got more seeds.
    The checkpoints stay until Snakemake has accepted the files: `measure_shard`, or the end of the run, removes them.
    """
    device = training_device(use_gpu, tf32)
    known = {} if history else already_trained(recipe, seeds, networks.parent.glob("*.safetensors"), device)
    if known:
        print(f"{len(known)} of {len(seeds)} networks are in files beside {networks}", file=sys.stderr)
    missing = [seed for seed in seeds if seed not in known]
    at_once = 1 if device == "cpu" else networks_at_once(recipe, torch.cuda.mem_get_info()[0])
    wanted = schedule(recipe.steps, snapshots) if history else []
    fresh, curves = [], None
    if missing:
        total = recipe.steps * len(missing)
        what = f"{len(missing)} network(s) on {device}"
        with tqdm(desc=what, total=total, unit="step", mininterval=5) as bar:
            where = (checkpoints, device)
            fresh, curves = train_ensemble(recipe, missing, *where, bar.update, wanted, at_once)
    known |= {network.seed: network for network in fresh}
    trained = [known[seed] for seed in seeds]
    if losses is not None:
        import pandas as pd  # here, as most jobs write no table

        from modadd.core.parquet import write_table

        table = pd.DataFrame(curves[:, 0], columns=["train_loss", "held_out_loss"]).rename_axis("step").reset_index()
        write_table(table, losses)
    if history is not None:
        write_history(history, checkpoint_in(checkpoints, seeds[0]))
    save_networks(trained, networks)
    for network in trained:
        results = {key: float(f"{value:.6g}") for key, value in network.results.items()}
        print(f"seed {network.seed}: {results}", file=sys.stderr)


if __name__ == "__main__":
    begin(snakemake.log[0])
    train_networks(
        recipe=Recipe(**snakemake.params.recipe),
        seeds=list(snakemake.params.seeds),
        networks=Path(snakemake.output.networks),
        losses=Path(snakemake.output.losses) if "losses" in snakemake.output.keys() else None,
        history=Path(snakemake.output.history) if "history" in snakemake.output.keys() else None,
        snapshots=snakemake.params.get("snapshots", 0),
        checkpoints=Path(snakemake.params.checkpoints),
        use_gpu=bool(snakemake.resources.gpu),
        tf32=snakemake.params.tf32,
    )
