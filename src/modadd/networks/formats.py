"""Formats of networks that others trained: the names of their tensors by role, and the parameters that are made of them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations, permutations, product
from os.path import commonprefix

import numpy as np

from modadd.core.wording import unknown
from modadd.networks.transformers import ATTENTIONS, CAUSAL, NAMES, ONES, SOFTMAX, Parameters, shapes_of

Names = Mapping[str, str]  # of tensors by role; `.T` behind a name turns its last two axes, {layer} counts from 0
Tokens = Sequence[str | int]  # what a perceptron reads, in order: A, B, and of each constant the number of its row

A, B = "a", "b"
BIASES = ("b_in", "b_out")
PER_HEAD = {f"{kind}_{part}": axes for kind, axes in (("W", 3), ("b", 2)) for part in "QKV"}  # and axes, one for heads
# Roles in a perceptron of so many matrices: tokens are one-hot, have one embedding, or an embedding for each number.
ROLES = {2: ("W_in", "W_out"), 3: ("W_E", "W_in", "W_out"), 4: ("E_a", "E_b", "W_in", "W_out")}

KISSANE = {"W_E": "W_E", "W_in": "W_in", "W_out": "W_U"}
Y_AGENT = {"W_in": "mlp.W_in.T", "W_out": "mlp.W_out.T"}
OURS = {role: role for role in (*ROLES[4], *BIASES)}
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
    "nanda_transformer": (
        CAUSAL,
        (NAMES, LENS, BRIDGE),
    ),  # their own code, TransformerLens below version 4, and from it
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
    """The parameters of what the format is read as, and in sentences how they were found.

    `said` names the tensors by role, in place of the names of the format. Raises Misfit if they do not fit.
    """
    for name, (pattern, words) in product(arrays, UNREAD.items()):
        if re.search(pattern, name):
            raise Misfit(f"{words} (it has '{name}')", "no format reads it")
    kind, published = FORMATS[format]
    is_transformer = kind in ATTENTIONS
    roles = NAMES if is_transformer else {*ROLES[3], *ROLES[4], *BIASES}
    for role in said or ():
        if role not in roles:
            raise Misfit(unknown("tensors", "role", role, roles), "docs/recipes.md says what each is")
    wrong_names, wrong_shapes = [], []
    shared = commonprefix(list(arrays)).rpartition(".")[0]
    prefixes = ["", *(f"{part}." for part in accumulate(shared.split("."), "{}.{}".format) if part)]
    for prefix, names in product(prefixes, _turnings(said) if said else published):
        try:
            bare = {name.removeprefix(prefix): value for name, value in arrays.items()}
            p, copies = _by_role(bare, names, NAMES if is_transformer else {})
        except Misfit as misfit:
            wrong_names.append(misfit)
            continue
        try:
            made = _transformer(kind, p, n_heads) if is_transformer else perceptron(kind, p, tokens)
        except Misfit as misfit:
            wrong_shapes.append(misfit)
            continue
        turned = [name.removesuffix(".T") for name in names.values() if name.endswith(".T")]
        steps = {"prefix taken off all names": prefix, "turned": ", ".join(turned)}
        steps["passed over, which repeats another tensor"] = ", ".join(copies)
        return made, [f"{step}: {which}" for step, which in steps.items() if which]
    raise (wrong_shapes or wrong_names)[0]


def _turnings(names: Names) -> Iterator[Names]:
    """The names with any matrices of a perceptron turned that they do not turn; those of torch's Linear turned first."""
    choices = []
    for role, name in names.items():
        ways = [name, f"{name}.T"]
        if role in ("W_in", "W_out") and name.endswith("weight"):
            ways.reverse()
        is_said = role.startswith("b_") or name.endswith(".T") or "{layer}" in name
        choices.append([name] if is_said else ways)
    return (dict(zip(names, chosen, strict=True)) for chosen in product(*choices))


