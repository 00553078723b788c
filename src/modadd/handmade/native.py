"""The pizza transformer written by hand in its own matrices, from the list of [Q] App. B.1; how much of them it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from jaxtyping import Bool, Float, Int

from modadd.core.basis import basis, basis_frequencies
from modadd.core.fourier import angular_frequency, cosine_at, plane_ratio, signed_frequency
from modadd.core.neurons import Neurons
from modadd.core.separable import Separable, centred
from modadd.handmade.build import Wave, wave_of, written

_Parameters = Mapping[str, Float[np.ndarray, "..."]]
_ROUNDING = 1e-5  # of the largest singular value: what float32 weights can leave in a direction that is empty


@dataclass(frozen=True)
class Listed:
    """What [Q] App. B.1 lists of the neurons: a group (its frequency), a width and an angle for each; and one wave.

    frequency: 1 … ⌊n/2⌋. width: r_i = α_i β_i ≥ 0, in logits; a neuron of width 0 does nothing. angle: φ_i, radians.
    """

    modulus: int
    frequency: Int[np.ndarray, "h"]
    width: Float[np.ndarray, "h"]
    angle: Float[np.ndarray, "h"]
    wave: Wave

    @property
    def frequencies(self) -> list[int]:
        """Those of the neurons that have a width, in order."""
        return np.unique(self.frequency[self.width > 0]).tolist()

    def tables(self) -> Separable:
        """The network that the list describes, in tables."""
        return written(self.modulus, self.frequency, self.angle, self.width, self.wave)

    def planes(self) -> list[tuple[int, int]]:
        """(multiple, k) of every plane that the neurons read: each frequency, then each doubled if there is an s."""
        return list(product((1, 2) if self.wave.secondary else (1,), self.frequencies))

    def numbers(self, d_model: int) -> dict[str, int]:
        """How many numbers the list takes, by kind, in a stream of d_model dimensions.

        Whole numbers count as numbers do. j orthonormal vectors of d dimensions have jd − j(j + 1)/2; a plane is two of
        them up to a turn, so one less for each. V and O have an angle and a scale for every plane that they carry.
        """
        read, m = len(self.planes()), len(self.frequencies)
        vectors = 2 * (2 * read + m)
        return {
            "frequencies": m,
            "groups, widths and angles of the neurons": 3 * len(self.frequency),
            "s and c": 2,
            "planes": vectors * d_model - vectors * (vectors + 1) // 2 - vectors // 2,
            "rotations and scales in V and O": 2 * 2 * read,
        }


def read_off(network: Separable, neurons: Neurons, members: Bool[np.ndarray, "h"]) -> Listed:
    """The list of a trained network: widths and angles of its neurons' (A + B)/2 and W; other neurons have width 0."""
    inward = cosine_at((network.A + network.B) / 2, neurons.frequency)
    width = inward.amplitude * neurons.beta * members
    return Listed(network.modulus, neurons.frequency, width, inward.phase, wave_of(network, neurons, members))


