import numpy as np
import published_loops
import pytest
import torch
from published_loops import PUBLISHED_LOOPS, autograd_step, compiled_steps, jax_steps, peak, untrained
from support import relative_error

from modadd.networks.initialisation import INITIALISATIONS
from modadd.networks.recipes import RECIPES

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.fixture
def watched(monkeypatch):
    """The parameters of the steps in `published_loops`."""
    parameters, trainable = [], published_loops._trainable

    def noting(*arguments):
        parameters.append(trainable(*arguments))
        return parameters[-1]

    monkeypatch.setattr(published_loops, "_trainable", noting)
    return parameters


STEPS = [(autograd_step, name) for name in RECIPES] + [(PUBLISHED_LOOPS[name], name) for name in PUBLISHED_LOOPS]


@pytest.mark.parametrize(("step_of", "name"), STEPS)
def test_a_step_that_the_compiled_one_is_timed_against_makes_the_same_updates(small, watched, step_of, name):
    learner, task = untrained(small[name], 0)
    ours, theirs = compiled_steps(learner, task, 1), step_of(small[name], 0)
    ((published, _),) = watched
    initial = INITIALISATIONS[name](small[name], 0)
    for count in range(1, 4):
        ours(), theirs()
        for key in initial:
            value = torch.from_numpy(learner.parameter(key).copy())
            assert relative_error(value, published[key].detach()) <= 1e-5, f"{key}, update {count}"
    for key, value in initial.items():
        moved = published[key].detach() - value
        error = (torch.from_numpy(learner.parameter(key).copy()) - published[key].detach()).norm() / moved.norm()
        assert error <= 1e-3, f"{key}: the updates differ by {error:.1e} of what they moved"


def test_operations_are_those_of_every_product(small):
    recipe = small["embedding_mlp"]
    learner, task = untrained(recipe, 0)
    rows, m, h, n, d = task.batches.n_rows[0], 26, 19, 13, 10
    assert learner.operations(task) == 2 * (3 * m * h * n + 3 * int(rows.sum()) * d * h)
    assert peak() > 1e9


@pytest.mark.parametrize("name", [name for name in RECIPES if name != "twice_factored_mlp"])
def test_jax_makes_the_same_updates(small, name):
    pytest.importorskip("jax", reason="JAX is an optional extra")
    learner, task = untrained(small[name], 0)
    step = jax_steps(small[name], 0, 2)
    for count in range(2):
        compiled_steps(learner, task, 2)()
        theirs = step()
        for key, value in theirs.items():
            found = torch.from_numpy(learner.parameter(key).copy())
            assert relative_error(found, torch.from_numpy(np.array(value))) <= 1e-4, f"{key}, call {count}"
