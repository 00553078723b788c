"""Check one file of published weights and keep it as safetensors, so that nothing downstream reads a pickle."""

import sys
from pathlib import Path

from modadd.core.jobs import begin
from modadd.networks.found import found_in
from modadd.networks.importers import read_external, save_external


def import_network(source: Path, format: str, sha256: str, network: Path) -> None:
    """Write the checked weights, and say in the log what was found."""
    external = read_external(source, format, sha256)
    print(found_in(source, external), file=sys.stderr)
    save_external(external, network)


if __name__ == "__main__":
    begin(snakemake.log[0])
    import_network(
        source=Path(snakemake.input.source),
        format=snakemake.params.entry["format"],
        sha256=snakemake.params.entry["sha256"],
        network=Path(snakemake.output.network),
    )
