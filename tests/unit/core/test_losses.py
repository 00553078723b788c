import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from modadd.core.losses import mean_loss


@given(st.integers(2, 9), st.integers(0, 99), st.sampled_from([1.0, 1e4]))
def test_mean_loss_is_the_cross_entropy_over_all_inputs(n, seed, scale):
    logits = scale * np.random.default_rng(seed).standard_normal((n, n, n))
    a, b = np.indices((n, n))
    labels = torch.from_numpy((a + b) % n).ravel()
    expected = torch.nn.functional.cross_entropy(torch.from_numpy(logits).reshape(n * n, n), labels)
    assert mean_loss(logits) == pytest.approx(float(expected))
