"""What single clusters of one network add to the logits, and how far they answer alone ([C] §4.1, §5.4, App. C)."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from jaxtyping import Float

from modadd.core.neurons import ThreeDFTs
from modadd.crt.clusters import cluster_table
from modadd.crt.contributions import ranks
from modadd.crt.cosets import coset_order, share_on_cosets
from modadd.crt.simple_neurons import kinds
from modadd.crt.waves import waves
from modadd.networks.store import Network

Added = Mapping[int, Float[np.ndarray, "n n n"]]  # what each cluster adds, by its frequency, less the mean over answers


def answers_table(network: Network, dfts: ThreeDFTs, added: Added) -> pd.DataFrame:
    """A line for each cluster: how it ranks the right answer alone, and what its wave is like.

    A varies by: the spread of its amplitude over inputs, over the mean. on cosets: the share of its variance that is
    constant on exact cosets; NaN where there are none.
    """
    n = network.recipe.modulus
    table, wave = cluster_table(dfts, kinds(dfts)).set_index("frequency").loc[list(added)], waves(network)
    rank = [ranks(part) for part in added.values()]
    own = [wave[f] for f in added]
    table["rank 0"] = [(found == 0).mean() for found in rank]
    table["median rank"] = [np.median(found) for found in rank]
    table["shape"] = [one.shape for one in own]
    table["A"] = [(one.amplitude * np.cos(one.lag)).mean() for one in own]
    table["shift error"] = [one.shift_error for one in own]
    table["A varies by"] = [one.amplitude.std() / max(one.amplitude.mean(), np.finfo(float).tiny) for one in own]
    table["median |ε|"] = [np.median(np.abs(one.lag)) for one in own]
    orders = [coset_order(f, n) for f in added]
    by_answer = [np.moveaxis(part, 2, 0).reshape(n, -1) for part in added.values()]
    table["on cosets"] = [
        share_on_cosets(part, g).mean() if g > 1 else np.nan for part, g in zip(by_answer, orders, strict=True)
    ]
    return table.reset_index().drop(columns=["phase_p", "phase_spread"])


def shares_of_ranks(added: Added, n: int) -> pd.DataFrame:
    """The share of inputs at which each cluster alone gives the right answer each rank, from 0, the first."""
    counts = {f: np.bincount(ranks(part).ravel(), minlength=n) / n**2 for f, part in added.items()}
    return pd.DataFrame(counts, index=np.arange(n)).rename_axis("rank")
