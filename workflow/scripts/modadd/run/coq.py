"""Coq, the proof checker, where it is installed: what it accepts, and on which axioms."""

import re
import shutil
import subprocess
import textwrap
from pathlib import Path

INSTALL = "apt-get install coq, conda install -c conda-forge coq, or opam install coq"
ABSENT = f"needs coqc, which checks the proofs: {INSTALL}"
NAME = "Modadd"  # of the library of lemmas, as other files require it
LEMMAS = (
    "Network",
    "Ball",
    "Machine",
    "Answers",
    "Parameters",
    "Products",
    "Flips",
    "Trained",
    "Architectures",
    "Smallest",
)


class Refused(ValueError):
    """A proof that Coq does not accept, with Coq's message."""


def wanted(setting: bool | str) -> bool:
    """Whether proofs are checked: as the config says, or with `auto` where the command coqc is found."""
    return shutil.which("coqc") is not None if setting == "auto" else bool(setting)


def compile_library(sources: Path, folder: Path) -> str:
    """Check the lemmas of `sources` one after another, in a folder that then holds them compiled; return what Coq says."""
    folder.mkdir(parents=True, exist_ok=True)
    said = []
    for name in LEMMAS:
        shutil.copy(sources / f"{name}.v", folder / f"{name}.v")
        said.append(check(folder / f"{name}.v", folder))
    return "".join(said)


def check(file: Path, library: Path) -> str:
    """What Coq says of a file that it accepts, which requires the library compiled in a folder.

    Raises Refused, with its last words, if it does not; ValueError without coqc.
    """
    command = ["coqc", "-q", "-w", "none", "-R", str(library.resolve()), NAME, file.name]
    try:
        done = subprocess.run(command, cwd=file.parent, capture_output=True, encoding="utf-8", errors="replace")
    except FileNotFoundError:
        raise ValueError(ABSENT) from None
    if done.returncode:
        raise Refused(f"{file.name}: {done.stderr.strip()[-1000:]}")
    return done.stdout


def axioms(said: str) -> list[list[str]]:
    """The names of the axioms behind each theorem whose assumptions were printed, in order; none if it needs none."""
    blocks = re.split(r"^(Axioms:|Closed under the global context)$", said, flags=re.MULTILINE)[1:]
    pairs = zip(blocks[::2], blocks[1::2], strict=True)
    return [re.findall(r"^(\S+)(?=\s*:|$)", text, re.MULTILINE) if kind == "Axioms:" else [] for kind, text in pairs]


def theorems(source: Path) -> dict[str, str]:
    """The statements of the theorems and corollaries of a file, by name, each as it is written there."""
    text = source.read_text(encoding="utf-8")
    found = re.finditer(r"^(?:Theorem|Corollary) (\w+).*?\.(?=\nProof)", text, re.MULTILINE | re.DOTALL)
    return {match[1]: match[0] for match in found}


def definition(source: Path, name: str) -> str:
    """How a file defines a name, as it is written there."""
    found = re.search(
        rf"^ *(?:Definition|Record|Fixpoint|Let) {name}\b.*?\.(?=\s*\n)",
        source.read_text(encoding="utf-8"),
        re.M | re.S,
    )
    if found is None:
        raise ValueError(f"{source}: expected a definition of {name}, found none")
    return textwrap.dedent(found[0])


def names_of(library: Path) -> set[str]:
    """Every name that the lemmas declare: an axiom among these would be ours."""
    kinds = "Lemma|Theorem|Corollary|Definition|Fixpoint|Record|Axiom|Parameter|Variable|Hypothesis|Conjecture"
    texts = (path.read_text(encoding="utf-8") for path in sorted(library.glob("*.v")))
    return set().union(*(re.findall(rf"^\s*(?:{kinds})s? (\w+)", text, re.MULTILINE) for text in texts))
