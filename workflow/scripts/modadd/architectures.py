"""Parameterisations of the separable form: names and shapes of the native parameters, and the map to (A, B, W, C, D).

The maps use only `@`, `+` and indexing, so they serve NumPy arrays (analysis) and torch tensors (training) alike.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Shapes = dict[str, tuple[int, ...]]
Tables = tuple[Any, Any, Any, Any, Any]


@dataclass(frozen=True)
class Architecture:
    """A parameterisation: `shapes(n, sizes)` of its parameters, and `effective(parameters)`, its (A, B, W, C, D)."""

    shapes: Callable[[int, Mapping[str, int]], Shapes]
    effective: Callable[[Mapping[str, Any]], Tables]


def _pizza_shapes(n: int, sizes: Mapping[str, int]) -> Shapes:
    d_model, n_heads, d_mlp = sizes["d_model"], sizes["n_heads"], sizes["d_mlp"]
    d_head = d_model // n_heads
    return {
        "W_E": (n, d_model),
        "W_pos": (2, d_model),
        "W_V": (n_heads, d_model, d_head),
        "W_O": (n_heads, d_head, d_model),
        "W_in": (d_model, d_mlp),
        "b_in": (d_mlp,),
        "W_out": (d_mlp, d_model),
        "b_out": (d_model,),
        "W_U": (d_model, n),
    }


def _pizza_effective(p: Mapping[str, Any]) -> Tables:
    """One-layer transformer without LayerNorm whose attention is ½, ½; logits at the position of b ([Q] §2, [Z])."""
    OV = sum(W_V @ W_O for W_V, W_O in zip(p["W_V"], p["W_O"], strict=True))
    from_a = (p["W_E"] + p["W_pos"][0]) @ OV / 2
    at_b = p["W_E"] + p["W_pos"][1]
    from_b = at_b + at_b @ OV / 2
    return (
        from_a @ p["W_in"],
        from_b @ p["W_in"] + p["b_in"],
        p["W_out"] @ p["W_U"],
        from_a @ p["W_U"],
        (from_b + p["b_out"]) @ p["W_U"],
    )


ARCHITECTURES = {
    "pizza_transformer": Architecture(_pizza_shapes, _pizza_effective),
}
