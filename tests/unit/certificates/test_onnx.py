"""The mainlines in onnxruntime, which multiplies and adds in orders of its own: every answer, and the proven bound."""

import lzma
import re
from dataclasses import replace
from functools import cache

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from support import ROOT

from modadd.certificates.formal import FORMS, checksum
from modadd.certificates.running import rounding_of
from modadd.core.files import read_json
from modadd.core.separable import margins
from modadd.networks.recipes import RECIPES
from modadd.networks.store import Network

MAINLINES = {
    "pizza_transformer": "pizza_transformer_seed0",
    "two_layer_mlp": "two_layer_mlp_seed0",
    "embedding_mlp": "c91_batch_exhibit",
}


def parameters_of(architecture, tables, n):
    """The parameters that `theorem_of` wrote as tables of bits, in its order."""
    if architecture == "two_layer_mlp":
        E, W_in, W_U = tables
        d = E.size // n
        return {"W_E": E.reshape(n, d), "W_in": W_in.reshape(d, -1), "W_U": W_U.reshape(-1, n)}
    if architecture == "embedding_mlp":
        E_a, E_b, of_a, of_b, b_in, W_out, b_out = tables
        h = b_in.size
        W_in = np.vstack([of_a.reshape(-1, h), of_b.reshape(-1, h)])
        found = {"E_a": E_a.reshape(n, -1), "E_b": E_b.reshape(n, -1), "W_in": W_in, "b_in": b_in}
        return found | {"W_out": W_out.reshape(h, n), "b_out": b_out}
    E, at_a, at_b, W_V, W_O, W_in, b_in, W_out, b_out, W_U = tables
    d, heads = at_a.size, RECIPES[architecture].n_heads
    found = {"W_E": E.reshape(n, d), "W_pos": np.stack([at_a, at_b]), "W_O": W_O.reshape(heads, -1, d)}
    found |= {"W_V": np.moveaxis(W_V.reshape(d, heads, -1), 1, 0), "W_in": W_in.reshape(d, -1), "b_in": b_in}
    return found | {"W_out": W_out.reshape(-1, d), "b_out": b_out, "W_U": W_U.reshape(d, n)}


@cache
def mainline(architecture):
    """The network of a kept proof, from its bits; what Coq said of it; its logits in float64."""
    name = MAINLINES[architecture]
    (said,) = read_json(ROOT / f"data/proofs/{name}.json")["networks"]
    text = lzma.open(ROOT / f"data/proofs/{name}.v.xz", "rt", encoding="utf-8").read()
    bits = re.findall(r"^Definition bits_\d+ .*?\[\| (.*) \| 0 \|\]", text, re.MULTILINE)
    tables = [np.fromstring(numbers, "<u4", sep=";").view("<f4") for numbers in bits]
    parameters = parameters_of(architecture, tables, said["modulus"])
    sizes = {"modulus": said["modulus"], "d_mlp": said["neurons"], "d_model": len(parameters["W_in"])}
    network = Network(replace(RECIPES[architecture], **sizes), said["seed"], parameters, {})
    return network, said, network.separable().logits()


class Graph:
    """An ONNX graph that is written node by node; each call of `add` gives the name of what its node computes."""

    def __init__(self, parameters):
        self.nodes = []
        self.stored = [numpy_helper.from_array(np.ascontiguousarray(value), name) for name, value in parameters.items()]

    def add(self, kind, *inputs, **attributes):
        name = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    def session(self, logits, optimised):
        """The graph in onnxruntime, on one thread."""
        pairs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["pairs"]) for name in "ab"]
        answers = [helper.make_tensor_value_info(logits, TensorProto.FLOAT, ["pairs", "n"])]
        graph = helper.make_graph(self.nodes, "network", pairs, answers, self.stored)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        if not optimised:
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def two_layer(p):
    graph = Graph(p)
    embedded = graph.add("Add", graph.add("Gather", "W_E", "a"), graph.add("Gather", "W_E", "b"))
    hidden = graph.add("Relu", graph.add("MatMul", embedded, "W_in"))
    return graph, graph.add("MatMul", hidden, "W_U")


def embedding(p):
    graph = Graph(p)
    embedded = graph.add("Concat", graph.add("Gather", "E_a", "a"), graph.add("Gather", "E_b", "b"), axis=1)
    hidden = graph.add("Relu", graph.add("Gemm", embedded, "W_in", "b_in"))
    return graph, graph.add("Gemm", hidden, "W_out", "b_out")


def pizza(p):
    """Each head by itself: half of the values of either position, read out and added to the stream."""
    named = {name: value for name, value in p.items() if name not in ("W_pos", "W_V", "W_O")}
    named |= {"half": np.float32(0.5), "pos_a": p["W_pos"][0], "pos_b": p["W_pos"][1]}
    heads = range(len(p["W_V"]))
    named |= {f"W_V{i}": p["W_V"][i] for i in heads} | {f"W_O{i}": p["W_O"][i] for i in heads}
    graph = Graph(named)
    at_a, at_b = (graph.add("Add", graph.add("Gather", "W_E", x), f"pos_{x}") for x in "ab")
    stream = at_b
    for i in heads:
        halves = [graph.add("Mul", graph.add("MatMul", at, f"W_V{i}"), "half") for at in (at_a, at_b)]
        stream = graph.add("Add", stream, graph.add("MatMul", graph.add("Add", *halves), f"W_O{i}"))
    hidden = graph.add("Relu", graph.add("Gemm", stream, "W_in", "b_in"))
    return graph, graph.add("MatMul", graph.add("Add", stream, graph.add("Gemm", hidden, "W_out", "b_out")), "W_U")


WRITTEN = {"two_layer_mlp": two_layer, "embedding_mlp": embedding, "pizza_transformer": pizza}


@pytest.mark.parametrize("optimised", [True, False])
@pytest.mark.parametrize("architecture", FORMS)
def test_a_mainline_answers_right_in_onnxruntime_within_the_proven_bound(architecture, optimised):
    network, said, exact = mainline(architecture)
    assert checksum(network.parameters) == said["checksum"] and said["accepted"] and said["runs"]
    n = network.recipe.modulus
    a, b = (grid.ravel() for grid in np.meshgrid(np.arange(n), np.arange(n), indexing="ij"))
    graph, logits = WRITTEN[architecture](network.parameters)
    (computed,) = graph.session(logits, optimised).run([logits], {"a": a, "b": b})
    assert (computed.argmax(1) == (a + b) % n).all()
    off = np.abs(computed.reshape(n, n, n) - exact).max()
    assert said["rounding"] == pytest.approx(rounding_of(architecture, network.parameters), rel=1e-9)
    assert 0 < 2 * off < said["rounding"] < margins(exact).min() / 10, "rounding takes less than a tenth of the margin"
