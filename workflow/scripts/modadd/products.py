"""Stacked matrix products of training: one per network, with the same bits whichever networks stand beside it."""

import torch
from jaxtyping import Float

# torch's own products take MKL. Its bits depend on how a matrix lies in memory, and on some processors it runs at half the
# speed of oneDNN, the library behind torch's layers; but it takes a whole stack in one call. The operator of oneDNN is the
# one that torch's compiler emits; it takes views without copying, and float32 alone.
_ONEDNN = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")
LARGE = 2**22  # multiply–adds from which a product repays a call of its own
VECTOR = 16  # numbers: matrices of whole vectors lie alike in memory wherever they stand in a stack


def stacked(x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]) -> Float[torch.Tensor, "*k p r"]:
    """x @ y for every network. What multiplies depends on the shape of one product alone, never on the size of the stack."""
    p, q, r = x.shape[-2], x.shape[-1], y.shape[-1]
    if x.ndim > 3:  # attention heads are products of their own too
        return stacked(x.contiguous().flatten(0, -3), y.contiguous().flatten(0, -3)).view(*x.shape[:-1], r)
    alike = all(size % VECTOR == 0 for size in (p * q, q * r, p * r))
    if x.device.type != "cpu" or (alike and p * q * r < LARGE):
        return x @ y
    products = [_product(one, other) for one, other in zip(x, y, strict=True)]
    return products[0][None] if len(products) == 1 else torch.stack(products)


def _product(x: Float[torch.Tensor, "p q"], y: Float[torch.Tensor, "q r"]) -> Float[torch.Tensor, "p r"]:
    if _ONEDNN and x.dtype == torch.float32:
        return torch.ops.mkldnn._linear_pointwise(x, y.T, None, "none", [], "")
    return torch.mm(x, y)


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
