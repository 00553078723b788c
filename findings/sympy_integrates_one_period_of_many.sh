#!/usr/bin/env bash
# One would expect: integrate gives the integral, or hands it back unsolved. That of |cos kx| over a full turn is 4, and that of
# max(0, cos kx), a ReLU neuron of frequency k, is 2, whatever the whole number k is.
# What happens: for k = 1 both are right. For k above 1 only the first period counts: 4/k and 2/k, exact and without a warning. A
# product, cos 2x · max(0, cos 2x), comes out too large. A plain sum over points of the circle gives the right ones.
# Versions: sympy 1.14.0, mpmath 1.3.0, Python 3.11 and 3.13.
# Source: Piecewise._eval_interval in sympy/functions/elementary/piecewise.py, which solves cos kx >= 0 on one period alone;
# https://github.com/sympy/sympy/issues/15402, 23223, 29072, and 30319 of August 2026.
# Why it matters: the mean of ReLU, or of |cos|, over the phases of a neuron is the first integral of any analysis of such networks.
# What we do: no integral of ours is SymPy's. Where one needs it: substitute so that k is 1, or split at the kinks, and compare with a sum.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sympy==1.14.0 mpmath==1.3.0 2> /dev/null
cd "$folder"
cat > turns.py <<'PY'
import math

from sympy import Abs, Max, Rational, cos, integrate, lambdify, pi, symbols

x = symbols("x", real=True)


def show(title, function, right):
    exact = integrate(function, (x, 0, 2 * pi))
    at = lambdify(x, function, "math")
    summed = sum(at(2 * math.pi * (i + 0.5) / 9999) for i in range(9999)) * 2 * math.pi / 9999
    print(f"{title}: integrate {exact}, summed {summed:.4f}, right {right}")
    assert abs(summed - float(right)) < 1e-3, summed
    return exact


for k in (1, 2, 3):
    assert show(f"|cos {k}x|", Abs(cos(k * x)), 4) == Rational(4, k)
    assert show(f"max(0, cos {k}x)", Max(0, cos(k * x)), 2) == Rational(2, k)
assert show("cos 2x max(0, cos 2x)", cos(2 * x) * Max(0, cos(2 * x)), pi / 2) == 3 * pi / 4
by_parts = sum(integrate(cos(2 * x), (x, *ends)) for ends in ((0, pi / 4), (3 * pi / 4, 5 * pi / 4), (7 * pi / 4, 2 * pi)))
print("max(0, cos 2x), split by hand where it turns on and off:", by_parts)
assert by_parts == 2
PY
"$folder/venv/bin/python" turns.py
echo "found: SymPy integrates a ReLU of cos kx over one period, not over all k"
