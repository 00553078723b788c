"""Kept networks of ours, converted into the formats of others: the same answers, under other names and in other shapes."""

import numpy as np
import torch
from support import ROOT

from modadd.networks.store import load_network

WITNESSES = ROOT / "data/populations/witnesses"


def witness(population):
    """The parameters of a network that was trained in full, of which the weights are kept, in float64."""
    network = load_network(WITNESSES / f"{population}.safetensors", kept=True)
    return {name: value.astype(np.float64) for name, value in network.parameters.items()}


def two_layer_mlp():
    """Our architecture as it stands; Study M."""
    return witness("m_changed")


def embedding_mlp():
    """Our architecture as it stands; Study C."""
    return witness("c91_batch")


def chughtai_mlp():
    """A two-layer MLP of Study M whose one embedding is written twice."""
    p = two_layer_mlp()
    return {"W_x": p["W_E"], "W_y": p["W_E"], "W": np.vstack([p["W_in"], p["W_in"]]), "W_U": p["W_U"]}


def linear_mlp():
    """A network of Study T: one hidden layer on one-hot inputs, without biases; its loss is small, but it matters."""
    p = witness("t_groups")
    return {"0.weight": np.vstack([p["U"], p["V"]]).T, "2.weight": p["W_out"].T}


def zhong_ones():
    """A pizza transformer of Study Q, whose attention of ½, ½ is 1, 1 with half the W_O; queries and keys are drawn."""
    p = witness("q_rounding")
    n_heads, d_model, d_head = p["W_V"].shape
    unread = np.random.default_rng(0).standard_normal((2, n_heads, d_head, d_model))
    return {
        "embed.W_E": p["W_E"].T,
        "pos_embed.W_pos": p["W_pos"],
        "unembed.W_U": p["W_U"],
        "blocks.0.attn.W_K": unread[0],
        "blocks.0.attn.W_Q": unread[1],
        "blocks.0.attn.W_V": p["W_V"].transpose(0, 2, 1),
        "blocks.0.attn.W_O": p["W_O"].reshape(n_heads * d_head, d_model).T / 2,
        "blocks.0.mlp.W_in": p["W_in"].T,
        "blocks.0.mlp.b_in": p["b_in"],
        "blocks.0.mlp.W_out": p["W_out"].T,
        "blocks.0.mlp.b_out": p["b_out"],
    }


def zhong_softmax():
    """The same; queries are 0, so softmax gives ½ to both positions."""
    p = zhong_ones()
    return p | {
        "blocks.0.attn.W_Q": np.zeros_like(p["blocks.0.attn.W_Q"]),
        "blocks.0.attn.W_O": 2 * p["blocks.0.attn.W_O"],
    }


def nanda_transformer():
    """A two-layer MLP of Study M: '=' attends to all three positions alike, its own embedding is 0.

    One head carries the sum of the embeddings; logits have directions of the stream of their own, so that nothing goes
    past the neurons.
    """
    p = two_layer_mlp()
    n, d = p["W_E"].shape
    stream, into, out_of = d + n, np.eye(d, d + n), np.eye(n, d + n, k=d)
    return {
        "embed.W_E": np.vstack([p["W_E"] @ into, np.zeros(stream)]).T,
        "pos_embed.W_pos": np.zeros((3, stream)),
        "unembed.W_U": out_of.T,
        "blocks.0.attn.W_K": np.random.default_rng(0).standard_normal((1, d, stream)),
        "blocks.0.attn.W_Q": np.zeros((1, d, stream)),
        "blocks.0.attn.W_V": into[None],
        "blocks.0.attn.W_O": 3 * into.T,
        "blocks.0.mlp.W_in": (into.T @ p["W_in"]).T,
        "blocks.0.mlp.b_in": np.zeros(p["W_in"].shape[1]),
        "blocks.0.mlp.W_out": (p["W_U"] @ out_of).T,
        "blocks.0.mlp.b_out": np.zeros(stream),
    }


CONVERTED = {
    convert.__name__: convert
    for convert in (
        two_layer_mlp,
        embedding_mlp,
        chughtai_mlp,
        linear_mlp,
        nanda_transformer,
        zhong_ones,
        zhong_softmax,
    )
}


def state(format):
    """A state dict of the format, in float32."""
    return {name: torch.from_numpy(np.ascontiguousarray(value)).float() for name, value in CONVERTED[format]().items()}
