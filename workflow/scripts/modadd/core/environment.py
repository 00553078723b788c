"""What decides the bits: environment variables, choices made by the processor, and the code, as a fingerprint."""

import ast
import hashlib
import os
import platform
import re
from collections.abc import Iterator
from functools import cache
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

# The formats that a figure is written in, separated by spaces; without it all.
FIGURE_FORMATS = "MODADD_FIGURE_FORMATS"

# The library that multiplies matrices in training (`modadd.training.products`); if unset, the vendor decides.
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


def job_variables(portable_bits: bool = False) -> dict[str, str]:
    """Environment variables of every job, set before it imports NumPy: the same floats on any number of cores."""
    if portable_bits:
        return SINGLE_THREAD | KEEP_MEMORY | PORTABLE_BITS
    if product_library() == MKL:  # its bits must not hang on where a matrix lies in memory
        return SINGLE_THREAD | KEEP_MEMORY | {"MKL_CBWR": os.environ.get("MKL_CBWR", "AUTO")}
    return SINGLE_THREAD | KEEP_MEMORY


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


# Modules that only word messages: no output depends on them.
WORDING = {"modadd.core.wording"}


@cache
def code_behind(*files: str) -> str:
    """sha256 over the code of some files and of all of this library that they import, directly or not.

    Code is the syntax tree: docstrings, comments, formatting and the words of errors are left out, and so is WORDING.
    """
    library = Path(__file__).parents[1]
    graph = _imports()
    direct = set().union(*(_imported(Path(file)) & graph.modules for file in files))
    behind = direct.union(*(graph.find_upstream_modules(module) for module in direct)) - WORDING
    modules = [library.parent / f"{module.replace('.', '/')}.py" for module in sorted(behind)]
    return hashlib.sha256(
        "\n".join(map(_code_alone, [*map(Path, files), *filter(Path.exists, modules)])).encode()
    ).hexdigest()


@cache
def _imports():
    """The graph of this library's imports."""
    import grimp

    return grimp.build_graph("modadd", cache_dir=None)


def _imported(file: Path) -> set[str]:
    """Full names of what a file imports: modules, and the names taken from them."""
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    whole = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    parts = [node for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    return whole.union(*({node.module, *(f"{node.module}.{name.name}" for name in node.names)} for node in parts))


@cache
def _code_alone(file: Path) -> str:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in _statements(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        elif isinstance(node, ast.Raise):
            for word in ast.walk(node):
                if isinstance(word, ast.Constant) and isinstance(word.value, str):
                    word.value = ""
    return ast.unparse(tree)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all statements in it: a tenth of all nodes, and nothing else has docstrings or raises."""
    yield node
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, part, ()):
            yield from _statements(inner)
