"""The amplitude and phase equations against the gradient of the loss, their closed form against their integration."""

import numpy as np
import pytest
import torch
from scipy.integrate import solve_ivp

from modadd.populations import mode_equations as e
from modadd.training.competition import N, competition_weights

N_SMALL = 7


def flow(z, n, penalty):
    """z' of u, v and w: the right side of the equations."""
    u, v, w = z
    return np.stack([v.conj() * w, u.conj() * w, u * v]) / n - 2 * penalty * z


def slopes_by_autograd(weights, penalty):
    """−∇ of the loss of one or more squares at these weights."""
    tensor = torch.from_numpy(weights).requires_grad_()
    n = weights.shape[1]
    logits = (tensor[0][:, None] + tensor[1][None]) ** 2 @ tensor[2].T
    right = torch.arange(n)[:, None].add(torch.arange(n)).remainder(n).reshape(-1)
    loss = torch.nn.functional.cross_entropy(logits.reshape(-1, n), right) + penalty * (tensor**2).sum()
    loss.backward()
    return -tensor.grad.numpy()


@pytest.mark.parametrize("neurons", [1, 4])
def test_the_flow_is_the_gradient_of_the_loss_while_logits_are_small(neurons):
    weights = 1e-4 * np.random.default_rng(0).normal(size=(3, N_SMALL, neurons))
    found = flow(e.modes_of(weights), N_SMALL, 0.0)
    np.testing.assert_allclose(found, e.modes_of(slopes_by_autograd(weights, 0.0)), rtol=1e-6, atol=1e-13)
    decayed = flow(e.modes_of(weights), N_SMALL, 0.01) - found
    expected = e.modes_of(slopes_by_autograd(weights, 0.01) - slopes_by_autograd(weights, 0.0))
    np.testing.assert_allclose(decayed, expected, rtol=1e-9, atol=1e-15)


def test_modes_are_those_of_cosines():
    x = 2 * np.pi * np.arange(N_SMALL) / N_SMALL
    weights = np.stack([np.cos(2 * x + phase)[:, None] * size for size, phase in ((1, 0.3), (2, 0.5), (3, 0.6))])
    z = e.modes_of(weights)
    np.testing.assert_allclose(np.abs(z[:, 1, 0]), [1, 2, 3])
    assert e.mismatch(z)[1, 0] == pytest.approx(0.2) and e.amplitude(z)[1, 0] == pytest.approx(6 ** (1 / 3))
    assert np.abs(np.delete(z, 1, axis=1)).max() < 1e-12


@pytest.mark.parametrize("penalty", [0.0, 1e-4, 1e-2])
def test_the_closed_form_is_the_integrated_mode_until_it_grows_without_limit(penalty):
    aligned = [[0.5, 1.0, 0.5, 0.2, 0.1], [0.5, 1.0, 0.7, 0.5, 0.9], [0.5, -1.0, 0.7j, 0.1, 0.9j]]
    z = np.concatenate([e.modes_of(competition_weights(1.0, 4))[:, :, 0], aligned], axis=1)
    assert (np.cos(e.mismatch(z)) < 0).any() and (np.cos(e.mismatch(z)) > 0).any()
    for i, time in enumerate(e.blow_up(z, N, penalty)):
        times = np.linspace(0, min(0.9 * time, 900), 12)
        integrated = solve_ivp(
            lambda _, y: flow(y, N, penalty), (0, times[-1]), z[:, i], t_eval=times, rtol=1e-9, atol=1e-12
        )
        expected = np.abs(integrated.y.T)
        course = e.course(z[:, i : i + 1], N, penalty, times)[..., 0]
        shown = expected.max(axis=1) < 10
        np.testing.assert_allclose(course[shown], expected[shown], atol=1e-7)
        assert np.isnan(course[~shown]).all()
        assert np.isnan(e.course(z[:, i : i + 1], N, penalty, np.array([1.001 * time]))).all() or np.isinf(time)


def test_equal_amplitudes_in_phase_grow_as_one_over_the_time_left():
    z = np.full((3, 1), 0.5 + 0j)
    assert e.blow_up(z, N_SMALL, 0.0) == pytest.approx(N_SMALL / 0.5)
    course = e.course(z, N_SMALL, 0.0, np.array([0.0, 7.0]))
    np.testing.assert_allclose(course[1], 1.0)


def test_what_the_penalty_wins_has_no_time():
    z = np.full((3, 1), 0.1 + 0j)
    assert np.isinf(e.blow_up(z, N_SMALL, 0.01)) and np.isfinite(e.blow_up(z, N_SMALL, 1e-4))


def test_opposed_phases_without_any_other_part_never_grow():
    z = np.array([[1.0], [1.0], [-1.0]], complex)  # cos = −1: they fall to zero together
    assert e.blow_up(z, N_SMALL, 0.0) > 1e3
