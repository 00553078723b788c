import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modadd.networks.initialisation import all_pairs, seed_for, shuffled_split
from modadd.networks.recipes import RECIPES


@pytest.mark.parametrize(("label", "expected"), [("model", 2067119104), ("dataset_seed", 1439707904)])
def test_sub_seeds_of_seed_0_are_the_published_ones(label, expected):
    assert seed_for(0, label) == expected, "sub-seeds must be derived as in [Q], or no published network is regained"


def test_pairs_are_in_product_order_a_major():
    assert all_pairs(3).tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]


def test_published_split_has_2784_training_pairs_in_the_order_of_numpys_generator():
    trained_on, held_out = shuffled_split(59, 2784, 1439707904)
    assert (len(trained_on), len(held_out)) == (2784, 697)
    order = np.arange(59 * 59)
    np.random.default_rng(1439707904).shuffle(order)
    expected = [divmod(int(index), 59) for index in order]
    assert [tuple(pair) for pair in [*trained_on.tolist(), *held_out.tolist()]] == expected


@pytest.mark.parametrize(
    ("recipe", "share"), [("pizza_transformer", 0.8), ("two_layer_mlp", 0.3), ("embedding_mlp", 56 / 91)]
)
def test_number_of_training_pairs_is_the_published_share_of_all_rounded_down(recipe, share):
    assert RECIPES[recipe].train_pairs == int(share * RECIPES[recipe].modulus ** 2)


@given(n=st.integers(2, 20), train_pairs=st.integers(0, 400), seed=st.integers(0, 2**32 - 1))
def test_split_is_disjoint_and_complete(n, train_pairs, seed):
    trained_on, held_out = shuffled_split(n, train_pairs, seed)
    assert len(trained_on) == min(train_pairs, n * n)
    both = [tuple(pair) for pair in [*trained_on.tolist(), *held_out.tolist()]]
    assert sorted(both) == [(a, b) for a in range(n) for b in range(n)], "every pair must be on exactly one side"
