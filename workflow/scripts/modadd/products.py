"""Stacked matrix products of training: one per network, with the same bits whichever networks stand beside it."""

import numpy as np
import torch
from jaxtyping import Float

# torch's own products take MKL, whose bits depend on how a matrix lies in memory and which runs at half speed on some
# processors. NumPy's take OpenBLAS, a whole stack in one call and views as they are. oneDNN, the library behind torch's
# layers, is faster for large products only; its operator is the one that torch's compiler emits, for float32 alone.
_ONEDNN = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")
LARGE = 2**22  # multiply–adds from which a product repays a call of its own


def stacked(x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]) -> Float[torch.Tensor, "*k p r"]:
    """x @ y for every network. What multiplies depends on the shape of one product alone, never on the size of the stack."""
    if x.device.type != "cpu":
        return x @ y
    p, q, r = x.shape[-2], x.shape[-1], y.shape[-1]
    if p * q * r < LARGE or not _ONEDNN or x.dtype != torch.float32 or x.ndim > 3:
        with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges is told by its loss
            return torch.from_numpy(np.matmul(x.detach().numpy(), y.detach().numpy()))
    products = [torch.ops.mkldnn._linear_pointwise(a, b.T, None, "none", [], "") for a, b in zip(x, y, strict=True)]
    return products[0][None] if len(products) == 1 else torch.stack(products)


class _Times(torch.autograd.Function):
    """x @ y with the products of both directions taken by `stacked`."""

    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return stacked(x, y)

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        return stacked(gradient, y.mT), stacked(x.mT, gradient)


def times(x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]) -> Float[torch.Tensor, "*k p r"]:
    """Differentiable `stacked`."""
    return _Times.apply(x, y)
