"""Published weights: what is kept of them, what a build measures against it, and how their files are fetched."""

import copy
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from published import FIGURES, LARGEST, fetch, fetch_all, keep_published, require_same_weights
from support import CONFIG_SCHEMA, LEDGER, ROOT, refuses

from modadd.core.files import write_json
from paper.ledger.judge.forms import Evidence, form_of
from paper.ledger.read.published import (
    SAME,
    fresh_values,
    kept_values,
    read_published,
    require_known_weights,
    same_as_kept,
)
from paper.ledger.read.words import printed
from paper.yaml_files import read_yaml

FOLDER = ROOT / "data" / "published"
CLAIMS = [claim for claim in LEDGER["claims"] if "external" in claim]
CONTENT = b"a file of weights"
SOURCE = {"publisher": "somebody", "url": "https://example.org/w.pt", "format": "two_layer_mlp", "size": len(CONTENT)}
SOURCE |= {"sha256": hashlib.sha256(CONTENT).hexdigest()}
VALUES = {"accuracy": 1.0, "slopes": [2.0, 3.0]}
KEPT = {"ours": {**SOURCE, "notebooks": {"two_layer_mlp": {"code": "abc", "values": VALUES}}}}
CONFIG = {"datasets": {"ours": {"path": "w.pt", "format": SOURCE["format"], "sha256": SOURCE["sha256"]}}}
CLAIM = {"id": "ours_is_right", "external": "ours", "notebook": "two_layer_mlp", "value": "accuracy"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim["id"])
def test_the_kept_values_are_those_that_the_papers_print(claim):
    kept = kept_values(FOLDER / "values.json")[claim["external"]][claim["notebook"]][claim["value"]]
    if "published" not in claim:
        assert form_of(claim).judge(Evidence(kept, {})).agrees == (claim["expected"] == "agrees")
        return
    digits = printed(claim["published"])
    half_a_unit = [0.5 * 10.0 ** number.as_tuple().exponent for number in digits]
    limits = np.full(len(digits), claim["tolerance"]) if "tolerance" in claim else np.array(half_a_unit)
    found = np.atleast_1d(kept)
    assert found.shape == (len(digits),)
    as_printed = (np.abs(found - [float(number) for number in digits]) <= limits).all()
    assert as_printed == (claim["expected"] == "agrees")


def test_a_claim_about_unknown_weights_is_refused_with_the_nearest_name():
    file = FOLDER / "values.json"
    require_known_weights([CLAIM, {"id": "of_none"}], file, ["ours"])
    with refuses("ledger: claim 'ours_is_right'.external: unknown weights 'kisane'", "did you mean 'kissane'?"):
        require_known_weights([CLAIM | {"external": "kisane"}], file, ["ours"])


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda kept: kept["ours"].pop("url"), "ours: 'url' is a required property"),
        (lambda kept: kept["ours"].update(ulr=1), "did you mean 'url'?"),
        (lambda kept: kept["ours"].update(size="17"), "ours.size: expected integer, got '17'"),
        (lambda kept: kept["ours"].update(sha256="12"), "ours.sha256: expected 64 hexadecimal digits"),
        (
            lambda kept: kept["ours"]["notebooks"]["two_layer_mlp"]["values"].update(slopes=[1.0, float("nan")]),
            "two_layer_mlp.values.slopes.1: expected a finite number",
        ),
    ],
)
def test_a_damaged_file_is_refused_in_one_line(damage, words, tmp_path):
    kept, path = copy.deepcopy(KEPT), tmp_path / "values.json"
    damage(kept)
    path.write_text(json.dumps(kept))
    with refuses(str(path), words):
        kept_values(path)


def test_a_file_that_is_no_object_of_json_or_absent_is_refused(tmp_path):
    for content in ("[]", "{", None):
        path = tmp_path / f"{content}.json"
        if content is not None:
            path.write_text(content)
        with refuses(str(path), "expected"):
            kept_values(path)


def test_a_changed_value_is_found_and_rounding_is_not():
    kept = {"ours": {"two_layer_mlp": VALUES}, "theirs": {"cross_study": {"slope": 0.0}}}
    fresh = {"ours": {"two_layer_mlp": {"accuracy": 1 + SAME / 2, "slopes": [2.0, 3 - SAME]}}}
    assert same_as_kept(kept, fresh) == {}, "theirs was not measured by this build, which is no difference"
    fresh["ours"]["two_layer_mlp"]["slopes"] = [2.0, 3 + 4 * SAME]
    assert same_as_kept(kept, fresh) == {"ours, two_layer_mlp: slopes": f"1 of 2 numbers, by at most {4 * SAME:.3g}"}
    assert same_as_kept(kept, {"theirs": {"cross_study": {"slope": 1e-300}}}), "nothing but zero is zero"


@pytest.mark.parametrize("other", [[2.0], None, "two", [2.0, None]])
def test_a_value_of_another_kind_differs(other):
    found = same_as_kept({"ours": {"n": {"slopes": [2.0, 3.0]}}}, {"ours": {"n": {"slopes": other}}})
    assert found == {"ours, n: slopes": f"[2.0, 3.0] → {other}"}


