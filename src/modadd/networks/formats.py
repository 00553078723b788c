"""Formats of networks that others trained: the names of their tensors by role, and the parameters that are made of them."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, permutations, product

import numpy as np

from modadd.core.wording import unknown
from modadd.networks.transformers import ATTENTIONS, CAUSAL, NAMES, ONES, SOFTMAX, Parameters, shapes_of

Names = Mapping[str, str]  # of tensors by role; `.T` behind a name turns its last two axes, {layer} counts from 0
Tokens = Sequence[str | int]  # what a perceptron reads, in order: A, B, and of each constant the number of its row

A, B = "a", "b"
BIASES = ("b_in", "b_out")
# Roles in a perceptron of so many matrices: tokens are one-hot, have one embedding, or an embedding for each number.
ROLES = {2: ("W_in", "W_out"), 3: ("W_E", "W_in", "W_out"), 4: ("E_a", "E_b", "W_in", "W_out")}
# W_in may be a matrix for each number, with a bias for each; what stands at a place may be added to the embedding.
PARTS = {"W_a": "b_a", "W_b": "b_b"}
OF_PARTS = [("W_a", "W_b", "W_out"), ("W_E", "W_a", "W_b", "W_out"), ("W_E", "W_pos", "W_in", "W_out")]
WITH_HEADS = {
    "W_Q": 3,
    "W_K": 3,
    "W_V": 3,
    "b_Q": 2,
    "b_K": 2,
    "b_V": 2,
}  # and how many axes; the first is of the heads

KISSANE = {"W_E": "W_E", "W_in": "W_in", "W_out": "W_U"}
Y_AGENT = {"W_in": "mlp.W_in.T", "W_out": "mlp.W_out.T"}
OURS = {role: role for role in (*ROLES[4], *BIASES)}
# Every role that ROLES and OF_PARTS name, and the biases.
OF_A_PERCEPTRON = ("W_E", "W_pos", *OURS, *PARTS, *PARTS.values())
CHUGHTAI = {"E_a": "W_x", "E_b": "W_y", "W_in": "W", "W_out": "W_U"}
LINEAR = {"W_in": "0.weight.T", "b_in": "0.bias", "W_out": "2.weight.T", "b_out": "2.bias"}
LENS = {role: name if role in ("W_pos", "W_U") or role[0] == "b" else f"{name}.T" for role, name in NAMES.items()}
BRIDGE = {"W_E": "embed.weight.T", "W_pos": "pos_embed.weight", "W_U": "unembed.weight.T", "b_U": "unembed.bias"}
for _role, _saved in (("W", "weight"), ("b", "bias")):
    BRIDGE |= {f"{_role}_{part}": f"blocks.{{layer}}.attn.{part.lower()}.{_saved}" for part in "QKVO"}
    BRIDGE |= {f"{_role}_{part}": f"blocks.{{layer}}.mlp.{part}.{_saved}" for part in ("in", "out")}

# Of each format, the one of our ARCHITECTURES or the attention that it is read as, and its tensors wherever it is saved.
# A file says neither which attention it was trained with nor what its neurons compute: the config does.
FORMATS: dict[str, tuple[str, tuple[Names, ...]]] = {
    "two_layer_mlp": ("two_layer_mlp", (KISSANE, Y_AGENT, {"W_E": "embed.W_E.T", **Y_AGENT})),
    "embedding_mlp": ("embedding_mlp", (OURS,)),
    "chughtai_mlp": ("embedding_mlp", (CHUGHTAI,)),
    "linear_mlp": ("embedding_mlp", (LINEAR,)),
    "nanda_transformer": (CAUSAL, (NAMES, LENS, BRIDGE)),  # their code, TransformerLens below version 4, and from it
    "zhong_ones": (ONES, (NAMES,)),
    "zhong_softmax": (SOFTMAX, (NAMES,)),
}

# Names of tensors that tell a network of a kind that is not read, and what that kind is.
UNREAD = {
    r"(^|[._])(ln|norm|layer_?norm|rms_?norm)[^.]*\.\w+$|(^|[._])(gamma|beta)$": "a network with LayerNorm",
    r"\.W_gate$|\.gate\.weight$": "a network whose neurons have gates",
}


class Misfit(ValueError):
    """Tensors whose names or shapes are not those of a format: what was found, and what to do if that is known."""

    def __init__(self, found: str, remedy: str = "") -> None:
        super().__init__(found)
        self.remedy = remedy


def parameters_as(
    format: str, arrays: Parameters, said: Names | None = None, tokens: Tokens = (A, B), n_heads: int | None = None
) -> tuple[Parameters, list[str]]:
    """The parameters of what the format is read as, and the names of tensors that repeat another.

    `said` names the tensors by role, in place of the names of the format. Raises Misfit if they do not fit.
    """
    for name, (pattern, words) in product(arrays, UNREAD.items()):
        if re.search(pattern, name):
            raise Misfit(f"{words} (it has '{name}')", "no format reads it")
    kind, published = FORMATS[format]
    roles = NAMES if kind in ATTENTIONS else OF_A_PERCEPTRON
    for role in said or ():
        if role not in roles:
            raise Misfit(unknown("tensors", "role", role, roles), "docs/recipes.md says what each is")
    wrong_names, wrong_shapes = [], []
    for names in turnings(said) if said else published:
        try:
            p, copies = by_role(arrays, names)
        except Misfit as misfit:
            wrong_names.append(misfit)
            continue
        try:
            made = transformer(kind, p, n_heads) if kind in ATTENTIONS else perceptron(kind, p, tokens)
            return made, copies
        except Misfit as misfit:
            wrong_shapes.append(misfit)
    raise (wrong_shapes or wrong_names)[0]


def turnings(names: Names) -> Iterator[Names]:
    """The names with any matrices turned of which nobody says so; those of torch's Linear turned first."""
    ways = []
    for role, name in names.items():
        turned = f"{name}.T"
        if role.startswith("b_") or name.endswith(".T") or "{layer}" in name:
            ways.append([name])
        elif role in ("W_in", "W_out", *PARTS) and name.endswith("weight"):
            ways.append([turned, name])
        else:
            ways.append([name, turned])
    for chosen in product(*ways):
        yield dict(zip(names, chosen, strict=True))


