"""Training many networks of one recipe at once, in stacks of torch: for GPUs, whose bits are their own.

Loss and exact gradients of stacked separable networks, written out by hand instead of by autograd; each architecture carries the
gradients of (A, B, W, C, D) back to its parameters. It also runs on torch's CPU device, where it agrees with the compiled step
within rounding.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.core.groups import right_answers
from modadd.networks.architectures import ACTIVATIONS, ARCHITECTURES, RELU, normal_distribution
from modadd.networks.initialisation import batches_of, split
from modadd.networks.recipes import ADAMW, TABLES, Recipe
from modadd.networks.starts import drawn
from modadd.networks.store import Network
from modadd.training.run import HELD_OUT_EVERY, MOMENTS, Run

CHECKPOINT_EVERY = 10_000  # updates, some seconds of work; also at the end
WAITS_EVERY = 100  # updates between looks at the losses, each of which stalls a GPU

Tensors = Mapping[str, Float[torch.Tensor, "k *shape"]]


class Tables(NamedTuple):
    """k separable networks, or the gradient of the loss in them.

    A, B (k × n × h), W (k × h × n). C and D bypass the neurons, rows a and b: k × n × n, or k × 1 × n for one that is the
    same for every row (an output bias), or None for one that the architecture lacks.
    """

    A: Float[torch.Tensor, "k n h"]
    B: Float[torch.Tensor, "k n h"]
    W: Float[torch.Tensor, "k h n"]
    C: Float[torch.Tensor, "k rows n"] | None
    D: Float[torch.Tensor, "k rows n"] | None


def gelu_slope(u: Float[torch.Tensor, "*s"]) -> Float[torch.Tensor, "*s"]:
    """Φ(u) + u φ(u), with the normal distribution and its density."""
    density = (u * u).mul_(-1 / 2).exp_().div_(math.sqrt(2 * math.pi))
    return density.mul_(u).add_(normal_distribution(u))


SLOPES = {  # of the ACTIVATIONS
    RELU: lambda u: u > 0,
    "abs": torch.sign,
    "square": lambda u: 2 * u,
    "softplus": torch.sigmoid,
    "gelu": gelu_slope,
}


class StackedLoss:
    """Mean cross-entropy (nats) of k separable networks over fixed batches of pairs, with its gradient in every table.

    Exact in the tail: for the right class softmax − 1 is minus the sum of the others, and the loss is log1p of their
    ratio in float64, so neither is lost when the network is sure. The gradient's tables are made once: what a call
    returns is overwritten by the next. With `slopes` False only the loss is computed, and the gradient stays zero.
    """

    def __init__(
        self,
        batches: Int[np.ndarray, "batches k m 2"],
        like: Tables,
        answers: Int[np.ndarray, "n n"],
        activation: str = RELU,
        slopes: bool = True,
    ) -> None:
        contiguous = torch.contiguous_format  # flat views of the gradient are written to
        self.gradient = Tables(*(None if t is None else torch.zeros_like(t, memory_format=contiguous) for t in like))
        self.answers, self.slopes, self.now = answers, slopes, None
        self.activate, self.slope_of = ACTIVATIONS[activation], SLOPES[activation]
        self.take(batches)

    def take(self, batches: Int[np.ndarray, "batches k m 2"]) -> None:
        """Take other batches of the same shape; those that follow are chosen among them."""
        order = np.lexsort((batches[..., 1], batches[..., 0]))  # by a, then b: gathered rows are neighbours
        a, b = np.moveaxis(np.take_along_axis(batches, order[..., None], axis=2), -1, 0)
        (k, _, n), device = self.gradient.W.shape, self.gradient.A.device
        first_row = n * np.arange(k)[:, None]  # the tables of all networks, one below the other
        rows = [torch.from_numpy((x + first_row).reshape(len(a), -1)).to(device) for x in (a, b)]
        self.batches = (*rows, torch.from_numpy(self.answers[a, b])[..., None].to(device))
        if self.now is None:
            self.now = tuple(whole[0].clone() for whole in self.batches)  # a recorded step reads it at a fixed place

    def choose(self, batch: int) -> None:
        """Compute on one of the batches in the calls that follow; at first it is batch 0."""
        for place, whole in zip(self.now, self.batches, strict=True):
            place.copy_(whole[batch])

    def __call__(self, tables: Tables) -> tuple[Float[torch.Tensor, "k"], Tables]:
        """Loss of every network on its batch (float64) and the gradient, in the tables' own precision."""
        a, b, right = self.now
        (k, n, h), m = tables.A.shape, right.shape[1]
        before = tables.A.reshape(-1, h).index_select(0, a).add_(tables.B.reshape(-1, h).index_select(0, b))
        active = self.activate(before)
        logits = active.view(k, m, h) @ tables.W
        for table, rows in ((tables.C, a), (tables.D, b)):
            if table is not None:
                logits += table if table.shape[1] == 1 else table.reshape(-1, n)[rows].view(k, m, n)
        logits -= logits.amax(dim=2, keepdim=True)
        own = logits.gather(2, right).double()
        weights = logits.exp_().scatter_(2, right, 0.0)
        others = weights.sum(dim=2, keepdim=True)
        loss = (torch.log1p(others.double() + torch.expm1(own)) - own).mean(dim=(1, 2))
        if not self.slopes:
            return loss, self.gradient
        total = others + own.exp().to(others.dtype)
        slope = weights.div_(total).scatter_(2, right, -others / total).div_(m)
        torch.matmul(active.view(k, m, h).mT, slope, out=self.gradient.W)
        back = (slope @ tables.W.mT).view(-1, h).mul_(self.slope_of(before))
        for rows, changes in (
            (a, ((self.gradient.A, back), (self.gradient.C, slope.view(-1, n)))),
            (b, ((self.gradient.B, back), (self.gradient.D, slope.view(-1, n)))),
        ):
            sum_rows(rows, changes, k)
        return loss, self.gradient


