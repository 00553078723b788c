"""Networks of known frequencies: simple neurons, for the tests of Study C, and the squares of the theorists."""

import numpy as np

from modadd.core.separable import Separable
from modadd.handmade.gromov import closed_form


def simple_network(n, f, s_A, s_B, r=1.5, alpha=0.5):
    """One simple neuron per entry: A = r cos(w_f(k − s_A)), B alike, W = α cos(w_f(k − s_A − s_B)); C = D = 0."""
    f, s_A, s_B = (np.atleast_1d(np.asarray(values)) for values in (f, s_A, s_B))
    w, k = 2 * np.pi * f / n, np.arange(n)[:, None]
    A, B, W = (np.cos(w * (k - s)) for s in (s_A, s_B, s_A + s_B))
    return Separable(r * A, r * B, (alpha * W).T, np.zeros((n, n)), np.zeros((n, n)))


def grid_network(n, frequencies, **scales):
    """A neuron for every frequency and every pair of shifts: what its clusters add depends on c − a − b alone."""
    f, s_A, s_B = (values.ravel() for values in np.meshgrid(frequencies, np.arange(n), np.arange(n), indexing="ij"))
    return simple_network(n, f, s_A, s_B, **scales)


def random_network(n, h, seed=0):
    """Gaussian tables, so that nothing is symmetric."""
    rng = np.random.default_rng(seed)
    shapes = (n, h), (n, h), (h, n), (n, n), (n, n)
    return Separable(*(rng.standard_normal(shape) for shape in shapes))


def silent_network(n=7, h=4):
    """Neurons that do nothing."""
    nothing = np.zeros((n, h))
    return Separable(nothing, nothing, nothing.T, np.zeros((n, n)), np.zeros((n, n)))


def squares_of(n, *frequencies):
    """Gromov's squares, 16 of each frequency with evenly spread phases: u, v and w, as the pilot has its weights."""
    phases = 2 * np.pi * np.arange(4) / 4
    first, second = (np.tile(grid.ravel(), len(frequencies)) for grid in np.meshgrid(phases, phases))
    U, V, W = closed_form(n, np.repeat(frequencies, 16), first, second)
    return np.stack([U, V, W.T])