def by_role(arrays: Parameters, names: Names) -> tuple[dict[str, np.ndarray], list[str]]:
    """The tensors by role, those of layer 0 as `0.W_Q` and so on, and the names of copies: tied weights are saved twice.

    A prefix of all names is left out. Raises Misfit unless these are all tensors. Biases may be missing.
    """
    prefix = _prefix(arrays, names)
    p = {}
    used = []
    missing = []
    for role, name in _of_every_layer(arrays, names):
        saved = f"{prefix}{name.removesuffix('.T')}"
        if saved in arrays:
            used.append(saved)
            value = arrays[saved]
            p[role] = value.swapaxes(-1, -2) if name.endswith(".T") and value.ndim > 1 else value
        elif not role.rpartition(".")[2].startswith("b_"):
            missing.append(saved)
    others = sorted(arrays.keys() - used)
    copies = [other for other in others if any(np.array_equal(arrays[other], arrays[name]) for name in used)]
    left = ", ".join(other for other in others if other not in copies)
    if missing:
        raise Misfit(f"{left or 'nothing'} in place of {', '.join(missing)}")
    if left:
        raise Misfit(f"them and {left}")
    return p, copies


def _prefix(arrays: Parameters, names: Names) -> str:
    """What stands before the first of these names in the file, and before all others, such as `module.`; else nothing."""
    first = next(iter(names.values())).removesuffix(".T").replace("{layer}", "0")
    for saved in arrays:
        before = saved.removesuffix(first)
        if before != saved and before.endswith(".") and all(other.startswith(before) for other in arrays):
            return before
    return ""


def _of_every_layer(arrays: Parameters, names: Names) -> Iterator[tuple[str, str]]:
    """Roles and names, those of a layer for every layer of the file: it has as many as names with other numbers in them."""
    layers = len({found[1] for name in arrays if (found := re.search(r"\.(\d+)\.", name))})
    for role, name in names.items():
        if "{layer}" not in name:
            yield role, name
            continue
        for layer in range(max(layers, 1)):
            yield f"{layer}.{role}", name.replace("{layer}", str(layer))


