#!/usr/bin/env bash
# One would expect: Mod(2*Mod(n, 113), 113) of an integer n is a number from 0 to 112, and the one that Python computes.
# What happens: the outer Mod is dropped as the expression is built. n = 112 gives 224 in place of 111; with the factor k in place of
# 2, most n come out wrong. Where inner and outer modulus differ, the inner Mod may be squared: Mod(2*Mod(n, 9), 3) is 2 at n = 2, not 1.
# A symbol that was not declared an integer is treated rightly.
# Versions: sympy 1.14.0, mpmath 1.3.0, Python 3.11 and 3.13.
# Source: Mod.eval in sympy/core/mod.py, where it takes a product apart; https://github.com/sympy/sympy/issues/28744 and 29757. A change
# was merged in May 2026 (pull request 29769), and is in no release that we found.
# Why it matters: an identity of modular addition that is checked or printed by SymPy, or a function made from it by lambdify, is wrong,
# and only for symbols that are declared as what they are.
# What we do: residues are integers of Python or NumPy. Where SymPy is used: a symbol that is not declared, and a test on every residue.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check sympy==1.14.0 mpmath==1.3.0 2> /dev/null
cd "$folder"
cat > residues.py <<'PY'
from sympy import Mod, Symbol, lambdify

n, anything = Symbol("n", integer=True), Symbol("n")


def compare(outer, factor, inner):
    """How many residues come out wrong: of an integer symbol, of any symbol, and of a function made by lambdify."""
    right = [factor * (i % inner) % outer for i in range(inner)]
    built = [Mod(factor * Mod(symbol, inner), outer) for symbol in (n, anything)]
    made = lambdify(n, built[0])
    wrong = [sum(e.subs(s, i) != right[i] for i in range(inner)) for s, e in zip((n, anything), built, strict=True)]
    wrong.append(sum(made(i) != right[i] for i in range(inner)))
    last = [e.subs(s, inner - 1) for s, e in zip((n, anything), built, strict=True)]
    print(f"Mod({factor}*Mod(n, {inner}), {outer}) is {built[0]}: {wrong[0]} of {inner} wrong, lambdified {wrong[2]},", end=" ")
    print(f"not declared {wrong[1]}; at {inner - 1}: {last[0]}, right {right[-1]}")
    return wrong, last[0], right[-1]


assert compare(113, 2, 113) == ([56, 0, 56], 224, 111)
assert compare(113, 50, 113)[0] == [110, 0, 110]
assert compare(3, 2, 9)[0][:2] == [3, 0]
twice = Mod(Mod(n, 113) + Mod(n, 113), 113)
print("Mod(Mod(n, 113) + Mod(n, 113), 113) at 112:", twice.subs(n, 112))
assert twice.subs(n, 112) == 224
PY
"$folder/venv/bin/python" residues.py
echo "found: SymPy's Mod of a multiple of a Mod is not reduced"
