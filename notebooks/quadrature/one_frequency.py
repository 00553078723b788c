# %% [markdown]
# # Why do the neurons of one frequency grow like a cube root of n?
#
# **Claim** (beyond the papers). The notebook on hand-coded networks measures how many neurons one frequency needs to
# answer every input right, and draws their growth. Here is why: their number, over n^(1/3), tends to (π²/(6√3))^(1/3).
#
# **Method.** Let n be odd, A_i(x) = B_i(x) = cos(wx + φ_i), W_i(x) = cos(wx + 2φ_i) and φ_i = 2πi/h, with w = 2πk/n and
# k prime to n. The argument goes in steps, and each is tried below on instances where it could fail.

# %%
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd

from modadd.handmade.build import clarity, hand_coded
from modadd.handmade.one_frequency import WIDEST, alias, neurons_by_law, turn, turn_series, widest
from modadd.handmade.search import neurons_needed, widest_turn
from modadd.ledger.record import record
from modadd.networks.store import load_network
from modadd.page.figures import save_table, use_style
from modadd.page.prose import about, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "figures/one_frequency"
values_file = "results/values/one_frequency.json"
published = {}  # nothing is printed about such networks
small = [3, 5, 7, 9, 11, 13, 15], [1, 2, 3, 4, 5, 6, 7]  # moduli and numbers of neurons where all logits are computed
edge = [(117, 5), (119, 5)]  # and the last modulus of five neurons, and the next
odd = range(5, 42, 2)  # numbers of neurons in the steps on the series
largest = 1001  # modulus up to which the law is compared with the count

# %% [markdown]
# ## The argument
# 1. Let x = w(a + b)/2, plus π where cos(w(a − b)/2) < 0. Then logit(c) is a positive multiple of |F| cos(w(c − a − b) +
#    arg F), with F = (3π/h) e^{2ix} Σ_i ReLU(cos(x + φ_i)) e^{2iφ_i}. So all answers are right just if |arg F| < π/n, half
#    a step of the residue, at every input.
# 2. ReLU(cos) has the Fourier coefficients (−1)^{m/2+1}/(π(m² − 1)) at even m, and at odd ones only ±1. The nodes keep
#    m ≡ −2 mod h. For odd h ≥ 5 this leaves F = 1 + Σ_{l≠0} ρ_l e^{ily} with y = 2hx and ρ_l = 3(−1)^l/((2lh − 2)² − 1).
# 3. So Im F = Σ_{l≥1} (−1)^l S_l sin ly with S_l = 48lh/((4l²h² − 1)(4l²h² − 9)).
# 4. S_l lies between 3/(lh)³ and 3/(lh)³ · (1 + 3/(lh)²), and |F − 1| is at most 3/h².
# 5. Σ_{l≥1} (−1)^{l+1} sin(ly)/l³ = y(π² − y²)/12 on [−π, π]. It is greatest at y = π/√3, where it is π³/(18√3).
# 6. Together: over all real y the widest turn |arg F| is π³/(6√3h³) · (1 + δ) with |δ| ≤ 7/h².
# 7. For an even h ≥ 6 the same holds with h/2 for h, as jh − 2 is even for every j. So an even number needs twice as many.
#
# **Enough.** Every odd h ≥ 5 with π³/(6√3h³) · (1 + 7/h²) < π/n is enough, for every odd n.
#
# **Needed.** The inputs have y = hw(a + b): the multiples of 2πg/n, with g = gcd(h, n) ≤ h. While h is of the order of
# n^(1/3), these come as near to π/√3 as one likes when n grows. So from some n on, every h below (1 − ε)(π²n/(6√3))^(1/3)
# fails. This side is asymptotic: for a given n the multiples may miss the widest turn.

# %%
use_style()
network = load_network(network_file)
wrong = {step: [] for step in range(1, 8)}
for n, h in [*product(*small), *edge]:
    wrong[1].append((widest_turn(n, h) < np.pi / n) != (clarity(hand_coded(n, [1], h))["accuracy"] == 1))
y = np.linspace(-np.pi, np.pi, 721)
for h in odd:
    wrong[2].append(np.abs(turn(y / (2 * h), h) - turn_series(y, h, 500)).max() > 2 / (500 * h**2))
    S = {l * h: abs(alias(h, l)) - abs(alias(h, -l)) for l in range(1, 40)}
    wrong[3] += [value != Fraction(48 * x, (4 * x**2 - 1) * (4 * x**2 - 9)) for x, value in S.items()]
    wrong[4] += [not 3 <= value * x**3 <= 3 + Fraction(9, x**2) for x, value in S.items()]
    wrong[4].append(np.abs(turn(y / (2 * h), h) - 1).max() > 3 / h**2)
    wrong[6].append(abs(h**3 * widest(h) / WIDEST - 1) > 7 / h**2)
for half in range(3, max(odd)):
    wrong[7].append(abs(half**3 * widest(2 * half) / WIDEST - 1) > 7 / half**2)
l, cubic = np.arange(1, 2001), y * (np.pi**2 - y**2) / 12
wrong[5] = [*(np.abs(-np.sin(np.outer(y, l)) @ ((-1.0) ** l / l**3) - cubic) > 1e-6), cubic.max() > WIDEST / 3]
counted = [(step, len(found), int(sum(found))) for step, found in wrong.items()]
proof = pd.DataFrame(counted, columns=["step", "instances", "counterexamples"])
save_table(proof, f"{figures}/steps")
proof

# %% [markdown]
# ## The law against the count
# The law is the least odd h ≥ 5 with π³/(6√3h³) < π/n. Counted is the least h, odd or even, that answers every input
# right. Each row begins at the first modulus of a new number of neurons.

# %%
needed = pd.DataFrame([(n, neurons_needed(n), neurons_by_law(n)) for n in range(5, largest + 1, 2)])
needed.columns = ["n", "counted", "law"]
first = needed[needed.drop(columns="n").diff().ne(0).any(axis=1)]
save_table(first, f"{figures}/law_and_count")
first

# %% [markdown]
# ## Result
# The error of the nodes falls like 1/h³, as ReLU has a kink: its Fourier coefficients fall like 1/m², and the two nearest
# aliases nearly cancel. The answers lie 2π/n apart. Both together give the cube root. The formula (3n/π)^(1/3) of the other
# notebook keeps the first sine of step 5 only, whose height is 1 and not π³/(18√3).
#
# **Caveat.** This is about evenly spaced angles, equal widths and one frequency without second harmonic. Other angles or
# widths may do with less.

# %%
off = needed.counted - needed.law
values = {"off_the_law": int(off.abs().max())}
record(values_file, network, values)
values

# %%
say(
    about(network),
    f"{proof.instances.sum():,} instances of {len(proof)} steps gave {proof.counterexamples.sum()} counterexamples.",
    f"For {100 * (off == 0).mean():.1f} % of the odd n from 5 to {largest} the count is what the law says. Else it "
    f"is at most {values['off_the_law']} neurons away. The two constants under the cube root are "
    f"{WIDEST / np.pi:.4f} and {3 / np.pi:.4f}.",
)
