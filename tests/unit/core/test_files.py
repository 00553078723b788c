import subprocess
import sys
import threading

import numpy as np
import pandas as pd
import pytest
from support import ROOT, refuses, variables

from modadd.core.files import UNSEALED, FileError, read_json, read_sealed, write_json, write_sealed, write_whole
from modadd.core.parquet import read_table, write_table
from modadd.networks.store import read_tensors, write_tensors

TABLE = pd.DataFrame({"seed": [0, 50], "accuracy": [1.0, np.nan], "frequencies": [[3, 7], []]})
KINDS = {
    "json": (lambda path: write_json(path, {"values": {"radius": 0.1}, "network": [1, None]}), read_json),
    "parquet": (lambda path: write_table(TABLE, path), read_table),
    "safetensors": (lambda path: write_tensors(path, {"W": np.arange(6.0).reshape(2, 3)}, {"seed": 3}), read_tensors),
}


@pytest.fixture(params=KINDS)
def sealed(request, tmp_path):
    """A file of every kind, and its reader."""
    write, read = KINDS[request.param]
    path = tmp_path / f"file.{request.param}"
    write(path)
    return path, read


def test_every_single_flipped_bit_is_noticed(sealed):
    path, read = sealed
    content = path.read_bytes()
    places = (
        range(8 * len(content)) if len(content) < 400 else np.random.default_rng(0).integers(8 * len(content), size=400)
    )
    for place in places:
        flipped = bytearray(content)
        flipped[place // 8] ^= 1 << place % 8
        path.write_bytes(flipped)
        with refuses(str(path), error=FileError):
            read(path)


@pytest.mark.parametrize("kept", [0, 1, 100, -1])
def test_half_a_file_is_noticed(sealed, kept):
    path, read = sealed
    path.write_bytes(path.read_bytes()[:kept])
    with refuses(str(path), "damaged", error=FileError):
        read(path)


def test_writing_again_gives_equal_bytes(sealed):
    path, _ = sealed
    before = path.read_bytes()
    KINDS[path.suffix[1:]][0](path)
    assert path.read_bytes() == before


def test_a_table_comes_back_whole_or_by_column(tmp_path):
    write_table(TABLE, tmp_path / "table")
    back = read_table(tmp_path / "table")
    assert back.frequencies.map(list).tolist() == [[3, 7], []]
    pd.testing.assert_frame_equal(back[["seed", "accuracy"]], TABLE[["seed", "accuracy"]])
    assert list(read_table(tmp_path / "table", ["seed"])) == ["seed"]
    write_table(TABLE.to_dict("records"), tmp_path / "rows")
    assert (tmp_path / "rows").read_bytes() == (tmp_path / "table").read_bytes()


def test_absent_file_is_named(tmp_path):
    with refuses(str(tmp_path / "none"), "No such file", error=FileError):
        read_sealed(tmp_path / "none")


@pytest.mark.parametrize(
    ("folder", "place", "remedy"),
    [
        ("project", "results/a.json", "`snakemake --cores all results/a.json`"),
        ("project", "data/a", "`git restore data/a`"),
        ("build", "../project/data/kept/a", "`git -C ../project restore data/kept/a`"),
        ("build", "data/a", "`snakemake --cores all data/a`"),
        ("build", "../project/results/a", "`snakemake --cores all ../project/results/a`"),
    ],
)
def test_the_message_says_what_makes_the_file_again(folder, place, remedy, tmp_path, monkeypatch):
    monkeypatch.setattr("modadd.core.files.ROOT", tmp_path / "project")
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path / folder)
    write_whole(tmp_path / folder / place, b"{}")
    with refuses(f"{place}: damaged", remedy, error=FileError):
        read_sealed(place)


def test_content_without_a_place_for_the_checksum_is_not_written(tmp_path):
    for content in (b"none", 2 * UNSEALED.encode()):
        with refuses("one place for a checksum", error=FileError):
            write_sealed(tmp_path / "file", content)
    assert not list(tmp_path.iterdir())


def test_interrupted_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_whole(path, b"before")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("modadd.core.files.os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"half")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed(tmp_path):
    write = (
        "import os, sys; from pathlib import Path; from modadd.core.files import write_whole; "
        "os.replace = lambda *_: os._exit(9); write_whole(Path(sys.argv[1]), b'half')"
    )
    killed = subprocess.run([sys.executable, "-c", write, str(tmp_path / "file")], env=variables(ROOT))
    assert killed.returncode == 9 and len(list(tmp_path.glob("file.*.partial"))) == 1
    write_whole(tmp_path / "file", b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match=str(tmp_path / "file")):
        write_whole(tmp_path / "file", b"content")


def test_two_writers_of_one_file_both_succeed_and_never_leave_a_torn_one(tmp_path):
    path, contents = tmp_path / "file", [bytes([letter]) * 100_000 for letter in b"ab"]
    write_whole(path, contents[0])

    failures = []

    def write(content):
        try:
            for _ in range(50):
                write_whole(path, content)
        except OSError as error:
            failures.append(error)

    writers = [threading.Thread(target=write, args=[content]) for content in contents]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path] and not failures
