"""An architecture as a list of instructions on one array of numbers, for the compiled step.

What `effective` and `backward` of an Architecture do is written down once, with places in the array instead of tensors. So an
architecture is described in one place, for torch and for the compiled step. Every result has a place of its own, and what was
computed on the way forth is not computed again on the way back.

Rows of a matrix are padded by zeros to whole blocks, and its columns to whole squares, so that no instruction has edges.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.networks.architectures import Architecture
from modadd.training.instructions import (
    BLOCK,
    FLOAT,
    GAINS,
    GATHER,
    OF_BATCH,
    PLUS,
    PRODUCT,
    SCATTER,
    SQUARE,
    SUM,
    TIMES,
    TURN,
    Places,
)

Shape = tuple[int, ...]


@dataclass(eq=False)
class Room:
    """Numbers that lie together: some matrices of so many rows. Where they begin is known in the end."""

    size: int
    row: int  # numbers from one row to the next
    numbers: int = 0  # in the tables that fill it, without what pads them
    strides: tuple[int, ...] = ()  # of these tables
    start: int | None = None
    within: "tuple[Room, int] | None" = None  # the room that it is part of, and how many numbers behind its beginning
    in_squares: bool = False  # whether it is written as a transpose, which also writes the rows that pad it


@dataclass(frozen=True, eq=False)
class Place:
    """A vector, a matrix or a stack of matrices in a room; its operations, those that architectures use, are written down."""

    tape: "Tape"
    room: Room
    offset: int
    shape: Shape
    strides: Shape

    def _like(self, shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> "Place":
        return Place(self.tape, self.room, self.offset + offset, tuple(shape), tuple(strides))

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for places that hold the same numbers."""
        return id(self.room), self.offset, self.shape, self.strides

    @property
    def fills_its_room(self) -> bool:
        """Whether it is all that lies there, in its own order."""
        like = self.offset == 0 and self.strides == self.room.strides[-len(self.shape) :]
        return like and math.prod(self.shape) == self.room.numbers

    @property
    def mT(self) -> "Place":
        """The transpose."""
        (*over, p, q), (*along, down, beside) = self.shape, self.strides
        return self._like((*over, q, p), (*along, beside, down))

    def __add__(self, other: "Place") -> "Place":
        return self.tape.plus(self, other)

    def __truediv__(self, number: int) -> "Place":
        return self.tape.times(self, 1 / number)

    def __getitem__(self, which: Any) -> "Place":
        """[..., None, :] of a vector, and [..., i:j, :] of a matrix."""
        _, rows, _ = which
        if rows is None:
            return self._like((1, *self.shape), (0, *self.strides))
        first, end, _ = rows.indices(self.shape[-2])
        down = self.strides[-2]
        return self._like((*self.shape[:-2], end - first, self.shape[-1]), self.strides, first * down)

    def above(self, lower: "Place") -> "Place":
        """Both, one below the other."""
        return self.tape.joined(self, lower)

    def sum(self, axis: int, keepdim: bool = False) -> "Place":
        """Over the rows of a matrix, or over the matrices of a stack."""
        return self.tape.summed_rows(self, keepdim) if axis == -2 else self.tape.summed_matrices(self)

    def unsqueeze(self, axis: int) -> "Place":
        """A stack of one matrix."""
        return self._like((1, *self.shape), (0, *self.strides))

    def expand(self, *shape: int) -> "Place":
        """A stack of the same matrix again and again."""
        return self._like((shape[0], *self.shape[1:]), self.strides)

    def matrices(self) -> "list[Place]":
        """Those of a stack, or the matrix itself."""
        if len(self.shape) == 2:
            return [self]
        return [self._like(self.shape[1:], self.strides[1:], i * self.strides[0]) for i in range(self.shape[0])]


class Instruction(NamedTuple):
    """What to do, from where to where, in sizes p, q and columns; `extra` is the place of a constant, or an embedding."""

    kind: int
    out: Place
    x: Place
    y: Place
    p: int
    q: int
    columns: int
    extra: int = 0


