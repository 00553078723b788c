"""What a job made stays where nothing that it reads has other content."""

import os
from types import SimpleNamespace

import pytest

from paper.unchanged import remember, stays


@pytest.fixture
def job(tmp_path, monkeypatch):
    """A job that has made one file of two, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    for name in ("values.json", "ledger.yaml", "claims.json"):
        (tmp_path / name).write_text(name)
    found = SimpleNamespace(
        rule="judge", input=["values.json", "ledger.yaml"], params={"code": "1"}, output=["claims.json"]
    )
    remember(found)
    return found


def test_outputs_of_the_same_content_stay_with_a_new_time(job, tmp_path):
    os.utime(tmp_path / "claims.json", (0, 0))
    os.utime(tmp_path / "values.json", (9, 9))
    assert stays(job)
    assert (tmp_path / "claims.json").stat().st_mtime > 9 and (tmp_path / "claims.json").read_text() == "claims.json"


@pytest.mark.parametrize("name", ["values.json", "ledger.yaml"])
def test_of_other_content_the_output_is_made_anew(job, tmp_path, name):
    (tmp_path / name).write_text("other")
    assert not stays(job)


def test_other_code_and_another_rule_make_the_output_anew(job):
    assert not stays(SimpleNamespace(**vars(job) | {"params": {"code": "2"}}))
    assert not stays(SimpleNamespace(**vars(job) | {"rule": "build"}))
    assert not stays(SimpleNamespace(**vars(job) | {"input": job.input[::-1]}))


def test_outputs_that_are_gone_or_edited_are_put_back(job, tmp_path):
    output = tmp_path / "claims.json"
    output.unlink()
    assert stays(job) and output.read_text() == "claims.json"
    output.write_text("edited")
    assert stays(job) and output.read_text() == "claims.json"


def test_a_damaged_or_lost_copy_makes_all_anew_and_old_ones_go(job, tmp_path):
    (copy,) = (tmp_path / "results/unchanged/judge").iterdir()
    copy.write_text("damaged")
    assert not stays(job)
    copy.unlink()
    assert not stays(job)
    (tmp_path / "claims.json").write_text("other")
    remember(job)
    assert len(list((tmp_path / "results/unchanged/judge").iterdir())) == 1 and stays(job)


def test_a_damaged_record_makes_all_anew(job, tmp_path):
    (tmp_path / "results/unchanged/judge.json").write_text('{"claims.json": ["')
    assert not stays(job)
    remember(job)
    assert stays(job)
