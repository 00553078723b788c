# %% [markdown]
# # What is the smallest network built by hand that adds, and what does the second frequency buy?
#
# **Claim** (future work of [Q] §7 and App. B). If neurons are the nodes of a quadrature, networks that add can be
# written down: frequencies, evenly spaced angles φ_i and equal widths are enough. How small can they be, how large are
# their margins, and is the trained network near them? Every trained neuron carries a weak second harmonic at twice its
# frequency. What is it for? In the family of networks below a neuron has one frequency k; x is a residue.
#
# $$ A_i(x) = B_i(x) = \cos t - s \cos 2t + c, \quad t = w_k x + \varphi_i, \quad W_i(x) = \cos(w_k x + 2\varphi_i) $$
#
# **Method.** The amplitude s of the *second harmonic* and the *constant* c are read off the trained network; C = D = 0.
# The *margin* of an input is its right logit less the best wrong one. The *relative margin* of a network is its smallest
# margin over its scale (√2/n) Σ_i ‖(A_i, B_i)‖ ‖W_i‖, which grows with the weights, the harmonic and the constant.

# %%
from itertools import product, starmap

import numpy as np
import pandas as pd

from modadd.certificates.certify import certify
from modadd.core.growth import exponent
from modadd.handmade import build, search
from modadd.handmade import twin_measures as measures
from modadd.handmade.build import PLAIN, Wave, clarity, hand_coded, scale
from modadd.handmade.parameters import maps_over_square
from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots import hand_coded as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/hand_coded"
values_file = "results/by_hand/hand_coded.json"
published = {}  # nothing is printed about such networks: they are the papers' future work
most_frequencies = 6  # of a network built by hand; of the trained one, the strongest so many
moduli = [59, 89, 91, 113]  # for the smallest networks
secondaries, constants = [0.05, 0.1, 0.15], [0.05, 0.1]  # pairs (s, c) tried, besides none and the one read off
grid = [3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 32, 128]  # neurons per frequency
largest = 40  # neurons, in the search for the smallest networks
most_sets, draws, seed = 30_000, 3_000, 0  # sets of frequencies: how many are listed, and drawn where there are more
keep = 10  # sets that meet a finite number of neurons
growth = [11, 31, 101, 301, 1001, 3001, 10001, 30001]  # moduli for the networks of one frequency

# %% [markdown]
# ## The second harmonic of the trained network
# At twice its frequency neuron i holds α_i Re(z e^{2i(w_k x + φ_i)}) in A and B, and β_i Re(z e^{2i(w_k x + ψ_i/2)}) in
# W. The family has −s in A and B, and 0 in W. We read s and c off A + B, as means over the neurons with weights αβ.

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
neurons = neurons_in(network)
n, h, key = separable.modulus, separable.width, neurons.strongest(most_frequencies)
s, c = read = measures.wave_in(network)
parts = measures.harmonics_in(network)
by_frequency = parts.groupby("frequency").median().drop(columns="weight").add_prefix("median ").reset_index()
save_table(by_frequency, f"{figures}/second_harmonic", digits=4)
save_figure(drawings.draw_second_harmonics(parts, read), f"{figures}/second_harmonic_of_neurons", parts)
by_frequency.round(4)

# %% [markdown]
# ## What it buys
# We remove the second harmonics of the trained network, or its constants, or both, with and without its residual
# streams C and D. Its *twin by hand* has the same frequencies and about as many neurons, all equal. With many neurons
# frequency k answers m(d) cos(w_k(a + b − c)), where d = a − b and
#
# $$ m(d) = \frac{1}{\pi} \int_0^{2\pi} \max(0, \cos\frac{w_k d}{2} \cos u - s \cos(w_k d) \cos 2u + c) \cos 2u \, du $$
#
# Without s and c this is (2/3π) |cos(w_k d/2)|, so the inputs with w_k d = π get no answer. There the harmonic leaves
# s cos 2u with u = w_k(a + b)/2 + φ. This is the pattern that W looks for, already doubled, and c lifts it above the
# kink of the ReLU. Near d = 0 the harmonic takes something away. The second figure shows twins of other s and other
# numbers of neurons, and the trained network (stars).
#
# **Parameters.** [Q] wants at most as many as the layer has in effect, n·h, up to a factor. *Listed* counts those of [Q]
# App. B.1 for the twin: its frequencies, for each neuron a group, a width and an angle, and s and c. *Linear maps* are
# A·B and A + B of square matrices, *ReLU maps* ReLU(A ReLU(Bx)) and ReLU(Ax) + ReLU(Bx), both by the rank of a Jacobian.

# %%
shapes = {"s and c read off": read, "c alone": Wave(0.0, c), "s alone": Wave(s), "neither": PLAIN}
twins = {(f"twin, {name}", "–"): measures.twin_of(network, wave) for name, wave in shapes.items()}
compared = build.ablations(separable, neurons.frequency) | twins
names = pd.MultiIndex.from_tuples(compared, names=["network", "residual streams"])
measured = [clarity(tables) | {"scale": scale(tables)} for tables in compared.values()]
ablation = pd.DataFrame(measured, names, ["accuracy", "relative margin", "scale"])
relative = ablation["relative margin"]
save_table(ablation.reset_index(), f"{figures}/what_it_buys", digits=4)
ablation.round(4)

