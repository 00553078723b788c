import numpy as np
import pandas as pd

from modadd.populations.rotation_planes import clusters_with_planes, evenness_of_planes

ROWS = pd.DataFrame(
    {
        "seed": [0, 1],
        "cluster_frequencies": [[1, 2, 5], [3]],
        "cluster_working": [[9, 9, 4], [9]],
        "cluster_weights": [[0.5, 0.4, 0.1], [1.0]],
        "cluster_plane_a": [[0.95, 0.99, 0.1], [0.91]],
        "cluster_plane_b": [[0.5, 0.99, 0.1], [0.92]],
    }
)


def test_clusters_of_few_neurons_are_left_out():
    clusters = clusters_with_planes({"population": ROWS}, 0.9)
    assert clusters.seed.tolist() == [0, 0, 1]
    assert clusters.less_even.tolist() == [0.5, 0.99, 0.91]


def test_a_network_is_even_only_if_every_plane_is():
    found = evenness_of_planes(clusters_with_planes({"population": ROWS}, 0.9), 0.9)
    assert (found["every_plane_even"].holds, found["some_plane_uneven"].holds, found["every_plane_even"].of) == (
        1,
        1,
        2,
    )
    assert (found["planes_even"], found["planes"]) == (5, 6)


def test_without_clusters_there_is_no_median():
    assert np.isnan(evenness_of_planes(clusters_with_planes({"population": ROWS[:0]}, 0.9), 0.9)["median_ratio"])
