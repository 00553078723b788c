"""What is done to whole rows of numbers, in vectors of 32 that LLVM cuts to those of the processor; all by address.

A row has a multiple of 32 columns; those behind its last number hold zeros. A sum or a largest number folds the row onto its
first 32 columns, in order, and these in halves, in an order that no processor changes.
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
_VECTOR = ir.VectorType(_SINGLE, BLOCK)


def _at(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.inttoptr(address, _VECTOR.as_pointer())


def _load(builder: ir.IRBuilder, address: ir.Value) -> ir.Value:
    return builder.load(_at(builder, address), align=FLOAT)


def _each_block(builder: ir.IRBuilder, blocks: ir.Value, work: Callable[[ir.Value], None]) -> None:
    """Do the work for every block, given how many bytes it lies behind the first."""
    with cgutils.for_range(builder, blocks) as loop:
        work(builder.mul(loop.index, blocks.type(BLOCK * FLOAT)))


def _folded(builder: ir.IRBuilder, vector: ir.Value, fold: Callable[[ir.Value, ir.Value], ir.Value]) -> ir.Value:
    """One number: the upper half onto the lower one, again and again."""
    width = BLOCK
    while width > 1:
        width //= 2
        kind = ir.VectorType(_WHOLE, width)
        low, high = (
            builder.shuffle_vector(vector, vector, ir.Constant(kind, [_WHOLE(start + i) for i in range(width)]))
            for start in (0, width)
        )
        vector = fold(low, high)
    return builder.extract_element(vector, _WHOLE(0))


def _elementwise(of: Callable[[ir.IRBuilder, ir.Value, ir.Value, ir.Value], ir.Value]):
    """The function (out, x, y, factor, blocks) that stores in a row what `of` says of two rows and a factor."""

    @intrinsic
    def row(typing, out, x, y, factor, blocks):
        def generate(context, builder, signature, arguments):
            out, x, y, factor, blocks = arguments
            spread = emit_spread(builder, factor, BLOCK)

            def work(offset: ir.Value) -> None:
                both = (_load(builder, builder.add(row, offset)) for row in (x, y))
                builder.store(of(builder, *both, spread), _at(builder, builder.add(out, offset)), align=FLOAT)

            _each_block(builder, blocks, work)
            return context.get_dummy_value()

        return types.void(types.intp, types.intp, types.intp, types.float32, types.intp), generate

    return row


def _relu(builder: ir.IRBuilder, u: ir.Value) -> ir.Value:
    """u where it is positive, else 0 · u: NaN stays NaN."""
    zero = constant(_VECTOR, 0.0)
    return builder.select(builder.fcmp_ordered(">", u, zero), u, builder.fmul(zero, u))


row_plus = _elementwise(lambda builder, x, y, factor: builder.fadd(x, y))
row_times = _elementwise(lambda builder, x, y, factor: builder.fmul(x, factor))
row_gains = _elementwise(lambda builder, x, y, factor: builder.fadd(x, builder.fmul(y, factor)))
row_relu = _elementwise(lambda builder, x, y, factor: _relu(builder, builder.fadd(x, y)))


@intrinsic
def row_fill(typing, out, number, blocks):
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
def rows_gain_masked(typing, back, active, first, second, blocks):
    """first and second gain `back` wherever `active` is positive."""

    def generate(context, builder, signature, arguments):
        back, active, first, second, blocks = arguments
        zero = constant(_VECTOR, 0.0)

        def work(offset: ir.Value) -> None:
            slope, on = (_load(builder, builder.add(row, offset)) for row in (back, active))
            gain = builder.select(builder.fcmp_ordered(">", on, zero), slope, zero)
            for row in (first, second):
                place = builder.add(row, offset)
                builder.store(builder.fadd(_load(builder, place), gain), _at(builder, place), align=FLOAT)

        _each_block(builder, blocks, work)
        return context.get_dummy_value()

    return types.void(*[types.intp] * 5), generate


@intrinsic
def row_top(typing, row, extra, blocks):
    """row ← row + extra; the largest number of it."""

    def generate(context, builder, signature, arguments):
        row, extra, blocks = arguments
        top = cgutils.alloca_once(builder, _VECTOR)

        def larger(x: ir.Value, y: ir.Value) -> ir.Value:
            return builder.select(builder.fcmp_ordered(">", x, y), x, y)

        def work(offset: ir.Value) -> None:
            place = builder.add(row, offset)
            total = builder.fadd(_load(builder, place), _load(builder, builder.add(extra, offset)))
            builder.store(total, _at(builder, place), align=FLOAT)
            builder.store(larger(total, builder.load(top)), top)

        builder.store(constant(_VECTOR, -np.inf), top)
        _each_block(builder, blocks, work)
        return _folded(builder, builder.load(top), larger)

    return types.float32(types.intp, types.intp, types.intp), generate


@intrinsic
def row_exp(typing, row, top, blocks):
    """row ← exp32(row − top); the sum of it."""

    def generate(context, builder, signature, arguments):
        row, top, blocks = arguments
        total = cgutils.alloca_once(builder, _VECTOR)
        builder.store(constant(_VECTOR, 0.0), total)
        spread = emit_spread(builder, top, BLOCK)

        def work(offset: ir.Value) -> None:
            place = builder.add(row, offset)
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
