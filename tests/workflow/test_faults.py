"""Faults in short: what `make faults` tries at length."""

import numpy as np
from disturbed_builds import flips, kills
from support import copy_tree

# A notebook of each study, and all that is trained for it.
FEW = ("phases", "mlp_spectra", "simple_neurons")


def test_a_build_that_is_killed_elsewhere_and_on_one_core_has_the_same_bytes_and_no_flipped_bit_is_read(
    smoke_build, tmp_path
):
    """The reference was built in another folder, on two cores, and nothing disturbed it."""
    rng = np.random.default_rng(1)
    folder = copy_tree(tmp_path / "another" / "place")
    values = (f"results/values/{notebook}.json" for notebook in FEW)
    killed = kills(folder, smoke_build, 4, rng, *values, "results/populations/c91_full.parquet", cores=1)
    assert killed["passed"], killed
    assert {path.parent.name for path in folder.glob("figures/*/*.svg")} == {*FEW}
    flipped = flips(folder, 60, rng)
    assert flipped["passed"], flipped
