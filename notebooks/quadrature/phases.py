# %% [markdown]
# # Are the output phases twice the input phases?
#
# **Claim** ([Q] Fig. 1, [Q2] Fig. 3). Neuron i reads a ↦ α cos(w_k a + φ) and writes c ↦ β cos(w_k c + ψ) at one
# frequency k. At this frequency, and at no other, its phases obey
#
# $$ \psi_i \approx 2\varphi_i \pmod{2\pi}. $$
#
# The angles φ are spread roughly evenly around the circle. ([Q] prints −2φ with these same cosines. With that sign the
# network would compute a + b + c, so it is a slip.)
#
# **Method.** Every neuron's column of A and row of W is read in amplitude–phase form at the neuron's primary frequency.
# Each ψ is moved by a multiple of 2π to the value nearest 2φ, and a line is fitted by least squares.

# %%
import numpy as np
import pandas as pd

from modadd.core.fourier import cosine_at, wrap
from modadd.core.neurons import at_frequency
from modadd.networks.registry import neurons_in
from modadd.networks.store import load_network
from modadd.plots.figures import COLOURS, DASHES, panels, pi_ticks, published_line, save_figure, save_table, use_style
from modadd.quadrature import following, neuron_measures
from modadd.quadrature import scheme_measures as measures
from modadd.quadrature.evenness import interval_ratio, share_less_even
from modadd.quadrature.scheme import gaps, phase_mismatch, unwrapped
from paper.notebook import about, record, say

# %% tags=["parameters"]
network_file = "results/networks/pizza_transformer/seed0.safetensors"
figures = "results/by_hand/phases"
values_file = "results/by_hand/phases.json"
published = {}  # printed values, filled in from the ledger; empty where the recipe is another one
exhibit = 12  # the frequency that the paper shows; the strongest one instead, if the network has not learned it
most_panels = 6  # frequencies drawn, strongest first

# %%
use_style()
network = load_network(network_file)
separable = network.separable()
neurons, schemes = neurons_in(network), measures.schemes_in(network)
drawn = neurons.strongest(most_panels)
exhibit = exhibit if exhibit in schemes else neurons.strongest(1)[0]
as_published = published if exhibit == 12 else {}  # the paper's numbers are those of its own exhibit
{k: len(scheme.phi) for k, scheme in schemes.items()}  # neurons per key frequency

# %% [markdown]
# ## The law, frequency by frequency
# Each point is a neuron. The line is ψ = 2φ, not the fit; the slope and the R² of the fit stand in each title. ψ is an
# angle: it is drawn and fitted on the branch that is nearest to 2φ, so random ψ would have a slope of about 2, too.

# %%
lines = dict(zip(schemes, measures.phase_lines(network), strict=True))
figure, axes = panels(len(drawn), columns=4, height=2.0, sharex=True, sharey=True)
circle = np.linspace(-np.pi, np.pi, 2)
for ax, k, colour in zip(axes, drawn, COLOURS, strict=False):
    ax.plot(circle, 2 * circle, color="0.6", linewidth=1, zorder=1)
    ax.scatter(schemes[k].phi, unwrapped(schemes[k].phi, schemes[k].psi), s=6, color=colour, linewidth=0)
    ax.set(title=f"k = {k}\nslope {lines[k].slope:.4f}, R² {lines[k].r_squared:.5f}", xlabel="input phase φ (rad)")
    pi_ticks(ax.xaxis, -1, 0, 1)
    pi_ticks(ax.yaxis, -2, 0, 2)
axes[0].set_ylabel("output phase ψ (rad)")
points = pd.concat(
    pd.DataFrame({"frequency": k, "phi": scheme.phi, "psi": scheme.psi, "weight": scheme.weight})
    for k, scheme in schemes.items()
)
save_figure(figure, f"{figures}/phase_law", points)

# %% [markdown]
# ## The other frequencies do not obey
# The neurons of one frequency carry a little of the others too, and can be read there. Where the law holds, the root
# mean square of ψ − 2φ is near zero. Phases that have nothing to do with each other scatter around π/√3 ≈ 1.81 rad, the
# value of uniform noise. Claimed: near zero at the neurons' own frequency (coloured), noise at all others (grey).

