import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from implementations import batched, on_cpu

from modadd.training import loops
from modadd.training.tables import Tables

pytestmark = pytest.mark.usefixtures("arithmetic")


def through_loops(logits, right):
    """Slopes and summed loss of rows of logits, by the loops themselves."""
    n, right = logits.shape[1], right.numpy().reshape(1, -1)
    z = np.pad(logits.numpy(), [(0, 0), (0, -n % loops.LANES)], constant_values=np.nan)  # what is there must not matter
    own, loss, nothing, nowhere = np.zeros(len(z)), np.zeros(1), np.zeros((0, 0), z.dtype), np.zeros(0, np.int64)
    loops.add_residual(z, n, nothing, nothing, nowhere, nowhere, right[0], own)
    z = torch.from_numpy(z).exp_()
    loops.softmax_gradient(z.numpy(), n, right, np.ones_like(right), own, 1, loss)
    return z[:, :n], loss.item()


def through(implementation):
    """The same by a whole kernel: each row is a network with one pair, all of whose logits are an output bias."""

    def run(logits, right):
        (k, n), zeros = logits.shape, torch.zeros
        like = {"dtype": logits.dtype}
        tables = Tables(zeros(k, n, 1, **like), zeros(k, n, 1, **like), zeros(k, 1, n, **like), None, logits[:, None])
        batches = torch.stack([0 * right, right], dim=1)[None, :, None].numpy()
        loss, gradient = implementation(batches, tables)(tables)
        return gradient.D[:, 0], loss.sum().item()

    return run


TAILS = pytest.mark.parametrize(
    "tail", [through_loops, through(on_cpu), through(batched)], ids=["loops", "on_cpu", "batched"]
)


DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.float64])


@pytest.mark.parametrize("n", [5, 37])
@pytest.mark.parametrize("ahead", [20.0, 60.0, 80.0])
@DTYPES
@TAILS
def test_a_sure_and_right_network_still_has_loss_and_gradient(tail, ahead, dtype, n):
    logits = torch.zeros(1, n, dtype=dtype)
    logits[0, 2] = ahead
    slope, loss = tail(logits, torch.tensor([2]))
    weight = math.exp(-ahead)
    others = (n - 1) * weight
    assert loss == pytest.approx(math.log1p(others), rel=1e-6), "1 + tail rounds to 1: use log1p of the ratio"
    assert slope[0, 0].item() == pytest.approx(weight / (1 + others), rel=1e-6)
    assert slope[0, 2].item() == pytest.approx(-others / (1 + others), rel=1e-6), "softmax − 1 rounds to 0"


@DTYPES
@TAILS
def test_gradient_of_the_right_class_is_minus_the_sum_of_the_others(tail, dtype):
    logits = 30 * torch.randn(20, 7, dtype=dtype, generator=torch.Generator().manual_seed(0))
    right = torch.arange(20) % 7
    slope, _ = tail(logits, right)
    own = slope.gather(1, right[:, None])[:, 0]
    others = slope.scatter(1, right[:, None], 0.0).sum(1)
    torch.testing.assert_close(own, -others, rtol=1e-6, atol=0.0)


@DTYPES
@TAILS
def test_a_very_confident_mistake_has_a_finite_loss(tail, dtype):
    slope, loss = tail(torch.tensor([[0.0, 2000.0, 500.0]], dtype=dtype), torch.tensor([2]))
    assert loss == pytest.approx(1500.0, rel=1e-12), "a finite loss must not read as divergence"
    assert slope.tolist() == [[0.0, 1.0, -1.0]]


@TAILS
def test_logits_that_are_not_numbers_give_a_loss_that_is_none(tail):
    for n, position in ((3, 1), (37, 0), (37, 20), (37, 36)):
        logits = torch.randn(1, n, generator=torch.Generator().manual_seed(n))
        logits[0, position] = math.nan
        assert not math.isfinite(tail(logits, torch.tensor([2]))[1]), "training must notice that it diverged"


@given(multiple=st.integers(1, 20), count=st.integers(1, loops.TOGETHER), seed=st.integers(0, 99))
def test_sums_and_maxima_of_rows_of_any_padded_length(multiple, count, seed):
    rows = np.random.default_rng(seed).normal(size=(count, multiple * loops.LANES)) - 2
    folded = np.empty((loops.TOGETHER, rows.shape[1] // 2))
    loops._sum_rows(rows, folded)
    assert folded[:count, 0] == pytest.approx(rows.sum(axis=1), rel=1e-12, abs=1e-12 * np.abs(rows).sum())
    loops._max_rows(rows, folded)
    assert np.array_equal(folded[:count, 0], rows.max(axis=1))