# %%
trained, flat = ("as trained", "with C, D"), ("without second harmonics", "with C, D")
twin, plain_twin = ("twin, s and c read off", "–"), ("twin, neither", "–")
curves = {("trained network", "as trained"): trained, ("trained network", "without 2nd harmonics"): flat}
curves |= {("twin by hand", "s and c read off"): twin, ("twin by hand", "neither"): plain_twin}
by_difference = pd.DataFrame(
    {title: build.smallest_margin_by_difference(compared[name]) for title, name in curves.items()}
)
turn = np.arange(201) * 2 / 401
responses = pd.DataFrame({name: search.limit_response(401, wave)[:201] for name, wave in shapes.items()}, index=turn)
save_table(responses.rename_axis("w_k(a − b)/π").reset_index(), f"{figures}/responses")
figure = drawings.draw_by_difference(responses, by_difference)
by_difference.columns = map(": ".join, curves)
save_figure(figure, f"{figures}/response_and_margin", by_difference.rename_axis("difference").reset_index())

# %%
by_amplitude = pd.DataFrame(
    {"neurons per frequency": count, "s": amount} | clarity(hand_coded(n, key, count, Wave(amount, c)))
    for count, amount in product((4, 5, 6, 8, 32), np.linspace(0, 0.3, 16))
)
figure = drawings.draw_amplitudes(by_amplitude, {s: relative[trained], 0: relative[flat]})
save_figure(figure, f"{figures}/amplitude", by_amplitude)

# %% [markdown]
# ## Frequencies against neurons
# These networks have m frequencies with h_k neurons each. Multiplying all frequencies by a unit mod n only renames the
# residues, so we count sets up to such a factor and up to signs. We rank all of them in the limit of many neurons (or
# `draws` random ones, where more than `most_sets` contain the frequency 1) and try the best `keep`. With harmonic, the
# best wave counts. The first figure shows the accuracy where an answer is wrong, the second the other networks by their
# neurons. On its right are all sets of as many frequencies as the trained network has, and (lines) its own set, at the
# wave read off. The rank says how good a choice training has made, in one network.

# %%
rng, counts = np.random.default_rng(seed), range(1, most_frequencies + 1)
waves = {"without harmonic": [PLAIN], "with harmonic": [*starmap(Wave, product(secondaries, constants)), read]}
listed = {m: search.frequency_sets(n, m, rng, most_sets, draws) for m in counts}
rows = []
for (kind, tried), m in product(waves.items(), counts):
    short = search.shortlist(n, listed[m].sets, tried, keep)
    for count in grid:
        best = search.best(n, count, short)
        rows.append({"kind": kind, "m": m, "h_k": best.neurons_per_frequency} | best.row() | best.clarity())
cells = pd.DataFrame(rows)
save_figure(drawings.draw_cells(cells), f"{figures}/frequencies_and_neurons", cells)

# %%
limits = {kind: search.limit_response(n, tried[-1]) for kind, tried in waves.items()}
everyone = pd.DataFrame({kind: search.limit_margins(limit, listed[len(key)].sets) for kind, limit in limits.items()})
trained_set = pd.Series({kind: search.limit_margins(limit, np.array([key]))[0] for kind, limit in limits.items()})
rank = 1 + (everyone > trained_set + search.ROUNDING).sum()
ranks = pd.DataFrame({"own": trained_set, "rank": rank}).rename_axis(", ".join(map(str, key)))
figure = drawings.draw_place(cells, (h, relative[trained]), everyone, ranks)
save_figure(figure, f"{figures}/where_the_trained_one_lies", everyone.assign(trained=relative[trained]))

# %% [markdown]
# ## The smallest networks
# For every modulus we try all sizes up to `largest` neurons in ascending order, with sets and waves as above, until all
# answers are right, or the relative margin is half that of the trained network, or all of it. The search exhausts the
# numbers of frequencies up to `most_frequencies`, of neurons, and the sets where the column says so. It leaves out other
# offsets of the angles, other (s, c), unequal widths, and sets that only few neurons favour. Relative margin and
# accuracy are measured on all n³ logits. The certified ones are proven from the constant, k and 2k, less all rounding
# errors. These networks contain nothing else, so no proof should lose anything.

# %%
bar = relative[trained]
goals = {"right": search.ROUNDING} | ({"half as clear": bar / 2, "as clear": bar} if bar > search.ROUNDING else {})
every_wave = [wave for tried in waves.values() for wave in tried]
rows = []
for p in moduli:
    sets = {m: search.frequency_sets(p, m, rng, most_sets, draws) for m in counts}
    rows += search.smallest_for_goals(p, sets, every_wave, goals, keep, largest)
table = pd.DataFrame(rows)
save_table(table, f"{figures}/smallest_networks", digits=7)
table