def transformer(attention: str, p: Parameters, n_heads: int | None) -> Parameters:
    """The parameters of a transformer, as `transformers` computes with them, given its tensors by role.

    Where attention is kept without an axis for the heads, `n_heads` gives it one. Raises Misfit for other shapes.
    """
    made = {}
    for name, value in p.items():
        if "{layer}" in NAMES.get(name, ""):  # its owner names the only layer without a number
            name = f"0.{name}"
        role = name.rpartition(".")[2]
        if value.ndim == WITH_HEADS.get(role, 0) - 1:
            if not isinstance(n_heads, int) or n_heads < 1 or len(value) % n_heads:
                remedy = 'write their number, as {"n_heads": 4}, into a JSON file of its name beside it'
                raise Misfit(f"'{name}' without an axis for the heads", remedy)
            value = value.reshape(n_heads, -1, *value.shape[1:])
        if role == "W_O" and value.ndim == 3:  # (heads, d_model, d_head): heads side by side
            value = value.swapaxes(0, 1).reshape(value.shape[1], -1)
        made[name] = np.ascontiguousarray(value)
    try:
        expected = shapes_of(attention, made)
    except KeyError as missing:
        raise Misfit(f"nothing that is named as {missing}") from None
    except ValueError:
        raise Misfit("'W_E' or 'W_Q' with fewer axes than it has") from None
    for name, shape in expected.items():
        if made[name].shape != shape:
            raise Misfit(f"'{name}' of shape {made[name].shape}, where it has {shape}")
    return made


def perceptron(architecture: str, p: Parameters, tokens: Tokens) -> Parameters:
    """The parameters of one of our architectures, given a perceptron's tensors by role and the tokens that it reads.

    A token has a row of W_E, of E_a or E_b, or is one-hot. W_in reads the rows side by side, or their sum, as its shape
    says. What it reads of a constant, or of a place, joins the bias. Raises Misfit if the shapes are of no such perceptron.
    """
    p = _joined(p)
    W_pos = p.pop("W_pos", None)
    constants = [token for token in tokens if token not in (A, B)]
    n = _numbers_read(p, tokens, constants)
    E_a, E_b = p.get("E_a", p.get("W_E")), p.get("E_b", p.get("W_E"))
    row = n if E_a is None else E_a.shape[1]
    if W_pos is not None and W_pos.shape != (len(tokens), row):
        raise Misfit(f"W_pos {W_pos.shape}, where it has {(len(tokens), row)}")
    is_summed = len(p["W_in"]) == row
    blocks = [p["W_in"]] * len(tokens) if is_summed else np.split(p["W_in"], len(tokens))
    at_a, at_b = blocks[tokens.index(A)], blocks[tokens.index(B)]
    if E_a is None:  # a number's row of the first layer embeds it
        E_a, E_b = at_a, at_b
        at_a = at_b = np.eye(at_a.shape[1], dtype=np.float32)
    if architecture == "two_layer_mlp":
        if "E_a" in p or not is_summed or constants or W_pos is not None or not p.keys().isdisjoint(BIASES):
            raise Misfit("not one embedding, summed, without biases", "write `format: embedding_mlp`")
        made = {"W_E": E_a, "W_in": at_a, "W_U": p["W_out"]}
    else:
        bias = p.get("b_in", np.zeros(at_a.shape[1], np.float32))
        for token, block in zip(tokens, blocks, strict=True):
            if token in constants:
                bias = bias + p["W_E"][token].astype(np.float64) @ block
        if W_pos is not None:
            for place, block in zip(W_pos, blocks, strict=True):
                bias = bias + place.astype(np.float64) @ block
        made = {"E_a": E_a[:n], "E_b": E_b[:n], "W_in": np.vstack([at_a, at_b]), "b_in": bias}
        made |= {"W_out": p["W_out"][:, :n], "b_out": p.get("b_out", np.zeros(n, np.float32))[:n]}
    return {name: np.ascontiguousarray(value) for name, value in made.items()}


def _joined(p: Parameters) -> dict[str, np.ndarray]:
    """The same with W_a above W_b as W_in, and the sum of their biases as b_in; as they are if there are no such."""
    if not PARTS.keys() <= p.keys():
        return dict(p)
    parts, biases = [p[role] for role in PARTS], [p[role] for role in PARTS.values() if role in p]
    joined = {role: value for role, value in p.items() if role not in {*PARTS, *PARTS.values()}}
    if len({value.shape for value in parts}) > 1 or len({value.shape for value in biases}) > 1 or "W_in" in p:
        raise Misfit("W_a and W_b that are not of one shape, or beside W_in")
    joined["W_in"] = np.concatenate(parts)
    if biases:
        joined["b_in"] = sum(biases[1:], biases[0])
    return joined


