"""The explained network: of every neuron the constant and multiples of its own frequency, and the noise around it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from modadd.certificates.rounding import UNIT, require_small
from modadd.core.fourier import angular_frequency, cosine_at, with_lines_only
from modadd.core.neurons import multiples_of, own_frequency
from modadd.core.separable import Separable


class Choice(NamedTuple):
    """A member of the family as seen from one input: x in [−1, 1] for the rows a of A and b of B, and s for W."""

    x: Float[np.ndarray, "h"]
    s: Float[np.ndarray, "h"]


@dataclass(frozen=True)
class Explained:
    """A family of networks Σ_i act(A_i(a) + B_i(b)) W_i(c) + C[a,c] + D[b,c] around one made of few cosines.

    act(u) = |u|/2 + identity·u: the ReLU for ½; for 0 its absolute-value part, C and D then holding the identity part
    too. `centre` holds the tables of the explained network and C and D, which all members share. Of a member, A and B
    lie entry by entry within noise_A and noise_B (≥ 0) of the centre, and W is centre.W + s_i residual_W_i with one
    |s_i| ≤ 1 per neuron: W_i(t) − W_i(c) is off by at most |residual_W_i(t) − residual_W_i(c)|. The network itself is
    a member. centre.W_i(c) = const + Σ_j cos_ji cos(w c) + sin_ji sin(w c) at the frequencies `lines`; a multiple
    that is 0 or no new frequency mod n has coefficients 0.
    """

    frequency: Int[np.ndarray, "h"]
    lines: Int[np.ndarray, "m h"]
    cos: Float[np.ndarray, "m h"]
    sin: Float[np.ndarray, "m h"]
    centre: Separable
    noise_A: Float[np.ndarray, "n h"]
    noise_B: Float[np.ndarray, "n h"]
    residual_W: Float[np.ndarray, "h n"]
    identity: float

    @property
    def slope(self) -> float:
        """The largest |act(u + ε) − act(u)| / |ε|: 1 for the ReLU, ½ for its absolute-value part."""
        return 0.5 + self.identity

    def act(self, u: Float[np.ndarray, "*s"]) -> Float[np.ndarray, "*s"]:
        """|u|/2 + identity·u."""
        return np.abs(u) / 2 + self.identity * u

    def logits_at(self, a: int, b: int, choice: Choice) -> Float[np.ndarray, "n"]:
        """Logits of the input (a, b) in the member that makes this choice there."""
        u = self.centre.A[a] + self.centre.B[b] + choice.x * (self.noise_A[a] + self.noise_B[b])
        W = self.centre.W + choice.s[:, None] * self.residual_W
        return self.act(u) @ W + self.centre.C[a] + self.centre.D[b]

    def groups(self) -> list[Int[np.ndarray, "_"]]:
        """The neurons of each frequency that occurs, in order of frequency."""
        return [np.flatnonzero(self.frequency == k) for k in np.unique(self.frequency)]

    def envelope(self) -> Separable:
        """Tables that the moduli of no member's tables exceed."""
        centre = self.centre
        return Separable(
            np.abs(centre.A) + self.noise_A,
            np.abs(centre.B) + self.noise_B,
            np.abs(centre.W) + np.abs(self.residual_W),
            np.abs(centre.C),
            np.abs(centre.D),
        )

    def member(
        self, x_A: Float[np.ndarray, "n h"], x_B: Float[np.ndarray, "n h"], s: Float[np.ndarray, "h"]
    ) -> Separable:
        """The member A = centre.A + x_A noise_A, B alike, W = centre.W + s residual_W; all entries in [−1, 1]."""
        A, B = self.centre.A + x_A * self.noise_A, self.centre.B + x_B * self.noise_B
        W = self.centre.W + s[:, None] * self.residual_W
        bypassing = 0.5 - self.identity  # the ReLU of a Separable brings the identity part back, so C and D lose it
        return Separable(A, B, W, self.centre.C - bypassing * A @ W, self.centre.D - bypassing * B @ W)


