"""The transpose of a table, in squares by shuffles of vectors: it moves numbers, so no bit can differ."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from modadd.training.compiling import compiled
from modadd.training.instructions import FLOAT
from modadd.training.tiles import LANES


def square_of(lanes: int):
    """The function that writes the transpose of a square of so many rows: its arguments are addresses and steps down."""

    @intrinsic
    def turn_square(typing, x, down, out, below):
        def generate(context, builder, signature, arguments):
            x, down, out, below = arguments
            vector, whole = ir.VectorType(ir.FloatType(), lanes), ir.IntType(32)
            size = context.get_value_type(types.intp)

            def at(start, step, i):
                return builder.inttoptr(builder.add(start, builder.mul(size(i), step)), vector.as_pointer())

            rows = [builder.load(at(x, down, i), align=FLOAT) for i in range(lanes)]
            half = lanes // 2
            masks = []
            for start in (0, half):
                picked = [whole(start + j // 2 + (j % 2) * lanes) for j in range(lanes)]
                masks.append(ir.Constant(ir.VectorType(whole, lanes), picked))
            for _ in range(lanes.bit_length() - 1):  # perfect shuffles of rows i and i + half
                rows = [builder.shuffle_vector(rows[i], rows[i + half], mask) for i in range(half) for mask in masks]
            for i in range(lanes):
                builder.store(rows[i], at(out, below, i), align=FLOAT)
            return context.get_dummy_value()

        return types.void(*[types.intp] * 4), generate

    return turn_square


_square = square_of(LANES)


@compiled
def turn(x, down, out, below, p, q):
    """out (q × p) ← the transpose of x (p × q); steps down in bytes. Up to the next multiples of LANES all is moved."""
    for i in range(0, p, LANES):
        for j in range(0, q, LANES):
            _square(x + i * down + j * FLOAT, down, out + j * below + i * FLOAT, below)
