"""Explorer pages of small networks, and hands that move what is on them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from browser import CHROMIUM
from build_explorer import build_explorer
from support import LEDGER, ROOT

from modadd.networks.recipes import RECIPES
from modadd.networks.snapshots import write_history
from modadd.networks.starts import drawn
from modadd.networks.store import Network, save_networks
from modadd.training.train import train_network

TEMPLATE = ROOT / "workflow/templates/explorer.html.j2"
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine to open the page")
MOVE = """(async (id, value) => {{
  const one = document.getElementById(id), before = +(document.body.dataset.changes ?? 0);
  one.value = value;
  one.dispatchEvent(new Event(one.tagName === "SELECT" ? "change" : "input"));
  while (+(document.body.dataset.changes ?? 0) === before) await new Promise(resolve => setTimeout(resolve, 5));
  return +document.body.dataset.milliseconds;
}})({id!r}, {value!r})"""


def page_of(folder: Path, *networks: Network, checkpoints: Mapping[int, Path] | None = None) -> Path:
    """The page of some networks, saved and built as the workflow does; checkpoints, by place, hold their snapshots."""
    files = [folder / f"study{number}/seed{network.seed}.safetensors" for number, network in enumerate(networks)]
    for network, file in zip(networks, files, strict=True):
        save_networks([network], file)
    histories = []
    for number, checkpoint in (checkpoints or {}).items():
        histories.append(files[number].with_suffix(".history.safetensors"))
        write_history(histories[-1], checkpoint)
    page = folder / "explorer.html"
    build_explorer(files, histories, [], LEDGER, TEMPLATE, page)
    return page


def untrained(recipe_name: str, **changes: int) -> Network:
    """A network of a published recipe at its initial parameters."""
    recipe = replace(RECIPES[recipe_name], **changes)
    parameters = {name: value.numpy() for name, value in drawn(recipe, 0).items()}
    return Network(recipe, 0, parameters, {"accuracy": 0.0, "train_loss": 2.0, "held_out_loss": 2.5})


def watched(checkpoint: Path, recipe_name: str, snapshots: list[int], **changes: int) -> Network:
    """A network of a published recipe after the last of some updates; the checkpoint keeps it at each of them."""
    recipe = replace(RECIPES[recipe_name], steps=snapshots[-1], **changes)
    return train_network(recipe, 0, checkpoint, snapshots=snapshots)[0]
