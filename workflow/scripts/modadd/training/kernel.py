"""Loss and exact gradients of separable networks over given pairs, written out by hand instead of by autograd.

Each architecture then carries the gradients of (A, B, W, C, D) back to its parameters. Everything runs on an ensemble of
k networks of one shape; on the CPU no bit of a network depends on the others.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int

from modadd.core.groups import ADDITION, right_answers
from modadd.networks.architectures import ACTIVATIONS, RELU, normal_distribution
from modadd.training.loops import LANES, add_residual, gather_relu, scatter_masked, scatter_rows, softmax_gradient
from modadd.training.products import stacked, store
from modadd.training.tables import Tables, Task
from modadd.training.tiles import SPREAD, products


def gelu_slope(u: Float[torch.Tensor, "*s"]) -> Float[torch.Tensor, "*s"]:
    """Φ(u) + u φ(u), with the normal distribution and its density."""
    density = (u * u).mul_(-1 / 2).exp_().div_(math.sqrt(2 * math.pi))
    return density.mul_(u).add_(normal_distribution(u))


SLOPES = {  # of the ACTIVATIONS
    RELU: lambda u: u > 0,
    "abs": torch.sign,
    "square": lambda u: 2 * u,
    "softplus": lambda u: (-u).exp_().add_(1).reciprocal_(),  # torch.sigmoid: see `softplus`
    "gelu": gelu_slope,
}
_Pairs = Int[np.ndarray, "batches k m"]
OfBatch = Int[np.ndarray, "of m"]  # one batch, of some networks
_BLOCK = 240 * 512  # neurons of the pairs in a block on the CPU: their activations and slopes stay in the second cache
_LEAST = 96  # pairs in a block: fewer would be more calls than arithmetic


class SeparableLoss:
    """Mean cross-entropy (nats) of k separable networks over fixed batches of pairs, with its gradient in every table.

    Exact in the tail: for the right class softmax − 1 is minus the sum of the others, and the loss is log1p of their
    ratio in float64, so neither is lost when the network is sure. The gradient's tables are made once: what a call
    returns is overwritten by the next. With `slopes` False only the loss is computed, and the gradient stays zero. Where A and
    B are one table, and the answers of (a, b) and (b, a) are the same, such pairs are computed once: the gradients in A and
    B are then right as their sum.
    """

    def __init__(
        self, batches: Int[np.ndarray, "batches k m 2"], like: Tables, slopes: bool = True, task: Task | None = None
    ) -> None:
        contiguous = torch.contiguous_format  # flat views of the gradient are written to
        self.gradient = Tables(*(None if t is None else torch.zeros_like(t, memory_format=contiguous) for t in like))
        m = batches.shape[2]
        self.answers, activation = task or Task(right_answers(ADDITION, like.W.shape[2]))
        fused = like.A.device.type == "cpu" and like.A.dtype == torch.float32 and activation == RELU
        turned = torch.zeros_like(like.W.mT, memory_format=contiguous).mT  # its product's rows are the answers
        self.gradient = self.gradient._replace(W=turned)
        alike = like.A is like.B and like.C is None and like.D is None and bool((self.answers == self.answers.T).all())
        self._run = _OnCpu(m, self.gradient, slopes, alike) if fused else _Batched(self.gradient, slopes, activation)
        self.take(batches)

    def take(self, batches: Int[np.ndarray, "batches k m 2"]) -> None:
        """Take other batches of the same shape; those that follow are chosen among them."""
        order = np.lexsort((batches[..., 1], batches[..., 0]))  # by a, then b: gathered rows are neighbours
        a, b = np.moveaxis(np.take_along_axis(batches, order[..., None], axis=2), -1, 0)
        self._run.take(a, b, self.answers[a, b])

    def choose(self, batch: int) -> None:
        """Compute on one of the batches in the calls that follow; at first it is batch 0."""
        self._run.choose(batch)

    def computed(self) -> int:
        """How many pairs a call computes, of all networks."""
        return self._run.computed()

    def __call__(self, tables: Tables) -> tuple[Float[torch.Tensor, "k"], Tables]:
        """Loss of every network on its batch (float64) and the gradient, in the tables' own precision."""
        return self._run(tables), self.gradient


class Piece(NamedTuple):
    """Pairs of a batch that are computed together: some of one network, or all of several, whatever fits the cache.

    networks: which. a, b, c, d: the pairs as rows of A, B, C and D, networks one below the other; none for a table that
    is not there. right: their answers. count: how often each stands in the batch.
    """

    networks: slice
    a: Int[np.ndarray, "pairs"]
    b: Int[np.ndarray, "pairs"]
    c: Int[np.ndarray, "pairs_or_none_C"]
    d: Int[np.ndarray, "pairs_or_none_D"]
    right: Int[np.ndarray, "of m"]
    count: Int[np.ndarray, "of m"]
    begins: bool  # whether it is the first of its networks


