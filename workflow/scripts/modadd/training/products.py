"""Matrix products of training: on the CPU by `tiles`, whose bits are the same on every processor."""

import torch
from jaxtyping import Float

from modadd.training.tiles import products


def _store_chains(
    out: Float[torch.Tensor, "*k p r"],
    x: Float[torch.Tensor, "*k p q"],
    y: Float[torch.Tensor, "*k q r"],
    onto: bool,
) -> None:
    """out ← x @ y on the CPU, matrix by matrix."""
    if x.ndim > 3:
        for one, left, right in zip(out, x, y, strict=True):
            _store_chains(one, left, right, onto)
        return
    stacks = (table.numpy() if table.ndim == 3 else table.numpy()[None] for table in (out, x, y))
    products(*stacks, onto)


def stacked(x: Float[torch.Tensor, "*k p q"], y: Float[torch.Tensor, "*k q r"]) -> Float[torch.Tensor, "*k p r"]:
    """x @ y for every network: on the CPU in float32 by chains, elsewhere by torch."""
    if _by_torch(x):
        return torch.matmul(x, y)
    out = x.new_empty(*x.shape[:-1], y.shape[-1])
    _store_chains(out, x, y, onto=False)
    return out


def store(
    out: Float[torch.Tensor, "*k p r"],
    x: Float[torch.Tensor, "*k p q"],
    y: Float[torch.Tensor, "*k q r"],
    onto: bool = False,
) -> None:
    """out ← x @ y, as `stacked` has it; `onto`: the chains go on from what `out` holds."""
    if not _by_torch(x):
        _store_chains(out, x, y, onto)
    elif onto:
        out += torch.matmul(x, y)
    else:
        out.copy_(torch.matmul(x, y))


def _by_torch(x: torch.Tensor) -> bool:
    return x.device.type != "cpu" or x.dtype != torch.float32
