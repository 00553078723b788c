import numpy as np
import pytest
from simple_networks import initial

from modadd.core.neurons import three_dfts
from modadd.core.separable import centred
from modadd.crt.cluster_answers import answers_table, shares_of_ranks
from modadd.crt.clusters import clusters_of
from modadd.crt.contributions import contribution


@pytest.fixture(scope="module")
def network(small):
    return initial(small["embedding_mlp"])


def test_every_cluster_has_a_line_and_a_distribution_of_ranks(network):
    separable = network.separable()
    dfts = three_dfts(separable)
    drawn = dict(list(clusters_of(dfts).items())[:3])
    added = {f: centred(contribution(separable, members)) for f, members in drawn.items()}
    table, shares = answers_table(network, dfts, added), shares_of_ranks(added, separable.modulus)
    assert table.frequency.tolist() == list(drawn) and table["on cosets"].isna().all()  # a prime modulus
    assert shares.sum().tolist() == pytest.approx([1] * len(drawn))
    assert shares.loc[0].tolist() == pytest.approx(table["rank 0"].tolist())


def test_a_wave_that_peaks_at_the_sum_is_always_right():
    a, b, c = np.ogrid[:7, :7, :7]
    shares = shares_of_ranks({1: np.cos(2 * np.pi * (c - a - b) / 7)}, 7)
    assert shares[1].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_without_clusters_there_are_ranks_alone():
    assert shares_of_ranks({}, 7).reset_index()["rank"].tolist() == list(range(7))
