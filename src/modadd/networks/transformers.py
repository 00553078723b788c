"""Transformers on two numbers, as [Z] and Nanda et al. train them: logits, what neurons read, the pizza's form.

Those of [Z] have two positions, which both attend to both. Those of Nanda et al. (2023) have a third with
the token '=', where the answer is read; a position attends to itself and those before it.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.networks.architectures import ACTIVATIONS, Embedded

# By role, of layer 0 as `0.W_Q` and so on, in the axes of `shapes_of`; biases may be missing.
Parameters = Mapping[str, Float[np.ndarray, "..."]]
Tensors = Mapping[str, Any]  # Parameters as tensors of torch, in float64

# Kinds of attention; the last has the third position.
ATTENTIONS = ONES, SOFTMAX, CAUSAL = "all ones", "softmax", "causal softmax"

# The share of softmax in an attention whose rest is all ones: no tensor of [Z]'s files, but a setting beside them.
COEFFICIENT = "attn_coeff"

# Roles, and the names of their tensors as both publish them.
NAMES = {"W_E": "embed.W_E", "W_pos": "pos_embed.W_pos", "W_U": "unembed.W_U", "b_U": "unembed.b_U"}
NAMES |= {f"{kind}_{part}": f"blocks.{{layer}}.attn.{kind}_{part}" for kind in "Wb" for part in "QKVO"}
NAMES |= {f"{kind}_{part}": f"blocks.{{layer}}.mlp.{kind}_{part}" for kind in "Wb" for part in ("in", "out")}


def shapes_of(attention: str, p: Parameters) -> dict[str, tuple[int, ...]]:
    """The shapes that all parameters have, given the sizes of some of them: with a third position, '=' may be an answer.

    Raises KeyError, with its name, for a matrix that is missing, and ValueError for one of too few axes.
    """
    three = attention == CAUSAL
    (d_model, tokens), (n_heads, d_head, _) = p["W_E"].shape, p["0.W_Q"].shape
    n, d_mlp = tokens - three, len(p["0.W_in"])
    answers = tokens if p["W_U"].shape[-1] == tokens else n
    shapes = {"W_E": (d_model, tokens), "W_pos": (2 + three, d_model), "W_U": (d_model, answers), "b_U": (answers,)}
    shapes |= dict.fromkeys(("W_Q", "W_K", "W_V"), (n_heads, d_head, d_model))
    shapes |= dict.fromkeys(("b_Q", "b_K", "b_V"), (n_heads, d_head))
    shapes |= {"W_O": (d_model, n_heads * d_head), "b_O": (d_model,), "W_in": (d_mlp, d_model), "b_in": (d_mlp,)}
    shapes |= {"W_out": (d_model, d_mlp), "b_out": (d_model,)}
    return {name: shapes[name.rpartition(".")[2]] for name in p}


def embedded(attention: str, parameters: Parameters, activation: str) -> Embedded:
    """The network as a function of its embeddings, in float64; '=' is no number and has no row in them."""
    p = _double(parameters)
    E = _numbers_of(p, attention).contiguous().numpy()

    def forward(a: Float[Any, "m d"], b: Float[Any, "m d"]) -> Float[Any, "m n"]:
        logits = _through(p, attention, activation, a, b)[1] @ p["W_U"] + p.get("b_U", 0)
        return logits[:, : len(E)] if attention == CAUSAL else logits  # '=' is no answer

    return Embedded(E, E, forward)


def preactivations(attention: str, parameters: Parameters, activation: str) -> Float[np.ndarray, "n n h"]:
    """Inputs of the last layer's neurons where the answer is read, for every input (a, b), in float64."""
    import torch

    p = _double(parameters)
    E = _numbers_of(p, attention)
    with torch.no_grad():  # one a at a time, so that memory stays small
        return torch.stack([_through(p, attention, activation, row.expand_as(E), E)[0] for row in E]).numpy()


def as_pizza(parameters: Parameters) -> Parameters | None:
    """One layer whose attention is all ones as a `pizza_transformer`: attention is 1 here, ½ there, so W_O is doubled.

    None for several layers, or with biases that a `pizza_transformer` has not.
    """
    p = {name.removeprefix("0."): value for name, value in parameters.items()}
    d_model, d_mlp = p["W_out"].shape
    p = {"b_in": np.zeros(d_mlp, np.float32), "b_out": np.zeros(d_model, np.float32)} | p
    as_they_are = {name: p[name] for name in ("W_pos", "b_in", "b_out", "W_U")}
    turned = {name: p[name].T for name in ("W_E", "W_in", "W_out")}
    if p.keys() != {*as_they_are, *turned, "W_Q", "W_K", "W_V", "W_O"}:
        return None
    n_heads, d_head, _ = p["W_V"].shape
    heads = p["W_O"].reshape(d_model, n_heads, d_head)
    return as_they_are | turned | {"W_V": p["W_V"].transpose(0, 2, 1), "W_O": 2 * heads.transpose(1, 2, 0)}


def _double(parameters: Parameters) -> Tensors:
    import torch

    return {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}


def _numbers_of(p: Tensors, attention: str) -> Float[Any, "n d"]:
    """Rows are the embeddings of the numbers."""
    tokens = p["W_E"].T
    return tokens[:-1] if attention == CAUSAL else tokens


def _through(
    p: Tensors, attention: str, activation: str, a: Float[Any, "m d"], b: Float[Any, "m d"]
) -> tuple[Float[Any, "m h"], Float[Any, "m d"]]:
    """The last layer's preactivations and the stream after it, at the last position."""
    import torch

    tokens = [a, b, p["W_E"][:, -1].expand_as(b)] if attention == CAUSAL else [a, b]
    stream = torch.stack(tokens, dim=1) + p["W_pos"]  # m × positions × d
    no_bias = torch.zeros(1, 1, dtype=stream.dtype)
    share = p.get(COEFFICIENT, float(attention != ONES))
    for layer in range(sum(name.endswith(".W_Q") for name in p)):
        q, k, v = (  # m × heads × positions × d_head
            stream[:, None] @ p[f"{layer}.W_{part}"].mT + p.get(f"{layer}.b_{part}", no_bias)[:, None] for part in "QKV"
        )
        scores = q @ k.mT / math.sqrt(k.shape[-1])  # m × heads × to × here
        if attention == CAUSAL:
            later = torch.ones_like(scores, dtype=torch.bool).triu(1)
            scores = scores.masked_fill(later, -math.inf)
        pattern = share * torch.softmax(scores, dim=-1) + (1 - share)
        mixed = (pattern @ v).transpose(1, 2).flatten(2)
        stream = stream + mixed @ p[f"{layer}.W_O"].T + p.get(f"{layer}.b_O", 0)
        preactivations = stream @ p[f"{layer}.W_in"].T + p.get(f"{layer}.b_in", 0)
        stream = stream + ACTIVATIONS[activation](preactivations) @ p[f"{layer}.W_out"].T + p.get(f"{layer}.b_out", 0)
    return preactivations[:, -1], stream[:, -1]
