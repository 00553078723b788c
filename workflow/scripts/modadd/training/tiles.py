"""The compiled product of two matrices, with the same bits on every processor.

Every element of x @ y is one chain of fused multiply–adds over the shared axis, in order:

    fma(x[i, q−1], y[q−1, j], … fma(x[i, 1], y[1, j], fma(x[i, 0], y[0, j], 0)))

Vectors run over j, and tiles over i and j, so that each element has a chain of its own. Its bits depend neither on the
width of the vectors nor on tiles, strides, or what else is multiplied. A processor without fused multiply–add is slow
here, and right.
"""

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 16 if llvmlite.binding.get_host_cpu_features().get("avx512f") else 8  # float32 in a vector of this processor
ROWS, VECTORS = (12, 2) if LANES == 16 else (6, 2)  # of a tile of the result: as many as its registers hold
WIDTH = VECTORS * LANES
DEPTH = 256  # terms between two stores of a chain: so much of y, WIDTH columns wide, stays in the nearest cache
HEIGHT = 8 * ROWS  # rows of x that are multiplied before the next columns of y: they stay in the second cache
NEAR = 512  # bytes between rows of y that are read as they are, whatever reads them
FLOAT, LINE = 4, 64  # bytes of a number, and of a line of the cache
SPREAD = 2 * LINE // FLOAT  # rows whose length is an odd multiple of half of this do not collide in the cache


def tile_of(rows: int, vectors: int, lanes: int):
    """The function that continues the chains of a tile, `rows` of so many vectors, by some terms.

    Its arguments are addresses and steps in bytes: x, its step down and along; y, its step to the next term, whose
    columns lie side by side; the tile and its step down; how many terms; and whether chains go on from what the tile holds,
    or start.
    """

    @intrinsic
    def tile(typing, x, down, along, y, onward, out, below, terms, goes_on):
        signature = types.void(*[types.intp] * 8, types.boolean)

        def generate(context, builder, _, arguments):
            x, down, along, y, onward, out, below, terms, goes_on = arguments
            single, size = ir.FloatType(), context.get_value_type(types.intp)
            vector = ir.VectorType(single, lanes)
            fma_type = ir.FunctionType(vector, [vector] * 3)
            fma = cgutils.get_or_insert_function(builder.module, fma_type, f"llvm.fma.v{lanes}f32")

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
                    one = load(builder.add(column, below_first), single)
                    empty, first = vector(ir.Undefined), ir.IntType(32)(0)
                    alike = ir.VectorType(ir.IntType(32), lanes)(None)
                    spread = builder.shuffle_vector(builder.insert_element(empty, one, first), empty, alike)
                    for chain, own in zip(of_row, of_y):
                        builder.store(builder.call(fma, [spread, own, builder.load(chain)]), chain)
            for place, chain in every:
                builder.store(builder.load(chain), at(place, vector), align=FLOAT)
            return context.get_dummy_value()

        return signature, generate

    return tile


@intrinsic
def number_at(typing, address):
    """The float32 at an address."""

    def generate(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], ir.FloatType().as_pointer()), align=FLOAT)

    return types.float32(types.intp), generate


def row_copy_of(vectors: int, lanes: int):
    """The function that copies a row of so many vectors from one address to another."""

    @intrinsic
    def copy_row(typing, start, end):
        def generate(context, builder, signature, arguments):
            vector, size = ir.VectorType(ir.FloatType(), lanes), context.get_value_type(types.intp)
            for v in range(vectors):
                source, target = (
                    builder.inttoptr(builder.add(one, size(v * lanes * FLOAT)), vector.as_pointer())
                    for one in arguments
                )
                builder.store(builder.load(source, align=FLOAT), target, align=FLOAT)
            return context.get_dummy_value()

        return types.void(types.intp, types.intp), generate

    return copy_row


