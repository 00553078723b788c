"""Transformers on two numbers, as [Z] and Nanda et al. save them: their tensors, logits, the pizza's separable form.

Those of [Z] have two positions, which both attend to both. Those of Nanda et al. (2023) have a third with
the token '=', where the answer is read; a position attends to itself and those before it.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.separable import Separable
from modadd.networks.architectures import ACTIVATIONS, RELU, Embedded, separable_of
from modadd.networks.checkpoints import Checkpoint

Parameters = Mapping[str, Float[np.ndarray, "..."]]
Shapes = Mapping[str, tuple[int, ...]]
Tensors = Mapping[str, Any]  # Parameters as tensors of torch
Layout = dict[str, str]  # of each tensor, the dimensions: names of sizes, products of them, numbers, or a name + 1

# Biases of a layer's attention, which files of TransformerLens may have.
_BIASES_OF_ATTENTION = {"b_Q": "n_heads d_head", "b_K": "n_heads d_head", "b_V": "n_heads d_head", "b_O": "d_model"}

ONES, SOFTMAX, CAUSAL = "all ones", "softmax", "causal softmax"  # kinds of attention; the last has the third position

# The share of softmax in an attention whose rest is all ones: no tensor of [Z]'s files, but a setting beside them.
COEFFICIENT = "attn_coeff"


def _layers(names: Iterable[str]) -> int:
    return len({match[1] for match in map(re.compile(r"blocks\.(\d+)\.").match, names) if match})


def layout(attention: str, shapes: Shapes) -> Layout:
    """The tensors, given the shapes found: their names tell the layers, W_U whether '=' is an answer, too."""
    heads = {f"attn.{name}": "n_heads d_head d_model" for name in ("W_K", "W_Q", "W_V")}
    block = heads | {
        "attn.W_O": "d_model n_heads*d_head",
        "mlp.W_in": "d_mlp d_model",
        "mlp.b_in": "d_mlp",
        "mlp.W_out": "d_model d_mlp",
        "mlp.b_out": "d_model",
    }
    if attention == CAUSAL:
        equals_answers = shapes.get("unembed.W_U", ())[-1:] == shapes.get("embed.W_E", ())[-1:]
        answers = "n+1" if equals_answers else "n"
        ends = {"embed.W_E": "d_model n+1", "pos_embed.W_pos": "3 d_model", "unembed.W_U": f"d_model {answers}"}
    else:
        ends = {"embed.W_E": "d_model n", "pos_embed.W_pos": "2 d_model", "unembed.W_U": "d_model n"}
    layers = range(max(1, _layers(shapes)))
    needed = ends | {f"blocks.{layer}.{name}": shape for layer in layers for name, shape in block.items()}
    if attention != CAUSAL:
        return needed | ({COEFFICIENT: "1"} if attention == SOFTMAX and COEFFICIENT in shapes else {})
    biases = {f"blocks.{layer}.attn.{name}": shape for layer in layers for name, shape in _BIASES_OF_ATTENTION.items()}
    biases["unembed.b_U"] = answers
    return needed | {name: shape for name, shape in biases.items() if name in shapes}


def from_lens(checkpoint: Checkpoint) -> Checkpoint:
    """The same network, where TransformerLens saved it: rows are multiplied from the left, and W_O has an axis for heads.

    Biases that are 0 are left out. Other files stay as they are.
    """
    outputs = [value for name, value in checkpoint.tensors.items() if name.endswith("attn.W_O")]
    if not outputs or any(value.ndim != 3 for value in outputs):
        return checkpoint
    tensors = {name: _from_lens(name.rpartition(".")[2], value) for name, value in checkpoint.tensors.items()}
    optional = [name for name in tensors if name.rpartition(".")[2] in (*_BIASES_OF_ATTENTION, "b_U")]
    zero = [name for name in optional if not tensors[name].any()]
    steps = ["laid out as TransformerLens saves it; axes put in the order of the format"]
    if zero:
        steps.append(f"biases left out, which are 0: {', '.join(zero)}")
    tensors = {name: value for name, value in tensors.items() if name not in zero}
    return replace(checkpoint, tensors=tensors, steps=(*checkpoint.steps, *steps))


def _from_lens(name: str, value: Float[np.ndarray, "..."]) -> Float[np.ndarray, "..."]:
    """A tensor with the axes that [Z] and Nanda et al. give it, in that order in memory, too: sums depend on it."""
    if name == "W_O":
        value = value.reshape(-1, value.shape[-1]).T
    elif name in ("W_Q", "W_K", "W_V") and value.ndim == 3:
        value = value.transpose(0, 2, 1)
    elif name in ("W_E", "W_in", "W_out"):
        value = value.T
    return np.ascontiguousarray(value)


def embedded(attention: str, parameters: Parameters, activation: str = RELU) -> Embedded:
    """The network as a function of its embeddings, in float64; '=' is no number and has no row in them."""
    p = _double(parameters)
    E = p["embed.W_E"].T[: _modulus(attention, p)].contiguous().numpy()
    return Embedded(E, E, partial(_logits, p, attention, activation))


def coefficient_in(settings: Mapping[str, Any]) -> Parameters:
    """The tensor COEFFICIENT of a network trained with these settings, if it lies between all ones (0) and softmax (1)."""
    coefficient = settings.get(COEFFICIENT)
    between = isinstance(coefficient, int | float) and 0 < coefficient < 1
    return {COEFFICIENT: np.array([coefficient], dtype=np.float64)} if between else {}


def refusal(attention: str, settings: Mapping[str, Any], activation: str) -> tuple[str, str] | None:
    """What of the settings, the JSON beside a file of [Z], says that it is not read so, and the remedy; None if nothing does."""
    expected = int(attention == SOFTMAX)
    coefficient = settings.get(COEFFICIENT, expected)
    if not isinstance(coefficient, int | float) or not 0 <= coefficient <= 1:
        return f"{COEFFICIENT} {coefficient!r}", "write a number from 0 to 1"
    neurons = {RELU: "ReLU", "gelu": "GeLU"}.get(activation, activation)
    for key, right in {"act_fn": neurons, "diff_vocab": 0, "eqn_sign": 0}.items():
        said = settings.get(key, right)
        if said != right:
            return f"{key} {said!r}", f"only {right!r} is read so"
    if (coefficient > 0) != expected:
        format = "zhong_softmax" if coefficient else "zhong_ones"
        return f"{COEFFICIENT} {coefficient:g}", f"write `format: {format}`, which reads it"
    return None


def preactivations(attention: str, parameters: Parameters, activation: str = RELU) -> Float[np.ndarray, "n n h"]:
    """Inputs of the last layer's neurons where the answer is read, for every input (a, b), in float64."""
    import torch

    p = _double(parameters)
    E = p["embed.W_E"].T[: _modulus(attention, p)]
    with torch.no_grad():  # one a at a time, so that memory stays small
        rows = [_through(p, attention, activation, row.expand_as(E), E)[0][:, -1] for row in E]
        return torch.stack(rows).numpy()


