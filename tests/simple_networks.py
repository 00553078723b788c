"""Networks of known frequencies, and others that many tests begin with."""

from dataclasses import replace

import numpy as np

from modadd.core.separable import Separable
from modadd.handmade.gromov import closed_form
from modadd.networks.recipes import RECIPES
from modadd.networks.starts import drawn
from modadd.networks.store import Network


def cosine(n, k, amplitude=1.0, phase=0.0):
    """A function on the residues of one frequency."""
    return amplitude * np.cos(2 * np.pi * k * np.arange(n) / n + phase)


def beside(*networks):
    """The network that has the neurons of all; C and D are those of the first."""
    A, B = (np.hstack([getattr(network, side) for network in networks]) for side in "AB")
    return replace(networks[0], A=A, B=B, W=np.vstack([network.W for network in networks]))


def initial(recipe, seed=0, **results):
    """The network of a recipe before its first update."""
    parameters = {name: value.numpy() for name, value in drawn(recipe, seed).items()}
    return Network(recipe, seed, parameters, {"accuracy": 0.5} | results)


def of_group(tables, architecture="square_mlp", operation="addition"):
    """One hidden layer whose weights are these: U, V, W."""
    n, h = tables[0].shape
    recipe = replace(RECIPES[architecture], modulus=n, train_pairs=n**2, d_mlp=h, operation=operation)
    parameters = {name: table.astype(np.float32) for name, table in zip(("U", "V", "W_out"), tables, strict=True)}
    return Network(recipe, 0, parameters, {"accuracy": 1.0})


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


def embedded(tables, frequencies, stretched=1.0):
    """A network of Study C with these tables: each embedding has a plane for every frequency, its second axis stretched."""
    w = 2 * np.pi * np.outer(np.arange(len(tables.A)), frequencies) / len(tables.A)
    E = np.hstack([np.cos(w), np.sin(w) * stretched])
    W_in = np.vstack([np.linalg.lstsq(E, table, rcond=None)[0] for table in (tables.A, tables.B)])
    biases = {"b_in": np.zeros(tables.width), "b_out": tables.D[0]}
    parameters = {"E_a": E, "E_b": E, "W_in": W_in, "W_out": tables.W} | biases
    n, d = E.shape
    sizes = {"modulus": n, "d_model": d, "d_mlp": tables.width, "train_pairs": n**2, "batch_size": 0}
    return Network(replace(RECIPES["embedding_mlp"], **sizes), 0, parameters, {})


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
    """Gromov's squares, 16 of each frequency with evenly spread phases: u, v and w, as networks have them in which frequencies compete."""
    phases = 2 * np.pi * np.arange(4) / 4
    first, second = (np.tile(grid.ravel(), len(frequencies)) for grid in np.meshgrid(phases, phases))
    U, V, W = closed_form(n, np.repeat(frequencies, 16), first, second)
    return np.stack([U, V, W.T])
