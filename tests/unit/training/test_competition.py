"""Training of the networks in which frequencies compete: its gradient, its updates, and what is done to initial weights."""

import numpy as np
import pytest
import torch

from modadd.core.groups import right_answers
from modadd.networks import starts
from modadd.training import competition as c
from modadd.training.competition_loops import BETA1, BETA2, EPSILON, RATE

KINDS = pytest.mark.parametrize("kind", [c.FREQUENCY, c.CONTROL])

pytestmark = pytest.mark.usefixtures("arithmetic")


def loss_of(weights, activation, penalty):
    """The loss as it is written down, by torch, which knows its gradient."""
    (u, v, w), n = weights, weights.shape[1]
    x = (u[:, None] + v[None]).reshape(n * n, -1)
    logits = (x**2 if activation == c.SQUARE else torch.relu(x)) @ w.T
    right = torch.from_numpy(right_answers("addition", n).ravel())
    return torch.nn.functional.cross_entropy(logits, right) + penalty * (weights**2).sum()


@pytest.mark.parametrize("activation", [c.SQUARE, c.RELU])
@pytest.mark.parametrize(("n", "m"), [(5, 2), (7, 9)])
def test_loss_and_gradient_are_those_of_autograd(activation, n, m):
    weights = np.random.default_rng(n).normal(size=(3, n, m))
    tensor = torch.tensor(weights, requires_grad=True)
    loss = loss_of(tensor, activation, 0.01)
    loss.backward()
    found = c.loss_and_gradient(weights, activation, 0.01)
    assert found[0] == pytest.approx(loss.item(), rel=1e-13)
    np.testing.assert_allclose(found[1], tensor.grad, rtol=1e-10, atol=1e-14)


def test_adams_updates_are_those_of_torch():
    arm, start = c.RELUS, c.competition_weights(1.0, 0)
    tensor = torch.tensor(start, requires_grad=True)
    adam = torch.optim.Adam([tensor], lr=RATE, betas=(BETA1, BETA2), eps=EPSILON)
    for _ in range(20):
        adam.zero_grad()
        loss_of(tensor, arm.activation, c.PENALTY).backward()
        adam.step()
    found = c.follow(arm, start, [0, 20])
    np.testing.assert_allclose(found.weights[1], tensor.detach(), rtol=1e-9, atol=1e-12)
    assert found.losses[1] == pytest.approx(loss_of(tensor, arm.activation, c.PENALTY).item(), rel=1e-12)
    np.testing.assert_array_equal(found.weights[0], start)


@pytest.mark.parametrize("arm", c.ARMS, ids=str)
def test_every_arm_learns_and_gives_the_same_bits_again(arm):
    one, other = (c.follow(arm, c.competition_weights(arm.scale, 3), [0, 10, 40]) for _ in range(2))
    assert one.weights.tobytes() == other.weights.tobytes() and one.losses[2] < one.losses[0]


def test_a_step_of_descent_is_the_rate_times_the_slope():
    start = c.competition_weights(1.0, 1)
    expected = start - c.SQUARES.rate * c.loss_and_gradient(start, c.SQUARE)[1]
    np.testing.assert_array_equal(c.follow(c.SQUARES, start, [1]).weights[0], expected)


def test_arms_begin_with_the_same_draw_and_seeds_do_not():
    np.testing.assert_allclose(c.competition_weights(0.1, 2), 0.1 * c.competition_weights(1.0, 2), rtol=1e-15)
    assert c.competition_weights(1.0, 2).std() == pytest.approx(c.N**-0.5, rel=0.05)
    assert (c.competition_weights(1.0, 2) != c.competition_weights(1.0, 3)).all()
    assert {starts.chosen_frequency(c.N, seed) for seed in range(200)} == set(range(1, c.N // 2 + 1))


@pytest.mark.parametrize("factor", c.FACTORS)
def test_the_intervention_scales_the_chosen_frequency_and_nothing_else(factor):
    before, after = (c.competition_weights(1.0, 7, change) for change in (c.UNCHANGED, c.Change(c.FREQUENCY, factor)))
    expected = np.fft.rfft(before, axis=1)
    expected[:, starts.chosen_frequency(c.N, 7)] *= factor
    np.testing.assert_allclose(np.fft.rfft(after, axis=1), expected, rtol=1e-9, atol=1e-12)


def test_the_control_scales_as_many_directions_and_no_mean():
    before, after = (c.competition_weights(1.0, 7, change) for change in (c.UNCHANGED, c.Change(c.CONTROL, 1.5)))
    change = np.moveaxis(after - before, 1, 0).reshape(c.N, -1)
    assert np.linalg.matrix_rank(change, tol=1e-9) == 2
    np.testing.assert_allclose(change.sum(axis=0), 0, atol=1e-12)
    plane = starts.plane_of(c.CONTROL, c.N, 7)
    np.testing.assert_allclose(plane.T @ plane, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(plane.T @ after, 1.5 * (plane.T @ before), rtol=1e-9, atol=1e-12)
    assert not np.allclose(plane, starts.plane_of(c.CONTROL, c.N, 8))


@KINDS
def test_a_factor_of_one_changes_no_bit(kind):
    assert c.competition_weights(1.0, 5, c.Change(kind, 1.0)).tobytes() == c.competition_weights(1.0, 5).tobytes()
