"""Training networks by their recipe, one or many seeds at once; an interrupted run resumes with the same bits."""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.core.bits import set_arithmetic
from modadd.core.files import FileError
from modadd.core.groups import right_answers
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.initialisation import batches_of, split
from modadd.networks.recipes import Recipe
from modadd.networks.store import Network, load_networks
from modadd.training.kernel import SeparableLoss, Task
from modadd.training.run import Run, origin_of, what_decides

CHECKPOINT_EVERY = {"cpu": 1000, "cuda": 10_000}  # steps, a few seconds of work; also at the end
HELD_OUT_EVERY = 100  # steps between evaluations of the pairs that are not trained on
GPU_WAITS_EVERY = 100  # steps between looks at the losses on a GPU, each of which stalls it; a CPU looks at every step

_Progress = Callable[[Iterable[int]], Iterable[int]]


class TrainingDivergedError(ArithmeticError):
    """The training loss stopped being a finite number."""


class Replayed:
    """A function of no arguments on fixed places in GPU memory, recorded at its third call and replayed from then on.

    A step of a small network is hundreds of kernels of microseconds; replaying a CUDA graph pays for one launch.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self.work, self.calls = work, 0
        self.graph, self.stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()

    def __call__(self) -> None:
        """Do the work once."""
        self.calls += 1
        if self.calls < 3:  # recording needs libraries and allocator warmed up, on a stream of their own
            self.stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.stream):
                self.work()
            torch.cuda.current_stream().wait_stream(self.stream)
            return
        if self.calls == 3:
            with torch.cuda.graph(self.graph, stream=self.stream):
                self.work()
        self.graph.replay()


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


def train_ensemble(
    recipe: Recipe,
    seeds: Sequence[int],
    checkpoint: Path,
    device: str = "cpu",
    progress: _Progress = iter,
    snapshots: Sequence[int] = (),
) -> tuple[list[Network], Float[np.ndarray, "steps_plus_1 k 2"]]:
    """Train one network per seed, all at once, and return them with their losses, in the order of the seeds.

    Losses are mean nats, row t before update t: on the batch of that update, and on the held-out pairs every
    `HELD_OUT_EVERY` steps and at the end (NaN elsewhere, and where no pair is held out). On the CPU no bit of a network
    depends on the other seeds. `checkpoint` is where an interrupted run picks up, and a finished one ends; the caller
    removes it once the networks are safe. It also holds the tables after the updates that `snapshots` names, which
    change no bit of a network. Raises TrainingDivergedError naming the seed and the step.
    """
    run = Run(recipe, seeds, device, snapshots)
    run.resume(checkpoint)
    n_batches = recipe.train_pairs // recipe.pairs_per_update
    answers = right_answers(recipe.operation, recipe.modulus)
    task = Task(answers, recipe.activation)
    train_loss = SeparableLoss(_stacked(recipe, seeds, run.step // n_batches), run.tables(), task=task)
    held_out = np.stack([split(recipe, seed)[1] for seed in seeds])
    held_out_loss = SeparableLoss(held_out[None], run.tables(), slopes=False, task=task) if held_out.size else None
    every = 1 if device == "cpu" else GPU_WAITS_EVERY
    current = torch.zeros(len(run.seeds), dtype=torch.float64, device=device)
    recent = torch.zeros(every, len(run.seeds), dtype=torch.float64, device=device)

    def update() -> None:
        tables = run.tables()
        loss, gradient = train_loss(tables)
        current.copy_(loss)
        run.update(tables, gradient)

    step_once = update if device == "cpu" else Replayed(update)
    unseen = run.step
    for step in progress(range(run.step, recipe.steps)):
        if held_out_loss and step % HELD_OUT_EVERY == 0:
            run.losses[step, :, 1] = held_out_loss(run.tables())[0].cpu()
        run.keep_snapshot()
        if recipe.reshuffled and step % n_batches == 0:
            train_loss.take(_stacked(recipe, seeds, step // n_batches))
        if n_batches > 1:
            train_loss.choose(step % n_batches)
        step_once()
        recent[step - unseen].copy_(current)
        run.step = step + 1
        save = run.step % CHECKPOINT_EVERY[device] == 0 or run.step == recipe.steps
        if save or run.step - unseen == every:
            run.losses[unseen : run.step, :, 0] = recent[: run.step - unseen].cpu()
            _require_finite(run, unseen, run.step)
            unseen = run.step
        if save:
            run.keep_snapshot()  # of the end, or once more before the next step
            run.save(checkpoint)
    del step_once  # a recorded step holds memory of its own
    if recipe.reshuffled:
        train_loss.take(_stacked(recipe, seeds, recipe.steps // n_batches))
    train_loss.choose(recipe.steps % n_batches)
    for column, loss in enumerate(filter(None, (train_loss, held_out_loss))):
        run.losses[-1, :, column] = loss(run.tables())[0].cpu()
    _require_finite(run, recipe.steps, recipe.steps + 1)
    return run.networks(), run.losses


def train_groups(
    recipe: Recipe,
    seeds: Sequence[int],
    at_once: int,
    checkpoints: Path,
    device: str = "cpu",
    progress: _Progress = iter,
    snapshots: Sequence[int] = (),
) -> tuple[list[Network], Float[np.ndarray, "steps_plus_1 k 2"]]:
    """`train_ensemble`, `at_once` seeds at a time; each group's checkpoint stays until all are safe."""
    starts = range(0, len(seeds), at_once)
    groups = [
        train_ensemble(
            recipe, seeds[i : i + at_once], checkpoints / f"from{i}.safetensors", device, progress, snapshots
        )
        for i in starts
    ]
    members, losses = zip(*groups, strict=True)
    return sum(members, []), np.concatenate(losses, axis=1)


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


def _stacked(recipe: Recipe, seeds: Sequence[int], epoch: int) -> Int[np.ndarray, "batches k m 2"]:
    """The batches of one pass for all networks of an ensemble."""
    return np.stack([batches_of(recipe, seed, epoch) for seed in seeds], axis=1)


def _require_finite(run: Run, first: int, end: int) -> None:
    for row, network in np.argwhere(~np.isfinite(run.losses[first:end, :, 0])):
        step, seed = first + row, run.seeds[network]
        value = run.losses[step, network, 0]
        raise TrainingDivergedError(f"seed {seed}: training loss {value} at step {step}; lower learning_rate")


def networks_at_once(recipe: Recipe, free: int) -> int:
    """How many networks of a recipe fit in nine tenths of `free` bytes of GPU memory, at least one.

    Counted per network: parameters with gradient and two moments; the tables, their gradients and as many between them; of
    every pair of an update or held out three rows of neurons and three of logits, and of every pair its indices.
    """
    n, h = recipe.modulus, recipe.d_mlp
    parameters = sum(map(math.prod, ARCHITECTURES[recipe.architecture].shapes(n, recipe.sizes).values()))
    tables = 3 * n * h + 2 * n * n
    held_out = n * n - recipe.train_pairs
    rows = (recipe.pairs_per_update + held_out) * (3 * h + 3 * n)
    indices = 6 * (
        recipe.train_pairs + recipe.pairs_per_update + 2 * held_out
    )  # a, b, a + b of 8 bytes, and those in use
    numbers = 4 * parameters + 4 * tables + rows + indices
    return max(1, int(0.9 * free // (4 * numbers)))
