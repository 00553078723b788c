"""The transformers of Zhong et al.: names and shapes of their tensors, logits, the pizza's separable form."""

import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from modadd.core.files import FileError
from modadd.core.separable import Separable
from modadd.networks.architectures import ACTIVATIONS, RELU, Embedded, separable_of

Parameters = Mapping[str, Float[np.ndarray, "..."]]
Layout = dict[str, str]  # of each tensor, the dimensions: names of sizes, products of them, or numbers


def _layers(names: Iterable[str]) -> int:
    return len({match[1] for match in map(re.compile(r"blocks\.(\d+)\.").match, names) if match})


def layout(names: Iterable[str]) -> Layout:
    """Two positions and no '=' token; the mask is stored by [Z]'s code and never applied by it."""
    attention = {f"attn.{name}": "n_heads d_head d_model" for name in ("W_K", "W_Q", "W_V")}
    block = attention | {
        "attn.W_O": "d_model n_heads*d_head",
        "attn.mask": "2 2",
        "mlp.W_in": "d_mlp d_model",
        "mlp.b_in": "d_mlp",
        "mlp.W_out": "d_model d_mlp",
        "mlp.b_out": "d_model",
    }
    ends = {"embed.W_E": "d_model n", "pos_embed.W_pos": "2 d_model", "unembed.W_U": "d_model n"}
    layers = range(max(1, _layers(names)))
    return ends | {f"blocks.{layer}.{name}": shape for layer in layers for name, shape in block.items()}


def embedded(softmax: bool, parameters: Parameters, gelu: bool = False) -> Embedded:
    """The network as a function of its embeddings, in float64; with GeLU in place of ReLU if asked."""
    import torch

    double = {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}
    E = double["embed.W_E"].T.contiguous().numpy()
    return Embedded(E, E, partial(_logits, double, softmax, gelu))


def otherwise(softmax: bool, parameters: Parameters) -> dict[str, Embedded]:
    """What the same tensors would be if [Z]'s code had trained them otherwise; the file does not say so."""
    read = {
        f"attention {'all ones' if softmax else 'softmax'}": embedded(not softmax, parameters),
        "GeLU": embedded(softmax, parameters, gelu=True),
    }
    tokens = parameters["embed.W_E"].shape[1]
    if tokens % 2 == 0:  # [Z]'s `diff_vocab`: the second number has tokens of its own, the answer those of the first
        n, whole = tokens // 2, embedded(softmax, parameters)
        words = f"two vocabularies of {n} (tokens {n} to {tokens - 1} for the second number)"
        read[words] = Embedded(whole.E_a[:n], whole.E_b[n:], lambda a, b: whole.forward(a, b)[:, :n])
    return read


def settings_file(path: Path) -> Path:
    """Where the settings of the training lie beside a file of weights: [Z] publishes config_X.json with model_X.pt."""
    return path.with_name(f"{path.stem.replace('model_', 'config_', 1)}.json")


def settings_beside(path: Path) -> dict[str, Any]:
    """The settings of the training of a file of weights; none if they do not lie beside it.

    Raises FileError, one line, if what lies there is no JSON object.
    """
    file = settings_file(path)
    if not file.exists():
        return {}
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        settings = None
    if not isinstance(settings, dict):
        raise FileError(
            f"{file}: expected the settings of the training of {path.name}, a JSON object; move it, or mend it"
        )
    return settings


def refusal(softmax: bool, settings: Mapping[str, Any]) -> str | None:
    """Why a network that [Z]'s code trained with these settings, the JSON beside its file, is not read; else None."""
    coefficient, expected = settings.get("attn_coeff", int(softmax)), int(softmax)
    if not isinstance(coefficient, int | float):
        return f"attn_coeff: expected a number, got {coefficient!r}"
    if 0 < coefficient < 1:
        return f"attn_coeff {coefficient:g} is attention between all ones (0) and softmax (1), which is not read"
    for key, right in {"attn_coeff": expected, "act_fn": "ReLU", "diff_vocab": 0, "eqn_sign": 0}.items():
        if settings.get(key, right) != right:
            return f"{key} is {settings[key]!r}; expected {right!r}"
    return None


def preactivations(softmax: bool, parameters: Parameters) -> Float[np.ndarray, "n n h"]:
    """Inputs of the last layer's ReLUs at the position of b, for every input (a, b), in float64."""
    import torch

    p = {name: torch.from_numpy(value.astype(np.float64)) for name, value in parameters.items()}
    E = p["embed.W_E"].T
    with torch.no_grad():  # one a at a time, so that memory stays small
        rows = [_through(p, softmax, False, row.expand_as(E), E)[0][:, -1] for row in E]
        return torch.stack(rows).numpy()


def _logits(
    p: Mapping[str, Float[Any, "..."]], softmax: bool, gelu: bool, a: Float[Any, "m d"], b: Float[Any, "m d"]
) -> Float[Any, "m n"]:
    """Logits at the position of b."""
    return _through(p, softmax, gelu, a, b)[1][:, -1] @ p["unembed.W_U"]


def _through(
    p: Mapping[str, Float[Any, "..."]], softmax: bool, gelu: bool, a: Float[Any, "m d"], b: Float[Any, "m d"]
) -> tuple[Float[Any, "m 2 h"], Float[Any, "m 2 d"]]:
    """The last layer's preactivations and the stream after it, at both positions.

    Without LayerNorm; both positions attend to both, as in [Z]'s code.
    """
    import torch

    stream = torch.stack([a, b], dim=1) + p["pos_embed.W_pos"]  # m × 2 positions × d
    for layer in range(_layers(p)):
        attn, mlp = f"blocks.{layer}.attn.", f"blocks.{layer}.mlp."
        q, k, v = (stream[:, None] @ p[attn + name].mT for name in ("W_Q", "W_K", "W_V"))  # m × heads × 2 × d_head
        scores = q @ k.mT / math.sqrt(k.shape[-1])
        pattern = torch.softmax(scores, dim=-1) if softmax else torch.ones_like(scores)
        stream = stream + (pattern @ v).transpose(1, 2).flatten(2) @ p[attn + "W_O"].T
        preactivations = stream @ p[mlp + "W_in"].T + p[mlp + "b_in"]
        activations = ACTIVATIONS["gelu" if gelu else RELU](preactivations)
        stream = stream + activations @ p[mlp + "W_out"].T + p[mlp + "b_out"]
    return preactivations, stream


def separable(softmax: bool, parameters: Parameters) -> Separable | None:
    """The pizza transformer with W_O doubled: attention is 1, 1 here and ½, ½ there."""
    if softmax or _layers(parameters) > 1:
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
