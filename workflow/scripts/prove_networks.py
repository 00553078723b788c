"""Let Coq prove, network by network, that it adds; write what it accepts, on which axioms, and what its programs compute."""

import sys
import tempfile
from pathlib import Path

from modadd.certificates.formal import described, theorem_of
from modadd.core.files import write_json
from modadd.core.jobs import begin
from modadd.networks.store import Network, load_networks
from modadd.run.coq import Refused, axioms, check, names_of


def proven(network: Network, library: Path) -> dict:
    """What Coq says of one network; of one with wrong answers it is not asked. Its seconds go to the log."""
    found = {"accepted": False, "axioms": [], "own_axioms": []} | described(network)
    if network.results["accuracy"] < 1:
        print(f"seed {network.seed}: accuracy {network.results['accuracy']:.6g}, nothing to prove", file=sys.stderr)
        return found
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"seed{network.seed}.v"
        file.write_text(theorem_of(network), encoding="utf-8")
        try:
            said = check(file, library)
        except Refused as words:
            print(f"seed {network.seed}: refused: {words}", file=sys.stderr)
            return found
    print(f"seed {network.seed}: accepted\n{said}", file=sys.stderr)
    (behind,) = axioms(said)
    return found | {"accepted": True, "axioms": behind, "own_axioms": sorted({*behind} & names_of(library))}


if __name__ == "__main__":
    begin(snakemake.log[0])
    library = Path(snakemake.input.library)
    found = [proven(network, library) for network in load_networks(snakemake.input.networks)]
    write_json(Path(snakemake.output.proofs), {"networks": found})
