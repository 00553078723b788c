"""Networks that are held out: trained once after the freeze, in a folder of their own, and kept with its checksum."""

import pytest
from keep import keep_held_out
from support import LEDGER, refuses

from modadd.core.files import write_json
from modadd.core.parquet import read_table, write_table
from modadd.ledger.freeze import FROZEN, state, whole
from modadd.networks.store import save_networks
from modadd.populations.columns.every import row_of_any
from modadd.populations.witnesses import check_witnesses
from modadd.training.train import train_ensemble

pytestmark = pytest.mark.usefixtures("arithmetic")
CONFIG = "datasets:\n  c91_batch: {recipe: embedding_mlp, seeds: 2}\n  c91_full: {recipe: embedding_mlp, seeds: 2}\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a config of networks to be held out."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("keep.read_ledger", lambda: LEDGER)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/held_out.yaml").write_text(CONFIG, encoding="utf-8")
    return tmp_path


def freeze(project, **changes):
    write_json(project / FROZEN, {"state": state(LEDGER) | changes, "whole": ""})


def train(folder, recipe, seeds):
    """Networks and rows of a population as a build leaves them."""
    built = folder / "results/held_out/results/populations"
    networks, _ = train_ensemble(recipe, seeds, folder / "checkpoint")
    save_networks(networks, built / "c91_batch/seeds.safetensors")
    write_table(map(row_of_any, networks), built / "c91_batch.parquet")


def test_without_a_freeze_or_after_a_change_or_before_training_nothing_is_kept(project):
    with refuses(FROZEN, "freeze before you train"):
        keep_held_out()
    freeze(project, measures="other code")
    with refuses("measures is not as it was frozen"):
        keep_held_out()
    freeze(project)
    with refuses("no population of config/held_out.yaml is built in results/held_out"):
        keep_held_out()


def test_rows_carry_the_freeze_and_no_networks_are_added_afterwards(project, small):
    freeze(project)
    first, more = (5, 6), (7, 8)
    train(project, small["embedding_mlp"], first)
    values = project / "results/held_out/results/values"
    for name in ("cluster_frequencies", "shared_factors"):
        write_json(values / f"{name}.json", {"values": {}})
    keep_held_out()
    kept = project / "data/held_out/c91_batch.parquet"
    rows = read_table(kept)
    assert rows.seed.tolist() == [*first] and set(rows.freeze) == {whole(project)} and check_witnesses(kept) == 1
    assert not (project / "data/held_out/values").exists(), "their notebooks count networks of c91_full, too"
    before = kept.read_bytes()
    train(project, small["embedding_mlp"], more)
    keep_held_out()
    assert kept.read_bytes() == before
    (project / "config/held_out.yaml").write_text(CONFIG.replace("c91_full", "elsewhere"), encoding="utf-8")
    keep_held_out()
    assert kept.read_bytes() == before