class Circle(NamedTuple):
    """cos and sin of angles on a circle."""

    cos: Float[np.ndarray, "*s"]
    sin: Float[np.ndarray, "*s"]


def circle(steps: Int[np.ndarray, "*s"], period: int) -> Circle:
    """cos and sin of 2π steps/period, to within 6e-15: the angle is reduced to one turn in whole numbers."""
    angle = angular_frequency(steps % period, period)
    return Circle(np.cos(angle), np.sin(angle))


def explain(network: Separable, multiples: int = 2, bypass_identity: bool = True) -> Explained:
    """Keep of A_i, B_i, W_i the constant and the frequencies k … multiples·k, k the neuron's own; C and D as they are.

    With `bypass_identity` the identity part of the ReLU, which is linear in A and B, counts as bypassing the ReLU
    like C and D: A W/2 and B W/2 are kept exactly, and the noise of A and B reaches the logits at half the strength.
    Raises ValueError for entries of 2⁴⁸⁰ or more.
    """
    require_small(network)
    n, frequency = network.modulus, own_frequency(network)
    lines = multiples_of(frequency, multiples, n)
    fresh = np.array([(line > 0) & (line != lines[:j]).all(axis=0) for j, line in enumerate(lines)]).reshape(
        lines.shape
    )
    waves = [cosine_at(network.W.T, line) for line in lines]
    cos = np.array([wave.amplitude * np.cos(wave.phase) for wave in waves]).reshape(lines.shape) * fresh
    sin = np.array([-wave.amplitude * np.sin(wave.phase) for wave in waves]).reshape(lines.shape) * fresh

    A, B = with_lines_only(network.A, lines), with_lines_only(network.B, lines)
    turn = circle(lines[:, :, None] * np.arange(n), n)
    W = network.W.mean(axis=1)[:, None] + (cos[:, :, None] * turn.cos + sin[:, :, None] * turn.sin).sum(axis=0)
    bypassing = [table @ network.W / 2 if bypass_identity else 0.0 for table in (network.A, network.B)]
    return Explained(
        frequency=frequency,
        lines=lines,
        cos=cos,
        sin=sin,
        centre=Separable(A, B, W, network.C + bypassing[0], network.D + bypassing[1]),
        noise_A=np.abs(network.A - A) * (1 + 4 * UNIT),  # not below the exact difference of the float tables
        noise_B=np.abs(network.B - B) * (1 + 4 * UNIT),
        residual_W=network.W - W,
        identity=0.0 if bypass_identity else 0.5,
    )


def reach(
    explained: Explained, u: Float[np.ndarray, "*s h"], noise: Float[np.ndarray, "*s h"]
) -> tuple[Float[np.ndarray, "*s h"], Float[np.ndarray, "*s h"]]:
    """The preactivations within `noise` of u where act, convex and least at 0, is smallest and where it is largest."""
    low, high = u - noise, u + noise
    return np.clip(0, low, high), np.where(explained.act(low) > explained.act(high), low, high)


def worst_choice(explained: Explained, a: int, b: int, c: int) -> Choice:
    """The member whose margin of a + b over the answer c at the input (a, b) is the smallest of the family.

    act ≥ 0, so the smallest W_i(t) − W_i(c) is the worst, and its sign says which end of the preactivation is.
    """
    centre, t = explained.centre, (a + b) % explained.centre.modulus
    gap = explained.residual_W[:, t] - explained.residual_W[:, c]
    u, noise = centre.A[a] + centre.B[b], explained.noise_A[a] + explained.noise_B[b]
    least, most = reach(explained, u, noise)
    chosen = np.where(centre.W[:, t] - centre.W[:, c] - np.abs(gap) < 0, most, least)
    x = (chosen - u) / np.where(noise > 0, noise, 1)
    return Choice(np.clip(x, -1, 1), -np.sign(gap))