def _double(parameters: Parameters) -> dict[str, Any]:
    import torch

    return {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}


def _modulus(attention: str, p: Mapping[str, Any]) -> int:
    """n; the last token of a network with a third position is '='."""
    return p["embed.W_E"].shape[1] - (attention == CAUSAL)


def _logits(
    p: Tensors, attention: str, activation: str, a: Float[Any, "m d"], b: Float[Any, "m d"]
) -> Float[Any, "m n"]:
    """Logits at the last position; that of the answer '=' is left out."""
    logits = _through(p, attention, activation, a, b)[1][:, -1] @ p["unembed.W_U"] + p.get("unembed.b_U", 0)
    return logits[:, : _modulus(attention, p)] if attention == CAUSAL else logits


def _through(
    p: Tensors, attention: str, activation: str, a: Float[Any, "m d"], b: Float[Any, "m d"]
) -> tuple[Float[Any, "m positions h"], Float[Any, "m positions d"]]:
    """The last layer's preactivations and the stream after it, at every position."""
    import torch

    tokens = [a, b, p["embed.W_E"][:, -1].expand_as(b)] if attention == CAUSAL else [a, b]
    stream = torch.stack(tokens, dim=1) + p["pos_embed.W_pos"]  # m × positions × d
    for layer in range(_layers(p)):
        attn, mlp = f"blocks.{layer}.attn.", f"blocks.{layer}.mlp."
        q, k, v = (_of_heads(p, attn, name, stream) for name in "QKV")
        pattern = _pattern(q @ k.mT / math.sqrt(k.shape[-1]), attention, p.get(COEFFICIENT, 1.0))
        mixed = (pattern @ v).transpose(1, 2).flatten(2)
        stream = stream + mixed @ p[attn + "W_O"].T + p.get(attn + "b_O", 0)
        preactivations = stream @ p[mlp + "W_in"].T + p[mlp + "b_in"]
        stream = stream + ACTIVATIONS[activation](preactivations) @ p[mlp + "W_out"].T + p[mlp + "b_out"]
    return preactivations, stream


def _of_heads(
    p: Tensors, attn: str, name: str, stream: Float[Any, "m positions d"]
) -> Float[Any, "m heads positions d_head"]:
    """Queries, keys or values; with a bias if there is one."""
    read = stream[:, None] @ p[f"{attn}W_{name}"].mT
    bias = p.get(f"{attn}b_{name}")
    return read if bias is None else read + bias[:, None]


def _pattern(
    scores: Float[Any, "m heads to here"], attention: str, coefficient: float | Float[Any, "1"]
) -> Float[Any, "m heads to here"]:
    """How much each position takes from each: softmax times the coefficient, and what it lacks to 1."""
    import torch

    if attention == ONES:
        return torch.ones_like(scores)
    if attention == CAUSAL:
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, -math.inf)
    return coefficient * torch.softmax(scores, dim=-1) + (1 - coefficient)


def separable(attention: str, parameters: Parameters) -> Separable | None:
    """The pizza transformer with W_O doubled: attention is 1, 1 here and ½, ½ there.

    None for another attention, and for several layers.
    """
    if attention != ONES or _layers(parameters) > 1:
        return None
    p = {name.removeprefix("blocks.0."): value for name, value in parameters.items()}
    n_heads, d_head, d_model = p["attn.W_V"].shape
    native = {
        "W_E": p["embed.W_E"].T,
        "W_pos": p["pos_embed.W_pos"],
        "W_V": p["attn.W_V"].transpose(0, 2, 1),
        "W_O": 2 * p["attn.W_O"].reshape(d_model, n_heads, d_head).transpose(1, 2, 0),
        "W_in": p["mlp.W_in"].T,
        "b_in": p["mlp.b_in"],
        "W_out": p["mlp.W_out"].T,
        "b_out": p["mlp.b_out"],
        "W_U": p["unembed.W_U"],
    }
    return separable_of("pizza_transformer", native)
