# %% [markdown]
# # What do the identity part and the secondary frequencies do?
#
# **Claim** ([Q] §6). ReLU(u) = |u|/2 + u/2, so the logits have two parts, one from |u|/2 and one from u/2:
#
# $$ \sum_k C_k \left|\cos\tfrac{w_k(a-b)}{2}\right| \cos w_k(a+b-c) \quad \textrm{and} \quad
# \sum_k D_k \cos w_k(a-b) \, \cos w_k(a+b-c), \quad D_k < 0. $$
#
# The absolute-value part makes the first sum, the "pizza" logits, which are weak where the modulus is small. The
# identity part makes the second. Its quadrature is 0 at the neurons' own frequency, but it still adds this sum, through
# the secondary frequency 2k of the preactivations. The two parts together depend less on a − b: the whole looks like a
# "clock", Σ cos(w_k(a+b−c)), and the smallest margin grows.
#
# **Method.** Least squares over all n³ logits, centred over c, with one coefficient per key frequency and an intercept.
# The identity part is linear in the tables, so its two-dimensional Fourier transform shows all of it. The margin is the
# right logit less the best wrong one.

# %%
import numpy as np
import pandas as pd

from modadd.core.fourier import coefficient_2d, margin_by_difference, power_2d, signed_frequency, variance_by_frequency
from modadd.core.separable import centred
from modadd.handmade import secondary_measures
from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots import secondary_frequencies as drawings
from modadd.plots.figures import save_figure, save_table, use_style
from modadd.quadrature import following, logit_measures
from modadd.quadrature import scheme_measures as measures
from modadd.quadrature.formula import explained, fit_formula, formula
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/secondary_frequencies"
values_file = "results/by_hand/secondary_frequencies.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
items = {"Q/frequencies": []}  # what these items of the sources print; filled in by the workflow
most_panels = 6  # frequencies drawn, strongest first

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
neurons = neurons_in(network)
n, key, drawn = separable.modulus, neurons.key_frequencies(), neurons.strongest(most_panels)
tabled = items["Q/frequencies"]  # the frequencies of the paper's table of coefficients, in its order
parts = {part: measures.parts(network)[part] for part in ("full", "mlp", "absolute")}
key

# %% [markdown]
# ## Pizza or clock?
# [Q] regresses the full logits and their absolute-value part, each on pizza and on clock terms. Of the MLP alone,
# without the residual streams, it says only that R² is "similar". *Both* are the terms of the final formula: pizza
# terms and cos(w_k(a−b)) cos(w_k(a+b−c)), fitted together. *As tabled* is the same formula with the C_k and D_k of the
# two parts, each fitted alone as in the paper's table: nothing is left to fit.

# %%
fits = measures.fits(network)
C, D = measures.absolute_coefficients(network), measures.identity_coefficients(network)
table = pd.DataFrame(
    {"logits": part, "terms": kind, "R²": fit.r_squared, "intercept": round(fit.intercept, 9) + 0.0}  # no −0
    | {f"k = {k}": coefficient for k, coefficient in zip(key, fit.coefficients, strict=True)}
    for (part, kind), fit in fits.items()
)
both = {"full": logit_measures.r2_full_formula(network)}
both |= {part: fit_formula(parts[part], key).r_squared for part in ("mlp", "absolute")}
as_tabled = {part: explained(logits, formula(C, D, key, n)) for part, logits in parts.items()}
more = (
    pd.DataFrame({"both": both, "as tabled": as_tabled})
    .rename_axis("logits")
    .reset_index()
    .melt("logits", var_name="terms", value_name="R²")
)
table = pd.concat([table, more], ignore_index=True)
save_table(table, f"{figures}/regression_table")
table

# %%
r_squared = {pair: fit.r_squared for pair, fit in fits.items()}
printed = {}
for part in parts:
    for kind, value in zip(("pizza", "clock"), published.get(f"r2_{part}", []), strict=False):
        printed[part, kind] = value
save_figure(drawings.draw_regressions(r_squared, printed), f"{figures}/regressions", table)

# %%
coefficients = pd.DataFrame({"C": C, "D": D}, key)
printed = {}
for symbol, name in (("C", "absolute_coefficients"), ("D", "identity_coefficients")):
    if np.size(published.get(name)) == len(tabled):
        printed[symbol] = published[name]
figure = drawings.draw_coefficients(coefficients.loc[drawn], pd.DataFrame(printed, tabled))
save_figure(figure, f"{figures}/coefficients", coefficients.rename_axis("frequency").reset_index())

# %% [markdown]
# ## Where the identity part comes from
# A neuron of frequency k carries something of 2k as well. Its row of W, of frequency k, turns this into cos(w_k c −
# 2w_k a). With f(a, c) = Σ F e^{i(w_u a + w_v c)} this is the pair of lines (u, v) = ±(2k, −k) mod n, circled and
# marked k. logit_id1 = A W/2 is the path through attention, the same from a and from b. logit_id2 = (B − A) W/2 is what
# the embedding of b adds. As cos X + cos Y = 2 cos((X−Y)/2) cos((X+Y)/2), D_k is 4 Re F₁ + 2 Re F₂ at (2k, −k). [QR]
# says that one matrix gives the identity part. The nearest that serves both numbers is logit_id1 + logit_id2/2.

