"""Measures of the logits in Study Q beyond R² of one kind of term: the formula, both paths, margins by difference."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.fourier import coefficient_2d, signed_frequency
from modadd.core.losses import losses
from modadd.core.separable import centred, margins
from modadd.networks.registry import KEY, Form, as_separable, measure, once
from modadd.quadrature.formula import fit_formula, squares_of, strength_by_difference
from modadd.quadrature.scheme_measures import absolute_coefficients, identity_coefficients, parts, path, schemes_in


@measure("R², full logits,\nfinal formula", "1")
def r2_full_formula(network: Form) -> float:
    """R² of the logits on pizza terms and cos(w_k(a − b)) cos(w_k(a + b − c)), fitted together ([Q] §6)."""
    return fit_formula(parts(network)["full"], list(schemes_in(network))).r_squared


@once
def second_path(network: Form) -> Float[np.ndarray, "n n"]:
    """(B − A) W/2: what the embedding of the second number adds past the attention, logit_id2 of [Q]."""
    tables = as_separable(network)
    return (tables.B - tables.A) @ tables.W / 2


@measure("size of logit_id2\nover that of logit_id1", "1")
def second_path_over_first(network: Form) -> float:
    """Norm of logit_id2 over that of logit_id1, both less their mean over the answers; NaN where that is 0 ([Q] §6)."""
    second, first = (np.linalg.norm(centred(one(network))) for one in (second_path, path))
    return second / first if first else np.nan


@measure("distance of both D_k\nover the largest |D_k|", "1")
def path_off_identity(network: Form) -> float:
    """Largest distance of the D_k that the text defines, in logit_id1, from that of its table, over the largest of these ([Q] §6).

    NaN of a network without identity part.
    """
    tabled = identity_coefficients(network)
    largest = np.abs(tabled).max(initial=0)
    return np.abs(path_coefficients(network) - tabled).max() / largest if largest else np.nan


@once
def path_coefficients(network: Form) -> Float[np.ndarray, "key"]:
    """Coefficients of cos(kz − 2kx) in logit_id1 at the key frequencies ([Q] §6)."""
    logits, n = path(network), as_separable(network).modulus
    lines = {k: 1 if 2 * k == n else 2 for k in schemes_in(network)}  # ±(2k, −k)
    return np.array([many * coefficient_2d(logits, 2 * k, -k).real for k, many in lines.items()])


@measure("coefficient of cos²", "logits", KEY)
def cos_squared_coefficients(network: Form) -> Float[np.ndarray, "key"]:
    """Coefficients of cos²(w_k(a − b)/2) cos(w_k(a + b − c)) in the identity part, beside clock terms ([Q] §6)."""
    return squares_of(parts(network)["identity"], list(schemes_in(network)))


@once
def by_difference(network: Form) -> pd.DataFrame:
    """Margins and losses of the logits and their parts, one line for each difference a − b from −⌊n/2⌋.

    mean and min of the margin of each part of the ReLU's logits and of all, mean of the loss (nats) of the absolute part;
    strength: Σ C_k |cos(w_k(a − b)/2)| over Σ C_k.
    """
    found, n = parts(network), as_separable(network).modulus
    a, b = np.indices((n, n))
    inputs = pd.DataFrame({part: margins(found[part]).ravel() for part in ("full", "mlp", "absolute")})
    inputs = inputs.groupby(signed_frequency(a - b, n).ravel()).agg(["mean", "min"]).rename_axis("difference")
    inputs.columns = ["_".join(column) for column in inputs.columns]
    loss = pd.Series(losses(found["absolute"]).ravel()).groupby(signed_frequency(a - b, n).ravel()).mean()
    strength = strength_by_difference(absolute_coefficients(network), list(schemes_in(network)), n)
    return inputs.assign(absolute_loss=loss, strength=strength[inputs.index])


@once
def by_distance(network: Form) -> pd.DataFrame:
    """`by_difference` with one line for d and −d together, their mean: by symmetry they have the same strength.

    As two lines they would be ranked by the last bit of that strength.
    """
    lines = by_difference(network)
    return lines.groupby(lines.index.map(abs).rename("distance")).mean()


@measure("rank correlation of margin, and of\n−loss, of the absolute part with strength", "1", "margin and loss")
def margin_and_loss_follow_strength(network: Form) -> list[float]:
    """Rank correlation over |a − b| of the absolute part's mean margin, and of minus its mean loss, with strength ([Q] §6)."""
    found = by_distance(network)
    return [found.strength.corr(found.absolute_mean, "spearman"), found.strength.corr(-found.absolute_loss, "spearman")]


QUARTER = 0.25  # of the distances are those where the cosines are small, or large


@measure("margin that the identity part adds where\ncosines are small, takes where large", "logits", "weak and strong")
def identity_evens_out(network: Form) -> list[float]:
    """What the identity part adds to the mean margin at the weakest quarter of |a − b|, takes at the strongest ([Q] §6)."""
    found = by_distance(network)
    gain = found.mlp_mean - found.absolute_mean
    weak, strong = (found.strength.rank(pct=True, ascending=up) <= QUARTER for up in (True, False))
    return [gain[weak].mean(), -gain[strong].mean()]
