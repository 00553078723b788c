"""The environment of a job, in which it computes the same bits on any number of cores, and on every processor with AVX2."""

import os
from collections.abc import Mapping
from pathlib import Path

# Bits depend on the number of threads, so every job computes on one; parallelism comes from jobs.
SINGLE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",  # macOS
}

# Memory of up to 32 MB that is freed stays with the process: a step of training asks for the same again, and to get it back
# from the kernel page by page takes a twentieth of the step. By glibc alone; others leave it aside.
KEEP_MEMORY = {"MALLOC_MMAP_THRESHOLD_": str(2**25), "MALLOC_TRIM_THRESHOLD_": str(2**28)}

# NumPy, OpenBLAS, torch and its libraries choose no instructions by the processor: analyses have the same bits on every
# x86-64 processor with AVX2 and fused multiply–add. The compiled step of training needs none of this.
SAME_INSTRUCTIONS = {
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "MKL_CBWR": "COMPATIBLE",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_CORETYPE": "Haswell",
}
FIGURE_FORMATS = "MODADD_FIGURE_FORMATS"  # a variable of jobs: formats of figures, separated by spaces; without it all
ARITHMETIC = "compiled step 1"  # of training: a network trained by another one has other bits
ON_GPU = ("cublas", "cublas with tf32")  # what training names it on a GPU, whose bits are its own

# Entries of a network's header, and columns of its row, that say where it was made and by which code: not what it is.
# `instructions`, `openblas`, `products` and `subnormals` stand in older kept networks and rows alone.
ORIGIN = (
    *("processor", "device", "torch", "numpy", "numba", "instructions", "openblas", "products", "subnormals"),
    *("arithmetic", "code"),
)


def of_another_version(origin: Mapping[str, str]) -> str | None:
    """One sentence on a network whose bits no training of this version gives, by its `origin`; None for any other."""
    if not origin or origin.get("arithmetic") in (ARITHMETIC, *ON_GPU):
        return None
    how = origin.get("arithmetic") or f"products by {origin.get('products', 'an unknown library')}"
    made = ", ".join(f"{key} {origin[key]}" for key in ("torch", "numpy", "numba") if key in origin)
    return (
        f"expected a network trained by {ARITHMETIC}, found one of another version ({how}; {made}), which has other bits; "
        "delete the file to train it here, or build with the version that made it"
    )


def job_variables() -> dict[str, str]:
    """Environment variables of every job, set before it imports NumPy: the same floats on any number of cores."""
    return SINGLE_THREAD | KEEP_MEMORY | SAME_INSTRUCTIONS


def as_a_job() -> dict[str, str]:
    """The environment of a process that computes as the jobs do, on this library: a tool has threads of its own choice."""
    return os.environ | job_variables() | {"PYTHONPATH": with_first(str(Path(__file__).parents[2]))}


def with_first(folder: str) -> str:
    """PYTHONPATH as it is, with a folder in front: a user's own folders stay behind it."""
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return os.pathsep.join([folder, *(other for other in others if other not in ("", folder))])


def set_arithmetic() -> None:
    """One thread, and subnormal numbers flushed to zero: the first call of every job that computes in float32.

    Dead neurons' weights shrink to subnormals, for each of which Intel's processors take a path of its own: training
    then runs at a thirtieth of its speed. The flag belongs to the thread, so NumPy and numba obey it too.
    """
    import torch

    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
