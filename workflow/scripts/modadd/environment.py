"""Environment variables that decide the bits of float arithmetic; they must be set before NumPy or torch is imported."""

# Bits depend on the number of threads, so every job computes on one; parallelism comes from jobs.
SINGLE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

# The same bits on every x86-64 CPU with AVX2, three times slower: no instruction set is chosen at run time.
PORTABLE_BITS = {
    "MKL_CBWR": "COMPATIBLE",
    "ATEN_CPU_CAPABILITY": "avx2",
    "DNNL_MAX_CPU_ISA": "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
}
