import pytest
from support import relative_error

from modadd.networks.initialisation import INITIALISATIONS, batches_of
from modadd.networks.recipes import RECIPES
from modadd.training import published_loops
from modadd.training.published_loops import PUBLISHED_LOOPS, autograd_step, floor_step, kernel_step, operations

pytestmark = pytest.mark.usefixtures("arithmetic")


@pytest.fixture
def watched(monkeypatch):
    """The parameters of the steps in `published_loops`."""
    parameters, trainable, run = [], published_loops._trainable, published_loops.Run

    def noting_parameters(*arguments):
        parameters.append(trainable(*arguments))
        return parameters[-1]

    class NotingRun(run):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            parameters.append((self.parameters, self.optimiser))

    monkeypatch.setattr(published_loops, "_trainable", noting_parameters)
    monkeypatch.setattr(published_loops, "Run", NotingRun)
    return parameters


STEPS = [(autograd_step, name) for name in RECIPES] + [(PUBLISHED_LOOPS[name], name) for name in PUBLISHED_LOOPS]


@pytest.mark.parametrize(("step_of", "name"), STEPS)
def test_a_step_that_the_kernel_is_timed_against_makes_the_same_updates(small, watched, step_of, name):
    ours, theirs = kernel_step(small[name], [3, 0]), step_of(small[name], 0)
    (kernel, _), (published, _) = watched
    for count in range(1, 4):
        ours(), theirs()
        for key, value in kernel.items():
            assert relative_error(value[1].detach(), published[key].detach()) <= 1e-5, f"{key}, update {count}"
    initial = INITIALISATIONS[name](small[name], 0)
    for key, value in initial.items():
        moved = published[key].detach() - value
        error = (kernel[key][1].detach() - published[key].detach()).norm() / moved.norm()
        assert error <= 1e-3, f"{key}: the updates differ by {error:.1e} of what they moved"


@pytest.mark.parametrize("name", ["two_layer_mlp", "group_mlp", "square_mlp"])
def test_the_bare_products_are_those_of_a_step(small, name):
    recipe = small[name]
    pairs, h, n = batches_of(recipe, 0)[0], recipe.d_mlp, recipe.modulus
    alike = name == "two_layer_mlp"
    m = len({tuple(sorted(pair)) for pair in pairs.tolist()}) if alike else len(pairs)
    assert m < len(pairs) or not alike
    assert [tuple(product.shape) for product in floor_step(recipe)()] == [(1, m, n), (1, m, h), (1, n, h)]
    assert operations(recipe) == 3 * 2 * m * h * n
