"""Compile the lemmas with Coq; write the theorems for every modulus with the axioms that each stands on.

A Coq that was only found here, not asked for (`proofs: auto`), may fail: then one line says so, and nothing is proven.
"""

import own_code  # noqa: F401

# isort: split

import sys
from pathlib import Path

from modadd.core.files import write_json
from paper.coq import Failed, axioms, compile_library, definition, names_of, theorems, version
from paper.jobs import begin

FOR_EVERY_MODULUS = (
    "Smallest",
    "OneNeuron",
    "OneNeuronMod5",
    "Frequencies",
    "Pizzas",
    "Neurons",
    "OneFrequency",
)  # files whose theorems are about networks of any modulus, in the order of LEMMAS
# What a reader of the theorems about trained networks must know, and the files that say it.
DEFINITIONS = {
    "Network": ("sum", "relu", "network", "logit", "adds"),
    "Ball": ("tables", "near"),
    "Machine": ("entry",),
    "Answers": ("printed", "tables_of"),
    "Parameters": ("of_size", "exponent_field", "sign", "mantissa", "exponent", "value", "float32"),
    "Frequencies": ("angle", "cosines", "lead", "cluster_logits"),
    "Pizzas": ("wave", "weighted_logits", "pizza_factor"),
    "Smallest": ("without_bypass",),
    "Neurons": ("relative_margin",),
    "OneFrequency": ("phase", "one_frequency", "left_of_lead"),
    "Rounding": ("u", "t", "rounds", "reads", "expression", "exact", "gives", "sums"),
    "Running": ("products", "adds_as_it_runs", "pizza_runs"),
    "Architectures": ("through", "times", "pizza", "pizza_sizes", "at_a", "at_b", "heads", "pizza_logits"),
}

if __name__ == "__main__":
    begin(snakemake.log[0])
    sources = Path(snakemake.input.sources[0]).parent
    library, written = Path(snakemake.output.library), Path(snakemake.output.theorems)
    try:
        said = compile_library(sources, library)
    except Failed as words:
        if not snakemake.params.may_fail:
            raise
        why = f"the Coq found here, {version()}, does not compile the lemmas, so claims about proofs are not judged"
        print(f"{why}: {words}", file=sys.stderr)
        print(f"{why}: {snakemake.log[0]}", file=sys.__stderr__, flush=True)
        write_json(written, {"theorems": [], "definitions": [], "not_compiled": why})
        sys.exit()
    files = [sources / f"{name}.v" for name in FOR_EVERY_MODULUS]
    stated = [
        {"name": name, "statement": statement, "lines": file.read_text(encoding="utf-8").count("\n")}
        for file in files
        for name, statement in theorems(file).items()
    ]
    found = [one | {"axioms": names_of(behind)} for one, behind in zip(stated, axioms(said), strict=True)]
    defined = [definition(sources / f"{file}.v", name) for file, names in DEFINITIONS.items() for name in names]
    write_json(written, {"theorems": found, "definitions": defined})
