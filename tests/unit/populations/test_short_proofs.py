"""Networks of which a short proof certifies all, some or no inputs."""

import numpy as np
import pandas as pd

from modadd.populations.short_proofs import rows_with_proofs, without_short_proof


def test_rows_are_those_whose_proofs_are_measured_by_study():
    populations = {
        "q_seeds": pd.DataFrame({"certified_share_flips": [1.0, np.nan], "seed": [0, 1]}),
        "c91_batch": pd.DataFrame({"certified_share_flips": [0.0], "seed": [2]}),
    }
    assert rows_with_proofs(populations)[["study", "seed"]].to_numpy().tolist() == [["Q", 0], ["C", 2]]


def test_a_network_with_one_certified_input_has_a_short_proof_of_something():
    found = without_short_proof(pd.DataFrame({"certified_share_short": [0.0, 1e-4, 1.0, 0.0]}))
    assert (found.holds, found.of) == (2, 4)