# %% [markdown]
# ## One frequency, five neurons
# Without the harmonic, one frequency answers |cos(w(a − b)/2)| g(θ) with θ = w(a + b). As n is odd, the cosine is never
# 0. All answers are right if and only if g points less than half a residue, π/n, off the right direction. With h evenly
# spaced nodes the rule mistakes the orders −2 + jh for −2. For an odd h only the even ones among them are left. The
# first two, 2h − 2 and 2h + 2, turn g by 3/((2h−2)²−1) − 3/((2h+2)²−1) ≈ 3/h³. So h ≈ (3n/π)^(1/3) neurons are enough
# for any odd n, but five are always needed. With 1, 2 or 4 nodes e^{2iφ} is real, so c and −c get the same logit. Three
# neurons take the identity part for the signal, as −2 + 3 = 1. At k = 1 these margins shrink like 1/n³.

# %%
turns = search.turns(moduli, range(3, 34))
needed = pd.DataFrame({"n": growth, "neurons": [search.neurons_needed(p) for p in growth]})
needed["formula"] = (3 * needed.n / np.pi) ** (1 / 3)
large = needed[needed.n > 100]
save_figure(drawings.draw_one_frequency(turns, needed), f"{figures}/one_frequency", turns)
save_table(needed, f"{figures}/neurons_needed")

# %% [markdown]
# ## Result
# The paper expected a large family of hand-coded networks that do the task well, near what training finds. Read the
# numbers of neurons for the first half, and the relative margin of the twin for the second. If far fewer neurons reach
# its relative margin, the other neurons of the trained network only lower the quadrature error, which hardly affects
# the margin.
#
# **Caveat.** Removing a part of a trained network is not training without it. The smallest networks are smallest in
# this family. Others, or networks with residual streams, may do with less. C and D help the trained network's margin
# and are not charged to its scale.

# %%
linear_maps, relu_maps = maps_over_square(6, draws=8, seed=seed)
values = {
    "harmonic_phase_error": measures.harmonic_phase_error(network),
    "margin_without_harmonic": measures.margin_without_harmonic(network),
    "twin_over_trained": measures.twin_over_trained(network),
    "smallest_right": search.fewest_neurons(table, "right", "allowed", moduli),
    "smallest_as_clear": search.fewest_neurons(table, "as clear", "allowed", moduli),
    "relu_maps": relu_maps,
}
record(values_file, network, values)
values


# %%
def fewest(goal, harmonic):
    """The neurons of the smallest networks for a goal, in words."""
    return in_words(search.fewest_neurons(table, goal, harmonic, moduli))


def in_words(sizes):
    """Sizes, one for each modulus."""
    return ", ".join("none" if size is None else f"{size:.0f}" for size in sizes)


proven = {name: certify(compared[name]).margin.min() / scale(compared[name]) for name in (trained, twin)}
lost = (1 - table["certified margin"] / table["relative margin"]).max()
parameters = len(key) + 3 * compared[twin].width + 2
say(
    about(network),
    f"Its neurons have s = {s:.3f} and c = {c:.3f} in A + B. In A and B the second harmonic lies within "
    f"{values['harmonic_phase_error']:.3f} rad (rms) of 2φ + π; W has {np.median(abs(parts['Re W'] + 1j * parts['Im W'])):.4f} of it.",
    f"The relative margin is {bar:.4f}; that of the twin by hand is {relative[twin]:.4f}. Without "
    f"second harmonics the network has {relative[flat]:.4f}, with accuracy {ablation.accuracy[flat]:.4f}; "
    f"without C and D too it has {relative['without second harmonics', 'without C, D']:.4f}. The twin without harmonic "
    f"and constant has {relative[plain_twin]:.4f}.",
    f"From the constant, k and 2k we certify a relative margin of {proven[trained]:.4f} for the trained network, of "
    f"{proven[twin]:.4f} for the twin, and {100 * table['certified share'].min():.0f} % of the inputs of the smallest "
    f"networks, where we lose at most a share of {lost:.1e} of the smallest margin.",
)

# %%
ranked = [
    f"{kind} its frequencies rank {rank[kind]} of {len(everyone)} sets, with {trained_set[kind]:.4f} (median "
    f"{everyone[kind].median():.4f}, best {everyone[kind].max():.4f})"
    for kind in waves
]
say(
    f"In the limit of many neurons, {', and '.join(ranked)}.",
    f"For n = {', '.join(map(str, moduli))} the fewest neurons that answer every input right are "
    f"{in_words(values['smallest_right'])}. Half as clear as the trained network are {fewest('half as clear', 'allowed')} "
    f"(without harmonic {fewest('half as clear', 'no')}). As clear are {in_words(values['smallest_as_clear'])} (without "
    f"harmonic {fewest('as clear', 'no')}). The search ends at {largest} neurons.",
    f"The twin's listed parameters are {parameters / (n * h):.3f} of n·h. Linear maps have "
    f"{in_words(linear_maps)} times n² effective parameters, and maps with ReLUs {relu_maps[0]:.2f} and {relu_maps[1]:.2f}.",
    f"One frequency needs {', '.join(map(str, needed.neurons))} neurons for n = {', '.join(map(str, growth))}. The "
    f"fitted exponent above n = 100 is {exponent(large.n, large.neurons):.3f}.",
)
