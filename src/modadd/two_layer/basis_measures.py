"""What [M] says of a network in the Fourier basis: of its activations, logits, W_neur and readout W_U."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.networks.registry import Form, as_separable, measure, neurons_in, once
from modadd.two_layer import readout

KEY_OF_READOUT = "key frequency of W_U"
OF_NINE_TERMS = 0.9  # of a neuron's variance: with as much in its nine terms, it counts as a combination of them (ours)


@once
def activations_in(network: Form) -> Float[np.ndarray, "n n h"]:
    """Activations after the ReLU, of every input."""
    return np.maximum(as_separable(network).preactivations(), 0)


@once
def activations_in_basis(network: Form) -> Float[np.ndarray, "n n h"]:
    """Their coefficients at products of basis functions of a and b."""
    return readout.transform_2d(activations_in(network))


@once
def logits_in_basis(network: Form) -> Float[np.ndarray, "n n n"]:
    """Coefficients of the logits at products of basis functions of a and b."""
    separable = as_separable(network)
    return readout.transform_2d(activations_in(network) @ separable.W + separable.residual())


@once
def shares_of_nine_terms(network: Form) -> Float[np.ndarray, "h"]:
    """`own_terms` of every neuron after the ReLU: the share of its variance in the nine terms of its frequency."""
    return readout.own_terms(activations_in_basis(network), neurons_in(network).frequency)


@once
def explained_in(network: Form) -> pd.DataFrame:
    """`variance_explained` at the key frequencies of W_U, by the activations of every input."""
    key = W_U_frequencies(network)
    return readout.variance_explained(readout.projections(activations_in(network), as_separable(network).W, key), key)


@measure("share of neurons that are\nnine terms of one frequency", "share")
def neurons_of_nine_terms(network: Form) -> float:
    """Share of the neurons with nine tenths of their variance in the nine terms of one frequency ([M]; the limit is ours)."""
    return float((shares_of_nine_terms(network) >= OF_NINE_TERMS).mean())


@measure("power of quadratic over\nlinear terms of the logits", "1")
def quadratic_over_linear_logits(network: Form) -> float:
    """Power of the logits in products of a and b at a key frequency over that in sines and cosines of one number ([M])."""
    shares = readout.shares_of_terms(readout.power(logits_in_basis(network)), W_U_frequencies(network))
    return shares["quadratic"] / shares["linear"] if shares["linear"] else float("nan")


@measure("key frequencies of W_U", "1", KEY_OF_READOUT)
def W_U_frequencies(network: Form) -> list[int]:
    """The frequencies of W_U whose power stands above the widest gap, in order ([M]; the gap as a rule is ours)."""
    return readout.ranking(as_separable(network).W.T).key_frequencies


@measure("W_neur has the key frequencies of W_U", "1")
def frequencies_agree(network: Form) -> float:
    """1 if W_neur = W_E W_in has the key frequencies of W_U, else 0 ([M])."""
    return float(readout.ranking(as_separable(network).A).key_frequencies == W_U_frequencies(network))


@measure("products have the key frequencies of W_U", "1")
def products_agree(network: Form) -> float:
    """1 if the products in the activations and in the logits have the key frequencies of W_U, else 0 ([M])."""
    found = (readout.ranking_of_products(of(network)) for of in (activations_in_basis, logits_in_basis))
    return float(all(products.key_frequencies == W_U_frequencies(network) for products in found))


@measure("norm of W_U at its key frequencies\nover that of W_U", "1")
def norm_ratio(network: Form) -> float:
    """Norm of W_U restricted to its key frequencies over that of W_U ([M])."""
    return readout.norm_ratio(as_separable(network).W.T, W_U_frequencies(network))


@measure("norm of W_neur at the key frequencies\nof W_U over that of W_neur", "1")
def norm_ratio_of_W_neur(network: Form) -> float:
    """Norm of W_neur = W_E W_in restricted to the key frequencies of W_U over that of W_neur ([M])."""
    return readout.norm_ratio(as_separable(network).A, W_U_frequencies(network))


@measure("share of variance explained, sine", "share", KEY_OF_READOUT)
def fve_sin(network: Form) -> Float[np.ndarray, "k"]:
    """Share of the power of the readout's sine that sin·cos and cos·sin of the two numbers explain ([M], FVE)."""
    return explained_in(network).sin.to_numpy()


@measure("share of variance explained, cosine", "share", KEY_OF_READOUT)
def fve_cos(network: Form) -> Float[np.ndarray, "k"]:
    """Share of the power of the readout's cosine that cos·cos and sin·sin of the two numbers explain ([M], FVE)."""
    return explained_in(network).cos.to_numpy()
