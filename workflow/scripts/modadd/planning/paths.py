"""Where files are, by the names that config and ledger have for them."""

import os

from modadd.planning.root import own

THEOREMS = "results/proofs/theorems.json"  # what Coq says of every modulus
KEPT_THEOREMS = "data/proofs/theorems.json"  # what it said of them for the reference
EXPERIMENTS = ("competition",)  # datasets whose networks have a training loop of their own
PROOF_LIBRARY = "results/proofs/library"  # a folder: the lemmas, compiled for the jobs that prove networks


EXHIBIT, WITNESS = "exhibit", "witness"  # networks of a population: the one that a rule chooses, and the kept one


def place_of(name: str) -> tuple[str, int | None]:
    """What the ledger means by the name of a network: dataset and seed of dataset/seedN; the others have no seed."""
    place, which = name.split("/")
    return place, None if which in (EXHIBIT, WITNESS) else int(which.removeprefix("seed"))


def network_file(name: str) -> str:
    """The file of a network that the ledger names."""
    place, seed = place_of(name)
    if seed is not None:
        return f"results/networks/{place}/seed{seed}.safetensors"
    if name.endswith(EXHIBIT):
        return f"results/exhibits/{place}.safetensors"
    return own(f"data/populations/witnesses/{place}.safetensors")


def table_of(dataset: str) -> str:
    """The table of a population or an experiment that is trained here."""
    return f"results/{_place_of_rows(dataset)}.parquet"


def kept_table(dataset: str, watched: bool = False) -> str:
    """The committed table of a dataset, which need not exist; of watched networks it has a row for each snapshot."""
    return own(f"data/stages/{dataset}.parquet" if watched else f"data/{_place_of_rows(dataset)}.parquet")


def _place_of_rows(dataset: str) -> str:
    return dataset if dataset in EXPERIMENTS else f"populations/{dataset}"


def kept_rows(dataset: str, watched: bool = False) -> list[str]:
    """The committed table of a dataset, if there is one."""
    path = kept_table(dataset, watched)
    return [path] if os.path.exists(path) else []


def proof_file(networks: str) -> str:
    """What Coq says of the networks of a file below results/."""
    return networks.replace("results/", "results/proofs/", 1).replace(".safetensors", ".json")


def kept_proof(network: str) -> str:
    """What Coq said of a network of the reference or of published weights, by their name; it need not exist."""
    return f"data/proofs/{network.replace('/', '_')}.json"


def is_kept(network: str) -> bool:
    """Whether what Coq said of a network is kept."""
    return os.path.exists(own(kept_proof(network)))


def caption_file(notebook: str, name: str) -> str:
    """Where the report finds the caption of a figure or table."""
    return f"results/captions/{notebook}/{name}.rst"