@dataclass
class Tape:
    """Instructions as they are written down; n is the most that a size of a batch can be."""

    n: int
    rooms: list[Room] = field(default_factory=list)
    instructions: list[Instruction] = field(default_factory=list)
    constants: list[float] = field(default_factory=list)
    _known: dict[tuple[object, ...], Place] = field(default_factory=dict)

    def place(self, shape: Shape) -> Place:
        """A new one, of zeros until something is written there."""
        *over, rows, columns = (1, *shape) if len(shape) == 1 else shape
        high, row = padded(self.n if rows < 0 else rows, SQUARE), row_of(columns)
        strides = (high * row, row, 1)[-len(shape) :]
        self.rooms.append(Room(math.prod(over) * high * row, row, math.prod(shape), strides))
        return Place(self, self.rooms[-1], 0, tuple(shape), strides)

    def constant(self, number: float) -> int:
        """Where among the constants a number stands."""
        self.constants.append(number)
        return len(self.constants) - 1

    def _write(self, instruction: Instruction) -> Place:
        self.instructions.append(instruction)
        return instruction.out

    def _once(self, key: tuple[object, ...], make: Any) -> Place:
        """What was written down for this key, or is now."""
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def turned(self, x: Place) -> Place:
        """The transpose, moved."""
        (p, q) = x.shape
        if min(p, q) < 0:
            raise ValueError("a table of a batch's rows cannot be turned: rows of the batch before lie below them")
        if p % SQUARE and not x.fills_its_room:
            x = self.times(x, 1.0)  # with nothing but zeros below

        def make() -> Place:
            out = self.place((q, p))
            out.room.in_squares = True
            return self._write(Instruction(TURN, out, x, x, p, q, padded(q, SQUARE)))

        return self._once(("turned", x.key), make)

    def straight(self, x: Place) -> Place:
        """The same numbers with columns that lie side by side."""
        return x if x.strides[-1] == 1 else self.turned(x.mT)

    def product(self, x: Place, y: Place) -> Place:
        """x @ y of two matrices, or of two stacks of as many."""
        return self._once(("product", x.key, y.key), lambda: self._product(x, y))

    def _product(self, x: Place, y: Place) -> Place:
        out = self.place((*x.shape[:-1], y.shape[-1]))
        for one, left, right in zip(out.matrices(), x.matrices(), y.matrices(), strict=True):
            (p, q), r = left.shape, right.shape[1]
            self._write(Instruction(PRODUCT, one, left, self.straight(right), p, q, r))
        return out

    def plus(self, x: Place, y: Place) -> Place:
        """x + y; one row may be added to every row."""
        x, y = self.straight(x), self.straight(y)
        rows, other = x.shape[0], y.shape[0]
        if rows != other:
            x, y = (x._like(y.shape, (0, 1)), y) if rows == 1 else (x, y._like(x.shape, (0, 1)))
        (p, r) = x.shape
        return self._once(
            ("plus", x.key, y.key), lambda: self._write(Instruction(PLUS, self.place((p, r)), x, y, p, 0, r))
        )

    def times(self, x: Place, number: float) -> Place:
        """x times a number."""
        x = self.straight(x)
        (p, r) = x.shape

        def make() -> Place:
            return self._write(Instruction(TIMES, self.place((p, r)), x, x, p, 0, r, self.constant(number)))

        return self._once(("times", x.key, number), make)

    def gain(self, out: Place, x: Place, number: float) -> None:
        """out ← out + x times a number."""
        x = self.straight(x)
        (p, r) = x.shape
        self._write(Instruction(GAINS, out, out, x, p, 0, r, self.constant(number)))

    def summed_rows(self, x: Place, keepdim: bool) -> Place:
        """The sum of the rows, in order."""
        x = self.straight(x)
        (p, r) = x.shape
        out = self._once(("summed", x.key), lambda: self._write(Instruction(SUM, self.place((1, r)), x, x, p, 0, r)))
        return out if keepdim else out._like((r,), (1,))

    def summed_matrices(self, x: Place) -> Place:
        """The sum of the matrices of a stack, in order."""
        first, *others = x.matrices()
        for other in others:
            first = first + other
        return first

    def joined(self, upper: Place, lower: Place) -> Place:
        """Both, one below the other; what computes them writes there."""
        rows = upper.shape[0]
        out = self.place((rows + lower.shape[0], upper.shape[1]))
        for part, first in ((upper, 0), (lower, rows)):
            if part.room.in_squares or not self.move(part, out, first * out.strides[0]):
                to = out[..., first : first + part.shape[0], :]
                self._write(Instruction(TIMES, to, part, part, *_size(part), self.constant(1.0)))
        return out

    def move(self, place: Place, to: Place, offset: int = 0) -> bool:
        """Let what is written to a place be written elsewhere, if it fills its room and nothing else claims it."""
        room = place.room
        if room.within or room.start is not None or not place.fills_its_room or room.row != to.room.row:
            return False
        room.within = (to.room, to.offset + offset)
        return True

    def store(self, x: Place, to: Place) -> None:
        """Let x be computed at a place, or copied there."""
        if self.move(x, to):
            return
        for one, other in zip(_as_matrix(x).matrices(), _as_matrix(to).matrices(), strict=True):
            one = self.straight(one)
            self._write(Instruction(TIMES, other, one, one, *_size(one), self.constant(1.0)))

    def gather(self, x: Place, embedding: int) -> Place:
        """The rows of a table that a batch has."""
        out = self.place((OF_BATCH[embedding], x.shape[1]))
        return self._write(Instruction(GATHER, out, x, x, OF_BATCH[embedding], 0, x.shape[1], embedding))

    def scatter(self, x: Place, to: Place, embedding: int) -> None:
        """Put rows back where they came from; the others are zero."""
        x = self.straight(x)
        self._write(Instruction(SCATTER, to, x, x, OF_BATCH[embedding], to.shape[0], x.shape[1], embedding))

    def lay_out(self, start: int) -> int:
        """Give every room its place from a start on; returns the end."""
        for room in self.rooms:
            if room.start is None and room.within is None:
                room.start, start = start, start + room.size
        return start