@intrinsic
def put(typing, address, number):
    """Write a float32 to an address."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[1], builder.inttoptr(arguments[0], ir.FloatType().as_pointer()), align=FLOAT)
        return context.get_dummy_value()

    return types.void(types.intp, types.float32), generate


_tile, _copy_row = tile_of(ROWS, VECTORS, LANES), row_copy_of(VECTORS, LANES)


@njit(types.void(*[types.intp] * 12, types.boolean), error_model="numpy", cache=True)
def product_at(x, y, out, p, q, r, x_down, x_along, y_down, y_along, below, beside, onto):
    """out ← x @ y, of addresses, sizes p, q, r and steps in bytes; `onto`: its chains go on from what `out` holds."""
    panels = (r + WIDTH - 1) // WIDTH
    panel = np.empty((panels, min(q, DEPTH), WIDTH), np.float32)
    edge, lines = np.empty((ROWS, WIDTH), np.float32), np.zeros((min(q, DEPTH), ROWS), np.float32)
    room, step = panel.ctypes.data, panel.strides[0]
    own, of_lines = edge.ctypes.data, lines.ctypes.data
    # Far rows of y collide in the cache, unless an odd number of its lines lies between them: they are copied where several
    # tiles read them.
    spread = y_down <= NEAR or y_down % (2 * LINE) == LINE
    as_it_is = y_along == FLOAT and (spread or p <= 3 * ROWS)
    # Chains that are whole in one block of terms may be computed twice: the last tile then overlaps the one before.
    once = q <= DEPTH and not onto
    down_again, beside_again = once and p >= ROWS, once and r >= WIDTH
    left = p % ROWS if not down_again else 0  # rows of x below the last whole tile
    for k in range(0, max(q, 1), DEPTH):
        terms, goes_on = min(DEPTH, q - k), onto or k > 0
        for a in range(left):
            for t in range(terms):
                lines[t, a] = number_at(x + (p - left + a) * x_down + (k + t) * x_along)
        for at in range(panels):
            j = min(at * WIDTH, r - WIDTH) if beside_again else at * WIDTH
            columns, of_y = min(WIDTH, r - j), y + k * y_down + j * y_along
            if columns == WIDTH and as_it_is:
                continue
            if columns == WIDTH and y_along == FLOAT:
                for t in range(terms):
                    _copy_row(of_y + t * y_down, room + at * step + t * WIDTH * FLOAT)
                continue
            for c in range(columns):
                for t in range(terms):
                    panel[at, t, c] = number_at(of_y + t * y_down + c * y_along)
            for c in range(columns, WIDTH):
                for t in range(terms):
                    panel[at, t, c] = 0
        for high in range(0, p, HEIGHT):
            for at in range(panels):
                j = min(at * WIDTH, r - WIDTH) if beside_again else at * WIDTH
                columns = min(WIDTH, r - j)
                packed = columns < WIDTH or not as_it_is
                of_y = room + at * step if packed else y + k * y_down + j * FLOAT
                onward = WIDTH * FLOAT if packed else y_down
                for first in range(high, min(high + HEIGHT, p), ROWS):
                    i = min(first, p - ROWS) if down_again else first
                    filled = min(ROWS, p - i)
                    of_x, place = x + i * x_down + k * x_along, out + i * below + j * beside
                    if filled == ROWS and columns == WIDTH and beside == FLOAT:
                        _tile(of_x, x_down, x_along, of_y, onward, place, below, terms, goes_on)
                        continue
                    whole = columns == WIDTH and beside == FLOAT
                    if goes_on and whole:
                        for a in range(filled):
                            _copy_row(place + a * below, own + a * WIDTH * FLOAT)
                    elif goes_on:
                        for a in range(filled):
                            for c in range(columns):
                                edge[a, c] = number_at(place + a * below + c * beside)
                    if filled == ROWS:
                        _tile(of_x, x_down, x_along, of_y, onward, own, WIDTH * FLOAT, terms, goes_on)
                    else:
                        _tile(of_lines, FLOAT, ROWS * FLOAT, of_y, onward, own, WIDTH * FLOAT, terms, goes_on)
                    for a in range(filled):
                        if whole:
                            _copy_row(own + a * WIDTH * FLOAT, place + a * below)
                            continue
                        for c in range(columns):
                            put(place + a * below + c * beside, edge[a, c])


_STACK = types.Array(types.float32, 3, "A")


@njit(types.void(_STACK, _STACK, _STACK, types.boolean), error_model="numpy", cache=True)
def products(out, x, y, onto):
    """out ← x @ y for k matrices, with any steps between their numbers: k × p × r, of k × p × q and k × q × r, in float32.

    `onto`: chains go on from what `out` holds.
    """
    p, q, r = x.shape[1], x.shape[2], y.shape[2]
    (x_over, x_down, x_along), (y_over, y_down, y_along), (over, below, beside) = x.strides, y.strides, out.strides
    for k in range(len(x)):
        at = x.ctypes.data + k * x_over, y.ctypes.data + k * y_over, out.ctypes.data + k * over
        product_at(*at, p, q, r, x_down, x_along, y_down, y_along, below, beside, onto)
