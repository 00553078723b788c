"""Check one file of published weights and keep it as safetensors, so that nothing downstream reads a pickle."""

import own_code  # noqa: F401

# isort: split

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.networks.foreign import found_in, read_external, save_external
from paper.jobs import begin


def import_network(source: Path, entry: Mapping[str, Any], network: Path) -> None:
    """Write the checked weights of an entry of the config, and say in the log what was found."""
    external = read_external(source, **{key: value for key, value in entry.items() if key != "path"})
    for line in found_in(source, external):
        print(line, file=sys.stderr, flush=True)
    save_external(external, network)


if __name__ == "__main__":
    begin(snakemake.log[0])
    import_network(
        source=Path(snakemake.input.source),
        entry=snakemake.params.entry,
        network=Path(snakemake.output.network),
    )