def test_a_value_that_is_only_kept_or_only_measured_differs():
    assert same_as_kept({"ours": {"n": {"a": 1.0}}}, {"ours": {"n": {"b": 1.0}}, "theirs": {"n": {"c": 1.0}}}) == {
        "ours, n: a": "was not measured",
        "ours, n: b": "is not kept",
        "theirs, n: c": "is not kept",
    }


def test_only_claimed_values_of_the_given_weights_are_fresh():
    recorded = {"two_layer_mlp": {"values": {**VALUES, "other": 3.0}}}
    claims = [CLAIM, {**CLAIM, "value": "absent"}, {**CLAIM, "external": "theirs"}, {**CLAIM, "external": "x"}]
    del claims[-1]["external"]
    assert fresh_values(claims, recorded.get, ["ours"]) == {"ours": {"two_layer_mlp": {"accuracy": 1.0}}}
    assert fresh_values(claims, recorded.get, []) == {}


@pytest.mark.parametrize(
    ("config", "claim", "words"),
    [
        ({}, {}, "datasets.ours is missing; claim 'ours_is_right'"),
        (
            {"ours": {"path": "w.pt", "sha256": "0" * 64, "format": "two_layer_mlp"}},
            {},
            f"expected the kept {SOURCE['sha256']}",
        ),
        ({"ours": {"path": "w.pt", "sha256": SOURCE["sha256"], "format": "zhong_ones"}}, {}, "datasets.ours.format"),
    ],
)
def test_a_build_without_all_of_the_same_files_is_refused(config, claim, words):
    with refuses(words):
        require_same_weights(KEPT, [{**CLAIM, **claim}], {"datasets": config})


def test_what_a_build_measured_takes_the_place_of_what_was_kept(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "data" / "published"
    contents = {folder / "values.json": KEPT, tmp_path / "results/provenance.json": {"config": CONFIG}}
    write_json(tmp_path / "results/values/two_layer_mlp.json", {"values": {"accuracy": 0.5}})
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))
    pictures = [tmp_path / f"figures/{notebook}/{figure}.png" for notebook, figure in FIGURES.items()]
    for picture in pictures:
        picture.parent.mkdir(parents=True)
        picture.write_bytes(picture.name.encode())
    for place in ("notebooks", "workflow"):
        (tmp_path / place).symlink_to(ROOT / place)
    monkeypatch.chdir(tmp_path)
    ledger = {"claims": [CLAIM], "notebooks": {"two_layer_mlp": {"source": "two_layer_mlp"}}}
    keep_published(folder, ledger)
    entry = read_published(folder / "values.json")["ours"]
    assert {key: entry[key] for key in SOURCE} == SOURCE
    assert entry["notebooks"]["two_layer_mlp"]["values"] == {"accuracy": 0.5}
    assert len(entry["notebooks"]["two_layer_mlp"]["code"]) == 64
    assert "accuracy: 1 → 0.5" in capsys.readouterr().out
    assert all((folder / f"{picture.parent.name}.png").read_bytes() == picture.read_bytes() for picture in pictures)
    pictures[-1].write_bytes(bytes(LARGEST + 1))
    before = (folder / "values.json").read_bytes()
    with refuses(f"{LARGEST + 1} bytes"):
        keep_published(folder, ledger)
    assert (folder / "values.json").read_bytes() == before


@pytest.fixture
def publisher(tmp_path):
    """A file as its publisher offers it, with an address that needs no network."""
    path = tmp_path / "offered" / "w.pt"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    return path, {**SOURCE, "url": path.as_uri()}


def test_a_file_is_fetched_once_and_its_lines_fit_the_config(publisher, tmp_path):
    offered, source = publisher
    folder = tmp_path / "external"
    lines = yaml.safe_load(fetch_all({"ours": source}, folder))
    assert Path(lines["datasets"]["ours"]["path"]).read_bytes() == CONTENT
    keys = read_yaml(CONFIG_SCHEMA)["$defs"]["imported"]["required"]
    assert set(lines["datasets"]["ours"]) == set(keys)
    offered.unlink()
    assert yaml.safe_load(fetch_all({"ours": source}, folder)) == lines, "it is there, and nobody is asked again"
    fetch_all({"ours": source | {"settings": {"attn_coeff": 0.8}}}, folder)
    assert json.loads((folder / "ours.json").read_text()) == {"attn_coeff": 0.8}


@pytest.mark.parametrize("content", [b"another file, xy", CONTENT[:-1], CONTENT + b"\n", b""])
def test_another_file_is_refused_and_nothing_is_written(content, publisher, tmp_path):
    offered, source = publisher
    offered.write_bytes(content)
    target = tmp_path / "external" / "ours.pt"
    with refuses(f"expected sha256 {source['sha256']}", "it was not kept"):
        fetch(source, target)
    assert not target.parent.exists()
    target.parent.mkdir()
    target.write_bytes(b"what was there before")
    with refuses("it was not kept"):
        fetch(source, target)
    assert target.read_bytes() == b"what was there before" and list(target.parent.iterdir()) == [target]


def test_without_an_answer_one_line_says_what_to_do(publisher, tmp_path):
    offered, source = publisher
    offered.unlink()
    with refuses(offered.as_uri(), "does not answer", "by hand"):
        fetch(source, tmp_path / "external" / "ours.pt")
    assert not (tmp_path / "external").exists()
