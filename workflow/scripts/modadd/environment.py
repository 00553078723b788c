"""What decides the bits of float arithmetic: environment variables, and the choices that are made by the processor."""

import os
import platform
import re
from functools import cache
from pathlib import Path

# Bits depend on the number of threads, so every job computes on one; parallelism comes from jobs. MKL's bits must not hang
# on where a matrix lies in memory.
SINGLE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_CBWR": "AUTO",
}

# The library that multiplies matrices in training (`modadd.products`); without it the processor's vendor decides.
PRODUCTS = "MODADD_PRODUCTS"
MKL, OPENBLAS = "mkl", "openblas"
FASTEST = {"GenuineIntel": MKL}  # on AMD's Zen MKL runs at a third to a half of OpenBLAS's speed

# The same bits on every x86-64 CPU with AVX2, three times slower: no instruction set is chosen at run time.
PORTABLE_BITS = {
    "MKL_CBWR": "COMPATIBLE",
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    PRODUCTS: OPENBLAS,
}


def set_arithmetic() -> None:
    """One thread, and subnormal numbers flushed to zero: the first call of every job that computes in float32.

    Dead neurons' weights shrink to subnormals, for each of which Intel's processors take a path of its own: training then
    runs at a thirtieth of its speed. The flag belongs to the thread, so NumPy and numba obey it too.
    """
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)


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
    found = re.findall(rf"^{key}\s*:\s*(.+)$", path.read_text(), re.MULTILINE) if path.exists() else []
    return found[0] if found else ""


def processor() -> str:
    """The processor by the name that it gives itself, with vendor, family and model, which tell one name's kinds apart."""
    kind = " ".join(map(cpuinfo, ("vendor_id", "cpu family", "model"))).strip()
    return f"{cpuinfo('model name') or platform.processor() or 'unknown'} ({kind or 'unknown'})"
