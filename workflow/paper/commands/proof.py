"""Let Coq prove that networks add, and say for each what came out (`make proof`).

The status is 1 if a network that answers every input right is not accepted, or one that was named is not proven.
"""

import argparse
import lzma
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from time import perf_counter
from typing import Any
from zipfile import ZipFile

from prove_networks import prove

from modadd.certificates.provable import PROVABLE, provable, wrong_answer
from modadd.core.files import read_json, sha256, write_json, write_whole
from modadd.networks.foreign import read_external
from modadd.networks.store import Network, load_network
from paper.build import Build
from paper.commands.build import build
from paper.commands.check import build_of
from paper.commands.look import NAME as NETWORK
from paper.coq import LEMMAS, NAME, Failed, check, command, recheck, version
from paper.datasets import Datasets, network_file, place_of
from paper.ledger.read.published import read_published
from paper.proofs import KEPT_THEOREMS, PROOF_LIBRARY, THEOREMS, kept_proof, proof_file, proof_files

LIBRARY = Path(PROOF_LIBRARY)
MAINLINES = ("pizza_transformer/seed0", "two_layer_mlp/seed0", "c91_batch/exhibit")
# What says which networks are proven, and the option that may stand beside it.
GO_WITH = {"file": "format", "network": "check", "published": "keep"}


def build_with_proofs(*targets: str) -> None:
    """Build targets, with proofs; exits with the logs of what failed."""
    build(Path("."), Path("results/logs/proof.log"), [], *targets, "--cores", "all", "--config", "proofs=true")


def told(name: str, found: Mapping[str, Any], seconds: str) -> str:
    """What came out for a network, in a line: the ball, rounding and the margin in logits."""
    if found["margin"] <= 0:
        verdict = "answers wrong, so nothing to prove"
    elif not found["accepted"]:
        verdict = "NOT ACCEPTED"
    else:
        room = "and as it runs in float32" if found["runs"] else "with no room for float32's rounding"
        verdict = f"accepted, {room}"
    axioms = f"{len(found['axioms'])} axioms"
    for axiom in found["own_axioms"]:
        axioms += f", {axiom} not of Coq"
    logits = f"margin {found['margin']:.4g}, ball {found['allowance']:.3g}, rounding {found['rounding']:.3g}"
    return f"{name}: {verdict}; {logits}; {axioms}; {seconds}"


def fails(found: Mapping[str, Any]) -> bool:
    """Whether a network that answers every input right is not accepted."""
    return found["margin"] > 0 and not found["accepted"]


def report(names: Iterable[str], datasets: Datasets) -> bool:
    """Print a line for every network that was asked about; gives whether one fails."""
    failed = False
    for name in names:
        for file in proof_files([name], datasets, True)[name]:
            log = Path(file.replace("results/proofs/", "results/logs/prove_networks/").replace(".json", ".log"))
            spent = dict(re.findall(r"^seed (\d+): ([\d.]+ s);", log.read_text(encoding="utf-8"), re.MULTILINE))
            for found in read_json(Path(file))["networks"]:
                which = f"{name}, mod {found['modulus']}, seed {found['seed']}"
                print(told(which, found, spent.get(str(found["seed"]), "not run")))
                failed |= fails(found)
    return failed


def axioms_again(names: list[str], beside: Path | None = None) -> str:
    """How many axioms coqchk finds behind compiled files, in a line; raises Failed if one is ours."""
    began = perf_counter()
    said = recheck(names, LIBRARY, beside).partition("* Axioms:")[2].partition("*")[0].split()
    (checker,) = command("coqchk")  # it has just run
    if ours := [name for name in said if name.startswith((f"{NAME}.", "again."))]:
        raise Failed(f"{checker} finds axioms of our own: {', '.join(ours)}")
    return f"checked again by {checker} in {perf_counter() - began:.0f} s; {len(said)} axioms behind all that is loaded"


def check_again(texts: Mapping[str, str]) -> None:
    """Compile files once more, by name, and let coqchk go through each, without the virtual machine."""
    for name, text in texts.items():
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "again.v"
            file.write_text(text, encoding="utf-8")
            check(file, LIBRARY)
            print(f"{name}: {axioms_again(['again'], file.parent)}", flush=True)


def texts_of(files: Iterable[str]) -> dict[str, str]:
    """What Coq read for some files of `prove_networks`, by file and seed."""
    texts = {}
    for file in files:
        with ZipFile(file.replace(".json", ".zip")) as archive:
            texts |= {f"{file} {name}": archive.read(name).decode() for name in archive.namelist()}
    return texts