def sum_rows(
    rows: Int[torch.Tensor, "k_m"],
    changes: Iterable[tuple[Float[torch.Tensor, "k _ _"] | None, Float[torch.Tensor, "k_m _"]]],
    k: int,
) -> None:
    """Sum the rows of every change into those rows of its gradient that `rows` names, or into its only row.

    `rows` counts through the tables of all k networks, n to each. By product with the k × m × n matrix that has a one where row
    i of a network goes to row j of its table: a GPU adds rows in any order, so no run would give the same bits twice.
    """
    chosen = None
    for gradient, change in changes:
        if gradient is None:
            continue
        _, n, columns = gradient.shape
        if n == 1:
            torch.sum(change.view(k, -1, columns), dim=1, keepdim=True, out=gradient)
            continue
        if chosen is None:
            chosen = change.new_zeros(k, len(rows) // k, n)
            chosen.scatter_(2, (rows % n).view(k, -1, 1), 1.0)
        torch.matmul(chosen.mT, change.view(k, -1, columns), out=gradient)


class Stack:
    """Stacked parameters of k networks, and torch's optimiser of them.

    A GPU's step is recorded, so there the count of steps is a tensor, and slopes have a fixed place.
    """

    def __init__(self, recipe: Recipe, seeds: Sequence[int], device: str) -> None:
        self.recipe, self.architecture = recipe, ARCHITECTURES[recipe.architecture]
        initial = [drawn(recipe, seed) for seed in seeds]
        self.parameters = {name: torch.stack([network[name] for network in initial]).to(device) for name in initial[0]}
        each = [
            {"params": [value], "weight_decay": recipe.weight_decay * recipe.decays(name)}
            for name, value in self.parameters.items()
        ]
        if recipe.optimiser == "descent":
            self.optimiser = torch.optim.SGD(each, lr=recipe.learning_rate)
        else:
            kind = torch.optim.AdamW if recipe.optimiser == ADAMW else torch.optim.Adam
            settings = {"lr": recipe.learning_rate, "eps": recipe.epsilon, "betas": (recipe.beta1, recipe.beta2)}
            on_gpu = device != "cpu"
            self.optimiser = kind(each, fused=on_gpu, capturable=on_gpu, **settings)
        for value in self.parameters.values():
            value.grad = torch.zeros_like(value)
        self.moments = {name: [torch.zeros_like(value) for _ in MOMENTS] for name, value in self.parameters.items()}
        self.load({}, 0)

    def load(self, arrays: Mapping[str, Float[np.ndarray, "k *shape"]], count: int) -> None:
        """Take over parameters and moments after `count` updates, as a checkpoint names them."""
        for name, value in self.parameters.items():
            if arrays:
                value.copy_(torch.from_numpy(arrays[f"parameter.{name}"]))
                for mine, moment in zip(self.moments[name], MOMENTS, strict=True):
                    mine.copy_(torch.from_numpy(arrays[f"{moment}.{name}"]))
            if self.recipe.optimiser != "descent":
                at = value.device if value.is_cuda else None
                state = dict(zip(MOMENTS, self.moments[name], strict=True))
                self.optimiser.state[value] = {"step": torch.full((), float(count), device=at), **state}

    def tables(self) -> Tables:
        """The networks in the separable form."""
        return Tables(*self.architecture.effective(self.parameters))

    def update(self, tables: Tables, gradient: Tables) -> None:
        """One step of the optimiser along the gradient of the tables, to which a penalty on the tables themselves is added."""
        if self.recipe.decayed == TABLES:
            for slope, table in zip(gradient, tables, strict=True):
                if table is not None:
                    slope.add_(self.recipe.weight_decay * table)
        for name, slope in self.architecture.backward(self.parameters, gradient).items():
            self.parameters[name].grad.copy_(slope)
        self.optimiser.step()

    def arrays(self) -> dict[str, Float[np.ndarray, "k *shape"]]:
        """The parameters as arrays."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self.parameters.items()}


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


def train_stack(
    recipe: Recipe,
    seeds: Sequence[int],
    checkpoint: Path,
    device: str = "cuda",
    progress: Callable[[int], object] = lambda updates: None,
    snapshots: Sequence[int] = (),
) -> tuple[list[Network], Float[np.ndarray, "steps_plus_1 k 2"]]:
    """Train one network per seed, all at once, and return them with their losses, as `train.train_ensemble` does."""
    run, stack = Run(recipe, seeds, device, snapshots), Stack(recipe, seeds, device)
    if found := run.resume(checkpoint):
        stack.load(found, run.step)
    n_batches = recipe.train_pairs // recipe.pairs_per_update
    task = (right_answers(recipe.operation, recipe.modulus), recipe.activation)
    train_loss = StackedLoss(_stacked(recipe, seeds, run.step // n_batches), stack.tables(), *task)
    held_out = np.stack([split(recipe, seed)[1] for seed in seeds])
    held_out_loss = StackedLoss(held_out[None], stack.tables(), *task, slopes=False) if held_out.size else None
    current = torch.zeros(len(seeds), dtype=torch.float64, device=device)
    recent = torch.zeros(WAITS_EVERY, len(seeds), dtype=torch.float64, device=device)

    def update() -> None:
        tables = stack.tables()
        loss, gradient = train_loss(tables)
        current.copy_(loss)
        stack.update(tables, gradient)

    def keep() -> None:
        if run.step == run.half_way:
            run.keep_half(stack.arrays())
        if run.snapshots.due(run.step):
            tables = [None if table is None else table.cpu().numpy() for table in stack.tables()]
            run.keep_snapshot(tables, stack.arrays())

    step_once = update if device == "cpu" else Replayed(update)
    unseen = run.step
    for step in range(run.step, recipe.steps):
        if held_out_loss and step % HELD_OUT_EVERY == 0:
            run.losses[step, :, 1] = held_out_loss(stack.tables())[0].cpu()
        keep()
        if recipe.reshuffled and step % n_batches == 0:
            train_loss.take(_stacked(recipe, seeds, step // n_batches))
        if n_batches > 1:
            train_loss.choose(step % n_batches)
        step_once()
        recent[step - unseen].copy_(current)
        run.step = step + 1
        save = run.step % CHECKPOINT_EVERY == 0 or run.step == recipe.steps
        if save or run.step - unseen == WAITS_EVERY:
            run.losses[unseen : run.step, :, 0] = recent[: run.step - unseen].cpu()
            run.require_finite(unseen, run.step)
            progress((run.step - unseen) * len(seeds))
            unseen = run.step
        if save:
            keep()  # the end, or once more before the next step
            moments = {name: [moment.cpu().numpy() for moment in both] for name, both in stack.moments.items()}
            run.save(checkpoint, stack.arrays(), moments)
    del step_once  # a recorded step holds memory of its own
    if recipe.reshuffled:
        train_loss.take(_stacked(recipe, seeds, recipe.steps // n_batches))
    train_loss.choose(recipe.steps % n_batches)
    for column, loss in enumerate(filter(None, (train_loss, held_out_loss))):
        run.losses[-1, :, column] = loss(stack.tables())[0].cpu()
    run.require_finite(recipe.steps, recipe.steps + 1)
    return run.networks(stack.arrays()), run.losses


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


def _stacked(recipe: Recipe, seeds: Sequence[int], epoch: int) -> Int[np.ndarray, "batches k m 2"]:
    """The batches of one pass for all networks of a stack."""
    return np.stack([batches_of(recipe, seed, epoch) for seed in seeds], axis=1)
