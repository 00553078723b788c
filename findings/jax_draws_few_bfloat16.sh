#!/usr/bin/env bash
# One would expect: random numbers drawn in bfloat16 are those of the distribution, rounded to bfloat16.
# What happens: they are made from a uniform number that has 128 values. So there are 128 normal numbers, none beyond 2.9 standard
# deviations of a million; choice never draws what has probability 0.001, and bernoulli draws it 7.7 times too often; categorical
# draws the first of ten equal answers 8 % more often than the last. float32 is right in all of these, and float32 rounded too.
# Versions: jax 0.10.2, jaxlib 0.10.2, numpy 2.4.6, on a processor, Python 3.11 and 3.13.
# Source: _uniform in jax/_src/random/core.py keeps as many random bits as the type has behind its leading one;
# https://github.com/jax-ml/jax/issues/30879 and pull request 26974. The mode "high" of bernoulli and categorical, off by default,
# helps those two; that of choice does not, and normal and uniform have none.
# Why it matters: weights begun in bfloat16 have no tails, and tokens or labels sampled from bfloat16 logits have other probabilities.
# What we do: nothing is drawn in bfloat16. What is needed in it is drawn in float32 and rounded afterwards.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > draws.py <<'PY'
import jax
import jax.numpy as jnp
import numpy as np

N, key = 10**6, jax.random.key(0)
found = {}
for kind in (jnp.float32, jnp.bfloat16):
    normal = np.asarray(jax.random.normal(key, (N,), kind).astype(jnp.float32))
    rare = jax.random.choice(key, 2, (N,), p=jnp.array([0.001, 0.999], kind))
    coin = jax.random.bernoulli(key, kind(0.001), (N,))
    ten = np.bincount(np.asarray(jax.random.categorical(key, jnp.zeros(10, kind), shape=(N,))), minlength=10) / N
    found[kind] = np.array([len(np.unique(normal)), np.abs(normal).max(), (rare == 0).mean(), coin.mean(), ten[0], ten[-1]])
    print(jnp.dtype(kind).name, end=": ")
    print("{:.0f} normal numbers up to {:.2f}; 0.001 by choice {:.4f}, by bernoulli {:.4f};".format(*found[kind][:4]), end=" ")
    print("of ten equal answers the first {:.4f}, the last {:.4f}".format(*found[kind][4:]))
rounded = jax.random.normal(key, (N,)).astype(jnp.bfloat16).astype(jnp.float32)
print(f"float32, rounded to bfloat16: {len(np.unique(np.asarray(rounded)))} normal numbers up to {jnp.abs(rounded).max():.2f}")
many, few = found[jnp.float32], found[jnp.bfloat16]
assert many[1] > 4.5 and abs(many[2] - 0.001) < 2e-4 and abs(many[3] - 0.001) < 2e-4 and abs(many[4] - many[5]) < 0.002
assert few[0] == 128 and few[1] < 3 and few[2] == 0 and few[3] > 0.007 and few[4] > 1.06 * few[5]
PY
JAX_PLATFORMS=cpu "$folder/venv/bin/python" draws.py
echo "found: in bfloat16 jax draws from 128 numbers"
