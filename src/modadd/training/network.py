"""A network in training on the CPU: all its numbers in one array, and the compiled step that updates them."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.core.bits import set_arithmetic
from modadd.core.groups import right_answers
from modadd.networks.architectures import ARCHITECTURES
from modadd.networks.recipes import OPTAX_ADAM, RECIPES, TABLES, Recipe
from modadd.training.instructions import FLOAT, OF_BATCH
from modadd.training.neurons import KINDS
from modadd.training.program import Place, Program, address, program_of
from modadd.training.step import Batches, Rates, follow, steps
from modadd.training.tiles import multiply

NEURONS = 120 * 512  # of the pairs that are computed together: their activations and slopes stay in the second cache
LEAST = 96  # pairs that are computed together: fewer would be more calls than arithmetic
LINE = 64  # bytes of a line of the cache

Parameters = Mapping[str, Float[np.ndarray, "..."]]


class Task(NamedTuple):
    """Pairs in the order in which they are computed, and the program that computes them."""

    program: Program
    batches: Batches


class Learner:
    """One network with its optimiser: parameters, slopes, both moments and room to work, in one array.

    Its bits depend on the recipe, the parameters and the batches alone.
    """

    def __init__(self, recipe: Recipe, parameters: Parameters) -> None:
        self.recipe, self.updates, self.names = recipe, 0, list(parameters)
        architecture = ARCHITECTURES[recipe.architecture]
        shapes = {name: value.shape for name, value in parameters.items()}
        block = max(LEAST, NEURONS // recipe.d_mlp)
        penalty = recipe.weight_decay if recipe.decayed == TABLES else 0.0
        of_batch = bool(recipe.batch_size) and not penalty  # a penalty on the tables reaches every row
        n = recipe.modulus
        self.learning = program_of(architecture, shapes, n, block, of_batch, penalty)
        self.whole = self.learning
        if of_batch:
            self.whole = program_of(architecture, shapes, n, block, False, 0.0, self.learning.size)
        self.numbers = _aligned(self.whole.size)
        for name, value in parameters.items():
            self.parameter(name)[...] = value
        places = self.learning.values.values()
        self._starts = np.array([place.room.start for place in places])
        self._lengths = np.array([place.room.size for place in places])

    def _view(self, place: Place, numbers: int = 0) -> Float[np.ndarray, "..."]:
        """What stands at a place, so many numbers behind it; written to, it changes there."""
        start = address(place) // FLOAT + numbers
        strides = [FLOAT * step for step in place.strides]
        return np.lib.stride_tricks.as_strided(self.numbers[start:], place.shape, strides)

    def parameter(self, name: str) -> Float[np.ndarray, "..."]:
        """A parameter; written to, it changes."""
        return self._view(self.learning.values[name])

    def slope(self, name: str) -> Float[np.ndarray, "..."]:
        """The slope of the loss in a parameter, as of the last update."""
        return self._view(self.learning.values[name], self.learning.apart)

    def moments(self, name: str) -> list[Float[np.ndarray, "..."]]:
        """Both moments of a parameter; written to, they change."""
        return [self._view(self.learning.values[name], many * self.learning.apart) for many in (2, 3)]

    def tables(self) -> list[Float[np.ndarray, "_ _"] | None]:
        """A, B, W, C and D as they are now; None for one that the architecture lacks."""
        program = self.whole
        nowhere, none = np.zeros((2, 0), np.int64), np.zeros(2, np.int64)
        follow(program.forward, program.constants, self.numbers.ctypes.data, nowhere, none, multiply.address)
        return [None if table is None else self._view(table).copy() for table in program.tables]

    def task(self, pairs: Int[np.ndarray, "batches m 2"], answers: Int[np.ndarray, "n n"], learnt: bool = True) -> Task:
        """Batches of pairs with the right answer of every pair; `learnt`: whether they are for `update`."""
        program = self.learning if learnt else self.whole
        return Task(program, batches_of(pairs, answers, program))

    def update(self, task: Task, begin: int, count: int) -> Float[np.ndarray, "made_or_more"]:
        """Make `count` updates from batch `begin` on; returns the loss before each, of which the last may be not finite.

        In this case its update is not made, nor those after it.
        """
        losses = np.zeros(count)
        made = self._steps(task, begin, losses, self._rates_of(count))
        self.updates += made
        return losses[: made + 1]

    def loss(self, task: Task, batch: int = 0) -> float:
        """The loss on a batch; nothing is learnt."""
        losses = np.zeros(1)
        self._steps(task, batch, losses, self._rates_of(0), learns=False)
        return float(losses[0])

    def operations(self, task: Task, batch: int = 0) -> int:
        """Multiplications and additions of all matrix products of an update."""
        (program, batches), places = task, task.program.places
        sizes = program.products.copy()
        for size, rows in zip(OF_BATCH, batches.n_rows[batch], strict=True):
            sizes[sizes == size] = rows
        of_loss = 3 * int(batches.pairs[batch]) * places.h * places.n
        return 2 * (int(sizes.prod(axis=1).sum()) + of_loss)

    def _steps(
        self, task: Task, begin: int, losses: Float[np.ndarray, "count"], rates: Rates, learns: bool = True
    ) -> int:
        (program, batches), kind = task, KINDS[self.recipe.activation]
        given = (program.forward, program.backward, program.constants, program.places)
        return steps(self.numbers, *given, batches, rates, kind, begin, losses, learns, multiply.address)

    def _rates_of(self, count: int) -> Rates:
        """What the optimiser is told for the next updates."""
        r, now = self.recipe, slice(self.updates, self.updates + count)
        decays = np.array([r.weight_decay * r.decays(name) for name in self.learning.values])
        apart = r.optimiser == "adamw"
        shrink, l2 = (1 - r.learning_rate * decays, 0 * decays) if apart else (0 * decays + 1, decays)
        first, second = (corrections(beta, now, r.optimiser == OPTAX_ADAM) for beta in (r.beta1, r.beta2))
        descends = r.optimiser == "descent"
        rate = np.full(count, r.learning_rate) if descends else r.learning_rate / first
        single = (np.float32(number) for number in (r.beta1, r.beta2, r.epsilon))
        numbers = (array.astype(np.float32) for array in (shrink, l2, rate, 1 / np.sqrt(second)))
        return Rates(self._starts, self._lengths, self.learning.apart, *numbers, *single, descends)


def corrections(beta: float, now: slice, of_optax: bool) -> Float[np.ndarray, "count"]:
    """1 − βᵗ for some updates t − 1, by which Adam divides a moment. Powers are products, so that no library decides their bits.

    optax has βᵗ and the difference in float32, and lets a moment gain float32(1 − β) of a slope, where the step's gains
    1 − float32(β): the moment is larger by that ratio, and so is what it is divided by.
    """
    if not of_optax:
        return 1 - np.cumprod(np.full(now.stop, beta))[now]
    single, one = np.float32(beta), np.float32(1)
    powers = np.cumprod(np.full(now.stop, float(single)))[now].astype(np.float32)
    return (one - powers) * (float(one - single) / float(np.float32(1 - beta)))


def compile_step() -> None:
    """Compile the step, unless it is kept from before: else the first job that trains does."""
    set_arithmetic()
    recipe = RECIPES["group_mlp"]
    shapes = ARCHITECTURES[recipe.architecture].shapes(recipe.modulus, recipe.sizes)
    learner = Learner(recipe, {name: np.zeros(shape, np.float32) for name, shape in shapes.items()})
    learner.update(learner.task(np.zeros((1, 1, 2), np.int64), right_answers(recipe.operation, recipe.modulus)), 0, 1)
    learner.tables()


def batches_of(pairs: Int[np.ndarray, "batches m 2"], answers: Int[np.ndarray, "n n"], program: Program) -> Batches:
    """Pairs as a program computes them: by a, then b, so that rows that are read are neighbours.

    A pair and its mirror image are one where both have the same activations and the same answer.
    """
    count, m, _ = pairs.shape
    n = program.places.n
    mirrored = program.alike and bool((answers == answers.T).all())
    shape = (count, m)
    a, b, often = (np.zeros(shape, np.int64) for _ in range(3))
    right, distinct = np.zeros(shape, np.int64), np.zeros(count, np.int64)
    rows, n_rows = np.zeros((count, 2, n), np.int64), np.zeros((count, 2), np.int64)
    of_batch = min(program.places.rows_A, program.places.rows_B) < 0
    shared = program.places.rows_A == program.places.rows_B
    for i, batch in enumerate(pairs):
        both = np.sort(batch, axis=1) if mirrored else batch
        codes, many = np.unique(both @ [n, 1], return_counts=True)
        first, second = np.divmod(codes, n)
        distinct[i] = here = len(codes)
        right[i, :here], often[i, :here] = answers[first, second], many
        if of_batch:
            used = [np.unique(batch)] if shared else [np.unique(first), np.unique(second)]
            for k, which in enumerate(used):
                rows[i, k, : len(which)], n_rows[i, k] = which, len(which)
            first, second = np.searchsorted(used[0], first), np.searchsorted(used[-1], second)
        a[i, :here], b[i, :here] = first, second
    return Batches(a, b, right, often, distinct, rows, n_rows, m)


def _aligned(size: int) -> Float[np.ndarray, "size"]:
    """Zeros whose first lies at the start of a line of the cache: vectors of a line then never cross one."""
    room = np.zeros(size + LINE // FLOAT, np.float32)
    skip = -room.ctypes.data % LINE // FLOAT
    return room[skip : skip + size]
