"""Pairs as they are printed."""

import numpy as np

from modadd.two_layer.pairs import first_pairs, numbers_of_pairs


def test_every_pair_counts_in_its_set():
    assert numbers_of_pairs(7, np.zeros((20, 2), int), np.zeros((29, 2), int)) == [49, 20, 29]


def test_the_first_five_of_each_set_stand_with_their_labels():
    trained_on = np.array([[6, 3], [0, 0], [1, 2], [5, 5], [2, 6], [4, 4]])
    held_out = np.array([[3, 6], [6, 6]])
    expected = [[6, 3, 2], [0, 0, 0], [1, 2, 3], [5, 5, 3], [2, 6, 1], [3, 6, 2], [6, 6, 5]]
    assert first_pairs(7, [trained_on, held_out]) == sum(expected, [])
