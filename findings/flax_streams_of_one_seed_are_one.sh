#!/usr/bin/env bash
# One would expect: flax's random streams have names, so that params and dropout of one seed draw unrelated numbers, as its default stream
# does. And the weights of seed 0 have nothing to do with data that jax draws from seed 0.
# What happens: the name of a stream is not part of its numbers. With nnx.Rngs(params=0, dropout=0) the first dropout keeps an entry if the
# weight at its place in the first layer is negative, and no other. A noise with a stream of its own is the weights. In linen it is the same
# if one key is handed to both streams. And jax splits the key of seed 0 into keys of which the first is the one that draws the weights.
# Versions: flax 0.12.8, jax 0.10.2, numpy 2.4.6, Python 3.11.
# Source: RngStream in flax/nnx/rnglib.py folds its count into the key of its seed; the page of nnx.Rngs gives every stream another seed in
# its examples, and does not say that it has to. No issue says it that we found.
# Why it matters: one seed for a whole run is the rule in our field. A dropout, a noise or a random feature that is tied to the weights
# changes what is learned, in the first update after every start.
# What we do: we draw as flax's linen does, weights alone, and the data by another fold of the key. With flax: nnx.Rngs(0), one stream for
# all, or as many seeds as streams.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check flax==0.12.8 jax==0.10.2 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > streams.py <<'PY'
import flax.linen as nn
import jax
import numpy as np
from flax import nnx

SIDE = (8, 8)


def compare(title, weights, mask, noise):
    weights, mask, noise = (np.asarray(values) for values in (weights, mask, noise))
    kept = np.mean((mask > 0) == (weights < 0))
    print(f"{title}: kept where the weight is negative {kept:.2f}, correlation of noise and weight {correlation(noise, weights):.2f}")


def correlation(a, b):
    return np.corrcoef(np.ravel(a), np.ravel(b))[0, 1]


for seeds in ({"params": 0, "dropout": 0, "noise": 0}, {"params": 0, "dropout": 1, "noise": 2}, {"default": 0}):
    rngs = nnx.Rngs(**seeds)
    layer = nnx.Linear(*SIDE, rngs=rngs)
    mask = nnx.Dropout(0.5)(np.ones(SIDE), rngs=rngs, deterministic=False)
    compare(f"nnx.Rngs({seeds})", layer.kernel[...], mask, jax.random.truncated_normal(rngs.noise(), -2, 2, SIDE))


class Noisy(nn.Module):
    @nn.compact
    def __call__(self, x):
        weights = self.param("weights", nn.initializers.lecun_normal(), SIDE)
        mask = jax.random.bernoulli(self.make_rng("dropout"), 0.5, SIDE)
        return weights, mask, jax.random.truncated_normal(self.make_rng("noise"), -2, 2, SIDE)


key = jax.random.key(0)
compare("linen, one key for all", *Noisy().init_with_output({"params": key, "dropout": key, "noise": key}, 0)[0])
data = jax.random.truncated_normal(jax.random.split(key)[0], -2, 2, SIDE)
print(f"correlation of data and weight: {correlation(data, nnx.Linear(*SIDE, rngs=nnx.Rngs(0)).kernel[...]):.2f}")
PY
"$folder/venv/bin/python" -W error::UserWarning streams.py | tee found
cat > expected <<'END'
nnx.Rngs({'params': 0, 'dropout': 0, 'noise': 0}): kept where the weight is negative 1.00, correlation of noise and weight 1.00
nnx.Rngs({'params': 0, 'dropout': 1, 'noise': 2}): kept where the weight is negative 0.66, correlation of noise and weight 0.07
nnx.Rngs({'default': 0}): kept where the weight is negative 0.55, correlation of noise and weight 0.18
linen, one key for all: kept where the weight is negative 1.00, correlation of noise and weight 1.00
correlation of data and weight: 1.00
END
diff expected found
echo "found: flax's streams of one seed draw the same numbers"
