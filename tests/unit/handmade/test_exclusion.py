"""One neuron with C and D is excluded exactly, or left open where it adds."""

from fractions import Fraction

import numpy as np
import pytest
from exclusion_in_coq import rows_in_coq, tree_in_coq

from modadd.core.separable import margins
from modadd.handmade.exclusion import Certificate, Question, exclude, exclude_one_neuron, inequalities, is_certificate
from modadd.handmade.smallest import best_by_order, one_neuron_mod_3, order_classes, steps_of


def leaves(tree, pattern):
    """The certificates of a tree, each with the pattern it is about."""
    if isinstance(tree, Certificate):
        return [(tree, pattern)]
    firing = leaves(tree.firing, pattern | {tree.cell: True})
    return firing + leaves(tree.silent, pattern | {tree.cell: False})


def test_an_order_that_no_neuron_can_have_is_excluded():
    found = exclude((0, 2, 1, 3))
    assert found.excluded and found.certificates == (found.patterns + 1) / 2  # a pattern is decided, or two others are
    known = inequalities((0, 2, 1, 3))
    for certificate, pattern in leaves(found.tree, {}):
        of_cells = {cell: (known.firing if fires else known.silent)[cell] for cell, fires in pattern.items()}
        rows = [(known.always if cell is None else of_cells[cell])[k] for cell, k in certificate.weights]
        assert is_certificate(rows, dict(enumerate(certificate.weights.values())))


@pytest.mark.parametrize("order", [tuple(map(int, np.argsort(-one_neuron_mod_3().W[0]))), (0, 1, 2, 3)])
def test_an_order_in_which_neurons_that_fire_together_add_stays_open(order):
    assert not exclude(order).excluded and best_by_order(order).bound > 0.01


def test_a_network_that_adds_satisfies_the_inequalities_of_its_own_pattern():
    network = one_neuron_mod_3()
    order = tuple(map(int, np.argsort(-network.W[0])))
    gaps = -np.diff(network.W[0, list(order)])
    assert np.allclose(gaps @ steps_of(order) + network.W[0, order[-1]], network.W[0])
    u, known = network.preactivations()[..., 0], inequalities(order)
    x = np.zeros(len(known.always[0]))
    x[0] = margins(network.logits()).min()
    for i, gap in enumerate(gaps):
        x[known.at["A"][i]], x[known.at["B"][i]] = gap * network.A[:, 0], gap * network.B[:, 0]
        x[known.at["r"][i]] = gap * np.maximum(u, 0)
    x[known.at["C"]], x[known.at["D"]] = network.C, network.D
    cells = [(known.firing if u[cell] > 0 else known.silent)[cell] for cell in np.ndindex(3, 3)]
    assert all(row @ x >= 0 for row in sum(cells, known.always))


def test_a_certificate_must_cancel_exactly_with_weights_of_at_least_0():
    rows = [np.array([-1, 2, 0]), np.array([-1, -1, 1]), np.array([0, 0, -1])]
    right = {0: Fraction(1, 2), 1: Fraction(1), 2: Fraction(1)}
    assert is_certificate(rows, right)
    assert not is_certificate(rows, right | {0: Fraction(1, 2) + Fraction(1, 10**12)})
    assert not is_certificate(rows, {k: -weight for k, weight in right.items()})
    assert not is_certificate(rows, {}) and not is_certificate(rows, {2: Fraction(0)})


def test_coq_is_given_the_leads_and_what_is_left_of_the_rest():
    """Mod 3: rows 0 to 17 are leads, two of each cell 3a + b, over the answers 1 and 2 above the right one; then ReLUs."""
    lead_over_1, r_of_1_2, r_above_u = (None, 6 * 5), (None, 6 * 5 + 3), (None, 6 * 5 + 4)
    of_cell = [((1, 2), k) for k in range(4)]  # of either neuron: u, then what r is
    weights = dict.fromkeys([lead_over_1, r_of_1_2, r_above_u, *of_cell[:1]], Fraction(1, 2)) | {
        of_cell[3]: Fraction(2)
    }
    # Right is 0 at (1, 2), so its first lead is over the answer 1. Where the neurons fire r = u is at least 0.
    assert rows_in_coq(3, Certificate(weights), {(1, 2): True}) == [10, 18 + 5, 18 + 9 + 5]
    undecided = Certificate({lead_over_1: Fraction(3), r_of_1_2: Fraction(1), r_above_u: Fraction(1)})
    assert rows_in_coq(3, undecided, {}) == [10, 10, 10, 18 + 5]


def test_a_tree_is_written_as_coq_reads_it():
    lead = Certificate({(None, 0): Fraction(1), (None, 1): Fraction(2)})
    assert tree_in_coq(3, Question((1, 0), lead, lead), {}) == "(S 3%nat (L [0x020201]) (L [0x020201]))"


def test_one_neuron_is_excluded_of_the_orders_that_are():
    found = exclude_one_neuron(4)
    assert (found["n"], found["orders of W"]) == (4, 3)
    assert found["excluded"] == sum(exclude(order).excluded for order in order_classes(4)) > 0
