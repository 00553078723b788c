"""The processor, and the choices that depend on it: the library for matrix products and the instructions."""

import os
import platform
import re
from functools import cache
from pathlib import Path

# The library that multiplies matrices in training (`modadd.training.products`); if unset, the kind of processor decides.
PRODUCTS = "MODADD_PRODUCTS"
MKL, OPENBLAS = "mkl", "openblas"


def product_library() -> str:
    """The library for the matrix products of training on the CPU: the one asked for, or the faster of this processor.

    Raises ValueError for one that is not known.
    """
    name = os.environ.get(PRODUCTS) or _faster(cpuinfo("vendor_id"), cpuinfo("flags"))
    if name not in (MKL, OPENBLAS):
        raise ValueError(f"{PRODUCTS}: expected {MKL} or {OPENBLAS}, got '{name}'")
    return name


def _faster(vendor: str, instructions: str) -> str:
    """MKL on Intel's processors and on AMD's with AVX2 at most: it uses AVX-512 on Intel's alone, OpenBLAS on both."""
    amd_with_avx2 = vendor == "AuthenticAMD" and "avx2" in instructions and "avx512f" not in instructions
    return MKL if vendor == "GenuineIntel" or amd_with_avx2 else OPENBLAS


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