# %%
paths = {"logit_id1": measures.path(network), "logit_id2": logit_measures.second_path(network)}
power = {name: power_2d(centred(path)) for name, path in paths.items()}
lines = [(k, *signed_frequency(sign * np.array([2 * k, -k]), n)) for k in key for sign in (1, -1)]
mass = {name: sum(shares[u + n // 2, v + n // 2] for _, u, v in lines) for name, shares in power.items()}
F1, F2 = (np.array([coefficient_2d(path, 2 * k, -k) for k in key]) for path in paths.values())
spectra_of_A = {k: variance_by_frequency(separable.A[:, neurons.frequency == k]).sum(axis=1) for k in key}
second = [
    spectrum[abs(signed_frequency(2 * k, n))] / (spectrum.sum() - spectrum[k]) for k, spectrum in spectra_of_A.items()
]
check = {"k": key, "Re F₁": F1.real, "Im F₁": F1.imag, "Re F₂": F2.real, "4 Re F₁ + 2 Re F₂": (4 * F1 + 2 * F2).real}
pd.DataFrame(check | {"D_k": D, "share of 2k in what A holds besides k": second}).round(4)

# %%
titles = {name: f"{name}: {100 * share:.0f} % of its power at ±(2k, −k)" for name, share in mass.items()}
figure = drawings.draw_spectra(power, lines, titles, drawn)
axis = np.arange(n) - n // 2
spectra = {name: pd.DataFrame(shares, axis, axis).rename_axis("u").reset_index() for name, shares in power.items()}
spectra = pd.concat(
    table.melt("u", var_name="v", value_name="share").assign(path=name) for name, table in spectra.items()
)
save_figure(figure, f"{figures}/identity_spectra", spectra)

# %% [markdown]
# ## Margin against a − b
# The *strength* of a difference a − b is Σ C_k |cos(w_k(a−b)/2)| / Σ C_k. Where it is small, the margin of the
# absolute-value part should be small too, and the identity part should add most there. Left, measured: the mean over
# the inputs of one difference (line), and down to the smallest (band). Right, what the coefficients alone say: logits Σ
# m_k cos(w_k(a+b−c)) with m_k = C_k |cos(w_k(a−b)/2)|, and with D_k cos(w_k(a−b)) added. The modulus makes dips where
# several cosines are small at once. A D_k < 0 takes from the peak at a = b and adds where a cosine is small.

# %%
by_difference = logit_measures.by_difference(network)
margin = {"absolute": margin_by_difference(C, 0 * D, key, n), "full": margin_by_difference(C, D, key, n)}
curves = {part: curve[by_difference.index] for part, curve in margin.items()}
figure = drawings.draw_margin(by_difference, curves)
formulas = {f"{part}_formula": curve for part, curve in curves.items()}
save_figure(figure, f"{figures}/margin", by_difference.assign(**formulas).reset_index())

# %% [markdown]
# ## What makes the logits look like a clock?
# The experiment: cut the second harmonics of A and B (the lines at 2k), or keep their size and turn each to a random
# phase. The control changes A and B as much, by waves at other frequencies than k and 2k. *Lead* is R² on clock terms
# less R² on pizza terms. W, C and D are as trained.

# %%
changed = {
    "as trained": separable,
    "without second harmonics": secondary_measures.without_harmonics(network),
    "second harmonics at random phases": secondary_measures.with_random_phases(network),
    "control: as large waves elsewhere": secondary_measures.changed_elsewhere(network),
}
fitted = {name: secondary_measures.both_fits(tables, key) for name, tables in changed.items()}
cut = pd.DataFrame(fitted, ["pizza", "clock"]).T.rename_axis("second harmonics of A and B").reset_index()
cut["lead"] = cut.clock - cut.pizza
save_table(cut, f"{figures}/cut", digits=3)
cut

# %% [markdown]
# ## Result
# Claimed of the published network: the absolute-value part is a pizza and the whole is a clock. The identity part makes
# the difference: every D_k < 0, and its spectrum lies at ±(2k, −k) with a very small imaginary part. The network would
# answer without it; with it the smallest margin grows. A margin at or below 0 means a wrong answer somewhere.
#
# **Three slips in [Q] §6.** (1) By the double angle D cos(w(a−b)) = 2D cos²(w(a−b)/2) − D. The paper prints 2D² cos² and
# says that this term helps because it is never negative. With D < 0 the term is never positive, and it lowers the
# margin most where |cos| is large. What raises the margin is −D > 0, the only term left where |cos| is small. So the
# conclusion of [Q] holds, but not its reason. (2) cos X + cos Y carries a factor 2 that the paper drops. The D_k
# compared with its table are the coefficients of cos(w_k(a−b)) cos(w_k(a+b−c)), with that factor in them. (3) An
# earlier formula has (4/3) C_k; the C_k of the table are the coefficients of the pizza terms themselves, with the 4/3
# in them. *cos_squared_coefficients* are fitted coefficients of the cos² terms; *path_coefficients* are 2 Re F₁, the
# D_k that the text of [Q] defines before its table.
#
# **Caveat.** logit_id2 may be smaller than logit_id1, but what it has at the same lines is part of D_k. Neither
# coefficient holds the residual streams, which the full logits do. R² with and without them shows what they change.

# %%
values = {  # of both parts, and of what makes them
    "r2_full": following.r2_full(network),
    "r2_absolute": following.r2_absolute(network),
    "pizza_leads_absolute": following.pizza_leads_absolute(network),
    "clock_leads_full": following.clock_leads_full(network),
    "change_without_residual": following.change_without_residual(network),
    "r2_full_formula": both["full"],
    "absolute_coefficients": C,
    "identity_coefficients": D,
    "largest_identity_coefficient": measures.largest_identity_coefficient(network),
    "cos_squared_coefficients": logit_measures.cos_squared_coefficients(network),
    "identity_mass": measures.identity_mass(network),
    "identity_imaginary_ratio": measures.identity_imaginary_ratio(network),
    "identity_over_absolute": measures.identity_over_absolute(network),
    "second_path_over_first": logit_measures.second_path_over_first(network),
    "path_coefficients": logit_measures.path_coefficients(network),
    "path_off_identity": logit_measures.path_off_identity(network),
}

# %%
values |= {  # of the margin, and of what the second harmonics do
    "accuracy_absolute_part": measures.accuracy_absolute_part(network),
    "margin_added_by_identity": following.margin_added_by_identity(network),
    "margin_and_loss_follow_strength": logit_measures.margin_and_loss_follow_strength(network),
    "identity_evens_out": logit_measures.identity_evens_out(network),
    "clock_lead_without_harmonics": secondary_measures.clock_lead_without_harmonics(network),
    "clock_lead_with_random_phases": secondary_measures.clock_lead_with_random_phases(network),
    "clock_lead_changed_elsewhere": secondary_measures.clock_lead_changed_elsewhere(network),
    "identity_left_without_harmonics": secondary_measures.identity_left_without_harmonics(network),
}
record(values_file, network, values)
values

# %%
shared = paths["logit_id1"] + paths["logit_id2"] / 2  # (A + B) W/4
one_matrix = explained(measures.parts(network)["identity"], shared[:, None] + shared)
least = {part: getattr(measures, f"smallest_margin_{part}")(network) for part in parts}
added, taken = values["identity_evens_out"]
by_margin, by_loss = values["margin_and_loss_follow_strength"]
r2 = {part: " and ".join(f"{fits[part, kind].r_squared:.3f}" for kind in ("pizza", "clock")) for part in parts}
say(
    about(network),
    f"R² on pizza and on clock terms is {r2['full']} for the full logits, {r2['mlp']} without the residual streams, and "
    f"{r2['absolute']} for the absolute-value part.",
    f"D_k is negative at {(D < 0).sum()} of {len(key)} key frequencies. {100 * values['identity_mass']:.0f} % of the "
    f"power of logit_id1 lies at ±(2k, −k). There |Im| is at most {values['identity_imaginary_ratio']:.2g} times |Re|, "
    f"and |F₂| of logit_id2 is {min(abs(F2 / F1)):.2f} to {max(abs(F2 / F1)):.2f} times |F₁|.",
    f"The absolute-value part alone has the accuracy {values['accuracy_absolute_part']:.4f} and the smallest margin "
    f"{least['absolute']:.2f} (logits). With the identity part the smallest margin is {least['mlp']:.2f}, and with the "
    f"residual streams {least['full']:.2f}. Over the differences the mean margin of the absolute-value part goes with the "
    f"strength (rank correlation {by_margin:.2f}), and its mean loss against it ({-by_loss:.2f}). The identity part adds "
    f"{added:.2f} to the mean margin at the weakest quarter of the differences, and takes {taken:.2f} at the strongest.",
)

# %%
say(
    f"Without second harmonics the lead of clock over pizza terms turns from {values['clock_leads_full']:.3f} to "
    f"{values['clock_lead_without_harmonics']:.3f}, at random phases to {values['clock_lead_with_random_phases']:.3f}; as "
    f"large a change elsewhere leaves {values['clock_lead_changed_elsewhere']:.3f}. Without them {values['identity_left_without_harmonics']:.1%} "
    f"of all |D_k| is left. The norm of the identity part is {values['identity_over_absolute']:.2f} "
    "of that of the absolute-value part.",
    f"Both kinds of term together explain R² = {both['full']:.4f} of the full logits; the tabled coefficients explain "
    f"{as_tabled['full']:.4f}, and {as_tabled['mlp']:.4f} without the residual streams. One matrix explains R² = "
    f"{one_matrix:.4f} of the identity part; |logit_id2| is {values['second_path_over_first']:.2f} |logit_id1|.",
)
