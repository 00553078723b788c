"""What [M] says of the readout W_U of a network ("Understanding W_U"), each a number of the network."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.networks.measures import Form, as_separable, measure, once
from modadd.two_layer import readout

EACH = "key frequency of W_U"


@once
def _explained(network: Form) -> pd.DataFrame:
    """`variance_explained` at the key frequencies of W_U, by the activations of every input."""
    tables, key = as_separable(network), W_U_frequencies(network)
    activations = np.maximum(tables.preactivations(), 0)
    return readout.variance_explained(readout.projections(activations, tables.W, key), key)


@measure("key frequencies of W_U", "1", EACH)
def W_U_frequencies(network: Form) -> list[int]:
    """The frequencies of W_U whose power stands above the widest gap, in order ([M]; the gap as a rule is ours)."""
    return readout.ranking(as_separable(network).W.T).key_frequencies


@measure("norm of W_U at its key frequencies\nover that of W_U", "1")
def norm_ratio(network: Form) -> float:
    """Norm of W_U restricted to its key frequencies over that of W_U ([M])."""
    return readout.norm_ratio(as_separable(network).W.T, W_U_frequencies(network))


@measure("share of variance explained, sine", "share", EACH)
def fve_sin(network: Form) -> Float[np.ndarray, "k"]:
    """Share of the power of the readout's sine that sin·cos and cos·sin of the two numbers explain ([M], FVE)."""
    return _explained(network).sin.to_numpy()


@measure("share of variance explained, cosine", "share", EACH)
def fve_cos(network: Form) -> Float[np.ndarray, "k"]:
    """Share of the power of the readout's cosine that cos·cos and sin·sin of the two numbers explain ([M], FVE)."""
    return _explained(network).cos.to_numpy()
