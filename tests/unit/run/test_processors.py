import os

from processors import copy_build
from support import copy_tree, tool

from modadd.core.files import write_whole

BUILT = ["results/network", "results/table", "results/figure", "results/missing"]


def test_a_copy_of_a_build_is_completed_and_refreshed_in_the_order_of_the_build(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for age, name in enumerate(reversed(BUILT[:3])):
        write_whole(tmp_path / name, name.encode())
        os.utime(name, (100 - age, 100 - age))
    write_whole(tmp_path / "copy/results/network", b"results/network")
    write_whole(tmp_path / "copy/results/table", b"of an older build")
    before = (tmp_path / "copy/results/network").stat().st_mtime_ns
    copy_build(BUILT, tmp_path / "copy")
    copies = [tmp_path / "copy" / name for name in BUILT[:3]]
    assert [path.read_bytes().decode() for path in copies] == BUILT[:3]
    times = [path.stat().st_mtime_ns for path in copies]
    assert times[0] == before and times == sorted(times), "what is the same keeps its time"


def test_without_a_build_one_line_says_what_to_do(tmp_path):
    said = tool(copy_tree(tmp_path), "processors", check=False)
    assert said == "processors: results/provenance.json does not exist; build everything first (`make`)\n"
