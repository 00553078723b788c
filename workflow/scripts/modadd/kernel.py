"""Loss and exact gradients of a separable network over given pairs, written out by hand instead of by autograd.

Autograd then only carries the gradients of (A, B, W, C, D) back to the native parameters.
"""

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int

BLOCK = 512  # pairs per block: preactivations and logits of a block stay in the second-level cache


class Tables(NamedTuple):
    """A, B (n × h), W (h × n), C, D (n × n): a separable network, or the gradient of the loss in it."""

    A: Float[torch.Tensor, "n h"]
    B: Float[torch.Tensor, "n h"]
    W: Float[torch.Tensor, "h n"]
    C: Float[torch.Tensor, "n n"]
    D: Float[torch.Tensor, "n n"]


def softmax_gradient_(logits: Float[torch.Tensor, "m n"], labels: Int[torch.Tensor, "m 1"]) -> Float[torch.Tensor, ""]:
    """Summed cross-entropy in nats; `logits` is overwritten by its gradient, softmax − one-hot.

    Exact in the tail: for the right class softmax − 1 is minus the sum of the others, and the loss is log1p of their
    ratio in float64, so neither drowns in 1 when the network is sure.
    """
    logits.sub_(logits.amax(dim=1, keepdim=True))
    own = logits.gather(1, labels).double()  # in float64, and as a logarithm: a confident mistake must not underflow
    weights = logits.exp_().scatter_(1, labels, 0.0)
    others = weights.sum(dim=1, keepdim=True)
    total = others + own.exp().to(others.dtype)
    weights.div_(total).scatter_(1, labels, -others / total)
    return torch.logaddexp(others.double().log() - own, torch.zeros_like(own)).sum()


class SeparableLoss:
    """Mean cross-entropy of a separable network over fixed pairs, with its gradient in all five tables.

    The pairs are sorted once by a and go through the network in blocks; gradients add up in place.
    """

    def __init__(self, pairs: Int[np.ndarray, "m 2"], n: int, device: torch.device | str = "cpu") -> None:
        ordered = torch.from_numpy(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]).to(device)
        self.n_pairs = len(pairs)
        self.blocks = [(a, b, ((a + b) % n)[:, None]) for a, b in (block.T for block in ordered.split(BLOCK))]

    def __call__(self, tables: Tables) -> tuple[Float[torch.Tensor, ""], Tables]:
        """Loss in nats (float64) and its gradient, in the tables' own precision."""
        A, B, W, C, D = tables
        dA, dB, dC, dD = (torch.zeros_like(table) for table in (A, B, C, D))
        dW_transposed = torch.zeros_like(W.T)  # n × h: the product is half again as fast this way round
        loss = torch.zeros((), dtype=torch.float64, device=A.device)
        for a, b, right in self.blocks:
            active = A.index_select(0, a).add_(B.index_select(0, b)).relu_()
            logits = torch.mm(active, W).add_(C.index_select(0, a)).add_(D.index_select(0, b))
            loss += softmax_gradient_(logits, right)
            slope = logits.div_(self.n_pairs)
            dW_transposed.addmm_(slope.T, active)
            back = torch.ops.aten.threshold_backward(torch.mm(slope, W.T), active, 0)
            dA.index_add_(0, a, back)
            dB.index_add_(0, b, back)
            dC.index_add_(0, a, slope)
            dD.index_add_(0, b, slope)
        return loss / self.n_pairs, Tables(dA, dB, dW_transposed.T, dC, dD)