def _by_role(arrays: Parameters, names: Names, kept: Names) -> tuple[dict[str, np.ndarray], list[str]]:
    """The tensors by role, or by the name that is kept of it, and what repeats one of them: tied weights are saved twice.

    Raises Misfit unless these are all tensors. A bias may be missing, but for one of a transformer's neurons.
    """
    before = next((name.partition("{layer}")[0] for name in names.values() if "{layer}" in name), "{")
    layers = {name.removeprefix(before).partition(".")[0] for name in arrays if name.startswith(before)} or {"0"}
    p = {}
    used = set()
    missing = []
    for (role, name), layer in product(names.items(), map(str, range(len(layers)))):
        saved = name.removesuffix(".T").replace("{layer}", layer)
        if saved in arrays:
            used.add(saved)
            value = arrays[saved]
            if name.endswith(".T"):
                value = value.reshape(-1, value.shape[-1]) if role == "W_O" else value  # heads side by side
                value = value.swapaxes(-1, -2) if value.ndim > 1 else value
            p[kept.get(role, role).replace("{layer}", layer)] = value
        elif not role.startswith("b_") or (kept and role in BIASES):
            missing.append(saved)
    further = sorted(arrays.keys() - used)
    copies = [name for name in further if any(np.array_equal(arrays[name], arrays[one]) for one in used)]
    others = ", ".join(name for name in further if name not in copies)
    if missing:
        raise Misfit(f"{others or 'nothing'} in place of {', '.join(missing)}")
    if others:
        raise Misfit(f"them and {others}")
    return p, copies


def _transformer(attention: str, p: Parameters, n_heads: int | None) -> Parameters:
    """A transformer's tensors, with an axis for the heads where they are kept with one; raises Misfit for wrong shapes."""
    made = {}
    for name, value in p.items():
        if value.ndim == PER_HEAD.get(name[-3:], 0) - 1:
            if not isinstance(n_heads, int) or n_heads < 1 or len(value) % n_heads:
                remedy = 'write their number, as {"n_heads": 4}, into a JSON file of its name beside it'
                raise Misfit(f"'{name}' without an axis for the heads", remedy)
            value = value.reshape(n_heads, -1, *value.shape[1:])
        made[name] = np.ascontiguousarray(value)
    try:
        expected = shapes_of(attention, made)
    except ValueError:
        raise Misfit("'embed.W_E' or 'blocks.0.attn.W_Q' with fewer axes than it has") from None
    for name, shape in expected.items():
        if made[name].shape != shape:
            raise Misfit(f"'{name}' of shape {made[name].shape}, where it has {shape}")
    return made


def perceptron(architecture: str, p: Parameters, tokens: Tokens) -> Parameters:
    """The parameters of one of our architectures, given a perceptron's tensors by role and the tokens that it reads.

    A token has a row of W_E, of E_a or E_b, or is one-hot. W_in reads the rows side by side, or their sum, as its shape
    says. What it reads of a constant joins the bias. Raises Misfit if the shapes are of no such perceptron.
    """
    constants = [token for token in tokens if token not in (A, B)]
    n, summed = _read_by_shapes(p, tokens, constants)
    blocks = [p["W_in"]] * len(tokens) if summed else np.split(p["W_in"], len(tokens))
    at_a, at_b = blocks[tokens.index(A)], blocks[tokens.index(B)]
    E_a, E_b = p.get("E_a", p.get("W_E")), p.get("E_b", p.get("W_E"))
    if E_a is None:  # one-hot: a number's row of the first layer embeds it
        E_a, E_b = at_a, at_b
        at_a = at_b = np.eye(at_a.shape[1], dtype=np.float32)
    if architecture == "two_layer_mlp":
        if not summed or constants or "E_a" in p or not p.keys().isdisjoint(BIASES):
            raise Misfit("not one embedding, summed, without biases", "write `format: embedding_mlp`")
        made = {"W_E": E_a, "W_in": at_a, "W_U": p["W_out"]}
    else:
        bias = p.get("b_in", np.zeros(at_a.shape[1], np.float32))
        for token, block in zip(tokens, blocks, strict=True):
            if token in constants:
                bias = bias + p["W_E"][token].astype(np.float64) @ block
        made = {"E_a": E_a[:n], "E_b": E_b[:n], "W_in": np.vstack([at_a, at_b]), "b_in": bias}
        made |= {"W_out": p["W_out"][:, :n], "b_out": p.get("b_out", np.zeros(n, np.float32))[:n]}
    return {name: np.ascontiguousarray(value) for name, value in made.items()}


