"""What made each output: records that stay with the outputs, and outputs without one."""

import os
from pathlib import Path

import pytest
from snakemake.persistence.file import FilePersistence
from support import refuses

from modadd.core.files import write_whole
from modadd.run.records import (
    INCOMPLETE,
    RECORDS,
    copy_with_records,
    keep_records_beside_results,
    record_of,
    require_records,
)

OWN = Path(".snakemake/metadata")
LONG = "results/" + "a" * 300 + "/network"  # its record's name is longer than a file's name may be


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("output", ["figures/index.html", LONG])
def test_a_record_is_where_snakemake_writes_it(output):
    keep_records_beside_results()
    snakemakes = FilePersistence(path=Path(".snakemake"))
    assert Path(snakemakes._record_path(OWN, output)).resolve() == record_of(output).resolve()


def test_records_of_an_earlier_build_move_beside_its_results_once():
    write_whole(OWN / "some", b"of before")
    write_whole(RECORDS / "some", b"of long before")
    for _ in range(2):
        keep_records_beside_results()
        assert OWN.is_symlink() and (RECORDS / "some").read_bytes() == b"of before"
    (OWN / "new").write_text("written by Snakemake")
    assert (RECORDS / "new").exists()


def test_records_stay_where_snakemakes_own_folder_or_the_results_are_deleted():
    keep_records_beside_results()
    write_whole(OWN / "some", b"a record")
    OWN.unlink()
    keep_records_beside_results()
    assert (OWN / "some").read_bytes() == b"a record"
    (RECORDS / "some").unlink()
    RECORDS.rmdir()
    keep_records_beside_results()
    assert OWN.is_dir()


def test_an_output_without_a_record_is_refused_and_a_missing_one_is_not():
    write_whole(Path("results/known"), b"")
    write_whole(record_of("results/known"), b"{}")
    require_records(["results/known", "results/missing"])
    for name in ("results/stray", "results/other"):
        write_whole(Path(name), b"")
    write_whole(Path("results/begun"), b"")
    write_whole(record_of("results/begun", kind=INCOMPLETE), b"{}")
    require_records(["results/known", "results/begun"])
    with refuses("results/stray (and 1 more)", "no record of the config and code", "delete the file"):
        require_records(["results/known", "results/stray", "results/other"])


def test_a_copy_is_completed_and_refreshed_in_the_order_of_the_build(tmp_path):
    built = ["results/network", "results/table", "results/figure"]
    for age, name in enumerate(reversed(built)):
        write_whole(Path(name), name.encode())
        write_whole(record_of(name), f"record of {name}".encode())
        os.utime(name, (100 - age, 100 - age))
    write_whole(Path("copy/results/network"), b"results/network")
    write_whole(Path("copy/results/table"), b"of an older build")
    before = Path("copy/results/network").stat().st_mtime_ns
    copy_with_records([*built, "results/missing"], Path("copy"))
    copies = [Path("copy") / name for name in built]
    assert [path.read_text() for path in copies] == built
    assert [record_of(name, Path("copy")).read_text() for name in built] == [f"record of {name}" for name in built]
    times = [path.stat().st_mtime_ns for path in copies]
    assert times[0] == before and times == sorted(times), "what is the same keeps its time"
