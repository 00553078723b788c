"""Let Coq prove, network by network, that it adds; write what it accepts, on which axioms, and the files that it read."""

import own_code  # noqa: F401

# isort: split

import sys
import tempfile
from io import BytesIO
from pathlib import Path
from time import perf_counter
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from modadd.certificates.formal import described, theorem_of
from modadd.core.files import read_json, write_json, write_whole
from modadd.networks.store import Network, load_networks
from paper.coq import Refused, axioms_of_networks, check, version
from paper.jobs import begin


def proven(network: Network, library: Path) -> tuple[dict, str | None]:
    """What Coq says of one network, and the file that says it; of one with wrong answers Coq is not asked.

    Raises Failed if Coq fails for another reason than that the theorem does not hold.
    """
    found = {
        "accepted": False,
        "axioms": [],
        "own_axioms": [],
        "coq": version(),
        **described(network),
    }
    if not found["margin"] > 0:
        print(f"seed {network.seed}: wrong answers, so nothing to prove", file=sys.stderr)
        return found, None
    theorem = theorem_of(network)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"seed{network.seed}.v"
        file.write_text(theorem, encoding="utf-8")
        began = perf_counter()
        try:
            said = check(file, library)
        except Refused as words:
            print(f"seed {network.seed}: refused: {words}", file=sys.stderr)
            return found, theorem
    behind, ours = axioms_of_networks(said)
    print(f"seed {network.seed}: {perf_counter() - began:.1f} s; {said}", file=sys.stderr)
    found |= {
        "accepted": not ours,
        "axioms": behind,
        "own_axioms": ours,
    }
    return found, theorem


def packed(theorems: dict[str, str]) -> bytes:
    """Files by name, as an archive: equal files give equal bytes."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name, text in theorems.items():
            archive.writestr(ZipInfo(name), text, ZIP_DEFLATED)
    return content.getvalue()


def prove(networks: list[Network], library: Path) -> tuple[list[dict], dict[str, str]]:
    """What Coq says of each network, and the files that it read, by name."""
    said = []
    files = {}
    for network in networks:
        found, theorem = proven(network, library)
        said.append(found)
        if theorem is not None:
            files[f"seed{network.seed}.v"] = theorem
    return said, files


if __name__ == "__main__":
    begin(snakemake.log[0])
    library = Path(snakemake.input.library)
    why = read_json(Path(snakemake.input.theorems)).get("not_compiled")
    chosen = [] if why else load_networks(snakemake.input.networks)[: snakemake.params.most]
    found, files = prove(chosen, library)
    write_whole(Path(snakemake.output.files), packed(files))
    write_json(Path(snakemake.output.proofs), {"networks": found})
