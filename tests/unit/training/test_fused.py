"""exp and log(1 + y) against mpmath, and what they do where numbers end."""

import math
import re

import llvmlite.binding as llvm
import mpmath as mp
import numpy as np
import pytest
from llvmlite import ir
from numba import njit

from modadd.training import fused
from modadd.training.fused import (
    EXP32,
    LN2_HIGH,
    LN2_LOW,
    LOG2E,
    SHIFT,
    WORST_EXP32,
    WORST_EXP64,
    WORST_LOG1P64,
    exp32,
    exp64,
    log1p64,
)

pytestmark = pytest.mark.usefixtures("arithmetic")

VECTOR = ir.VectorType(ir.FloatType(), 4)


@njit(error_model="numpy")
def of_all(x, by_exp32, by_exp64, by_log1p64):
    for i in range(len(x)):
        by_exp32[i] = exp32(np.float32(x[i]))
        by_exp64[i] = exp64(np.float64(x[i]))
        by_log1p64[i] = log1p64(np.float64(-x[i]))


def results(x):
    """exp32(x), exp64(x) and log1p64(−x)."""
    found = np.zeros(len(x), np.float32), np.zeros(len(x)), np.zeros(len(x))
    of_all(x, *found)
    return found


def worst_ulp(found, expected, last):
    """The largest error in units of the last place of the right result, both in float64; last: bits behind the first."""
    return (np.abs(found - expected) / np.exp2(np.floor(np.log2(expected)) - last)).max()


def exact_ulp(found, function, x, last):
    """The largest error in such units, by mpmath."""
    mp.mp.prec = 150
    worst = mp.mpf(0)
    for one, at in zip(found.tolist(), x.tolist(), strict=True):
        right = function(mp.mpf(at))
        worst = max(worst, abs(mp.mpf(one) - right) / mp.mpf(2) ** (mp.floor(mp.log(right, 2)) - last))
    return float(worst)


def test_exp32_of_a_million_numbers_is_within_its_bound():
    least = np.float32(fused.LEAST)
    first, last = (int(np.float32(x).view(np.uint32)) for x in (-0.0, least))
    x = np.linspace(first, last, 10**6).astype(np.uint32).view(np.float32)
    x = x[x >= least]
    assert worst_ulp(results(x)[0], np.exp(x.astype(np.float64)), 23) <= WORST_EXP32


def test_exp32_at_its_worst_is_what_mpmath_says():
    x = np.random.default_rng(0).uniform(-87, 0, 2000).astype(np.float32)
    assert exact_ulp(results(x)[0], mp.exp, x, 23) <= WORST_EXP32


def test_exp32_is_the_formula_that_is_written_down():
    """In exact arithmetic, rounded after each operation: so it is a definition."""
    from fractions import Fraction

    def rounded(value):
        down = np.float32(float(value))
        near = [down, np.nextafter(down, np.float32(np.inf)), np.nextafter(down, np.float32(-np.inf))]
        return min(near, key=lambda y: (abs(Fraction(float(y)) - value), int(np.float32(y).view(np.uint32)) & 1))

    def fma(x, y, z):
        return rounded(Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z)))

    x = np.random.default_rng(1).uniform(-87, 0, 300).astype(np.float32)
    for at, found in zip(x, results(x)[0], strict=True):
        shifted = fma(at, np.float32(LOG2E), np.float32(SHIFT))
        n = np.float32(shifted - np.float32(SHIFT))
        r = fma(n, np.float32(-LN2_LOW), fma(n, np.float32(-LN2_HIGH), at))
        p = np.float32(EXP32[-1])
        for coefficient in (*EXP32[-2::-1], 1.0, 1.0):
            p = fma(p, r, np.float32(coefficient))
        assert found == np.float32(p * np.float32(2.0) ** int(n))


def test_the_ends_of_exp():
    x = np.array([0.0, -0.0, -math.inf, math.nan, -1e30, fused.LEAST, -87.4, -800.0])
    single, double, _ = results(x)
    assert single[:2].tolist() == double[:2].tolist() == [1.0, 1.0]
    assert single[2] == single[4] == single[6] == double[2] == double[4] == double[7] == 0
    assert np.isnan(single[3]) and np.isnan(double[3])
    tiny, least = np.finfo(np.float32).tiny, np.float32(fused.LEAST)
    assert single[5] >= tiny > np.exp(float(np.nextafter(least, np.float32(-100)))), "results below would be subnormal"


def test_exp64_and_log1p64_are_within_their_bounds():
    rng = np.random.default_rng(0)
    x = -(10 ** rng.uniform(-12, math.log10(700), 3000))
    half = math.log(2) / 2
    breakpoints = np.nextafter(np.repeat(-half - 2 * half * np.arange(40), 2), np.tile([0, -np.inf], 40))
    x = np.concatenate([x, breakpoints])
    assert exact_ulp(results(x)[1], mp.exp, x, 52) <= WORST_EXP64
    y = np.concatenate([10 ** rng.uniform(-30, 60, 2000), 10 ** rng.uniform(-3, 1, 2000)])
    powers = np.sqrt(2) * np.exp2(np.arange(1, 40) - 1.0) - 1  # where the mantissa that is left jumps
    y = np.concatenate([y, np.nextafter(powers, 0), np.nextafter(powers, np.inf)])
    assert exact_ulp(results(-y)[2], mp.log1p, y, 52) <= WORST_LOG1P64


def test_the_ends_of_log1p():
    found = results(-np.array([0.0, math.nan, 1e300]))[2]
    assert found[0] == 0 and np.isnan(found[1])
    assert found[2] == pytest.approx(300 * math.log(10), rel=1e-15)


PROCESSORS = [  # and what its assembly calls a fused multiply–add of vectors
    ("aarch64-unknown-linux-gnu", "generic", r"\bfml[as]\b"),
    ("aarch64-unknown-linux-gnu", "neoverse-v1", r"\bfml[as]\b|\bfmad\b"),
    ("arm64-apple-macosx", "apple-m1", r"\bfml[as]\b|\bfml[as]\.4s\b"),
    ("x86_64-unknown-linux-gnu", "haswell", r"\bvfn?m\w+ps\b"),
]


def assembly(triple, processor, body):
    """What LLVM makes for a processor of a function of three addresses."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = ir.Module()
    size = ir.IntType(64)
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [size] * 3), "f")
    builder = ir.IRBuilder(function.append_basic_block())
    x, y, z = (builder.load(builder.inttoptr(one, VECTOR.as_pointer()), align=4) for one in function.args)
    builder.store(body(builder, x, y, z), builder.inttoptr(function.args[0], VECTOR.as_pointer()), align=4)
    builder.ret_void()
    parsed = llvm.parse_assembly(str(module))
    parsed.triple = triple
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, opt=3)
    return machine.emit_assembly(parsed)


@pytest.mark.parametrize(("triple", "processor", "fused_add"), PROCESSORS)
def test_other_processors_fuse_what_is_written_fused_and_nothing_else(triple, processor, fused_add):
    """Read in the assembly that LLVM makes for them: nothing of it runs here."""
    text = assembly(triple, processor, lambda builder, x, y, z: fused.emit_exp32(builder, x))
    assert len(re.findall(fused_add, text)) == 9, "log₂e, two steps of ln 2 and six of the polynomial"
    assert "fmaf" not in text, "the C library would be called"
    text = assembly(triple, processor, lambda builder, x, y, z: builder.fadd(builder.fmul(x, y), z))
    assert not re.findall(fused_add, text), "a product and a sum that are rounded apart must stay so"
