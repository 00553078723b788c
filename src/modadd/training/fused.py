"""exp and log(1 + y) by formulas of fused multiply–adds, so that no library and no processor decides their last bits.

These formulas are definitions: whoever evaluates them in this order, each operation rounded once, has the same bits.

exp32(x) = p(r) · 2ⁿ in float32, with n = x · log₂e rounded to an integer, r = x − n · ln 2 in two steps of ln 2, and p of degree 6.
It is 0 where e^x would be below 2⁻¹²⁶. `exp64` and `log1p64` are likewise in float64.
"""

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

# Units in the last place by which the formulas err at most: found by workflow/dev/formulas.py, for x ≤ 0 and y ≥ 0.
WORST_EXP32, WORST_EXP64, WORST_LOG1P64 = 0.883, 0.88, 0.97
LOG2E, SHIFT = 1.4426950408889634, 1.5 * 2.0**23  # a number to which SHIFT was added ends in its integer nearest to it
LN2_HIGH, LN2_LOW = 0.693359375, -2.12194440e-4  # their sum is ln 2; n · LN2_HIGH is exact
LEAST = -87.33654  # e^LEAST is the least number of float32 that is not subnormal
# p(r) of exp32, from r² on: fitted to the least relative error for |r| ≤ ln 2/2; those of 1 and r are 1.
EXP32 = (0.4999999403953552, 0.1666652113199234, 0.04166838899254799, 0.00836874544620514, 0.0013814540579915047)


def constant(kind: ir.Type, number: float) -> ir.Constant:
    """A number as a value of LLVM, or a vector of it."""
    if isinstance(kind, ir.VectorType):
        return ir.Constant(kind, [constant(kind.element, number)] * kind.count)
    # As a float32 first: LLVM takes the digits of a double for both.
    return ir.Constant(kind, float(np.float32(number)) if isinstance(kind, ir.FloatType) else number)


def emit_fma(builder: ir.IRBuilder, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
    """x · y + z of numbers or vectors, rounded once."""
    kind = x.type
    name = {"float": "f32", "double": "f64"}[str(getattr(kind, "element", kind))]
    lanes = f"v{kind.count}" if isinstance(kind, ir.VectorType) else ""
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(kind, [kind] * 3), f"llvm.fma.{lanes}{name}"
    )
    return builder.call(function, [x, y, z])


def emit_exp32(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """exp32 of a float32, or of each number of a vector."""
    kind = x.type
    whole = ir.IntType(32)
    wholes = ir.VectorType(whole, kind.count) if isinstance(kind, ir.VectorType) else whole

    def number(value: float) -> ir.Constant:
        return constant(kind, value)

    shifted = emit_fma(builder, x, number(LOG2E), number(SHIFT))
    n = builder.fsub(shifted, number(SHIFT))
    r = emit_fma(builder, n, number(-LN2_LOW), emit_fma(builder, n, number(-LN2_HIGH), x))
    p = number(EXP32[-1])
    for coefficient in (*EXP32[-2::-1], 1.0, 1.0):
        p = emit_fma(builder, p, r, number(coefficient))
    exponent = builder.add(builder.bitcast(shifted, wholes), constant(wholes, 127))
    power = builder.bitcast(builder.shl(exponent, constant(wholes, 23)), kind)
    return builder.select(builder.fcmp_ordered("<", x, number(LEAST)), number(0.0), builder.fmul(p, power))


@intrinsic
def exp32(typing, x):
    """e^x for x ≤ 88 in float32; 0 below LEAST, NaN of NaN."""
    return types.float32(types.float32), lambda context, builder, signature, given: emit_exp32(builder, given[0])


@intrinsic
def fma64(typing, x, y, z):
    """x · y + z in float64, rounded once."""
    return types.float64(*[types.float64] * 3), lambda context, builder, signature, given: emit_fma(builder, *given)


@intrinsic
def bits_of(typing, x):
    """The bits of a float64 as an integer."""
    return types.int64(types.float64), lambda context, builder, signature, given: builder.bitcast(
        given[0], ir.IntType(64)
    )


@intrinsic
def of_bits(typing, bits):
    """The float64 that has these bits."""
    return types.float64(types.int64), lambda context, builder, signature, given: builder.bitcast(
        given[0], ir.DoubleType()
    )


SHIFT64 = 1.5 * 2.0**52
LN2_HIGH64, LN2_LOW64 = 0.693147180369123816490, 1.90821492927058770002e-10  # n · LN2_HIGH64 is exact
LEAST64 = -707.0  # below it exp64 is 0; e^−707 is about 10⁻³⁰⁷
FACTORIALS = tuple(1.0 / float(np.prod(np.arange(1.0, k + 1))) for k in range(2, 14))  # 1/k!
ODD = tuple(2.0 / (2 * k + 1) for k in range(1, 11))  # of (log((1 + s)/(1 − s)) − 2 s)/s, in powers of s²
TO_ROOT_HALF = 0x95F6400000000  # added to the bits of u: the mantissa that is left lies in [0.707, 1.414)


@njit(inline="always", error_model="numpy")
def exp64(x: float) -> float:
    """e^x for x ≤ 700; 0 below LEAST64, NaN of NaN."""
    shifted = fma64(x, LOG2E, SHIFT64)
    n = shifted - SHIFT64
    r = fma64(n, -LN2_LOW64, fma64(n, -LN2_HIGH64, x))
    p = fma64(FACTORIALS[11], r, FACTORIALS[10])
    p = fma64(
        fma64(fma64(fma64(fma64(p, r, FACTORIALS[9]), r, FACTORIALS[8]), r, FACTORIALS[7]), r, FACTORIALS[6]),
        r,
        FACTORIALS[5],
    )
    p = fma64(
        fma64(fma64(fma64(fma64(p, r, FACTORIALS[4]), r, FACTORIALS[3]), r, FACTORIALS[2]), r, FACTORIALS[1]),
        r,
        FACTORIALS[0],
    )
    p = fma64(fma64(p, r, 1.0), r, 1.0)
    y = p * of_bits((bits_of(shifted) + 1023) << 52)
    return 0.0 if x < LEAST64 else y


@njit(inline="always", error_model="numpy")
def log1p64(y: float) -> float:
    """log(1 + y) for y ≥ 0; it is finite where y is, and NaN of NaN.

    With u = 1 + y, rounded, and u = 2ᵉ (1 + f): log(1 + f) = f − s (f − q p(q)), s = f/(2 + f), q = s².
    """
    u = 1.0 + y
    lost = y - (u - 1.0)  # of y in u
    e = ((bits_of(u) + TO_ROOT_HALF) >> 52) - 1023
    scale = of_bits((1023 - e) << 52)
    f = fma64(u, scale, -1.0)
    n, s = np.float64(e), f / (2.0 + f)
    q = s * s
    p = fma64(fma64(fma64(fma64(fma64(ODD[9], q, ODD[8]), q, ODD[7]), q, ODD[6]), q, ODD[5]), q, ODD[4])
    p = fma64(fma64(fma64(fma64(p, q, ODD[3]), q, ODD[2]), q, ODD[1]), q, ODD[0])
    correction = fma64(n, LN2_LOW64, lost * scale / (1.0 + f))
    return fma64(n, LN2_HIGH64, f - (s * (f - q * p) - correction))
