"""One training of the pilot: the gradient, Adam and the stop rule, each against another implementation."""

import numpy as np
import pytest
import torch

from modadd.core.groups import right_answers
from modadd.training import pilot
from modadd.training.pilot import CONFIGURATIONS, Configuration, pilot_weights, train_pilot
from modadd.training.pilot_loops import CALM, _softmax, descend, loss_and_slopes

pytestmark = pytest.mark.usefixtures("arithmetic")
SIGMAS = pytest.mark.parametrize("activation", [pilot.SQUARE, pilot.RELU])
GROUPS = pytest.mark.parametrize(("operation", "n"), [("addition", 5), ("S3", 6)])


def by_torch(weights, table, activation, penalty):
    """The loss as the formula has it."""
    u, v, w = weights
    x = u[:, None] + v[None]
    logits = (x**2 if activation == pilot.SQUARE else torch.relu(x)) @ w.T
    right = torch.from_numpy(table).reshape(-1)
    return torch.nn.functional.cross_entropy(logits.reshape(-1, len(table)), right) + penalty * (weights**2).sum()


def slopes_of(weights, table, activation, penalty):
    slopes = np.full_like(weights, np.nan)
    return loss_and_slopes(weights, table, activation == pilot.SQUARE, penalty, slopes), slopes


@GROUPS
@SIGMAS
def test_loss_and_gradient_are_those_of_autograd_and_of_finite_differences(operation, n, activation):
    of = Configuration(operation, n, activation, 4, 0.01)
    weights, table = 2 * pilot_weights(of, 0), right_answers(operation, n)
    loss, slopes = slopes_of(weights, table, activation, of.penalty)
    tensor = torch.from_numpy(weights).requires_grad_()
    expected = by_torch(tensor, table, activation, of.penalty)
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-13)
    np.testing.assert_allclose(slopes, tensor.grad.numpy(), rtol=1e-10, atol=1e-14)
    for place in [(0, 1, 2), (1, 0, 3), (2, n - 1, 0)]:
        ends = [weights.copy(), weights.copy()]
        ends[0][place] -= 1e-6
        ends[1][place] += 1e-6
        low, high = (slopes_of(end, table, activation, of.penalty)[0] for end in ends)
        assert (high - low) / 2e-6 == pytest.approx(slopes[place], rel=1e-6, abs=1e-9)


def test_the_slope_of_relu_at_zero_is_zero():
    weights = np.zeros((3, 5, 1))
    weights[2] = np.arange(5)[:, None]
    _, slopes = slopes_of(weights, right_answers("addition", 5), pilot.RELU, 0.0)
    assert not slopes.any()


def test_a_sure_and_right_answer_still_has_a_loss_and_a_slope():
    z = np.array([0.0, 60.0, 1.0])
    assert _softmax(z, 1) == pytest.approx(np.exp(-60) + np.exp(-59), rel=1e-12)
    assert z[1] == -(z[0] + z[2]) < 0
    assert _softmax(np.array([0.0, 2000.0]), 0) == 2000.0


@GROUPS
@SIGMAS
def test_the_first_updates_are_those_of_torch(operation, n, activation):
    of = Configuration(operation, n, activation, 8, 1e-4)
    table, tensor = right_answers(operation, n), torch.from_numpy(pilot_weights(of, 3)).requires_grad_()
    optimiser = torch.optim.Adam([tensor], lr=1e-3, betas=(0.9, 0.999), eps=1e-8)
    for _ in range(200):
        optimiser.zero_grad()
        by_torch(tensor, table, activation, of.penalty).backward()
        optimiser.step()
    found = train_pilot(of, 3, most=200)
    assert (found.updates, found.converged) == (200, False)
    np.testing.assert_allclose(found.weights, tensor.detach().numpy(), rtol=1e-9, atol=1e-12)
    assert found.loss == pytest.approx(by_torch(tensor, table, activation, of.penalty).item(), rel=1e-10)


def test_the_stop_rule_can_stop_and_can_fail_to():
    table, still = right_answers("addition", 5), np.zeros((3, 5, 2))
    still[2] = 1.0  # equal logits and a neuron without input: no slope at all
    assert descend(still, table, True, 0.0, 2000) == (pytest.approx(np.log(5)), CALM, True)
    assert descend(still.copy(), table, True, 0.0, CALM - 1)[1:] == (CALM - 1, False)
    moving = Configuration("addition", 5, pilot.SQUARE, 8, 0.0)
    assert not train_pilot(moving, 0, most=2 * CALM).converged


def test_initial_weights_have_the_stated_spread_and_a_seed_of_their_own():
    drawn = [pilot_weights(of, seed) for of in CONFIGURATIONS for seed in range(40)]
    firsts = [weights[0, 0, 0] for weights in drawn]
    assert len(set(firsts)) == len(firsts), "no two networks begin alike"
    for of, start in zip(CONFIGURATIONS, range(0, len(drawn), 40), strict=True):
        spread = np.stack(drawn[start : start + 40]).std()
        assert spread == pytest.approx(of.n**-0.5, rel=0.1)
    of = CONFIGURATIONS[0]
    np.testing.assert_array_equal(pilot_weights(of, 7), pilot_weights(of, 7))


def test_the_configurations_are_those_of_the_open_problem():
    assert len(CONFIGURATIONS) == len(set(CONFIGURATIONS)) == 24
    assert {(of.operation, of.n) for of in CONFIGURATIONS} == {("addition", 5), ("S3", 6)}
    assert {of.neurons for of in CONFIGURATIONS} == {2, 8} and {of.penalty for of in CONFIGURATIONS} == {0, 1e-4, 1e-2}


def test_the_same_seed_gives_the_same_bits():
    of = CONFIGURATIONS[-1]
    one, other = (train_pilot(of, 1, most=300) for _ in range(2))
    assert one.weights.tobytes() == other.weights.tobytes() and one[1:] == other[1:]