# %%
members = neurons.frequency == exhibit
mismatch = {
    k: phase_mismatch(inward.phase[members], outward.phase[members])
    for k in range(1, separable.modulus // 2 + 1)
    for inward, outward in [at_frequency(separable, k)]
}
rms = pd.DataFrame({"frequency": list(mismatch), "rms_mismatch": measures.rms_by_frequency(network)[exhibit]})
other = max((k for k in drawn if k != exhibit), default=exhibit % (separable.modulus // 2) + 1)

# %%
figure, axes = panels(3, columns=3, height=2.1)
for ax, k, colour in zip(axes, (exhibit, other), COLOURS, strict=False):
    inward, outward = at_frequency(separable, k)
    ax.plot(circle, 2 * circle, color="0.6", linewidth=1, zorder=1)
    ax.scatter(inward.phase[members], 2 * inward.phase[members] + mismatch[k], s=6, color=colour, linewidth=0)
    ax.set(title=f"neurons of frequency {exhibit}, read at {k}")
    ax.set(xlabel="input phase φ (rad)", ylabel="output phase ψ (rad)")
    pi_ticks(ax.xaxis, -1, 0, 1)
    pi_ticks(ax.yaxis, -2, 0, 2)
axes[2].bar(rms.frequency, rms.rms_mismatch, color=[COLOURS[0] if k == exhibit else "0.7" for k in rms.frequency])
axes[2].axhline(np.pi / np.sqrt(3), color=COLOURS[1], label="uniform noise, π/√3")
axes[2].set(title=f"neurons of frequency {exhibit}", xlabel="frequency they are read at")
axes[2].set(ylabel="rms of ψ − 2φ (rad)", ylim=(0, 3.2))
axes[2].legend(loc="upper right")
save_figure(figure, f"{figures}/other_frequencies", rms)

# %% [markdown]
# ## How evenly the angles lie
# Left, the intervals between neighbouring angles φ. Right, how the widths w that the weights give them add up. Even
# spacing is not needed: only the widths have to match the gaps. [Q2] concludes from the mean and the standard deviation
# of the intervals that the angles are *roughly uniform*. But independent random angles have a standard deviation near
# their mean as well. So the table compares the intervals with those of 2000 sets of as many random angles. It also has
# the largest *excess of an arc*: the share of the angles in an arc, less the arc's share of the circle.
#
# An analysis of networks with u² lets the phases of the two numbers be independent and random ([QR]). Here both numbers
# share one embedding. The table has the root mean square of φ_b − φ_a; independent phases have π/√3 ≈ 1.81 rad.

# %%
intervals = {k: gaps(scheme) for k, scheme in schemes.items()}
figure, axes = panels(2, height=2.4)
axes[0].hist(intervals[exhibit], bins=30, color=COLOURS[0])
published_line(axes[0], as_published.get("intervals", [None])[0], label="published mean")
axes[0].set(title=f"k = {exhibit}", xlabel="interval between neighbouring angles φ (rad)", ylabel="neurons")
axes[0].locator_params(nbins=5)
axes[0].axvline(intervals[exhibit].mean(), color=COLOURS[1], linewidth=4, alpha=0.5, zorder=1, label="mean here")
axes[0].legend(loc="upper right")
for k, colour, dash in zip(drawn, COLOURS, DASHES, strict=False):
    ahead = np.cumsum(schemes[k].weight) - schemes[k].weight / 2 - np.pi - schemes[k].phi
    axes[1].plot(schemes[k].phi, ahead, color=colour, linestyle=dash, label=f"k = {k}")
axes[1].axhline(0, color="0.6", linewidth=1, zorder=0)
axes[1].set(xlabel="input phase φ (rad)", ylabel="Σ widths − π − φ\n(rad)")
pi_ticks(axes[1].xaxis, -1, 0, 1)
axes[1].set_ylim(top=axes[1].get_ylim()[1] * 1.6)
axes[1].legend(ncols=4, loc="upper center", columnspacing=1, handlelength=1.5)
lengths = pd.concat(pd.DataFrame({"frequency": k, "interval": interval}) for k, interval in intervals.items())
save_figure(figure, f"{figures}/intervals", lengths)

# %%
phi_b = cosine_at(separable.B, neurons.frequency).phase
phases_apart = {k: np.sqrt((wrap(phi_b - neurons.phi)[neurons.frequency == k] ** 2).mean()) for k in schemes}
rms_mismatch = dict(zip(schemes, measures.rms_mismatch(network), strict=True))
interval_summary = dict(zip(schemes, following.intervals(network), strict=True))  # mean and standard deviation
arc_excess = dict(zip(schemes, neuron_measures.arc_excess(network), strict=True))
table = pd.DataFrame(
    {
        "frequency": k,
        "neurons": len(scheme.phi),
        "slope": lines[k].slope,
        "r_squared": lines[k].r_squared,
        "rms_mismatch_rad": rms_mismatch[k],
        "interval_mean_rad": interval_summary[k][0],
        "interval_std_rad": interval_summary[k][1],
        "width_std_rad": scheme.weight.std(),
        "std_over_mean": interval_ratio(scheme.phi),
        "random_sets_less_even": share_less_even(scheme.phi),
        "arc_excess": arc_excess[k],
        "rms_second_phase_off_rad": phases_apart[k],
    }
    for k, scheme in schemes.items()
)
save_table(table, f"{figures}/phase_table", digits=4)
table

# %% [markdown]
# ## Result
# Claimed of the published network: at every key frequency a line fits the phases with R² above 0.99, and at other
# frequencies there is no such law. R² shows the law at the neurons' own frequency; the slope does not, because of the
# branch. The ratio of root mean squares shows whether the law is absent at other frequencies: it is far above 1 if the
# law holds at the neurons' own frequency only, and about 1 if it holds nowhere.
#
# The standard deviation of the intervals is 0 for equally spaced angles, and about their mean for random angles. If
# less than 95 % of the random sets are less even, the intervals do not show that the angles are more even than random
# ones. Then "roughly uniform" can only mean that no arc has far too many angles. The notebook on other activations asks
# the question that matters for the integral: how far the angles *and* widths beat random angles.

# %%
ratios = dict(zip(schemes, measures.mismatch_elsewhere_over_own(network), strict=True))
values = {
    "phase_line_r_squared": measures.phase_line_r_squared(network),
    "printed_sign_cosine": neuron_measures.printed_sign_cosine(network),
    "intervals": interval_summary[exhibit],
    "mismatch_elsewhere_over_own": list(ratios.values()),
    "arc_excess_p": neuron_measures.arc_excess_p(network),
}
record(values_file, network, values)
values

# %%
mean, std = values["intervals"]
say(
    about(network),
    f"The key frequencies are {', '.join(map(str, schemes))}. The slope of ψ against φ is "
    f"{table.slope.min():.4f} to {table.slope.max():.4f}; R² is at least {table.r_squared.min():.5f}.",
    f"For the neurons of k = {exhibit} the root mean square of ψ − 2φ is at every other frequency at least "
    f"{ratios[exhibit]:.3g} times that at their own, and for those of any key frequency at least "
    f"{min(ratios.values()):.3g} times. The intervals of k = {exhibit} have the mean "
    f"{mean:.4f} rad and the standard deviation {std:.4f} rad, {std / mean:.2f} of the mean.",
    f"Over the key frequencies the standard deviation is {table.std_over_mean.min():.2f} to "
    f"{table.std_over_mean.max():.2f} of the mean. "
    f"{100 * table.random_sets_less_even.min():.0f} to {100 * table.random_sets_less_even.max():.0f} % of random sets "
    "with the same number of angles are less even. "
    f"The excess of an arc is at most {table.arc_excess.max():.3f}. "
    f"The phases of the two numbers differ by at most {max(phases_apart.values()):.4f} rad (rms).",
)
