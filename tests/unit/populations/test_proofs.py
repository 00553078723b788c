"""What a row says is proven of a network."""

from dataclasses import replace

import numpy as np
from support import perfect_network

import modadd.populations.proofs as proofs
from modadd.populations.proofs import proof_measures
from modadd.populations.tables import PROOFS


def test_flips_prove_a_perfect_network_and_no_wrong_answer():
    right = perfect_network(13, (1, 3, 4), m=8)
    found = proof_measures(right)
    assert tuple(found) == PROOFS and found["certified_share_flips"] == 1
    assert max(found["certified_share_short"], found["certified_share_coarse"]) <= found["certified_share_flips"]
    assert proof_measures(replace(right, W=-right.W))["certified_share_flips"] < 1


def test_a_network_too_large_for_the_memory_of_its_job_is_not_proven(monkeypatch):
    monkeypatch.setattr(proofs, "LARGEST", 11)
    assert np.isnan([*proof_measures(perfect_network(13, (1, 3), m=8)).values()]).all()
