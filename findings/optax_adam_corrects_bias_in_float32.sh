#!/usr/bin/env bash
# One would expect: the first update of Adam is -rate * sign(gradient) to a rounding of float32 (6e-8), because both bias corrections
# cancel what the moments gained. torch.optim.Adam does so: it takes 1 - beta**t in float64.
# What happens: optax takes 1 - beta**t in float32, but the gain 1 - beta of the moments in float64. The two no longer cancel: the
# first update is off by 7e-6 at beta2 = 0.999, by 8e-5 at 0.9999, by 7e-4 at 0.99999.
# Versions: optax 0.2.8, jax 0.10.2, Python 3.11 to 3.13.
# Source: optax's `tree.bias_correction`, which computes `1 - decay**count` in the type of a float32 array.
# Why it matters: a training of modular addition whose log was printed by such a program differs from one by torch's rule by 2.6e-3 in the
# loss after some ten epochs.
# What we do: the optimiser `optax_adam` has optax's corrections; with it the first three printed losses come out to the sixth decimal.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check optax==0.2.8 jax==0.10.2 jaxlib==0.10.2 2>/dev/null

found=$("$folder/venv/bin/python" - <<'PY'
import jax.numpy as jnp
import optax

for beta2 in (0.98, 0.999, 0.9999, 0.99999):
    adam = optax.adam(1.0, b1=0.9, b2=beta2, eps=0.0)
    weight = jnp.float32(0.0)
    update, _ = adam.update(jnp.float32(1.0), adam.init(weight), weight)
    print(f"beta2 {beta2}: first update {float(update):.7f}, expected -1.0000000")
PY
)
echo "$found"
expected="beta2 0.98: first update -0.9999993, expected -1.0000000
beta2 0.999: first update -0.9999933, expected -1.0000000
beta2 0.9999: first update -1.0000827, expected -1.0000000
beta2 0.99999: first update -1.0006785, expected -1.0000000"
test "$found" = "$expected"
echo "found: the bias corrections of optax's adam do not cancel the gains of its moments"