def _read_by_shapes(p: Parameters, tokens: Tokens, constants: Tokens) -> tuple[int, bool]:
    """How many numbers a perceptron adds, and whether its rows are summed; raises Misfit as `perceptron` does."""
    shapes = {role: value.shape for role, value in p.items()}
    embedding = shapes.get("W_E", shapes.get("E_a"))
    more = len(constants)
    axes = all(len(shape) == 2 - (role in BIASES) for role, shape in shapes.items())
    roles = p.keys() - BIASES in map(set, ROLES.values()) and (not more or "W_E" in p)
    if axes and roles and {A, B} <= {*tokens}:
        (reads, width), answers = shapes["W_in"], shapes["W_out"][-1]
        rows, row = embedding or (answers, answers)
        n = rows - more
        expected = {"E_b": embedding, "b_in": (width,), "W_out": (width, answers), "b_out": (answers,)}
        fits = all(shapes.get(role, shape) == shape for role, shape in expected.items())
        fits &= answers in (n, rows) and sorted(constants) == list(range(n, rows))
        if fits and reads in (row, len(tokens) * row):
            return n, reads == row
    listed = ", ".join(f"{role} {shape}" for role, shape in shapes.items())
    raise Misfit(f"{listed}, which is no perceptron on the tokens {', '.join(map(str, tokens))}")


def proposals(arrays: Parameters, said: Names | None = None) -> Iterator[tuple[str, Parameters]]:
    """Every entry that reads all tensors as an `embedding_mlp`, as far as their shapes allow, and the parameters.

    `said` names them by role; else every role is tried for every tensor.
    """
    for names in [said] if said else _assignments(arrays):
        for turned in _turnings(names):
            try:
                p, _ = _by_role(arrays, turned, {})
            except Misfit:  # somebody named others
                return
            for tokens in _token_orders(len(p.get("W_E", ()))):
                try:
                    made = perceptron("embedding_mlp", p, tokens)
                except Misfit:
                    continue
                if np.array_equal(*np.split(made["W_in"], 2)):  # in a sum every order is the same
                    in_order = [A, B, *sorted({*tokens} - {A, B})]
                    if list(tokens) != in_order or names.get("E_a", "") > names.get("E_b", ""):
                        continue
                listed = ", ".join(f"{role}: {name}" for role, name in turned.items())
                order = f", tokens: [{', '.join(map(str, tokens))}]" if len(tokens) > 2 else ""
                yield f"format: embedding_mlp, tensors: {{{listed}}}{order}", made


def _assignments(arrays: Parameters) -> Iterator[Names]:
    """Every way to name all tensors by the roles of a perceptron, whatever their shapes say."""
    matrices = [name for name, value in arrays.items() if value.ndim == 2]
    vectors = [name for name, value in arrays.items() if value.ndim == 1]
    if len(matrices) in ROLES and len(vectors) <= 2 and len(matrices) + len(vectors) == len(arrays):
        for chosen, biases in product(permutations(matrices), permutations(BIASES, len(vectors))):
            yield dict(zip(ROLES[len(matrices)], chosen, strict=True)) | dict(zip(biases, vectors, strict=True))


def _token_orders(rows: int) -> Iterator[Tokens]:
    """The two numbers; then, if an embedding has so many rows, with one or two constants, its last rows, in every place."""
    yield (A, B)
    for more in (1, 2) if rows else ():
        for places, order in product(combinations(range(more + 2), 2), permutations(range(rows - more, rows))):
            tokens = list(order)
            for place, number in zip(places, (A, B), strict=True):
                tokens.insert(place, number)
            yield tokens
