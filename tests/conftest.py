"""Fixtures, and the shape checks: under test, every call into the library is checked against the shapes in its signature."""

import os
from dataclasses import replace

from modadd.environment import SINGLE_THREAD, set_arithmetic

os.environ.update(SINGLE_THREAD)  # as every job of the workflow; before NumPy is imported

from hypothesis import settings
from jaxtyping import install_import_hook

import modadd.loops  # first, out of the hook's reach: numba compiles these functions and cannot compile the checks

with install_import_hook("modadd", "beartype.beartype"):  # must come before the first import of the library
    import modadd.activations
    import modadd.approximate_crt
    import modadd.attention_measures
    import modadd.bounds
    import modadd.certificates
    import modadd.claims
    import modadd.checks
    import modadd.clones
    import modadd.clusters
    import modadd.compute
    import modadd.contributions
    import modadd.cosets
    import modadd.cross_study
    import modadd.embedding_weights
    import modadd.differences
    import modadd.estimates
    import modadd.exhibits
    import modadd.explained
    import modadd.explorer
    import modadd.figures
    import modadd.fourier
    import modadd.fourier_basis
    import modadd.frequency_pairs
    import modadd.frequency_statistics
    import modadd.hand_coded
    import modadd.hand_search
    import modadd.importers
    import modadd.initialisation
    import modadd.kernel
    import modadd.ledger
    import modadd.manual
    import modadd.measures
    import modadd.networks
    import modadd.neurons
    import modadd.optimisers
    import modadd.phase_pairs
    import modadd.pictures
    import modadd.populations
    import modadd.probe
    import modadd.products
    import modadd.provenance
    import modadd.published_loops
    import modadd.quadrature
    import modadd.random_frequencies
    import modadd.recipes
    import modadd.reference
    import modadd.regression
    import modadd.residues
    import modadd.retrainings
    import modadd.review
    import modadd.robustness
    import modadd.rounding
    import modadd.rows
    import modadd.rulegraph
    import modadd.runs
    import modadd.scaling
    import modadd.sections
    import modadd.separable
    import modadd.separation_bounds
    import modadd.several_lines
    import modadd.shards
    import modadd.simple_neurons
    import modadd.site
    import modadd.sweep
    import modadd.settings
    import modadd.verdicts
    import modadd.witnesses
    import modadd.training  # noqa: F401

import matplotlib
import pytest
import torch
from support import ROOT

torch.set_num_threads(1)  # float sums depend on the number of threads
matplotlib.use("Agg")
settings.register_profile("modadd", deadline=None, derandomize=True, database=None, max_examples=50)
settings.load_profile("modadd")


@pytest.fixture
def tiny():
    """The published recipe, shrunk to n = 7 and 40 steps: trained in a tenth of a second."""
    published = modadd.recipes.RECIPES["pizza_transformer"]
    return replace(published, modulus=7, d_model=8, n_heads=2, d_mlp=16, steps=40)


@pytest.fixture
def small():
    """The published recipes on n = 13 for 60 steps, by name; no size is a multiple of a vector register."""
    sizes = {"modulus": 13, "d_model": 10, "d_mlp": 19, "steps": 60, "train_share": 130.5 / 169}
    changes = {"pizza_transformer": {"n_heads": 2}, "two_layer_mlp": {}, "embedding_mlp": {"batch_size": 26}}
    return {name: replace(modadd.recipes.RECIPES[name], **sizes, **more) for name, more in changes.items()}


@pytest.fixture
def untrained(tiny):
    """A network of the tiny recipe, at its initial parameters."""
    drawn = modadd.initialisation.pizza_transformer(tiny, 0)
    parameters = {name: value.numpy() for name, value in drawn.items()}
    results = {"accuracy": 0.25, "train_loss": 2.0, "held_out_loss": 2.5}
    return modadd.networks.Network(tiny, 0, parameters, results)


@pytest.fixture
def arithmetic():
    """That of a job which computes in float32."""
    set_arithmetic()


@pytest.fixture(autouse=True)
def subnormals_kept_between_tests():
    """What a test calls may flush them, and then Hypothesis draws no float."""
    yield
    torch.set_flush_denormal(False)


@pytest.fixture
def in_root(monkeypatch):
    """Run from the root of the repository, as every command of the README does."""
    monkeypatch.chdir(ROOT)


def pytest_collection_modifyitems(items):
    """The longest files first: each is the work of one process (`--dist loadfile`), and the others fill the rest."""
    items.sort(key=lambda item: item.path.stem not in ("test_workflow", "test_mainline", "test_commands"))
