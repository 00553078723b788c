#!/usr/bin/env bash
# One would expect: softmax of integers is that of the same numbers as floats; it takes off the largest, so nothing overflows.
# What happens: the largest is taken off in the type of the integers, and wraps. Logits −128 and 127 of int8 get probabilities 0.73 and
# 0.27, the wrong way round, from SciPy and from jax. Of unsigned integers even 1 and 2 give NaN and 0, and log_softmax −inf for both;
# uint64 is no exception. logsumexp of the same integers is right. SciPy's answer for int8 is float16.
# Versions: scipy 1.17.1, numpy 2.4.6, jax 0.10.2, jaxlib 0.10.2, Python 3.11 and 3.13.
# Source: softmax and log_softmax in scipy/special/_logsumexp.py, and in jax/_src/nn/functions.py; no issue was found that says it (SciPy's
# 23225 is of infinities). The manuals ask for an array of numbers, and do not say which.
# Why it matters: logits of a quantised network are int8, and counts are unsigned; the answer is finite, sums to 1, and is wrong.
# What we do: our logits are floats. Integers are made float64 before softmax.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="scipy==1.17.1 numpy==2.4.6 jax==0.10.2 jaxlib==0.10.2"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > logits.py <<'PY'
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

warnings.simplefilter("ignore")


def show(numbers, kind):
    logits = np.array(numbers, kind)
    by_scipy, by_jax = softmax(logits), np.asarray(jax.nn.softmax(jnp.array(logits)))
    right = softmax(logits.astype(float))
    print(f"{kind} {numbers}: scipy {by_scipy} ({by_scipy.dtype}), jax {by_jax}, right {right.round(4)}", end="")
    print(f"; log_softmax {log_softmax(logits)}, logsumexp {logsumexp(logits):.4f}")
    return by_scipy, by_jax, log_softmax(logits), logsumexp(logits)


by_scipy, by_jax, _, _ = show([-128, 127], "int8")
assert by_scipy[0] > 0.7 and by_jax[0] > 0.7, "the wrong way round"
for kind in ("uint8", "uint16", "uint32", "uint64"):
    by_scipy, _, logs, total = show([1, 2], kind)
    assert np.isnan(by_scipy[0]) and np.isneginf(logs).all() and abs(total - 2.3132617) < 1e-6
PY
JAX_PLATFORMS=cpu "$folder/venv/bin/python" logits.py
echo "found: softmax of integers wraps: it orders int8 logits wrongly and has none of unsigned ones"