def keep(names: Iterable[str], datasets: Datasets) -> None:
    """Write to data/proofs the proofs of the mainlines, compressed, and what Coq says of them and of every modulus."""
    write_whole(Path(KEPT_THEOREMS), Path(THEOREMS).read_bytes())
    for name in names:
        write_whole(Path(kept_proof(name)), Path(proof_file(network_file(name))).read_bytes())
        (text,) = texts_of(proof_files([name], datasets, True)[name]).values()
        file = Path(kept_proof(name)).with_suffix(".v.xz")
        write_whole(file, lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        print(f"{file}: {file.stat().st_size:,} bytes")


def prove_published(kept: bool) -> bool:
    """Prove the published weights in data/external that have a form for Coq; gives whether one fails.

    Kept is what Coq said, with the checksums of the file of weights and of what Coq read. That holds the weights, which are
    not ours to hand on, and is the same for whoever makes it again.
    """
    sources = read_published("data/published/values.json")
    networks = {}
    for name, source in sources.items():
        if source["format"] not in PROVABLE:
            print(f"{name}: no theorem is about the format '{source['format']}'")
            continue
        file = Path(f"data/external/{name}.pt")
        if not file.exists():
            raise ValueError(
                f"{file}: expected the published weights; `python workflow/dev/keep.py weights` fetches them"
            )
        networks[name] = provable(read_external(file, source["format"], source["sha256"]))
    build_with_proofs(THEOREMS)
    failed = False
    for name, network in networks.items():
        source = sources[name]
        found, read = prove_apart(name, network)
        failed |= fails(found)
        if kept and found["accepted"]:
            sums = {"weights_sha256": source["sha256"], "proof_sha256": sha256(read)}
            write_json(Path(kept_proof(name)), sums | {"networks": [found]})
    return failed


def prove_own(file: Path, format: str | None) -> bool:
    """Prove a network of a file, or say why not; gives whether it fails."""
    if not format:
        raise ValueError(f"{file}: FORMAT is missing, which says how it is laid out: one of {', '.join(PROVABLE)}")
    network = provable(read_external(file, format, sha256(file)))
    require_right(str(file), network)
    build_with_proofs(THEOREMS)
    found, _ = prove_apart(str(file), network)
    return fails(found)


def require_named(name: str, datasets: Datasets) -> None:
    """Raise ValueError, one line, for a name of no network of the config."""
    if not NETWORK.fullmatch(name):
        raise ValueError(f"NETWORK: expected DATASET/seedN or POPULATION/exhibit, got '{name}'")
    dataset, seed = place_of(name)
    if seed is None:
        datasets.population(dataset)
    else:
        datasets.watched_one(dataset).require_seed(seed)


def require_together(options: argparse.Namespace) -> None:
    """Raise ValueError, one line, for an option that would be passed over beside the others."""
    given = [key for key in ("file", "network", "published", "format", "check", "keep") if getattr(options, key)]
    proven = next((key for key in GO_WITH if key in given), None)
    if not proven:
        if options.format:
            raise ValueError("--format: expected --file beside it")
        return
    for key in given:
        if key not in (proven, GO_WITH[proven]):
            raise ValueError(f"--{key}: expected nothing but --{GO_WITH[proven]} beside --{proven}")


def require_right(name: str, network: Network) -> None:
    """Raises ValueError, one line, if a network that was named gets an input wrong, with that input."""
    if wrong := wrong_answer(network):
        raise ValueError(f"{name}: nothing to prove: {wrong}")


def prove_apart(name: str, network: Network) -> tuple[dict[str, Any], Path]:
    """Prove a network that is not trained here, and say what came out; gives that, and the file that Coq read."""
    read = Path("results/own") / f"{Path(name).stem}.v"
    log = StringIO()
    began = perf_counter()
    with redirect_stderr(log):
        ((found,), files) = prove([network], LIBRARY)
    print(told(name, found, f"{perf_counter() - began:.1f} s"))
    for text in files.values():
        write_whole(read, text.encode())
        write_whole(read.with_suffix(".log"), log.getvalue().encode())
        print(f"What Coq read: {read}, and what it said: {read.with_suffix('.log')}", flush=True)
    return found, read


def built_and_proven(asked: Build) -> list[str]:
    """The networks and populations trained here whose proofs notebooks read, each once."""
    named = {name: None for entry in asked.ledger["notebooks"].values() for name in entry["inputs"]["proofs"]}
    return [name for name in named if "/" in name or name in asked.datasets.populations]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which networks, and what is done with their proofs."""
    parser.add_argument("--file", type=Path, help="a network of yours")
    parser.add_argument("--format", help="how it is laid out: docs/recipes.md")
    parser.add_argument("--network", help="a network of the config, as dataset/seedN")
    parser.add_argument("--check", action="store_true", help="let coqchk check every proof again")
    parser.add_argument(
        "--published",
        action="store_true",
        help="prove published weights that `python workflow/dev/keep.py weights` fetched",
    )
    parser.add_argument(
        "--keep", action="store_true", help="write the proofs of the mainlines, or of published weights, to data/proofs"
    )


def run(options: argparse.Namespace) -> bool:
    """Prove what the options name; true if a network fails."""
    require_together(options)
    try:
        return _prove(options)
    except Failed as error:
        sys.exit(str(error))


def _prove(options: argparse.Namespace) -> bool:
    if options.file:
        return prove_own(options.file, options.format)
    if options.published:
        return prove_published(options.keep)
    build_here = build_of([])
    datasets = build_here.datasets
    if options.network:
        require_named(options.network, datasets)
        asked = [options.network]
        build_with_proofs(proof_file(network_file(options.network)))
        require_right(options.network, load_network(network_file(options.network)))
    else:
        asked = built_and_proven(build_here)
        build_with_proofs("proofs")
    failed = report(asked, datasets)
    print(f"Coq {version()}. Lemmas: {axioms_again([f'{NAME}.{name}' for name in LEMMAS])}", flush=True)
    if options.check:
        for name in asked:
            check_again(texts_of(proof_files([name], datasets, True)[name]))
    if options.keep:
        keep(MAINLINES, datasets)
    return failed
