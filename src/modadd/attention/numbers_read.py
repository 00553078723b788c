"""Which of the two numbers the neurons of a network read ([QR], reply 3)."""

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.networks.foreign import External
from modadd.networks.registry import Form, as_separable, measure, once

CONTAINED = 0.1  # of a neuron's variance: a number that has less is not in its preactivation (ours)


def numbers_read(preactivations: Float[np.ndarray, "n n h"]) -> pd.DataFrame:
    """What each neuron's preactivation depends on: shares of its variance over the inputs, a row for each neuron.

    a, b: of its mean over the other number; both: the rest, products of functions of a and of b. They sum to 1, or are
    NaN for a neuron that does not vary. In a network whose numbers are added before the ReLU `both` is 0.
    """
    total = preactivations.var(axis=(0, 1))
    whole = np.where(total > 0, total, np.nan)
    of_a, of_b = (preactivations.mean(axis=other).var(axis=0) / whole for other in (1, 0))
    return pd.DataFrame({"a": of_a, "b": of_b, "both": np.maximum(1 - of_a - of_b, 0)})


@once
def numbers_in(network: Form | External) -> pd.DataFrame:
    """`numbers_read` of a network, or of published weights, and the smaller of a and b."""
    read = numbers_read((network if isinstance(network, External) else as_separable(network)).preactivations())
    return read.assign(smaller=read[["a", "b"]].min(axis=1))


@measure("neurons that read both numbers", "share")
def neurons_with_both(network: Form | External) -> float:
    """Share of the neurons in whose preactivation each number alone has a tenth of the variance ([QR]; the tenth is ours)."""
    return float((numbers_in(network).smaller >= CONTAINED).mean())
