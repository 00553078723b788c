"""What Coq says of networks: which files a build asks of it, or shows of what it said before."""

import os
from collections.abc import Iterable

from modadd.core.files import in_project
from paper.coq import KEPT_PROOFS, wanted
from paper.datasets import Datasets, network_file

THEOREMS = "results/proofs/theorems.json"  # what Coq says of every modulus
KEPT_THEOREMS = "data/proofs/theorems.json"  # what it said of them for the reference
PROOF_LIBRARY = "results/proofs/library"  # a folder: the lemmas, compiled for the jobs that prove networks


def proof_files(names: Iterable[str], datasets: Datasets, asked: bool | str) -> dict[str, list[str]]:
    """What Coq says of every modulus, and of each network or population named, or has said of those that are kept.

    `asked` is the config's `proofs`. Of published weights it is what Coq has said: `make proof PUBLISHED=yes` asks it again.
    Nothing if it is not asked.
    """
    if not names:
        return {}
    kept = {name: [in_project(kept_proof(name))] for name in names if is_kept(name)}
    if asked == KEPT_PROOFS and os.path.exists(in_project(KEPT_THEOREMS)):
        return {"theorems": [in_project(KEPT_THEOREMS)]} | kept
    if not wanted(asked):
        return {}
    files = {"theorems": [THEOREMS]}
    for name in names:
        is_built = "/" in name or name in datasets.populations  # published weights are not
        if name in kept and not is_built:
            files[name] = kept[name]
        else:
            networks = [network_file(name)] if "/" in name else datasets.population(name).files("safetensors")
            files[name] = [proof_file(network) for network in networks]
    return files


def proof_file(networks: str) -> str:
    """What Coq says of the networks of a file below results/."""
    return networks.replace("results/", "results/proofs/", 1).replace(".safetensors", ".json")


def kept_proof(network: str) -> str:
    """What Coq said of a network of the reference or of published weights, by their name; it need not exist."""
    return f"data/proofs/{network.replace('/', '_')}.json"


def is_kept(network: str) -> bool:
    """Whether what Coq said of a network is kept."""
    return os.path.exists(in_project(kept_proof(network)))
