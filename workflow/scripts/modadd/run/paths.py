"""Where files are, by the names that config and ledger have for them."""

import os

from modadd.run.root import own

THEOREMS = "results/proofs/theorems.json"  # what Coq says of every modulus
EXPERIMENTS = ("pilot", "competition")  # datasets whose networks have a training loop of their own
LIBRARY = "results/proofs/library"  # a folder: the lemmas, compiled for the jobs that prove networks


def place_of(name: str) -> tuple[str, int | None]:
    """What the ledger means by the name of a network: of study/seedN study and seed, of population/exhibit no seed."""
    place, which = name.split("/")
    return place, None if which == "exhibit" else int(which.removeprefix("seed"))


def network_file(name: str) -> str:
    """The file of a network that the ledger names."""
    place, seed = place_of(name)
    return (
        f"results/exhibits/{place}.safetensors" if seed is None else f"results/networks/{place}/seed{seed}.safetensors"
    )


def table_of(dataset: str) -> str:
    """The table of a population or an experiment that is trained here."""
    return f"results/{place_of_rows(dataset)}.parquet"


def place_of_rows(dataset: str) -> str:
    """Where the rows of a dataset are, in results/ and in data/; a dataset is a population, stages/STUDY or an experiment."""
    return dataset if "/" in dataset or dataset in EXPERIMENTS else f"populations/{dataset}"


def kept_rows(dataset: str) -> list[str]:
    """The committed rows of a dataset, if there are any."""
    path = own(f"data/{place_of_rows(dataset)}.parquet")
    return [path] if os.path.exists(path) else []


def proof_file(networks: str) -> str:
    """What Coq says of the networks of a file below results/."""
    return networks.replace("results/", "results/proofs/", 1).replace(".safetensors", ".json")


def caption_file(notebook: str, name: str) -> str:
    """Where the report finds the caption of a figure or table."""
    return f"results/captions/{notebook}/{name}.rst"
