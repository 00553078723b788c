"""Coq, the proof checker, where it is installed: what it accepts, and on which axioms.

From version 9 on its name is Rocq, and its command may be `rocq c` alone.
"""

import re
import shutil
import subprocess
import textwrap
from functools import cache
from pathlib import Path

INSTALL = "apt-get install coq, conda install -c conda-forge coq, or opam install coq"
TRIED = "Coq 8.16.1, Rocq 9.0.1"  # how far: data/proofs/README.md
ABSENT = f"needs coqc, in a version that compiles the lemmas (tried: {TRIED}), which checks the proofs: {INSTALL}"
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
# The axioms that a theorem may stand on: those of Coq's real numbers, and those of its integers and arrays. Rocq 9 has eight
# of the integers' in a file of another name.
LOGIC = frozenset(("ClassicalDedekindReals.sig_forall_dec", "FunctionalExtensionality.functional_extensionality_dep"))
MACHINE = frozenset(
    "PrimInt63.div PrimInt63.leb PrimInt63.ltb add array asr eqb get int land length lesb lor lsl lsr ltsb make mod mul "
    "set sub Uint63.add_spec Uint63.div_spec Uint63.leb_spec Uint63.ltb_spec Uint63.mod_spec Uint63.mul_spec "
    "Uint63.of_to_Z Uint63.sub_spec asr_spec eqb_correct eqb_refl get_set_other get_set_same leb_spec length_make "
    "length_set lor_spec lsl_spec lsr_spec ltb_spec "
    "Uint63Axioms.add_spec Uint63Axioms.div_spec Uint63Axioms.leb_spec Uint63Axioms.ltb_spec Uint63Axioms.mod_spec "
    "Uint63Axioms.mul_spec Uint63Axioms.of_to_Z Uint63Axioms.sub_spec".split()
)
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

    That is the first word of every entry: the name of an axiom, or of a definition whose recursion was not checked.
    """
    blocks = re.split(r"^(Axioms:|Closed under the global context)$", said, flags=re.MULTILINE)[1:]
    pairs = zip(blocks[::2], blocks[1::2], strict=True)
    return [re.findall(r"^([^\s:]+)", text, re.MULTILINE) if kind == "Axioms:" else [] for kind, text in pairs]


def own(behind: list[str], library: Path) -> list[str]:
    """Which of some axioms are not those of Coq's real numbers, integers and arrays, or have the name of one of our lemmas."""
    return sorted({*behind} - LOGIC - MACHINE | {*behind} & names_of(library))


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


def names_of(library: Path) -> set[str]:
    """Every name that the lemmas declare."""
    kinds = (
        "Lemma|Theorem|Corollary|Definition|Fixpoint|Inductive|Record|Axiom|Parameter|Variable|Hypothesis|Conjecture"
    )
    texts = (path.read_text(encoding="utf-8") for path in sorted(library.glob("*.v")))
    return set().union(*(re.findall(rf"^\s*(?:{kinds})s? (\w+)", text, re.MULTILINE) for text in texts))
