"""The shorter proofs as numbers of a network."""

from dataclasses import replace

import numpy as np
from support import perfect_network

from modadd.certificates import proof_sizes, proofs
from modadd.certificates.ladder import CHEAPER, RUNGS, by_flips
from modadd.core.separable import margins
from modadd.networks import registry as measures
from modadd.networks.registry import measured, measures_in


def of(network):
    return measured(network, measures_in(proofs))


def test_flips_prove_a_perfect_network_and_no_wrong_answer():
    right = perfect_network(13, (1, 3, 4), m=8)
    found = of(right)
    assert found["certified_share_flips"] == 1
    assert max(found["certified_share_short"], found["certified_share_coarse"]) <= found["certified_share_flips"]
    assert of(replace(right, W=-right.W))["certified_share_flips"] < 1


def test_what_coarse_first_saves_is_said_of_a_network_that_it_proves_alone():
    network = perfect_network(13, (1, 3, 4), m=64)
    assert proofs.certified_share_coarse(network) == 1
    expected = RUNGS["quadrature channels, short, coarse first"](network).operations
    expected /= RUNGS["quadrature channels, short"](network).operations
    assert proofs.coarse_over_short(network) == expected
    assert np.isnan(proofs.coarse_over_short(replace(network, W=-network.W)))


def test_flips_take_fewer_operations_than_brute_force_where_they_are_few():
    network = perfect_network(31, (1, 3, 4), m=16)
    expected = by_flips(network).operations / RUNGS["brute force"](network).operations
    assert proofs.flips_over_brute_operations(network) == expected < 0.5


def test_a_network_too_large_for_the_memory_of_its_job_is_not_proven(monkeypatch):
    monkeypatch.setattr(measures, "LARGEST_MODULUS", 11)
    assert np.isnan([*of(perfect_network(13, (1, 3), m=8)).values()]).all()


def test_the_short_proof_keeps_a_part_of_the_true_margin():
    network = perfect_network(13, (1, 3, 4), m=64)
    kept = proof_sizes.short_margin_over_true(network)
    assert 0 < kept <= 1
    assert kept == proofs.short_proof(network).margin.min() / margins(network.logits()).min()
    assert np.isnan(proof_sizes.short_margin_over_true(replace(network, W=-network.W)))


def test_no_complete_proof_of_the_ladder_is_cheaper_than_the_cheapest():
    network = perfect_network(13, (1, 3, 4), m=64)
    proven = [found.operations for rung in RUNGS.values() if (found := rung(network)).share == 1]
    assert proof_sizes.proof_operations_per_parameter(network) == min(proven) / (13 * network.width)
    assert by_flips(network).share == 1 and "flips" in CHEAPER
    assert proof_sizes.proof_operations_per_parameter(replace(network, W=-network.W)) == np.inf
