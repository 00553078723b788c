from dataclasses import replace

import pandas as pd
import pytest
from choose_exhibit import chosen, network_of
from support import refuses

from modadd.networks.store import save_networks
from modadd.populations.exhibit import exhibit_of


def row(seed, orders=(1, 7), tuning=(0.0, 0.0), accuracy=1.0, modulus=91, working=0.0):
    return {
        "modulus": modulus,
        "seed": seed,
        "accuracy": accuracy,
        "cluster_orders": list(orders),
        "cluster_fine_tuning": list(tuning),
        "fine_tuning_clusters": sum(part >= 0.5 for part in tuning),
        "share_fine_tuning_working": working,
    }


FULL = {"orders": (1, 7, 1), "tuning": (0.0, 0.1, 0.9), "working": 0.1}


@pytest.mark.parametrize(
    ("rows", "seed"),
    [
        ([row(5), row(3), row(4)], 3),
        ([row(1, accuracy=0.9999), row(2)], 2),
        ([row(1, orders=(1, 1)), row(2)], 2),
        ([row(1, orders=(13, 7)), row(2)], 2),
        ([row(1), row(2, working=0.01), row(3, **FULL)], 3),
        ([row(1), row(2, working=0.01)], 2),
        ([row(1), row(2, orders=(1, 7), tuning=(0.0, 0.9), working=0.1)], 1),
        ([row(4, modulus=89, orders=(1, 1)), row(3, modulus=89, orders=(1,), tuning=(0.0,), accuracy=0.5)], 4),
    ],
)
def test_the_rule(rows, seed):
    frame = pd.DataFrame(rows)
    assert exhibit_of(frame).seed.tolist() == [seed]
    assert exhibit_of(frame.iloc[::-1]).seed.tolist() == [seed], "the order of the rows is none of its business"


def test_a_population_without_an_exhibit_says_what_it_lacks():
    rows = pd.DataFrame([row(1, orders=(1, 1)), row(2, orders=(1, 1)), row(3, accuracy=0.5)])
    with refuses("mod 91", "none of 3 networks", "accuracy 1: 2", "a cluster on exact cosets: 1", "add seeds"):
        exhibit_of(rows)


def test_two_moduli_are_refused():
    with refuses("one modulus", "[89, 91]"):
        exhibit_of(pd.DataFrame([row(1), row(2, modulus=89)]))


def test_no_network_that_passes_is_said():
    with refuses("mod 91", "none of 2 networks", "accuracy 1: 0", "train for more steps"):
        exhibit_of(pd.DataFrame([row(1, accuracy=0.5), row(2, accuracy=0.99)]))


def test_where_the_rule_finds_nothing_the_most_accurate_network_stands_in_and_the_log_says_so(capsys):
    rows = [row(1, accuracy=0.2), row(4, accuracy=0.7), row(3, accuracy=0.7), row(2, accuracy=0.5)]
    assert chosen(pd.DataFrame(rows)).seed.tolist() == [3]
    said = capsys.readouterr().err
    assert chosen(pd.DataFrame([*rows, row(9)])).seed.tolist() == [9] and not capsys.readouterr().err
    assert "none of 4 networks" in said and "the most accurate network is shown instead" in said


def test_of_two_variants_with_one_seed_the_chosen_one_is_shown(untrained, tmp_path):
    variants = [replace(untrained, recipe=replace(untrained.recipe, steps=steps)) for steps in (40, 41)]
    files = [str(tmp_path / f"shard{index}.safetensors") for index in (0, 1)]
    for network, file in zip(variants, files, strict=True):
        save_networks([network], tmp_path / file)
    rows = pd.DataFrame([network.recipe.as_dict() | {"seed": network.seed} for network in variants])
    assert [network_of(rows[rows.steps == steps], files).recipe.steps for steps in (40, 41)] == [40, 41]
