"""What made each output: records that stay with the outputs, and outputs without one."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from snakemake.persistence.file import FilePersistence
from support import refuses

from modadd.core.bits import ARITHMETIC, ON_GPU
from modadd.core.files import write_json, write_whole
from modadd.networks.recipes import RECIPES
from modadd.networks.store import METADATA_KEY, write_tensors
from modadd.run.records import (
    INCOMPLETE,
    METADATA,
    RECORDS,
    copy_with_records,
    header_of,
    keep_records_beside_results,
    record_of,
    require_recipe,
    require_records,
    require_values,
    train_again,
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


PUBLISHED = RECIPES["pizza_transformer"]
NETWORK, VALUES = "results/networks/pizza_transformer/seed0.safetensors", "results/values/phases.json"


def of_modulus(n):
    """The published recipe with another modulus, as a job's parameters have it."""
    return replace(PUBLISHED, modulus=n, train_pairs=900).as_dict()


@pytest.mark.parametrize(
    ("recorded", "by_params", "kept"),
    [(59, True, False), (59, False, True), (31, True, True)],
    ids=["made again by its parameters", "times alone", "touched"],
)
def test_a_network_of_another_recipe_that_would_be_kept_is_refused(recorded, by_params, kept):
    write_tensors(Path(NETWORK), {}, {"recipe": of_modulus(59), "seeds": [0]})
    write_whole(record_of(NETWORK), json.dumps({"params": ["False", repr(of_modulus(recorded))]}).encode())
    require_recipe(NETWORK, of_modulus(59), by_params)
    require_recipe("results/networks/missing.safetensors", of_modulus(31), by_params)
    if not kept:
        require_recipe(NETWORK, of_modulus(31), by_params)
        return
    words = ("expected a network with modulus 31", "found modulus 59 in its header", "leave out `--rerun-triggers`")
    with refuses(NETWORK, *words, "delete the file"):
        require_recipe(NETWORK, of_modulus(31), by_params)


def test_a_network_of_another_version_s_bits_that_would_be_kept_is_refused():
    recipe, old = of_modulus(59), {"products": "openblas", "torch": "2.12.0", "numpy": "2.4.0"}
    write_tensors(Path(NETWORK), {}, {"recipe": recipe, "seeds": [0], "origin": old})
    require_recipe(NETWORK, recipe, by_params=True)  # Snakemake makes it again, as the code is another
    with refuses(
        NETWORK, "found one of another version (products by openblas; torch 2.12.0, numpy 2.4.0)", "delete the file"
    ):
        require_recipe(NETWORK, recipe, by_params=False)
    for arithmetic in (ARITHMETIC, *ON_GPU):
        write_tensors(Path(NETWORK), {}, {"recipe": recipe, "seeds": [0], "origin": old | {"arithmetic": arithmetic}})
        require_recipe(NETWORK, recipe, by_params=False)


def test_values_of_another_recipe_than_their_network_are_refused():
    deviations = {"modulus": "modulus 31 (published 59)"}
    made_of = {VALUES: (NETWORK, of_modulus(31), deviations)}
    write_json(Path(VALUES), {"network": {"deviations": {}}, "values": {}})
    require_values(made_of)  # its network is not there
    write_tensors(Path(NETWORK), {}, {"recipe": of_modulus(59), "seeds": [0]})
    require_values(made_of)  # it will be trained again
    write_tensors(Path(NETWORK), {}, {"recipe": of_modulus(31), "seeds": [0]})
    os.utime(VALUES, (1, 1))
    require_values(made_of)  # they will be made again
    os.utime(VALUES)
    with refuses(VALUES, "expected values of a network with modulus 31 (published 59)", "delete the file"):
        require_values(made_of)
    write_json(Path(VALUES), {"network": {"deviations": deviations}, "values": {}})
    require_values(made_of)


def test_a_header_is_read_alone_and_a_damaged_one_is_left_to_its_reader():
    assert METADATA == METADATA_KEY
    write_tensors(Path(NETWORK), {}, {"recipe": {"modulus": 59}})
    assert header_of(Path(NETWORK))["recipe"] == {"modulus": 59}
    for content in (b"", b"12345678", b"\xff" * 9, Path(NETWORK).read_bytes()[:30]):
        Path(NETWORK).write_bytes(content)
        assert header_of(Path(NETWORK)) is None


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


def test_networks_that_train_again_are_counted_with_what_trained_them(tmp_path):
    assert train_again(tmp_path) is None
    old = {"arithmetic": "chains of fused multiply-adds"}
    for name, seeds, origin in (
        ("populations/c91_batch/seeds0-1", [0, 1], old),
        ("networks/embedding_mlp/seed0", [0], old),
        ("populations/c91_batch/seeds2", [2], {"arithmetic": ARITHMETIC}),
        ("populations/t_sets/seeds0", [0], {}),
    ):
        write_tensors(
            tmp_path / f"{name}.safetensors", {}, {"recipe": of_modulus(59), "seeds": seeds, "origin": origin}
        )
    (tmp_path / "networks/embedding_mlp/seed0.history.safetensors").write_bytes(b"damaged")
    said = train_again(tmp_path)
    assert said.startswith(f"3 networks in {tmp_path} were trained by chains of fused multiply-adds; ")
    assert f"train again by {ARITHMETIC}" in said and "\n" not in said
