"""Faults in short: what `tests/faults.py` tries at length."""

import numpy as np
from disturbed_builds import differing, flips, kills
from support import copy_tree

# Two notebooks, and all that is trained for them.
FEW = ("phases", "simple_neurons")


def test_a_file_that_differs_is_missing_or_half_written_is_found(tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    texts = {"figures/a.svg": "a", "results/values/b.json": "{}", "results/logs/c.log": "c"}
    for folder, name in ((folder, name) for folder in (one, other) for name in texts):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(texts[name])
    (other / "results/logs/c.log").write_text("another day")
    assert differing(one, other) == differing(one, other, whole=False) == []
    (one / "figures/a.svg").unlink()
    assert differing(one, other) == ["figures/a.svg"] and differing(one, other, whole=False) == []
    assert differing(other, one, whole=False) == ["figures/a.svg"], "the reference has no such file"
    (one / "results/values/b.json").write_text('{"x": 1}')
    assert differing(one, other, whole=False) == ["results/values/b.json"]
    (other / "figures/a.svg.partial").touch()
    assert any(name.endswith("a.svg.partial") for name in differing(other, one))


def test_a_build_that_is_killed_elsewhere_and_on_one_core_has_the_same_bytes_and_no_flipped_bit_is_read(
    smoke_build, tmp_path
):
    """The reference was built in another folder, on two cores, and nothing disturbed it."""
    rng = np.random.default_rng(1)
    folder = copy_tree(tmp_path / "another" / "place")
    values = (f"results/values/{notebook}.json" for notebook in FEW)
    killed = kills(folder, smoke_build, 3, rng, *values, cores=1, longest=8)
    assert killed["passed"], killed
    assert {path.parent.name for path in folder.glob("figures/*/*.svg")} == {*FEW}
    flipped = flips(folder, 60, rng)
    assert flipped["passed"], flipped
