"""The processor, and the choices that depend on it: the library for matrix products and the instructions."""

import os
import platform
import re
from functools import cache
from pathlib import Path

# The library that multiplies matrices in training (`modadd.training.products`); if unset, the vendor decides.
PRODUCTS = "MODADD_PRODUCTS"
MKL, OPENBLAS = "mkl", "openblas"
FASTEST = {"GenuineIntel": MKL}  # on AMD's Zen MKL runs at a third to a half of OpenBLAS's speed


def product_library() -> str:
    """The library for the matrix products of training on the CPU: the one asked for, or the faster of this processor.

    Raises ValueError for one that is not known.
    """
    name = os.environ.get(PRODUCTS) or FASTEST.get(cpuinfo("vendor_id"), OPENBLAS)
    if name not in (MKL, OPENBLAS):
        raise ValueError(f"{PRODUCTS}: expected {MKL} or {OPENBLAS}, got '{name}'")
    return name


def choices() -> dict[str, str]:
    """What was chosen by the processor or by hand, and decides the bits of training on the CPU."""
    import torch

    smallest = torch.full((1,), torch.finfo(torch.float32).tiny)
    return {
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "openblas": os.environ.get("OPENBLAS_CORETYPE", "by the processor"),
        "products": product_library(),
        "subnormals": "kept" if (smallest / 2).item() else "flushed",
    }


@cache
def cpuinfo(key: str) -> str:
    """What Linux says of the first processor; empty where it says nothing."""
    path = Path("/proc/cpuinfo")
    found = re.findall(rf"^{key}\s*:\s*(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE) if path.exists() else []
    return found[0] if found else ""


def processor() -> str:
    """The processor's name, with vendor, family and model, which tell apart kinds of one name."""
    kind = " ".join(map(cpuinfo, ("vendor_id", "cpu family", "model"))).strip()
    return f"{cpuinfo('model name') or platform.processor() or 'unknown'} ({kind or 'unknown'})"
