"""A trained network as a theorem for Coq: its tables as integers, its parameters as bits, and what is to be proven.

We trust only that the bits are those of the stored parameters. Coq compares the tables with what follows
from them, and whatever order of the neurons is given, it proves the sums that the order makes.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from jaxtyping import Float, Int, Integer

from modadd.certificates.flips import walked_frequency, walks
from modadd.certificates.running import rounding_of
from modadd.core.fourier import variance_by_frequency
from modadd.core.separable import Separable, margins
from modadd.core.wording import unknown
from modadd.networks.store import Network

_PLACES = 16  # binary places of the printed tables
RADIUS = 2  # of the ball around them, in units of the last place
STORED_PLACES = 28  # of the parameters, and of what is computed from them: sums of their products stay below 2⁶²

_Tables = Mapping[str, Int[np.ndarray, "rows columns"]]

HEAD = """From Coq Require Import Reals ZArith List Uint63 Sint63 PArray.
From Modadd Require Import Network Ball Answers Flips Trained Architectures Rounding Running.
From Modadd Require Assumed.
Local Open Scope sint63_scope.
Local Open Scope array_scope.
"""

_EXACT = """
(* The right answer of every network near the tables leads by more than rounding can take away. *)
Lemma the_ball_is_ahead : (0 <= {extra})%Z /\\ ball_ahead {n} {h} {places} {radius} {extra} tables.
Proof. apply (right_by_flips_spec {n} {h} {places} {radius} _ tables order). vm_cast_no_check (eq_refl true). Time Qed.

(* Every real network whose tables lie within {radius} units of 2^-{places} of the integers, entry by entry. *)
Theorem every_near_network_adds : forall N : network,
  near {n} {h} (2 ^ {places}) {radius} N (tables_of {n} {h} tables) -> adds {n} (logit {h} N).
Proof. apply (ball_adds {n} {h} {places} {radius} _ tables ltac:(easy) the_ball_is_ahead). Qed.

Lemma the_tables_are_close : {form}_close {sizes} parameters {stored} {places} {radius} tables = true.
Proof. vm_cast_no_check (eq_refl true). Time Qed.

(* The network whose float32 parameters have these bits, as many as its sizes say. *)
Theorem the_trained_network_adds : {form}_sizes {sizes} parameters /\\ adds {n} ({form}_logits {sizes} parameters).
Proof.
  split; [repeat split; vm_compute; reflexivity|].
  apply ({form}_adds {sizes} parameters {stored} {places} {radius} _ tables ltac:(easy) the_tables_are_close
    the_ball_is_ahead).
Qed.
"""

_RUNNING = """
(* The same network as a machine runs it in binary32, its sums in any order. *)
Theorem the_running_network_adds : adds_as_it_runs {n} ({form}_runs {sizes} parameters).
Proof.
  refine ({form}_adds_as_it_runs {sizes} parameters {stored} {places} ltac:(easy) _
    ({form}_ahead {sizes} parameters {stored} {places} {radius} _ tables the_tables_are_close
      (proj2 the_ball_is_ahead))).
  vm_cast_no_check (eq_refl true).
