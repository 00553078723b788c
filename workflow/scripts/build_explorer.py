"""Build figures/explorer.html: every network of the workflow on one page that computes what it shows, offline."""

import own_code  # noqa: F401

# isort: split

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup

from modadd.networks.architectures import RELU
from modadd.networks.foreign import External, load_external
from modadd.networks.snapshots import read_history
from modadd.networks.store import Network, load_network
from paper.jobs import begin
from paper.ledger.read.entries import read_ledger
from paper.page.explorer import claims_about, entry, facts_of, name_of, plotting_library
from paper.page.explorer_history import LARGEST_PAGE, histories_within, is_shown, name_of_history
from paper.page.templates import render, script_data


def build_explorer(
    networks: list[Path],
    histories: list[Path],
    external: list[Path],
    ledger: Mapping[str, Any],
    template: Path,
    page: Path,
) -> None:
    """Write the page; networks that have no separable form are named on it, and left out.

    Snapshots of training take what is left of the largest size of a page.
    """
    loaded = {name_of(path): load_network(path) for path in networks}
    loaded |= {name_of(path): load_external(path) for path in external}
    shown, left_out = {}, []
    for name, network in loaded.items():
        own = network.separable() if _has_form(network) else None
        if own is None:
            left_out.append(name)
        else:
            shown[name] = {
                "name": name,
                **entry(own, facts_of(network)),
                **claims_about(ledger, name),
            }
    parts = {
        "library": Markup(plotting_library()),
        "data": Markup(script_data(list(shown.values()))),
        "left_out": left_out,
    }
    render(template, page, **parts, histories=Markup(script_data({})))
    room = LARGEST_PAGE - page.stat().st_size
    kept = {}
    for path in histories:
        name = name_of_history(path)
        if name in shown and is_shown(history := read_history(path)):
            kept[name] = history
    render(template, page, **parts, histories=Markup(histories_within(kept, room)))


def _has_form(network: Network | External) -> bool:
    """Whether a network's neurons are ReLUs; published weights say themselves whether they have the form."""
    return not isinstance(network, Network) or network.recipe.activation == RELU


if __name__ == "__main__":
    begin(snakemake.log[0])
    build_explorer(
        networks=[Path(path) for path in snakemake.input.networks],
        histories=[Path(path) for path in snakemake.input.histories],
        external=[Path(path) for path in snakemake.input.external],
        ledger=read_ledger(),
        template=Path(snakemake.input.template),
        page=Path(snakemake.output.page),
    )
