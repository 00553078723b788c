"""How the functions of a training step are compiled by numba, and kept until any of their code changes."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from numba import cfunc, njit, types

# The modules of which a compiled function may hold code.
COMPILED = ("compiling", "fused", "instructions", "neurons", "step", "tiles", "turning", "vectors")


@cache
def _stamp() -> str:
    files = [Path(__file__).with_name(f"{name}.py") for name in COMPILED]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def _named(function: Callable) -> Callable:
    """A function whose name says what code it was compiled from.

    numba keeps a function under its name as long as its own file stays the same, and what it has of other files may be old.
    """
    function.__qualname__ += f"_{_stamp()}"
    return function


def compiled(function: Callable) -> Callable:
    """A function compiled at its first call, without fast-math: no operation is moved, fused or left out."""
    return njit(error_model="numpy", cache=True)(_named(function))


def compiled_by_address(signature: types.Type) -> Callable[[Callable], Callable]:
    """The same for a function that others call by its address, as code that they do not have compiled into them."""

    def compile_now(function: Callable) -> Callable:
        return cfunc(signature, error_model="numpy", cache=True)(_named(function))

    return compile_now