def padded(size: int, to: int) -> int:
    """The next multiple."""
    return size + -size % to


def row_of(columns: int) -> int:
    """Numbers from one row to the next: where many rows would collide in the cache, another line lies between them."""
    row = padded(columns, BLOCK)
    return row + BLOCK // 2 if row % (2 * BLOCK) == 0 else row


def _as_matrix(x: Place) -> Place:
    return x[..., None, :] if len(x.shape) == 1 else x


def _size(x: Place) -> tuple[int, int, int]:
    x = _as_matrix(x)
    return x.shape[-2], 0, x.shape[-1]


def address(place: Place) -> int:
    """Bytes from the beginning of the array."""
    room, offset = place.room, place.offset
    while room.within:
        room, more = room.within
        offset += more
    return FLOAT * (room.start + offset)


def encoded(instructions: Sequence[Instruction]) -> Int[np.ndarray, "k 12"]:
    """Instructions as the compiled step reads them: addresses and steps in bytes, columns in whole blocks."""
    rows = []
    for i in instructions:
        out, x, y = (_as_matrix(place) for place in (i.out, i.x, i.y))
        x_down, x_along = (FLOAT * step for step in x.strides[-2:])
        of_x, of_y = (address(x), x_down, x_along), (address(y), FLOAT * y.strides[-2])
        columns = padded(i.columns, BLOCK if i.kind != TURN else SQUARE)
        rows.append((i.kind, address(out), FLOAT * out.strides[-2], *of_x, *of_y, i.p, i.q, columns, i.extra))
    return np.array(rows, np.int64).reshape(-1, 12)


