"""The amplitude and phase equations of squares: what gradient flow makes of a neuron's modes while logits are small.

The mode of a neuron at frequency k is three complex numbers z = α e^{iφ}, those of u, v and w, so that u holds α cos(w_k a +
φ). While softmax is uniform, each mode follows z_u' = z̄_v z_w/n, z_v' = z̄_u z_w/n, z_w' = z_u z_v/n, less 2λz for a penalty
(He et al. have v = u). |z_u|², |z_v|² and |z_w|² then grow by the same q, with q'² = (2/n)² (∏(q + |z|²) − J²) and
J = α_u α_v α_w sin(φ_u + φ_v − φ_w), and q becomes infinite in finite time.
"""

from typing import Any

import numpy as np
from jaxtyping import Complex, Float
from scipy.integrate import solve_ivp
from scipy.special import elliprf

from modadd.core.fourier import spectrum

_LARGEST = 10.0  # amplitude at which a mode counts as infinite: trained networks stay below

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


def flow(z: Modes | list[complex], n: int, penalty: float) -> tuple[Any, Any, Any]:
    """z' of u, v and w, the right side of the equations: of three arrays, or of three numbers, for which it is fast."""
    u, v, w = z
    scale = 1 / n
    decay = 2 * penalty
    return (
        v.conjugate() * w * scale - decay * u,
        u.conjugate() * w * scale - decay * v,
        u * v * scale - decay * w,
    )


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
    return np.where(left > 0, -np.log(np.maximum(left, np.finfo(float).tiny)) / (2 * penalty), np.inf)


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
    return np.moveaxis(np.take_along_axis(roots, (first + np.arange(3)) % 3, axis=-1), -1, 0)


def course(z: Modes, n: int, penalty: float, times: Float[np.ndarray, "t"]) -> Complex[np.ndarray, "t 3 modes"]:
    """Every mode at these times, which rise from 0; NaN from where it has become infinite. Integrated adaptively."""
    found = np.full((len(times), *z.shape), np.nan + 0j)

    def grown(_: float, y: Complex[np.ndarray, "3"]) -> float:
        return float(np.abs(y).max() - _LARGEST)

    grown.terminal = True
    for i in range(z.shape[1]):
        solved = solve_ivp(
            lambda _, y: flow(y.tolist(), n, penalty),
            (0.0, times[-1]),
            z[:, i],
            t_eval=times,
            events=grown,
            rtol=1e-6,
            atol=1e-9,
        )
        found[: len(solved.t), :, i] = solved.y.T
    return found