Time Qed.
"""

_PRINTED = """
Print Assumptions the_{which}_network_adds.
"""

_ASSUMED = """
(* What each of them may stand on. *)
Print Assumptions Assumed.of_coq.
"""


def integer_tables(network: Separable) -> _Tables:
    """A, B, W, C and D in units of 2^−_PLACES, each entry the nearest whole number."""
    return {name: np.rint(np.ldexp(table, _PLACES)).astype(np.int64) for name, table in vars(network).items()}


def _pizza(p: Mapping[str, Float[np.ndarray, "..."]]) -> list[Float[np.ndarray, "..."]]:
    """The heads side by side: their values as columns of one W_V, as rows of one W_O."""
    d_model = p["W_E"].shape[1]
    side_by_side = np.moveaxis(p["W_V"], 0, 1).reshape(d_model, -1)
    first = [p["W_E"], p["W_pos"][0], p["W_pos"][1], side_by_side, p["W_O"].reshape(-1, d_model)]
    return [*first, *(p[name] for name in ("W_in", "b_in", "W_out", "b_out", "W_U"))]


def _two_layer(p: Mapping[str, Float[np.ndarray, "..."]]) -> list[Float[np.ndarray, "..."]]:
    return [p["W_E"], p["W_in"], p["W_U"]]


def _embedding(p: Mapping[str, Float[np.ndarray, "..."]]) -> list[Float[np.ndarray, "..."]]:
    """The upper and the lower half of W_in: what reads a, and what reads b."""
    return [p["E_a"], p["E_b"], *np.split(p["W_in"], 2), p["b_in"], p["W_out"], p["b_out"]]


def checksum(parameters: Mapping[str, Float[np.ndarray, "..."]]) -> str:
    """The sha256 of the float32 parameters of a network, one table after another, in the order of their names."""
    return sha256(
        b"".join(np.ascontiguousarray(value, "<f4").tobytes() for _, value in sorted(parameters.items()))
    ).hexdigest()


# By architecture: its name in Architectures.v, the constructor of its parameters there, and these in order.
FORMS = {
    "pizza_transformer": ("pizza", "Pizza", _pizza),
    "two_layer_mlp": ("two_layer", "TwoLayer", _two_layer),
    "embedding_mlp": ("embedding", "Embedding", _embedding),
}


def order_of(network: Separable, tables: _Tables) -> tuple[Int[np.ndarray, "h"], Int[np.ndarray, "F n"]]:
    """The group of each neuron and the walk of each group: residues in the order of its frequency.

    Neurons that are nothing in the integer tables join the first group.
    """
    alive = (np.abs(tables["A"]).max(axis=0) + np.abs(tables["B"]).max(axis=0)) > 0
    power = variance_by_frequency(network.A) + variance_by_frequency(network.B)
    frequency, place = np.unique(walked_frequency(power[:, alive]), return_inverse=True)
    group = np.zeros(network.width, dtype=np.int64)
    group[alive] = place
    return group, walks(frequency, network.modulus)


def theorem_of(network: Network, tables: _Tables | None = None) -> str:
    """The file that Coq is to accept; other tables than the network's own may be given, which it is to refuse.

    Raises ValueError for an architecture without a form in FORMS.
    """
    if network.recipe.architecture not in FORMS:
        raise ValueError(unknown("proof", "architecture", network.recipe.architecture, FORMS))
    separable = network.separable()
    tables = integer_tables(separable) if tables is None else tables
    group, order = order_of(separable, tables)
    form, constructor, stored = FORMS[network.recipe.architecture]
    parameters = [np.ascontiguousarray(part, "<f4").view("<u4") for part in stored(network.parameters)]
    parts = [
        f"(* The float32 parameters of this network have the sha256 {checksum(network.parameters)}. *)\n",
        HEAD,
        *(_array(f"table_{name}", table) for name, table in tables.items()),
        f"Definition tables := Printed {' '.join(f'table_{name}' for name in tables)}.\n",
        _array("group_of_neuron", group),
        f"Definition order := Walking group_of_neuron ({' :: '.join(map(_list, order))} :: nil).\n",
        *(_array(f"bits_{i}", part) for i, part in enumerate(parameters)),
        f"Definition parameters := {constructor} {' '.join(f'bits_{i}' for i in range(len(parameters)))}.\n",
    ]
    return "".join(parts) + statement_of(network)


def statement_of(network: Network) -> str:
    """The theorems about a network, as Coq reads them after its tables and parameters.

    That of the network that runs is among them if its rounding is smaller than the margin leaves room for.
    """
    form, numbers = FORMS[network.recipe.architecture][0], _numbers(network)
    sizes, places, stored = (numbers[key] for key in ("sizes", "places", "stored"))
    rounding = f"(error_of {stored} {places} (most ({form}_bound {sizes} parameters {stored})))"
    runs = _runs(network)
    numbers |= {"form": form, "extra": rounding if runs else "0"}
    printed = [_PRINTED.format(which=which) for which in ("trained", "running")[: 1 + runs]]
    return (_EXACT + (_RUNNING if runs else "")).format_map(numbers) + "".join(printed) + _ASSUMED


def _runs(network: Network) -> bool:
    """Whether the margin has room for the ball and for rounding; a hundredth is left for what Coq rounds up."""
    separable = network.separable()
    needed = _allowance(separable) + 1.01 * rounding_of(network.recipe.architecture, network.parameters)
    return bool(margins(separable.logits()).min() > needed)


def described(network: Network) -> dict[str, Any]:
    """What a theorem about a network says and costs: its numbers, its statement, operations, and the room that the ball takes.

    allowance: what the ball takes off a lead, in logit units; margin: the smallest lead of the network itself; rounding:
    what float32 arithmetic can take off a lead, whatever its order; runs: whether a theorem speaks of it.
    """
    separable = network.separable()
    numbers = {"seed": network.seed, "modulus": separable.modulus, "neurons": separable.width}
    return numbers | {
        "checksum": checksum(network.parameters),
        "parameters": sum(value.size for value in network.parameters.values()),
        "statement": statement_of(network),
        "operations": _operations(separable),
        "allowance": _allowance(separable),
        "margin": float(margins(separable.logits()).min()),
        "rounding": rounding_of(network.recipe.architecture, network.parameters),
        "runs": _runs(network),
    }


def _numbers(network: Network) -> dict[str, str | int]:
    recipe = network.recipe
    n, d, h = recipe.modulus, recipe.d_model, recipe.d_mlp
    values = network.parameters.get("W_V")  # the heads side by side
    heads = [] if values is None else [values.shape[0] * values.shape[2]]
    sizes = " ".join(map(str, [n, d, *heads, h]))
    return {"n": n, "h": h, "places": _PLACES, "radius": RADIUS, "stored": STORED_PLACES, "sizes": sizes}


def _array(name: str, values: Integer[np.ndarray, "..."]) -> str:
    return f"Definition {name} : array int := [| {'; '.join(map(str, values.ravel().tolist()))} | 0 |].\n"


def _list(values: Int[np.ndarray, "n"]) -> str:
    return f"({' :: '.join(map(str, values.tolist()))} :: nil)"


def _operations(network: Separable) -> dict[str, int]:
    """What each program adds and compares for the integer tables: trying every input, and walking from flip to flip.

    Trying: a comparison for every neuron and input, and n terms for each that fires. Walking: two comparisons for every
    neuron and input on either walk, n terms for each flip, and n for every group and input to put the sums together.
    """
    tables = integer_tables(network)
    group, order = order_of(network, tables)
    A, B, n = tables["A"], tables["B"], network.modulus
    firing = np.count_nonzero(A[:, None] + B[None] > 0)
    flips = 0
    for X, Y in ((A, B), (B, A)):
        for members, walk in ((group == g, order[g]) for g in range(len(order))):
            on = X[:, None, members] + Y[None, walk][..., members] > 0
            flips += np.count_nonzero(on[:, 0]) + np.count_nonzero(on[:, 1:] != on[:, :-1])
    inputs = n * n
    return {
        "tried": int(inputs * network.width + firing * n),
        "walked": int(4 * inputs * network.width + flips * n + 2 * len(order) * inputs * n),
    }


def _allowance(network: Separable) -> float:
    """What the ball takes off a lead, in logit units: `lead_of` in Trained.v."""
    tables = integer_tables(network)
    inner = max(int(np.abs(tables[name]).max()) for name in "AB")
    outer, unit = int(np.abs(tables["W"]).max()), 2**_PLACES
    a_logit = network.width * (2 * RADIUS * outer + 2 * RADIUS * inner + 2 * RADIUS**2) + 2 * RADIUS * unit
    return 2 * a_logit / unit**2