def native(
    listed: Listed, d_model: int, n_heads: int, frame: Float[np.ndarray, "d d"] | None = None
) -> dict[str, Float[np.ndarray, "..."]]:
    """The matrices of a pizza transformer, float32, that computes `listed.tables()` up to constants between A and B.

    W_E turns each residue in one plane for every frequency, and for its double if the wave has an s. V and O carry each
    plane, scaled by √2 and by √2, through two dimensions of one head to a plane of its own, from which W_in reads both
    numbers; the planes of W_E are orthogonal to these, so the b that stays in the stream is not read. W_out writes into a
    third set of planes, from which W_U reads the answer, so C = D = 0. frame: orthonormal columns, the directions that
    the planes take in turn; by default the axes. Raises ValueError for a stream or heads that have too few dimensions.
    """
    planes, m = listed.planes(), len(listed.frequencies)
    slots = 2 * -(-len(planes) // n_heads)  # dimensions of a head that are taken
    needed = 2 * (2 * len(planes) + m)
    if needed > d_model:
        raise ValueError(f"d_model: expected at least {needed} for {len(planes)} planes, got {d_model}")
    if slots > d_model // n_heads:
        raise ValueError(f"n_heads: expected heads of at least {slots} dimensions, got {d_model // n_heads}")
    directions = np.eye(d_model) if frame is None else frame
    embedded, read, answered = np.split(directions[:, :needed], [2 * len(planes), 4 * len(planes)], axis=1)
    into, out_of = np.zeros((2, n_heads, d_model, d_model // n_heads))
    for j in range(len(planes)):
        head, slot, pair = j % n_heads, 2 * (j // n_heads), slice(2 * j, 2 * j + 2)
        into[head, :, slot : slot + 2] = np.sqrt(2) * embedded[:, pair]
        out_of[head, :, slot : slot + 2] = np.sqrt(2) * read[:, pair]
    amplitude, s = np.sqrt(listed.width), listed.wave.secondary
    inward = [{1: 1, 2: -s}[multiple] * _along(listed, k, multiple * listed.angle, amplitude) for multiple, k in planes]
    outward = [_along(listed, k, 2 * listed.angle, amplitude) for k in listed.frequencies]
    matrices = {
        "W_E": _turning(listed.modulus, [multiple * k for multiple, k in planes]) @ embedded.T,
        "W_pos": np.zeros((2, d_model)),
        "W_V": into,
        "W_O": out_of.swapaxes(1, 2),
        "W_in": read @ np.concatenate(inward),
        "b_in": 2 * listed.wave.constant * amplitude,
        "W_out": np.concatenate(outward).T @ answered.T,
        "b_out": np.zeros(d_model),
        "W_U": answered @ _turning(listed.modulus, listed.frequencies).T,
    }
    return {name: np.float32(value) for name, value in matrices.items()}


def _turning(n: int, frequencies: Sequence[int]) -> Float[np.ndarray, "n two_m"]:
    """(cos w_k x, sin w_k x) of every frequency in turn."""
    turn = angular_frequency(np.outer(np.arange(n), frequencies) % n, n)
    return np.stack([np.cos(turn), np.sin(turn)], axis=-1).reshape(n, -1)


def _along(
    listed: Listed, k: int, phase: Float[np.ndarray, "h"], amplitude: Float[np.ndarray, "h"]
) -> Float[np.ndarray, "2 h"]:
    """What the neurons of frequency k read of (cos, sin), so that they get amplitude · cos(turn + phase)."""
    return np.where(listed.frequency == k, amplitude, 0) * np.stack([np.cos(phase), -np.sin(phase)])


def without_gauge(network: Separable) -> Separable:
    """The same function with what it does not see fixed: one member of all networks that differ by it.

    All constants of A stand in B, and those of C in D. W, C and D are centred over the answers. Every neuron's input
    (A_i, B_i) has the norm of its output W_i; a neuron without one of them has neither.
    """
    constants = network.A.mean(axis=0)
    A, B = network.A - constants, network.B + constants
    W, C, D = centred(network.W), centred(network.C), centred(network.D)
    inward, outward = np.sqrt((A**2 + B**2).sum(axis=0)), np.linalg.norm(W, axis=1)
    works = (inward > 0) & (outward > 0)
    ratio = np.sqrt(np.divide(outward, inward, where=works, out=np.zeros_like(inward)))
    back = np.divide(1, ratio, where=works, out=np.zeros_like(inward))
    return Separable(A * ratio, B * ratio, back[:, None] * W, C - C.mean(axis=0), D + C.mean(axis=0))


def relative_distances(network: Separable, other: Separable) -> dict[str, float]:
    """How far another network lies from a network, relative to its norm: in A, B, W without gauge, and in the logits.

    Tables are compared neuron by neuron; NaN if the numbers of neurons differ. Of the centred logits it is the share
    of their norm that no multiple of the other's explains.
    """
    first, second = without_gauge(network), without_gauge(other)
    found = {name: float("nan") for name in "ABW"}
    if network.width == other.width:
        for name in found:
            own = getattr(first, name)
            found[name] = float(np.linalg.norm(own - getattr(second, name)) / np.linalg.norm(own))
    L, theirs = centred(network.logits()), centred(other.logits())
    cosine = (L * theirs).sum() / np.linalg.norm(L) / np.linalg.norm(theirs)
    return found | {"logits": float(np.sqrt(max(0.0, 1 - cosine**2)))}


def with_doubles(frequencies: Sequence[int], n: int) -> list[int]:
    """The frequencies and their doubles as frequencies 1 … ⌊n/2⌋ of real functions, each once, in order."""
    doubled = np.abs(signed_frequency(2 * np.array(frequencies), n)).tolist()
    return sorted({*frequencies, *doubled} - {0})


def cut_to_planes(
    parameters: _Parameters, embedded: Sequence[int], answered: Sequence[int]
) -> tuple[dict[str, Float[np.ndarray, "..."]], pd.DataFrame]:
    """A pizza transformer whose matrices keep only what acts on some planes, in float64; and a table of how much that is.

    Kept are: of W_E the constant and the frequencies `embedded`; of W_V what it reads off these planes and the two
    positions; of W_O what it reads off these in its head; of W_in what it reads off them before or after attention; of
    W_U the frequencies `answered`; and of W_out what it writes where these are read. share: of the squared norm of the
    matrix. at random: the mean share of a matrix of independent normal entries, so the share of the dimensions.
    """
    p = {name: np.asarray(value, np.float64) for name, value in parameters.items()}
    n, d_model = p["W_E"].shape
    tokens, answers = _onto_lines(n, [0, *embedded]), _onto_lines(n, answered)
    W_E, W_U = tokens @ p["W_E"], p["W_U"] @ answers
    stream = np.concatenate([W_E + position for position in p["W_pos"]])
    before, within = _onto(stream), [_onto(stream @ V) for V in p["W_V"]]
    carried = stream @ (p["W_V"] @ p["W_O"]).sum(axis=0)
    read, written_to = _onto(np.concatenate([stream, carried])), _onto(W_U.T)
    kept = p | {
        "W_E": W_E,
        "W_V": before @ p["W_V"],
        "W_O": np.stack(within) @ p["W_O"],
        "W_in": read @ p["W_in"],
        "W_out": p["W_out"] @ written_to,
        "W_U": W_U,
    }
    spaces = {"W_E": [tokens], "W_V": [before], "W_O": within, "W_in": [read], "W_out": [written_to], "W_U": [answers]}
    rows = [
        {
            "matrix": name,
            "share": np.square(kept[name]).sum() / np.square(p[name]).sum(),
            "at random": np.mean([np.trace(onto) / len(onto) for onto in projections]),
        }
        for name, projections in spaces.items()
    ]
    return kept, pd.DataFrame(rows)


def _onto(rows: Float[np.ndarray, "m d"]) -> Float[np.ndarray, "d d"]:
    """The orthogonal projection onto what the rows span, up to _ROUNDING."""
    _, size, directions = np.linalg.svd(rows, full_matrices=False)
    kept = directions[size > _ROUNDING * size.max(initial=0)]
    return kept.T @ kept


def _onto_lines(n: int, frequencies: Sequence[int]) -> Float[np.ndarray, "n n"]:
    """The orthogonal projection onto functions of these frequencies on Z_n."""
    kept = basis(n)[np.isin(basis_frequencies(n), frequencies)]
    return kept.T @ kept


def planes_of(parameters: _Parameters, frequencies: Sequence[int]) -> pd.DataFrame:
    """The plane of every frequency in a pizza transformer's matrices, one line for each.

    W_E, after attention, W_U: σ₂/σ₁ of the plane there (`plane_ratio`), 1 where a residue turns on a circle. gain: norm
    after attention, halved as the network does, over norm before. kept: share of the squared norm after attention that
    stays in the plane of W_E. other planes: largest cosine of an angle between this plane and that of another frequency,
    in W_E and in W_U; NaN for a single frequency.
    """
    p = {name: np.asarray(value, np.float64) for name, value in parameters.items()}
    OV, n = (p["W_V"] @ p["W_O"]).sum(axis=0) / 2, len(p["W_E"])
    embedded = {k: _onto_lines(n, [k]) @ p["W_E"] for k in frequencies}
    answered = {k: _onto_lines(n, [k]) @ p["W_U"].T for k in frequencies}
    rows = []
    for k in frequencies:
        carried = embedded[k] @ OV
        row = {"frequency": k, "W_E": plane_ratio(p["W_E"], k), "after attention": plane_ratio(p["W_E"] @ OV, k)}
        row |= {"W_U": plane_ratio(p["W_U"].T, k), "gain": np.linalg.norm(carried) / np.linalg.norm(embedded[k])}
        row["kept"] = np.square(carried @ _onto(embedded[k])).sum() / np.square(carried).sum()
        for name, planes in (("W_E", embedded), ("W_U", answered)):
            others = [_onto(planes[k]) @ _onto(plane) for other, plane in planes.items() if other != k]
            row[f"other planes, {name}"] = max((np.linalg.norm(both, 2) for both in others), default=np.nan)
        rows.append(row)
    return pd.DataFrame(rows)