class Program(NamedTuple):
    """One update of a network, but for its optimiser: to the tables, then the loss (`places`), then back to the parameters.

    values: where each parameter begins, in numbers; its slope and both moments lie `apart`, twice and three times as far.
    tables: the places of A, B, W, C and D. products: p × q × r of every matrix product but those of the loss. size: numbers in all. alike: whether A and B are one table, and nothing bypasses the
    neurons.
    """

    forward: Int[np.ndarray, "f 12"]
    backward: Int[np.ndarray, "b 12"]
    constants: Float[np.ndarray, "c"]
    places: Places
    values: Mapping[str, Place]
    apart: int
    tables: tuple[Place | None, ...]
    products: Int[np.ndarray, "products 3"]
    size: int
    alike: bool


def program_of(
    architecture: Architecture,
    shapes: Mapping[str, Shape],
    n: int,
    block: int,
    of_batch: bool,
    penalty: float = 0.0,
    start: int = 0,
) -> Program:
    """The program of an architecture whose parameters have these shapes.

    of_batch: whether it computes those rows alone that a batch has. penalty: what of the tables is added to their slopes.
    block: how many pairs are computed together. start: from where on its own room lies, if another program has the same
    parameters.
    """
    tape = Tape(n)
    values = {name: tape.place(shape) for name, shape in shapes.items()}
    apart = tape.lay_out(0)
    slopes = {name: tape.place(shape) for name, shape in shapes.items()}
    tape.lay_out(apart)
    embeddings = list(dict.fromkeys(architecture.embeddings))
    given = dict(values)
    if of_batch:
        given |= {name: tape.gather(values[name], i) for i, name in enumerate(embeddings)}
    A, B, W, C, D = architecture.effective(given, tape.product)
    A, B, W = (tape.straight(table) for table in (A, B, W))
    C, D = (None if table is None else tape.straight(table) for table in (C, D))
    of_forward = len(tape.instructions)
    h = W.shape[0]
    dA, dB, dW = (tape.place(table.shape) for table in (A, B, W))
    dW.room.in_squares = True
    dC, dD = (None if table is None else tape.place(table.shape) for table in (C, D))
    both = list(zip((dA, dB, dW, dC, dD), (A, B, W, C, D), strict=True))
    if penalty:
        for slope, table in both:
            if table is not None:
                tape.gain(slope, table, penalty)
    for name, slope in architecture.backward(given, tuple(slope for slope, _ in both), tape.product).items():
        if of_batch and name in embeddings:
            tape.scatter(slope, slopes[name], embeddings.index(name))
        else:
            tape.store(slope, slopes[name])
    wide = padded(h, BLOCK) + BLOCK // 2
    active, back = (Room(block * wide, wide) for _ in range(2))
    tape.rooms += [active, back]
    turned, d_turned, logits, edge = (tape.place(shape) for shape in ((n, h), (n, h), (block, n), (1, n)))
    end = tape.lay_out(max(start, 4 * apart))

    def step(table: Place | None) -> int:
        return 0 if table is None else FLOAT * table.strides[-2]

    def step_of_extra(table: Place | None) -> int:
        return 0 if table is None or table.shape[0] == 1 else step(table)

    def place(table: Place | None) -> int:
        return -1 if table is None else address(table)

    places = Places(
        *(
            address(A),
            step(A),
            address(B),
            step(B),
            address(W),
            step(W),
            place(C),
            step_of_extra(C),
            place(D),
            step_of_extra(D),
        ),
        *(address(dA), address(dB), address(dW), step(dW), place(dC), place(dD)),
        *(address(turned), address(d_turned), FLOAT * turned.strides[0]),
        *(FLOAT * active.start, FLOAT * back.start, FLOAT * wide),
        *(address(logits), FLOAT * logits.strides[0], address(edge), A.shape[0], B.shape[0], n, h, block),
    )
    return Program(
        encoded(tape.instructions[:of_forward]),
        encoded(tape.instructions[of_forward:]),
        np.array([*tape.constants, 0.0], np.float32),
        places,
        values,
        apart,
        (A, B, W, C, D),
        np.array([(i.p, i.q, i.columns) for i in tape.instructions if i.kind == PRODUCT], np.int64).reshape(-1, 3),
        end,
        A.key == B.key and C is None and D is None,
    )
