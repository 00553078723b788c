"""The amplitude and phase equations of squares: what gradient flow makes of a neuron's modes while logits are small.

The mode of a neuron at frequency k is three complex numbers z = α e^{iφ}, those of u, v and w, so that u holds α cos(w_k a +
φ). While softmax is uniform, each mode follows z_u' = z̄_v z_w/n, z_v' = z̄_u z_w/n, z_w' = z_u z_v/n, less 2λz for a penalty
(He et al. have v = u). |z_u|², |z_v|² and |z_w|² then grow by the same q, with q'² = (2/n)² (∏(q + |z|²) − J²) and
J = α_u α_v α_w sin(φ_u + φ_v − φ_w), and q becomes infinite in finite time.
"""

import numpy as np
from jaxtyping import Complex, Float
from scipy.special import ellipj, elliprf

from modadd.core.fourier import spectrum

_LARGEST = 10.0  # amplitude at which a mode counts as infinite: trained networks stay below
_TINY = np.finfo(float).tiny

Modes = Complex[np.ndarray, "3 *modes"]


def modes_of(weights: Float[np.ndarray, "3 n m"]) -> Complex[np.ndarray, "3 frequencies m"]:
    """z = 2F_k/n of every neuron's u, v and w at k = 1 … ⌊n/2⌋, for odd n."""
    return np.stack([2 / weights.shape[1] * spectrum(table)[1:] for table in weights])


def mismatch(z: Modes) -> Float[np.ndarray, "*modes"]:
    """φ_u + φ_v − φ_w in (−π, π], in radians: 0 for the phase law ψ = φ_a + φ_b."""
    return np.angle(z[0] * z[1] * z[2].conj())


def amplitude(z: Modes) -> Float[np.ndarray, "*modes"]:
    """The geometric mean of α_u, α_v and α_w."""
    return np.cbrt(np.abs(z).prod(axis=0))


def blow_up(z: Modes, n: int, penalty: float) -> Float[np.ndarray, "*modes"]:
    """The time at which each mode becomes infinite, by Carlson's R_F; infinite where the penalty wins.

    ∫ dq/√∏(q − e_j) from q to ∞ is 2 R_F(q − e_1, q − e_2, q − e_3), e_1 the largest real root. Where the phases oppose
    each other, q first falls to e_1. The penalty is a change of time, s = (1 − e^{−2λt})/2λ.
    """
    powers, product = np.abs(z) ** 2, np.abs(z).prod(axis=0)
    phase = mismatch(z)
    roots = _roots(powers, (product * np.sin(phase)) ** 2)
    rise = elliprf(*-roots).real
    fall = elliprf(*(roots[0] - roots + 0j)).real
    s = n * np.where(np.cos(phase) >= 0, rise, 2 * fall - rise)
    if not penalty:
        return s
    left = 1 - 2 * penalty * s
    return np.where(left > 0, -np.log(np.maximum(left, _TINY)) / (2 * penalty), np.inf)


def _roots(powers: Float[np.ndarray, "3 *modes"], constant: Float[np.ndarray, "*modes"]) -> Modes:
    """Roots of ∏(q + power) − constant in q, the largest real one first."""
    a, b, c = powers
    companion = np.zeros((*a.shape, 3, 3))
    companion[..., 1, 0] = companion[..., 2, 1] = 1
    for place, coefficient in enumerate((a * b * c - constant, a * b + a * c + b * c, a + b + c)):
        companion[..., place, 2] = -coefficient
    roots = np.linalg.eigvals(companion).astype(complex)
    scale = np.abs(roots).max(axis=-1, keepdims=True)
    real = np.where(np.abs(roots.imag) <= 1e-7 * scale, roots.real, -np.inf)
    first = np.argmax(real, axis=-1)[..., None]
    roots = np.moveaxis(np.take_along_axis(roots, (first + np.arange(3)) % 3, axis=-1), -1, 0)
    roots[0] = np.minimum(roots[0].real, 0)  # as q grows from 0; rounding may put it above
    return roots


def course(z: Modes, n: int, penalty: float, times: Float[np.ndarray, "t"]) -> Float[np.ndarray, "t 3 *modes"]:
    """The three amplitudes of every mode at these times; NaN from where one has passed `_LARGEST`.

    They are the roots of |z|² + q. With a penalty they decay besides.
    """
    times = np.reshape(times, (-1, *(1,) * (z.ndim - 1)))
    powers, product = np.abs(z) ** 2, np.abs(z).prod(axis=0)
    roots = _roots(powers, (product * np.sin(mismatch(z))) ** 2)
    passed = -np.expm1(-2 * penalty * times) / (2 * penalty) if penalty else times
    left = (blow_up(z, n, 0.0) - passed) / n
    grown = powers + _weierstrass(roots, left)[:, None]
    found = np.sqrt(np.maximum(grown, 0)) * np.exp(-2 * penalty * times)[:, None]
    return np.where((left[:, None] > 0) & (found.max(axis=1, keepdims=True) <= _LARGEST), found, np.nan)


def _weierstrass(roots: Modes, v: Float[np.ndarray, "t *modes"]) -> Float[np.ndarray, "t *modes"]:
    """q with q'² = 4 ∏(q − root) that becomes infinite at v = 0, by Jacobi's functions: of three real roots, or of one."""
    first, *others = roots
    least, middle = np.sort([root.real for root in others], axis=0)
    width = np.maximum((first - least).real, _TINY)
    sn, *_ = ellipj(np.sqrt(width) * v, (middle - least) / width)
    of_three = least + width / np.maximum(sn**2, _TINY)

    distance = np.maximum(np.abs(first - others[0]), _TINY)
    _, cn, *_ = ellipj(2 * np.sqrt(distance) * v, 0.5 - (first - others[0]).real / (2 * distance))
    of_one = first.real + distance * (1 + cn) / np.maximum(1 - cn, _TINY)
    return np.where(others[0].imag == 0, of_three, of_one)
