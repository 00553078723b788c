"""Quadrature schemes for property tests, and their errors written out term by term."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from modadd.core.fourier import wrap
from modadd.quadrature.scheme import INTEGRAL, PIECEWISE_ABSOLUTE, one_phase

angles = st.floats(-3.14, 3.14)
corners = st.sampled_from([-np.pi / 2, 0.0, np.pi / 4, np.pi / 2, np.pi])  # repeat each other, and fall on the inputs
sizes = st.tuples(st.sampled_from([7, 8, 59]), st.integers(1, 3))  # modulus and frequency


@st.composite
def random_schemes(draw):
    """Nodes anywhere, positive weights of sum 2π, output phases off 2φ by up to half a turn."""
    m = draw(st.integers(1, 12))
    phi = np.sort(draw(arrays(float, m, elements=angles)))
    r = draw(arrays(float, m, elements=st.floats(0.01, 1)))
    noise = draw(st.floats(0, 1)) * draw(arrays(float, m, elements=angles))
    return one_phase(*draw(sizes), phi, wrap(2 * phi + noise), 2 * np.pi * r / r.sum())


@st.composite
def wild_schemes(draw):
    """Schemes of no network: repeated angles, any output phases, weights of any sign and sum."""
    m = draw(st.integers(1, 12))
    phi = draw(arrays(float, m, elements=angles | corners))
    psi, weight = draw(arrays(float, m, elements=angles)), draw(arrays(float, m, elements=st.floats(-2, 2)))
    return one_phase(*draw(sizes), phi, psi, weight)


def spread_scheme(m, seed=0, modulus=59, frequency=12, jitter=0.01):
    """m nodes at random angles with uneven weights and output phases off 2φ by some `jitter`: like a trained scheme."""
    rng = np.random.default_rng(seed)
    phi, r = np.sort(rng.uniform(-np.pi, np.pi, m)), rng.uniform(0.5, 1, m)
    return one_phase(modulus, frequency, phi, 2 * phi + jitter * rng.standard_normal(m), 2 * np.pi * r / r.sum())


def direct_error(scheme, theta, activation=PIECEWISE_ABSOLUTE):
    """Σ_i w_i f(cos(θ/2+φ_i)) e^{iψ_i} less even·(4/3) e^{−iθ}, neuron by neuron, at every given θ."""
    total = -activation.even * INTEGRAL * np.exp(-1j * theta)
    for phi, psi, weight in zip(scheme.phi, scheme.psi, scheme.weight, strict=True):
        u = np.cos(theta / 2 + phi)
        total = total + weight * (activation.even * np.abs(u) + activation.odd * u) * np.exp(1j * psi)
    return total
