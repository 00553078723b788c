"""Training networks by their recipe; an interrupted run resumes with the same bits.

On the CPU one network is trained after the other, by the compiled step: its bits depend on its recipe and its seed alone. On a
GPU many are trained at once (`on_gpu`).
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float

from modadd.core.bits import set_arithmetic
from modadd.core.files import FileError
from modadd.core.groups import right_answers
from modadd.networks.initialisation import batches_of, split
from modadd.networks.recipes import Recipe
from modadd.networks.starts import drawn
from modadd.networks.store import Network, load_networks
from modadd.training.network import Learner
from modadd.training.on_gpu import train_stack
from modadd.training.run import HELD_OUT_EVERY, MOMENTS, Arrays, Run, origin_of, what_decides

AT_ONCE = 1e11  # operations of the products between two looks at the keyboard: a second or two of a core
BETWEEN_CHECKPOINTS = 5e11  # operations between two checkpoints of a network; one is written at its end, too
LEAST = 5e6  # operations that take as long as the smallest update

Progress = Callable[[int], object]  # is told how many updates of one network were made since


def silent(updates: int) -> None:
    """No progress is shown."""


def training_device(use_gpu: bool, tf32: bool) -> str:
    """Set torch up for training, and name the device; raises RuntimeError if torch sees no GPU that was granted."""
    set_arithmetic()
    if use_gpu and not torch.cuda.is_available():
        raise RuntimeError(
            "this job was granted a GPU, but torch sees none; give it one, or train on the CPU with "
            "`--set-resources train_network:gpu=0 train_shard:gpu=0`"  # which also reaches the nodes of a cluster
        )
    torch.backends.cuda.matmul.allow_tf32 = tf32
    return "cuda" if use_gpu else "cpu"


def updates_in(operations: float, recipe: Recipe) -> int:
    """About how many updates of a network take so many operations, counted by the three largest products; at least one."""
    of_update = 3 * 2 * recipe.pairs_per_update * recipe.d_mlp * recipe.modulus
    return max(1, int(operations // max(of_update, LEAST)))


def checkpoint_every(recipe: Recipe) -> int:
    """Updates between two checkpoints on the CPU."""
    return updates_in(BETWEEN_CHECKPOINTS, recipe)


def train_network(
    recipe: Recipe, seed: int, checkpoint: Path, progress: Progress = silent, snapshots: Sequence[int] = ()
) -> tuple[Network, Float[np.ndarray, "steps_plus_1 2"]]:
    """Train the network of one seed on the CPU, and return it with its losses.

    Losses are mean nats, row t before update t: on the batch of that update, and on the held-out pairs every
    `HELD_OUT_EVERY` updates and at the end (NaN elsewhere, and where no pair is held out). `checkpoint` is where an
    interrupted run picks up, and a finished one ends; the caller removes it once the network is safe. It also holds the tables
    after the updates that `snapshots` names, which change no bit of a network. Raises TrainingDivergedError naming the seed and
    the update.
    """
    run = Run(recipe, [seed], "cpu", snapshots)
    learner = Learner(recipe, {name: value.numpy() for name, value in drawn(recipe, seed).items()})
    if found := run.resume(checkpoint):
        take_over(learner, found, run.step)

    def parameters() -> dict[str, Float[np.ndarray, "1 *shape"]]:
        return {name: learner.parameter(name)[None].copy() for name in learner.names}

    def keep() -> None:
        if run.step == run.half_way:
            run.keep_half(parameters())
        if run.snapshots.due(run.step):
            tables = [None if table is None else table[None] for table in learner.tables()]
            run.keep_snapshot(tables, parameters())

    answers = right_answers(recipe.operation, recipe.modulus)
    n_batches = recipe.train_pairs // recipe.pairs_per_update
    held_out = split(recipe, seed)[1]
    unseen = learner.task(held_out[None], answers, learnt=False) if len(held_out) else None
    every, at_once = checkpoint_every(recipe), updates_in(AT_ONCE, recipe)
    task, taken = None, -1  # the batches, and the pass whose they are
    while True:
        step = run.step
        pass_ = step // n_batches if recipe.reshuffled else 0
        if pass_ != taken:
            task, taken = learner.task(batches_of(recipe, seed, pass_), answers), pass_
        if unseen and (step % HELD_OUT_EVERY == 0 or step == recipe.steps):
            run.losses[step, 0, 1] = learner.loss(unseen)
        keep()
        if step == recipe.steps:
            break
        ends = [recipe.steps, step + at_once, _next(step, every), *run.snapshots.after(step)]
        if step < run.half_way:
            ends.append(run.half_way)
        if unseen:
            ends.append(_next(step, HELD_OUT_EVERY))
        if recipe.reshuffled:
            ends.append(_next(step, n_batches))
        losses = learner.update(task, step % n_batches, min(ends) - step)
        run.losses[step : step + len(losses), 0, 0] = losses
        run.require_finite(step, step + len(losses))
        run.step = min(ends)
        if run.step % every == 0 or run.step == recipe.steps:
            keep()  # the end, or once more before the next update
            run.save(
                checkpoint, parameters(), {name: [m[None] for m in learner.moments(name)] for name in learner.names}
            )
        progress(run.step - step)
    run.losses[-1, 0, 0] = learner.loss(task, recipe.steps % n_batches)
    run.require_finite(recipe.steps, recipe.steps + 1)
    return run.networks(parameters())[0], run.losses[:, 0]


def take_over(learner: Learner, found: Arrays, step: int) -> None:
    """Let a network go on from the arrays of a checkpoint after so many updates."""
    for name in learner.names:
        learner.parameter(name)[...] = found[f"parameter.{name}"][0]
        for mine, moment in zip(learner.moments(name), MOMENTS, strict=True):
            mine[...] = found[f"{moment}.{name}"][0]
    learner.updates = step


def _next(step: int, every: int) -> int:
    """The next multiple behind a step."""
    return step + every - step % every


def train_ensemble(
    recipe: Recipe,
    seeds: Sequence[int],
    checkpoints: Path,
    device: str = "cpu",
    progress: Progress = silent,
    snapshots: Sequence[int] = (),
    at_once: int = 1,
) -> tuple[list[Network], Float[np.ndarray, "steps_plus_1 k 2"]]:
    """Train one network per seed, and return them with their losses (see `train_network`), in the order of the seeds.

    On a GPU `at_once` networks are trained at once. Each network, or group of them, has its checkpoint in the folder of that
    name, which stays until all are safe. An interruption costs no finished one.
    """
    if device == "cpu":
        alone = [train_network(recipe, seed, checkpoint_in(checkpoints, seed), progress, snapshots) for seed in seeds]
        networks, losses = zip(*alone, strict=True)
        return list(networks), np.stack(losses, axis=1)
    groups = [seeds[i : i + at_once] for i in range(0, len(seeds), at_once)]
    trained = [
        train_stack(recipe, group, checkpoint_in(checkpoints, group[0]), device, progress, snapshots)
        for group in groups
    ]
    members, losses = zip(*trained, strict=True)
    return sum(members, []), np.concatenate(losses, axis=1)


def checkpoint_in(folder: Path, seed: int) -> Path:
    """The checkpoint of a network, or of a group that begins with this seed."""
    return folder / f"seed{seed}.safetensors"


def already_trained(
    recipe: Recipe, seeds: Sequence[int], files: Iterable[Path], device: str = "cpu"
) -> dict[int, Network]:
    """Networks of some files, by seed, that are what training these seeds here would give.

    They are of the same recipe, and trained by the same code, on whatever processor. Damaged files have none.
    """
    origin, found = what_decides(origin_of(device)), {}
    for file in files:
        with suppress(FileError):
            for network in load_networks(file):
                if network.seed in seeds and (network.recipe, what_decides(network.origin)) == (recipe, origin):
                    found[network.seed] = network
    return found
