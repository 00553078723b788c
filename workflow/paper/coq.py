"""Coq, the proof checker, where it is installed: what it accepts, and on which axioms.

From version 9 on its name is Rocq, and its command may be `rocq c` alone.
"""

import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterable
from functools import cache
from pathlib import Path

INSTALL = "apt-get install coq, conda install -c conda-forge coq, or opam install coq"
TRIED = "Coq 8.16.1, Rocq 9.0.1"  # how far: data/proofs/README.md
ABSENT = (
    f"needs coqc, in a version that compiles the lemmas (tried: {TRIED}), and `proofs: true` in the config: {INSTALL}"
)
NAME = "Modadd"  # of the library of lemmas, as other files require it
LEMMAS = (
    "Assumed",
    "Network",
    "Ball",
    "Machine",
    "Answers",
    "Parameters",
    "Products",
    "Flips",
    "Trained",
    "Architectures",
    "Rounding",
    "Running",
    "Smallest",
    "OneNeuron",
    "Certificates",
    "OneNeuronMod5",
    "Frequencies",
    "Pizzas",
    "Neurons",
    "OneFrequency",
)
# The axioms of Coq's real numbers, by the names that it prints. What a theorem may stand on is in proofs/Assumed.v.
LOGIC = frozenset(("ClassicalDedekindReals.sig_forall_dec", "FunctionalExtensionality.functional_extensionality_dep"))
# The kernel's own words where a program of a theorem ends in `false`: the one way in which Coq refuses a network.
_MISMATCH = re.compile(r'The term "eq_refl" has type "true = true" while it is expected to have type')


class Failed(RuntimeError):
    """A file that Coq does not accept, for whatever reason, with its message."""


class Refused(Failed):
    """A theorem whose program does not end in `true`: what it says of a network is not proven."""


def command(program: str = "coqc") -> list[str] | None:
    """How coqc or coqchk is called here, as Coq or as Rocq names it; None where neither is installed."""
    other = {"coqc": ["rocq", "c"], "coqchk": ["rocqchk"]}[program]
    return next((words for words in ([program], other) if shutil.which(words[0])), None)


@cache
def version() -> str:
    """The version of Coq and of the OCaml that compiled it; empty where it is not installed."""
    found = command()
    if found is None:
        return ""
    return subprocess.run([*found, "--print-version"], capture_output=True, encoding="utf-8").stdout.strip()


KEPT_PROOFS = (
    "kept"  # of the config's `proofs`: what Coq said of the networks of the reference is shown, and Coq not asked
)


def wanted(setting: bool | str) -> bool:
    """Whether proofs are checked: as the config says, or with `auto` where Coq is found; `kept` ones are not."""
    return command() is not None if setting == "auto" else setting is True


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

    Raises Refused, with its last words, if a theorem's program does not end in `true`; Failed if anything else goes wrong:
    a lemma that does not hold, another version, no memory; ValueError without Coq.
    """
    return _run("coqc", ["-q", "-R", str(library.resolve()), NAME, file.name], file)


def recheck(names: list[str], library: Path, beside: Path | None = None) -> str:
    """What coqchk says of compiled files, with the axioms behind them: it checks every proof again, without the virtual machine.

    names: as Coq has them, Modadd.Ball of a lemma file, seed0 of a file in the folder `beside`. Raises Failed, with its last
    words, if it does not accept one; ValueError without coqchk.
    """
    where = ["-R", str(library.resolve()), NAME, *(["-Q", str(beside.resolve()), ""] if beside else [])]
    return _run("coqchk", ["-silent", "-o", *where, *names], library)


def _run(program: str, options: list[str], file: Path) -> str:
    called = command(program)
    if called is None:
        raise ValueError(ABSENT)
    done = subprocess.run(
        [*called, *options],
        cwd=file if file.is_dir() else file.parent,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode == 0:
        return done.stdout + (done.stderr if program == "coqchk" else "")  # coqchk lists the axioms among messages
    words = done.stderr.strip() or done.stdout.strip()
    refused = program == "coqc" and done.returncode == 1 and _MISMATCH.search(" ".join(words.split()))
    raise (Refused if refused else Failed)(
        f"{file.name}: {' '.join(called)} ended with status {done.returncode}: {words[-1000:]}"
    )


def axioms(said: str) -> list[list[str]]:
    """What each theorem stands on whose assumptions were printed, in order; none if it needs nothing.

    An entry is the name of an axiom with its type, or of a definition whose recursion was not checked, with what Coq says of
    it. The name is as short as the file allows where it was printed: there it stands for one thing.
    """
    blocks = re.split(r"^(Axioms:|Closed under the global context)$", said, flags=re.MULTILINE)[1:]
    pairs = zip(blocks[::2], blocks[1::2], strict=True)
    return [_entries(text) if kind == "Axioms:" else [] for kind, text in pairs]


def _entries(text: str) -> list[str]:
    return [" ".join(entry.split()) for entry in re.split(r"\n(?=\S)", text.strip())]


def names_of(entries: Iterable[str]) -> list[str]:
    """The name in each entry of `axioms`: its first word."""
    return [re.match(r"[^\s:]+", entry)[0] for entry in entries]


def axioms_of_networks(said: str) -> tuple[list[str], list[str]]:
    """The names of what the theorems of a file about a network stand on, and of these the ones that are not Coq's.

    The file prints the assumptions of its theorems and then, in the same place, those of `of_coq` in Assumed.v. An axiom is
    Coq's if that has the same entry, name and type.
    """
    *behind, of_coq = axioms(said)
    entries = list(dict.fromkeys(entry for each in behind for entry in each))
    return names_of(entries), sorted(names_of(entry for entry in entries if entry not in of_coq))


def theorems(source: Path) -> dict[str, str]:
    """The statements of the theorems and corollaries of a file, by name, each as it is written there."""
    text = source.read_text(encoding="utf-8")
    found = re.finditer(r"^(?:Theorem|Corollary) (\w+).*?\.(?=\nProof)", text, re.MULTILINE | re.DOTALL)
    return {match[1]: match[0] for match in found}


def definition(source: Path, name: str) -> str:
    """How a file defines a name, as it is written there."""
    found = re.search(
        rf"^ *(?:Definition|Record|Fixpoint|Inductive|Let) {name}\b.*?\.(?=\s*\n)",
        source.read_text(encoding="utf-8"),
        re.M | re.S,
    )
    if found is None:
        raise ValueError(f"{source}: expected a definition of {name}, found none")
    return textwrap.dedent(found[0])
