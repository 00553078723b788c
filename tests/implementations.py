"""The two implementations of the training kernel, called alike."""

import pytest
import torch

from modadd.training.kernel import SeparableLoss, Tables, _Batched


def on_cpu(batches, tables, slopes=True):
    loss = SeparableLoss(batches, tables, slopes)

    def call(tables, batch=0):
        loss.choose(batch)
        return loss(tables)

    return call


def batched(batches, tables, slopes=True):
    """The implementation for a GPU, here on tensors of the CPU."""
    gradient = Tables(*(None if table is None else torch.zeros_like(table) for table in tables))
    run = _Batched(batches.shape[2], gradient, slopes)
    run.take(batches[..., 0], batches[..., 1])

    def call(tables, batch=0):
        run.choose(batch)
        return run(tables.detached()), gradient

    return call


IMPLEMENTATIONS = pytest.mark.parametrize("implementation", [on_cpu, batched])
