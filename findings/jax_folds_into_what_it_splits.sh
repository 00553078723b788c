#!/usr/bin/env bash
# One would expect: of one key, the two keys of random.split and the keys of random.fold_in(key, step) are unrelated. And jax's checker for
# keys that are used twice finds every number that is drawn twice.
# What happens: fold_in(key, i) is split(key)[i], and the first keys of a split into five are those of a split into two. Let one key be
# split for weights and data and then folded with the step. The noise of step 0 is then the weights and that of step 1 the data, number by
# number. The checker says nothing: to it, folding uses no key up. With the generator rbg it is the same.
# Versions: jax 0.10.2, numpy 2.4.6, Python 3.11. It is so by default since jax 0.5, and not under jax_threefry_partitionable=False.
# Source: https://github.com/jax-ml/jax/pull/13341 makes the two one, and 19520 there lets the checker pass over it. The page of neither
# function says it; that of fold_in calls the new key statistically safe.
# Why it matters: a program splits a seed's key for weights and data, and folds in the step for dropout or the noise of an intervention.
# That noise is then no noise: it is the weights. And an ensemble of five has the members of an ensemble of two.
# What we do: our draws in jax's manner fold hashes of 32 bits into a key and split it: no two of them meet. Whoever does both: split once
# more, and fold into a child of its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check jax==0.10.2 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > steps.py <<'PY'
import jax
import numpy as np
from jax import random

WIDE = (59, 128)


def correlations():
    """Without their signs, of the noise of steps 0 and 1 with the weights and the data."""
    key = random.key(0)
    weights, data = (np.ravel(random.normal(child, WIDE)) for child in random.split(key))
    noises = [np.ravel(random.normal(random.fold_in(key, step), WIDE)) for step in (0, 1)]
    return " ".join(f"{abs(np.corrcoef(noise, other)[0, 1]):.1f}" for noise in noises for other in (weights, data))


print("correlation of the noise of step 0 with weights and data, and of step 1:", correlations())
with jax.threefry_partitionable(False):
    print("as before 0.5:", correlations())
for kind in ("threefry2x32", "rbg", "unsafe_rbg"):
    key = random.key(0, impl=kind)
    two, five, folded = random.split(key), random.split(key, 5), [random.fold_in(key, i) for i in range(5)]
    pairs = ((two[1], folded[1]), (five[4], folded[4]), (five[1], two[1]))
    print(kind, *(bool((random.key_data(a) == random.key_data(b)).all()) for a, b in pairs))
with jax.debug_key_reuse(True):
    key = random.key(0)
    weights = random.split(key)[0]
    same = (random.normal(weights, WIDE) == random.normal(random.fold_in(key, 0), WIDE)).all()
    print("the checker lets pass that all numbers are the same:", bool(same))
    try:
        random.normal(weights, WIDE)
    except jax.errors.KeyReuseError:
        print("the checker reports a key that is used twice by its name")
PY
"$folder/venv/bin/python" -W error::UserWarning steps.py | tee found
cat > expected <<'END'
correlation of the noise of step 0 with weights and data, and of step 1: 1.0 0.0 0.0 1.0
as before 0.5: 0.0 0.0 0.0 0.0
threefry2x32 True True True
rbg True True True
unsafe_rbg False False True
the checker lets pass that all numbers are the same: True
the checker reports a key that is used twice by its name
END
diff expected found
echo "found: a number folded into jax's key gives the key that a split gives"
