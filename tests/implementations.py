"""The implementations of the training kernel, called alike."""

import pytest
import torch

from modadd.core.groups import ADDITION, right_answers
from modadd.training.kernel import SeparableLoss, _Batched
from modadd.training.tables import Tables, Task


def on_cpu(batches, tables, slopes=True, activation="relu"):
    loss = SeparableLoss(batches, tables, slopes, Task(_sums(tables), activation))

    def call(tables, batch=0):
        loss.choose(batch)
        return loss(tables)

    return call


def as_on_a_gpu(batches, tables, slopes=True, activation="relu"):
    """All networks at once, with rows summed as on a GPU, here on tensors of the CPU."""
    return batched(batches, tables, slopes, activation, by_product=True)


def batched(batches, tables, slopes=True, activation="relu", by_product=False):
    """All networks at once, as on a CPU where neurons are no ReLUs."""
    gradient = Tables(*(None if table is None else torch.zeros_like(table) for table in tables))
    run = _Batched(gradient, slopes, activation)
    run.by_product = by_product
    a, b = batches[..., 0], batches[..., 1]
    run.take(a, b, _sums(tables)[a, b])

    def call(tables, batch=0):
        run.choose(batch)
        return run(tables), gradient

    return call


def _sums(tables):
    return right_answers(ADDITION, tables.W.shape[2])


IMPLEMENTATIONS = pytest.mark.parametrize("implementation", [on_cpu, batched, as_on_a_gpu])