class _OnCpu:
    """Piece by piece: matrix products, and everything between them in fused loops.

    Where the products read, rows have an odd number of the cache's lines, so that neighbours do not collide there.
    """

    def __init__(self, m: int, gradient: Tables, slopes: bool, alike: bool) -> None:
        self.gradient, self.slopes, self.n_pairs, self.alike = gradient, slopes, m, alike
        self.n_networks, h, n = gradient.W.shape
        self.block = max(_LEAST, _BLOCK // h)
        self.at_once = 1 if alike else max(1, self.block // m)
        rows = self.at_once * min(self.block, m)
        self.own = np.zeros(rows)
        padded, wide = n + -n % LANES, h + -h % SPREAD + SPREAD // 2
        self.active, self.back, self.logits = (
            np.zeros((rows, columns), np.float32) for columns in (wide, wide, padded)
        )
        self.W, self.turned = torch.zeros(self.n_networks, h, padded), torch.zeros(self.n_networks, n, wide)

    def take(self, a: _Pairs, b: _Pairs, right: _Pairs) -> None:
        self.batches = [list(self._pieces(*batch)) for batch in zip(a, b, right, strict=True)]
        self.choose(0)

    def choose(self, batch: int) -> None:
        self.pieces = self.batches[batch]

    def computed(self) -> int:
        return sum(piece.right.size for piece in self.pieces)

    def _pieces(self, a: OfBatch, b: OfBatch, right: OfBatch) -> Iterator[Piece]:
        """A batch in pieces. A pair and its mirror image are one, where they have the same activations and the same answer."""
        for first in range(0, self.n_networks, self.at_once):
            networks = slice(first, first + self.at_once)
            own = a[networks], b[networks], right[networks]
            own = mirrored(*own) if self.alike else (*own, np.ones_like(own[0]))
            for start in range(0, own[0].shape[1], self.block):
                yield self._piece(networks, *(part[:, start : start + self.block] for part in own), begins=start == 0)

    def _piece(self, networks: slice, a: OfBatch, b: OfBatch, right: OfBatch, count: OfBatch, begins: bool) -> Piece:
        n, which = self.gradient.W.shape[2], np.arange(self.n_networks)[networks, None]
        rows = (
            _NOWHERE
            if table is None
            else (
                index + which * n if table.shape[1] == n else 0 * index + which
            ).ravel()  # one row where all are the same
            for table, index in zip((*self.gradient[:2], *self.gradient[3:]), (a, b, a, b), strict=True)
        )
        return Piece(networks, *rows, np.ascontiguousarray(right), np.ascontiguousarray(count), begins)

    def __call__(self, tables: Tables) -> Float[torch.Tensor, "k"]:
        (_, h, n), loss = tables.W.shape, np.zeros(self.n_networks)
        for table in (*self.gradient[:2], *self.gradient[3:]):
            if table is not None:
                table.zero_()
        A, B, C, D = (_flat(table) for table in (tables.A, tables.B, tables.C, tables.D))
        dA, dB, dC, dD = (_flat(table) for table in (*self.gradient[:2], *self.gradient[3:]))
        self.W[..., :n], self.turned[..., :h] = tables.W, tables.W.mT
        W, turned, dW = (table.numpy() for table in (self.W, self.turned[..., :h], self.gradient.W.mT))
        for networks, a, b, c, d, right, count, begins in self.pieces:
            active, back, logits = (place[: len(a)] for place in (self.active, self.back, self.logits))
            of_each = (*right.shape, -1)
            activations, every = active[:, :h].reshape(of_each), logits.reshape(of_each)
            slope = every[..., :n]
            gather_relu(A, B, a, b, active)
            products(every, activations, W[networks], False)
            add_residual(logits, n, C, D, c, d, right.ravel(), self.own)
            torch.from_numpy(logits).exp_()
            softmax_gradient(logits, n, right, count, self.own, self.n_pairs, loss[networks])
            if not self.slopes:
                continue
            products(dW[networks], slope.mT, activations, not begins)
            products(back[:, :h].reshape(of_each), slope, turned[networks], False)
            scatter_masked(back, active, a, b, dA, dB)
            scatter_rows(logits, c, dC)
            scatter_rows(logits, d, dD)
        return torch.from_numpy(loss / self.n_pairs)


def mirrored(a: OfBatch, b: OfBatch, right: OfBatch) -> tuple[Int[np.ndarray, "of distinct"], ...]:
    """The pairs of one network without order, each once: smaller and larger number, answer, how often it stands there."""
    pairs, first, count = np.unique(
        np.stack([np.minimum(a[0], b[0]), np.maximum(a[0], b[0])]), axis=1, return_index=True, return_counts=True
    )
    return pairs[:1], pairs[1:], right[:, first], count[None]


_NOWHERE = np.zeros(0, dtype=np.int64)  # rows of a table that the architecture lacks


def _flat(table: Float[torch.Tensor, "k rows columns"] | None) -> Float[np.ndarray, "k_rows columns"]:
    """The tables of all networks one below the other; of no rows, if the architecture has no such table."""
    return np.zeros((0, 0), np.float32) if table is None else table.numpy().reshape(-1, table.shape[2])


class _Batched:
    """All networks at once, in batched products and whole-array operations: for GPUs, and neurons other than ReLUs."""

    def __init__(self, gradient: Tables, slopes: bool, activation: str) -> None:
        self.gradient, self.slopes, self.now = gradient, slopes, None
        self.by_product = gradient.A.is_cuda  # a GPU adds rows in any order, so no run would give the same bits twice
        self.activate, self.slope_of = ACTIVATIONS[activation], SLOPES[activation]

    def take(self, a: _Pairs, b: _Pairs, right: _Pairs) -> None:
        """The pairs as rows of tables flattened to (k·n) rows."""
        (k, _, n), device = self.gradient.W.shape, self.gradient.A.device
        first_row = n * np.arange(k)[:, None]
        rows = [torch.from_numpy((x + first_row).reshape(len(a), -1)).to(device) for x in (a, b)]
        self.batches = (*rows, torch.from_numpy(right)[..., None].to(device))
        if self.now is None:
            self.now = tuple(whole[0].clone() for whole in self.batches)  # a recorded step reads it at a fixed place

    def choose(self, batch: int) -> None:
        for place, whole in zip(self.now, self.batches, strict=True):
            place.copy_(whole[batch])

    def computed(self) -> int:
        return self.now[2].numel()

    def __call__(self, tables: Tables) -> Float[torch.Tensor, "k"]:
        a, b, right = self.now
        (k, n, h), m = tables.A.shape, right.shape[1]
        before = tables.A.reshape(-1, h).index_select(0, a).add_(tables.B.reshape(-1, h).index_select(0, b))
        active = self.activate(before)
        logits = stacked(active.view(k, m, h), tables.W)
        for table, rows in ((tables.C, a), (tables.D, b)):
            if table is not None:
                logits += table if table.shape[1] == 1 else table.reshape(-1, n)[rows].view(k, m, n)
        logits -= logits.amax(dim=2, keepdim=True)
        own = logits.gather(2, right).double()
        weights = logits.exp_().scatter_(2, right, 0.0)
        others = weights.sum(dim=2, keepdim=True)
        # log(others + e^own) − own: by log1p, as torch's logarithm of doubles has other last bits on another processor.
        loss = (torch.log1p(others.double() + torch.expm1(own)) - own).mean(dim=(1, 2))
        if not self.slopes:
            return loss
        total = others + own.exp().to(others.dtype)
        slope = weights.div_(total).scatter_(2, right, -others / total).div_(m)
        store(self.gradient.W.mT, slope.mT, active.view(k, m, h))
        back = stacked(slope, tables.W.mT).view(-1, h).mul_(self.slope_of(before))
        for rows, changes in (
            (a, ((self.gradient.A, back), (self.gradient.C, slope.view(-1, n)))),
            (b, ((self.gradient.B, back), (self.gradient.D, slope.view(-1, n)))),
        ):
            sum_rows(rows, changes, k, self.by_product)
        return loss


def sum_rows(
    rows: Int[torch.Tensor, "k_m"],
    changes: Iterable[tuple[Float[torch.Tensor, "k _ _"] | None, Float[torch.Tensor, "k_m _"]]],
    k: int,
    by_product: bool,
) -> None:
    """Sum the rows of every change into those rows of its gradient that `rows` names, or into its only row.

    `rows` counts through the tables of all k networks, n to each. By product: with the k × m × n matrix that has a one
    where row i of a network goes to row j of its table.
    """
    chosen = None
    for gradient, change in changes:
        if gradient is None:
            continue
        _, n, columns = gradient.shape
        if n == 1:
            torch.sum(change.view(k, -1, columns), dim=1, keepdim=True, out=gradient)
        elif not by_product:
            gradient.zero_().view(-1, columns).index_add_(0, rows, change)
        else:
            if chosen is None:
                chosen = change.new_zeros(k, len(rows) // k, n)
                chosen.scatter_(2, (rows % n).view(k, -1, 1), 1.0)
            torch.matmul(chosen.mT, change.view(k, -1, columns), out=gradient)