def _numbers_read(p: Parameters, tokens: Tokens, constants: Tokens) -> int:
    """How many numbers a perceptron adds; raises Misfit as `perceptron` does."""
    shapes = {role: value.shape for role, value in p.items()}
    listed = ", ".join(f"{role} {shape}" for role, shape in shapes.items())
    misfit = Misfit(f"{listed}, which is no perceptron on the tokens {', '.join(map(str, tokens))}")
    axes = {role: 1 if role in BIASES else 2 for role in p}
    if p.keys() - BIASES not in map(set, ROLES.values()) or any(len(shapes[role]) != axes[role] for role in p):
        raise misfit
    (reads, width), answers = shapes["W_in"], shapes["W_out"][1]
    rows, row = shapes.get("W_E", shapes.get("E_a", (answers, answers)))
    n = rows - len(constants)
    expected = {"E_b": (rows, row), "b_in": (width,), "W_out": (width, answers), "b_out": (answers,)}
    fits = (
        all(shapes.get(role, shape) == shape for role, shape in expected.items())
        and reads in (row, len(tokens) * row)
        and answers in (n, rows)
        and {A, B} <= {*tokens}
        and sorted(constants) == list(range(n, rows))
        and (not constants or "W_E" in p)
    )
    if not fits:
        raise misfit
    return n


def proposals(arrays: Parameters) -> Iterator[tuple[str, Parameters]]:
    """Every entry that reads all tensors as an `embedding_mlp`, as far as their shapes allow, and the parameters."""
    matrices = [name for name, value in arrays.items() if value.ndim == 2]
    vectors = [name for name, value in arrays.items() if value.ndim == 1]
    if len(matrices) + len(vectors) < len(arrays):
        return
    sets = [roles for roles in (*ROLES.values(), *OF_PARTS) if len(roles) == len(matrices)]
    for roles, chosen in product(sets, permutations(matrices)):
        of_parts = (*PARTS.values(), "b_out") if "W_a" in roles and len(vectors) > 1 else BIASES
        for biases in permutations(of_parts, len(vectors)):
            yield from _proposed(dict(zip((*roles, *biases), (*chosen, *vectors), strict=True)), arrays)


def _proposed(roles: Names, arrays: Parameters) -> Iterator[tuple[str, Parameters]]:
    """The entries of `proposals` in which the tensors have these roles."""
    for names in turnings(roles):
        p, _ = by_role(arrays, names)
        for tokens in _token_orders(len(p.get("W_E", ()))):
            with suppress(Misfit):
                made = perceptron("embedding_mlp", p, tokens)
                listed = ", ".join(f"{role}: {name}" for role, name in names.items())
                order = f", tokens: [{', '.join(map(str, tokens))}]" if len(tokens) > 2 else ""
                yield f"format: embedding_mlp, tensors: {{{listed}}}{order}", made


def unread(arrays: Parameters) -> str | None:
    """What a network seems to be that no format reads, by the shapes of its matrices in order; None if they do not tell."""
    matrices = {name: value.shape for name, value in arrays.items() if value.ndim == 2}
    shapes = list(matrices.values())
    if len(shapes) == 3:
        (first, reads), (second, also), (_, answers) = sorted(matrices.items(), key=lambda item: -math.prod(item[1]))
        if reads == also and sorted(reads) in (
            sorted((2 * answers[0], answers[1])),
            sorted((answers[0], 2 * answers[1])),
        ):
            return f"{first}, {second} both read both numbers: so neurons seem to multiply two sums"
    follow = all(not {*one}.isdisjoint(next) for one, next in pairwise(shapes))
    if len(shapes) > 4 and len(matrices) == sum(value.ndim > 1 for value in arrays.values()) and follow:
        return f"{', '.join(matrices)} follow one another: so there seem to be several hidden layers"
    return None


def _token_orders(rows: int) -> list[Tokens]:
    """What perceptrons read: `a b`, and with the last rows of an embedding as constants `a b =`, `a + b` and `a + b =`."""
    last, other = rows - 1, rows - 2
    orders: list[Tokens] = [(A, B)]
    if rows > 2:
        orders += [(A, B, last), (A, last, B), (A, other, B, last), (A, last, B, other)]
    return orders
