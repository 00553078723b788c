"""Stacked matrix products of training: one per network, with the same bits whichever networks are stacked with it."""

import numpy as np
import torch
from jaxtyping import Float

from modadd.core.processor import MKL, product_library
from modadd.training.loops import transpose

PRODUCT_LIBRARY = product_library()  # one for all products of a process


# Without MKL small products take NumPy's OpenBLAS, a whole stack in one call and views as they are; oneDNN, the library
# behind torch's layers, is faster for large ones, and its operator is the one that torch's compiler emits, for float32 alone.
_ONEDNN = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise")
LARGE = 2**21  # multiply–adds from which a product repays a call of its own


def is_large(p: int, q: int, r: int) -> bool:
    """Whether a product of p × q by q × r takes a call of its own."""
    return p * q * r >= LARGE


def stacked(
    x: Float[torch.Tensor, "*k p q"],
    y: Float[torch.Tensor, "*k q r"],
    out: Float[torch.Tensor, "*k p r"] | None = None,
) -> Float[torch.Tensor, "*k p r"]:
    """x @ y for every network, in `out` if that is given and the library can write there.

    What multiplies depends on the shape of one product alone and on PRODUCT_LIBRARY, never on the size of the stack.
    """
    if x.device.type == "cpu" and PRODUCT_LIBRARY == MKL and x.ndim > 3 and len(x) > 1:
        # Heads of an ensemble lie in one batch for MKL, which without AVX-512 then sums in an order that depends on their number.
        return torch.cat([stacked(one, other) for one, other in zip(x.split(1), y.split(1), strict=True)])
    if x.device.type != "cpu" or PRODUCT_LIBRARY == MKL:
        return torch.matmul(x, y, out=out)
    return by_openblas(x, y, out)


def by_openblas(
    x: Float[torch.Tensor, "*k p q"],
    y: Float[torch.Tensor, "*k q r"],
    out: Float[torch.Tensor, "*k p r"] | None = None,
) -> Float[torch.Tensor, "*k p r"]:
    """The same by OpenBLAS, large products by oneDNN."""
    if not _is_by_onednn(x, y):
        with np.errstate(over="ignore", invalid="ignore"):  # a run that diverges shows in its loss
            if out is None:
                return torch.from_numpy(np.matmul(x.detach().numpy(), y.detach().numpy()))
            np.matmul(x.numpy(), y.numpy(), out=out.numpy())
            return out
    return _by_onednn(x, y)


def _is_by_onednn(x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]) -> bool:
    large = is_large(x.shape[-2], x.shape[-1], y.shape[-1])
    return large and _ONEDNN and x.dtype == torch.float32 and x.ndim <= 3


def _by_onednn(x: Float[torch.Tensor, "k p q"], y: Float[torch.Tensor, "k q r"]) -> Float[torch.Tensor, "k p r"]:
    if x.stride(-1) != 1 and not x.mT.is_contiguous():  # oneDNN takes rows, and torch is slow where columns have gaps
        x, columns = x.new_empty(x.shape), x.detach().mT
        for table, turned in zip(columns.numpy(), x.numpy(), strict=True):
            transpose(table, turned)
    multiply = torch.ops.mkldnn._linear_pointwise
    products = [multiply(x[i : i + 1], y[i].mT, None, "none", [], "") for i in range(len(x))]
    return products[0] if len(products) == 1 else torch.cat(products)


def with_room(
    place: Float[torch.Tensor, "k p padded"], x: Float[torch.Tensor, "k p q"], y: Float[torch.Tensor, "k q r"]
) -> Float[torch.Tensor, "k p padded"]:
    """x @ y in the first r columns of `place`, or of an array of its own like it; the others hold anything.

    oneDNN multiplies by whole vectors: it is faster where they are columns of the result, too, and changes no bit.
    """
    r = y.shape[2]
    if PRODUCT_LIBRARY == MKL or not _is_by_onednn(x, y):
        store(place[..., :r], x, y)
        return place
    return _by_onednn(x, torch.nn.functional.pad(y, (0, place.shape[2] - r)))


def store(
    out: Float[torch.Tensor, "*k p r"], x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]
) -> None:
    """out ← x @ y."""
    product = stacked(x, y, out)
    if product is not out:
        out.copy_(product)


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
