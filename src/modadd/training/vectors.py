"""What is done to whole vectors of numbers, in blocks of 32 lanes that LLVM cuts to those of the processor; all by address.

A vector is one row of a table, with a multiple of 32 numbers; those behind its last hold zeros. A sum or a largest number
folds the vector onto its first 32 lanes, in order, and these in halves, in an order that no processor changes.
"""

from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from modadd.training.fused import constant, emit_exp32
from modadd.training.instructions import BLOCK, FLOAT
from modadd.training.tiles import emit_spread

_SINGLE, _WHOLE = ir.FloatType(), ir.IntType(32)
_LANES = ir.VectorType(_SINGLE, BLOCK)


def _at(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.inttoptr(address, _LANES.as_pointer())


def _load(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.load(_at(builder, address), align=FLOAT)


def _each_block(builder: ir.IRBuilder, blocks: ir.Value, work: Callable[[ir.Value], None]) -> None:
    """Do the work for every block, given how many bytes it lies behind the first."""
    with cgutils.for_range(builder, blocks) as loop:
        work(builder.mul(loop.index, blocks.type(BLOCK * FLOAT)))


def _folded(builder: ir.IRBuilder, lanes: ir.Value, fold: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
    """One number: the upper half onto the lower one, again and again."""
    width = BLOCK
    while width > 1:
        width //= 2
        kind = ir.VectorType(_WHOLE, width)
        low, high = (
            builder.shuffle_vector(lanes, lanes, ir.Constant(kind, [_WHOLE(start + i) for i in range(width)]))
            for start in (0, width)
        )
        lanes = fold(low, high)
    return builder.extract_element(lanes, _WHOLE(0))


def _elementwise(of: Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value], ir.Value]):
    """The function (out, x, y, factor, blocks) that stores in a vector what `of` says of two vectors and a factor."""

    @intrinsic
    def vector(typing, out, x, y, factor, blocks):
        def generate(context, builder, signature, arguments):
            out, x, y, factor, blocks = arguments
            spread = emit_spread(builder, factor, BLOCK)

            def work(offset: ir.Value) -> None:
                both = (_load(builder, builder.add(start, offset)) for start in (x, y))
                builder.store(of(builder, *both, spread), _at(builder, builder.add(out, offset)), align=FLOAT)

            _each_block(builder, blocks, work)
            return context.get_dummy_value()

        return types.void(types.intp, types.intp, types.intp, types.float32, types.intp), generate

    return vector


def _relu(builder: ir.IRBuilder, u: ir.Value) -> ir.Value:
    """u where it is positive, else 0 · u: NaN stays NaN."""
    zero = constant(_LANES, 0.0)
    return builder.select(builder.fcmp_ordered(">", u, zero), u, builder.fmul(zero, u))


vector_plus = _elementwise(lambda builder, x, y, factor: builder.fadd(x, y))
vector_times = _elementwise(lambda builder, x, y, factor: builder.fmul(x, factor))
vector_gains = _elementwise(lambda builder, x, y, factor: builder.fadd(x, builder.fmul(y, factor)))
vector_relu = _elementwise(lambda builder, x, y, factor: _relu(builder, builder.fadd(x, y)))


@intrinsic
def vector_fill(typing, out, number, blocks):
    """out ← a number, everywhere."""

    def generate(context, builder, signature, arguments):
        out, number, blocks = arguments
        spread = emit_spread(builder, number, BLOCK)
        _each_block(
            builder, blocks, lambda offset: builder.store(spread, _at(builder, builder.add(out, offset)), align=FLOAT)
        )
        return context.get_dummy_value()

    return types.void(types.intp, types.float32, types.intp), generate


@intrinsic
def vectors_gain_masked(typing, back, active, first, second, blocks):
    """first and second gain `back` wherever `active` is positive."""

    def generate(context, builder, signature, arguments):
        back, active, first, second, blocks = arguments
        zero = constant(_LANES, 0.0)

        def work(offset: ir.Value) -> None:
            slope, on = (_load(builder, builder.add(start, offset)) for start in (back, active))
            gain = builder.select(builder.fcmp_ordered(">", on, zero), slope, zero)
            for start in (first, second):
                place = builder.add(start, offset)
                builder.store(builder.fadd(_load(builder, place), gain), _at(builder, place), align=FLOAT)

        _each_block(builder, blocks, work)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 5), generate


@intrinsic
def vector_top(typing, vector, extra, blocks):
    """vector ← vector + extra; the largest number of it."""

    def generate(context, builder, signature, arguments):
        vector, extra, blocks = arguments
        top = cgutils.alloca_once(builder, _LANES)

        def larger(x: ir.Value, y: ir.Value) -> ir.Value:
            return builder.select(builder.fcmp_ordered(">", x, y), x, y)

        def work(offset: ir.Value) -> None:
            place = builder.add(vector, offset)
            total = builder.fadd(_load(builder, place), _load(builder, builder.add(extra, offset)))
            builder.store(total, _at(builder, place), align=FLOAT)
            builder.store(larger(total, builder.load(top)), top)

        builder.store(constant(_LANES, -np.inf), top)
        _each_block(builder, blocks, work)
        return _folded(builder, builder.load(top), larger)

    return types.float32(types.intp, types.intp, types.intp), generate


@intrinsic
def vector_exp(typing, vector, top, blocks):
    """vector ← exp32(vector − top); the sum of it."""

    def generate(context, builder, signature, arguments):
        vector, top, blocks = arguments
        total = cgutils.alloca_once(builder, _LANES)
        builder.store(constant(_LANES, 0.0), total)
        spread = emit_spread(builder, top, BLOCK)

        def work(offset: ir.Value) -> None:
            place = builder.add(vector, offset)
            weights = emit_exp32(builder, builder.fsub(_load(builder, place), spread))
            builder.store(weights, _at(builder, place), align=FLOAT)
            builder.store(builder.fadd(builder.load(total), weights), total)

        _each_block(builder, blocks, work)
        return _folded(builder, builder.load(total), builder.fadd)

    return types.float32(types.intp, types.float32, types.intp), generate


@intrinsic
def number_at(typing, address):
    """The float32 at an address."""

    def generate(context, builder, signature, arguments):
        return builder.load(builder.inttoptr(arguments[0], _SINGLE.as_pointer()), align=FLOAT)

    return types.float32(types.intp), generate


@intrinsic
def put(typing, address, number):
    """Write a float32 to an address."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[1], builder.inttoptr(arguments[0], _SINGLE.as_pointer()), align=FLOAT)
        return context.get_dummy_value()

    return types.void(types.intp, types.float32), generate
