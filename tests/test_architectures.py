import numpy as np
import torch
from modadd.architectures import ARCHITECTURES
from modadd.residues import pairs
from support import native_logits


def test_separable_form_of_the_pizza_transformer_is_the_transformer(untrained):
    rng = np.random.default_rng(0)
    p = {name: rng.normal(size=value.shape) for name, value in untrained.parameters.items()}  # biases not zero
    A, B, W, C, D = ARCHITECTURES["pizza_transformer"].effective(p)
    logits = np.maximum(A[:, None] + B[None], 0) @ W + C[:, None] + D[None]
    native = native_logits({name: torch.from_numpy(value) for name, value in p.items()}, torch.from_numpy(pairs(7)))
    np.testing.assert_allclose(logits.reshape(49, 7), native.numpy(), rtol=1e-10, atol=1e-10)


def test_numpy_and_torch_parameters_give_the_same_tables(untrained):
    effective = ARCHITECTURES["pizza_transformer"].effective
    from_torch = effective({name: torch.from_numpy(value) for name, value in untrained.parameters.items()})
    for table, expected in zip(from_torch, effective(untrained.parameters), strict=True):
        np.testing.assert_allclose(table.numpy(), expected, rtol=1e-4, atol=1e-6)
