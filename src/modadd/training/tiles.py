"""The compiled product of two matrices, with the same bits on every processor.

Every element of x @ y is one chain of fused multiply–adds over the shared axis, in order:

    fma(x[i, q−1], y[q−1, j], … fma(x[i, 1], y[1, j], fma(x[i, 0], y[0, j], 0)))

Vectors run over j, and tiles over i and j, so that each element has a chain of its own. Its bits depend neither on the
width of the vectors nor on tiles, strides, or what else is multiplied. A processor without fused multiply–add is slow
here, and right.
"""

import llvmlite.binding
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from modadd.training.compiling import compiled_by_address
from modadd.training.fused import emit_fma
from modadd.training.instructions import FLOAT


def has_wide_vectors() -> bool:
    """Whether numba compiles for a processor with vectors of 16 numbers: this one, or the one that it was told."""
    told = config.CPU_FEATURES
    if told is None:
        return bool(llvmlite.binding.get_host_cpu_features().get("avx512f"))
    return "+avx512f" in told.split(",")


LANES = 16 if has_wide_vectors() else 8  # float32 in a vector
MOST, VECTORS = (13, 2) if LANES == 16 else (6, 2)  # rows and vectors of a tile: as many as there are registers for
WIDTH = VECTORS * LANES  # columns of a tile
DEPTH = 256  # terms between two stores of a chain: so much of y, WIDTH columns wide, stays in the nearest cache


def tiles_of(most: int, vectors: int, lanes: int):
    """The function that continues the chains of a tile, of 1 to `most` rows of so many vectors, by some terms.

    Its arguments are the number of rows; then addresses and steps in bytes: x, its step down and along; y, its step to the next
    term, whose columns lie side by side; the tile and its step down; how many terms; and whether chains go on from what the tile
    holds, or start.
    """

    @intrinsic
    def tile(typing, rows, x, down, along, y, onward, out, below, terms, goes_on):
        signature = types.void(*[types.intp] * 9, types.boolean)

        def generate(context, builder, _, arguments):
            rows, *others = arguments
            done = builder.append_basic_block("done")
            cases = builder.switch(rows, done)
            for height in range(1, most + 1):
                block = builder.append_basic_block(f"rows{height}")
                cases.add_case(context.get_value_type(types.intp)(height), block)
                builder.position_at_end(block)
                _emit_tile(builder, context.get_value_type(types.intp), height, vectors, lanes, *others)
                builder.branch(done)
            builder.position_at_end(done)
            return context.get_dummy_value()

        return signature, generate

    return tile


def _emit_tile(builder, size, rows, vectors, lanes, x, down, along, y, onward, out, below, terms, goes_on):
    single = ir.FloatType()
    vector = ir.VectorType(single, lanes)

    def at(address, kind):
        return builder.inttoptr(address, kind.as_pointer())

    def load(address, kind):
        return builder.load(at(address, kind), align=FLOAT)

    places, to_row = [], [builder.mul(size(row), down) for row in range(rows)]
    for row in range(rows):
        first = builder.add(out, builder.mul(size(row), below))
        places.append([builder.add(first, size(v * lanes * FLOAT)) for v in range(vectors)])
    chains = [[cgutils.alloca_once(builder, vector) for _ in range(vectors)] for _ in range(rows)]
    every = [(place, chain) for pair in zip(places, chains) for place, chain in zip(*pair)]
    with builder.if_else(goes_on) as (going_on, starting):
        with going_on:
            for place, chain in every:
                builder.store(load(place, vector), chain)
        with starting:
            for _, chain in every:
                builder.store(vector(None), chain)
    at_x, at_y = (cgutils.alloca_once_value(builder, start) for start in (x, y))
    with cgutils.for_range(builder, terms):
        column, row = builder.load(at_x), builder.load(at_y)
        builder.store(builder.add(column, along), at_x)
        builder.store(builder.add(row, onward), at_y)
        of_y = [load(builder.add(row, size(v * lanes * FLOAT)), vector) for v in range(vectors)]
        for below_first, of_row in zip(to_row, chains):
            spread = emit_spread(builder, load(builder.add(column, below_first), single), lanes)
            for chain, own in zip(of_row, of_y):
                builder.store(emit_fma(builder, spread, own, builder.load(chain)), chain)
    for place, chain in every:
        builder.store(builder.load(chain), at(place, vector), align=FLOAT)


def emit_spread(builder: ir.IRBuilder, one: ir.Value, lanes: int) -> ir.Value:
    """A vector of one number again and again."""
    whole = ir.IntType(32)
    some = builder.insert_element(ir.VectorType(one.type, lanes)(ir.Undefined), one, whole(0))
    return builder.shuffle_vector(some, some, ir.VectorType(whole, lanes)(None))


tile = tiles_of(MOST, VECTORS, LANES)


# Called by its address: whoever called it by its name would have all tiles compiled into himself once more.
@compiled_by_address(types.void(*[types.intp] * 10, types.boolean))
def multiply(x, down, along, y, onward, out, below, p, q, r, onto):
    """out ← x @ y, of addresses, steps in bytes and sizes p × q, q × r; `onto`: its chains go on from what `out` holds.

    Columns of y and of out lie side by side. Columns up to the next multiple of WIDTH are computed, too. Rows come in tiles
    as equal as can be.
    """
    if p == 0:
        return
    tall = (p + MOST - 1) // MOST
    least, more = p // tall, p % tall
    for k in range(0, max(q, 1), DEPTH):
        terms, goes_on = min(DEPTH, q - k), onto or k > 0
        for j in range(0, r, WIDTH):
            i = 0
            for t in range(tall):
                rows = least + 1 if t < more else least
                at, to = x + i * down + k * along, out + i * below + j * FLOAT
                tile(rows, at, down, along, y + k * onward + j * FLOAT, onward, to, below, terms, goes_on)
                i += rows


@intrinsic
def call_multiply(typing, address, x, down, along, y, onward, out, below, p, q, r, onto):
    """Call `multiply` at its address."""

    def generate(context, builder, signature, arguments):
        address, *others, onto = arguments
        kind = ir.FunctionType(ir.VoidType(), [one.type for one in others] + [ir.IntType(8)])
        function = builder.inttoptr(address, kind.as_pointer())
        builder.call(function, [*others, builder.zext(onto, ir.IntType(8))])
        return context.get_dummy_value()

    return types.void(*[types.intp] * 11, types.boolean), generate
