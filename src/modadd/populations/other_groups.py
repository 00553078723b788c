"""The theorists' networks on two groups of one order: the cyclic one, and a product ([T] beyond Z_n)."""

from typing import Any

import numpy as np
import pandas as pd

from modadd.core.statistics import difference_of_means, share
from modadd.crt.simple_neuron_measures import median_of
from modadd.quadrature.torus import LAWFUL


def summary_of_group(right: pd.DataFrame) -> dict[str, Any]:
    """The numbers of one group's networks without a wrong answer, by the words that head them in a table."""
    neurons = [of for characters in right.character_neurons for of in characters]
    orders = sorted({order for orders in right.character_orders for order in orders})
    return {
        "networks": len(right),
        "N, mean": right.spectral_count.mean(),
        "neurons per character, median": median_of(np.array(neurons, float)),
        "orders of the characters": ", ".join(map(str, orders)),
        "pure neurons": right.share_pure.mean(),
        "mismatch, median": right.scheme_mismatch.median(),
        "error, median": right.scheme_error.median(),
        "R², median": right.scheme_r_squared.median(),
    }


def product_beside_cyclic(
    cyclic: pd.DataFrame, product: pd.DataFrame, trained: pd.DataFrame, least_r_squared: float
) -> dict[str, Any]:
    """How the networks on a product of groups keep the law, and how many characters more they take.

    cyclic, product: the networks without a wrong answer; trained: all networks on the product. The integrals explain a
    network from `least_r_squared` on.
    """
    right = share((trained.accuracy == 1).to_numpy())
    lawful = share((product.scheme_mismatch <= LAWFUL).to_numpy())
    counts = product.spectral_count.to_numpy(), cyclic.spectral_count.to_numpy()
    return {
        "shares_right_and_lawful": [right, lawful],
        "share_explained": share((product.scheme_r_squared >= least_r_squared).to_numpy()),
        "more_characters": difference_of_means(*counts),
        "error": product.scheme_error.median(),
        "cyclic_error": cyclic.scheme_error.median(),
        "r_squared": product.scheme_r_squared.median(),
        "cyclic_r_squared": cyclic.scheme_r_squared.median(),
        "mismatch": product.scheme_mismatch.median(),
        "cyclic_mismatch": cyclic.scheme_mismatch.median(),
    }
