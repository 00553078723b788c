"""Drawings of balls: what is drawn where."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from modadd.plots.balls import draw_balls, draw_seeds, draw_training


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_a_line_leads_from_what_is_certified_to_what_is_found():
    balls = pd.DataFrame(
        [("Q", kind, moved, 1.0, 2.0) for kind in ("entries", "norms") for moved in ("tables", "weights")],
        columns=["network", "ball of", "moved", "certified (%)", "found (%)"],
    )
    left, right = draw_balls(balls, ["Q"], {"float16": 2.0**-11}).axes
    ends = [segment[:, 0].tolist() for lines in right.collections for segment in lines.get_segments()]
    assert ends == [[1, 2], [1, 2]]
    assert [text.get_text() for text in left.texts] == ["float16"]
    assert not right.texts
    assert left.get_title(loc="left") == "Entries"


def test_the_band_holds_all_runs_and_the_line_is_their_median():
    run = pd.DataFrame({"seed": [0, 1, 2], "updates": 10, "radius": [0.01, 0.02, 0.05]})
    run = pd.concat([run.assign(updates=0, radius=0.0), run])
    (ax,) = draw_training({"Q": run}, {"Q": 5.0}).axes
    assert ax.lines[0].get_ydata().tolist() == pytest.approx([0, 2])
    band = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert (band.min(), band.max()) == pytest.approx((0, 5))
    assert ax.get_title(loc="left") == "Q: 3 runs"


def test_seeds_and_decays_stand_beside_each_other():
    radii = pd.DataFrame({"weight_decay": [0.1, 1.0], "table_radius": [0.1, 0.2], "weight_radius": [0.01, 0.0]})
    left, right = draw_seeds(radii, radii).axes
    np.testing.assert_allclose(left.lines[0].get_xydata(), [[10, 1], [20, 0]])
    assert [line.get_label() for line in right.lines] == ["tables", "weights"]
