"""No value that a notebook records of the mainline hangs on a last bit of its tables."""

from pathlib import Path

from mainline import NOTEBOOKS, record_on_mainline

from modadd.populations.witnesses import alike


def test_notebooks_record_the_same_of_tables_moved_in_their_last_bits(tmp_path: Path) -> None:
    plain, moved = tmp_path / "plain", tmp_path / "moved"
    plain.mkdir()
    moved.mkdir()
    before, after = record_on_mainline(plain), record_on_mainline(moved, moved=True)
    jumps = {
        f"{name}: {value}": (found, after[name]["values"][value])
        for name in NOTEBOOKS
        for value, found in before[name]["values"].items()
        if not alike(found, after[name]["values"][value])
    }
    assert not jumps, "a last bit decides these"
