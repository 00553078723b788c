"""Check one file of published weights and keep it as safetensors, so that nothing downstream reads a pickle."""

import sys
from pathlib import Path

from modadd.core.jobs import begin
from modadd.core.separable import accuracy
from modadd.networks.importers import read_external, save_external


def import_network(source: Path, format: str, sha256: str, network: Path) -> None:
    """Write the checked weights, and say in the log what was found."""
    external = read_external(source, format, sha256)
    save_external(external, network)
    n, right = external.modulus, accuracy(external.logits())
    print(f"{source}: n = {n}, {len(external.parameters)} tensors, accuracy {right:.6g}", file=sys.stderr)
    if right < 1:
        print("Not every input is answered right: is the format the one it was trained with?", file=sys.stderr)


if __name__ == "__main__":
    begin(snakemake.log[0])
    import_network(
        source=Path(snakemake.input.source),
        format=snakemake.params.entry["format"],
        sha256=snakemake.params.entry["sha256"],
        network=Path(snakemake.output.network),
    )
