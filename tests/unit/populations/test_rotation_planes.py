import numpy as np
import pandas as pd

from modadd.populations.rotation_planes import clusters_with_planes, evenness_of_planes

ROWS = pd.DataFrame(
    {
        "seed": [0, 1, 2],
        "cluster_frequencies": [[1, 2], [3], [4]],
        "cluster_working": [[9, 9], [9], [9]],
        "cluster_weights": [[0.5, 0.5], [1.0], [1.0]],
        "cluster_plane_a": [[0.95, 0.99], [0.91], None],
        "cluster_plane_b": [[0.5, 0.99], [0.92], None],
    }
)


def test_rows_without_the_ratios_have_no_clusters():
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
    assert np.isnan(evenness_of_planes(clusters_with_planes({"population": ROWS[2:]}, 0.9), 0.9)["median_ratio"])
