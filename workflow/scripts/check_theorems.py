"""Compile the lemmas with Coq; write the theorems for every modulus with the axioms that each stands on."""

from pathlib import Path

from modadd.core.files import write_json
from modadd.core.jobs import begin
from modadd.run.coq import axioms, compile_library, definition, theorems

FOR_EVERY_MODULUS = "Smallest"  # the file whose theorems are about networks of any modulus
# What a reader of the theorems about trained networks must know, and the files that say it.
DEFINITIONS = {
    "Network": ("sum", "relu", "network", "logit", "adds"),
    "Ball": ("tables", "near"),
    "Machine": ("entry",),
    "Answers": ("printed", "tables_of"),
    "Parameters": ("exponent_field", "sign", "mantissa", "exponent", "value", "float32"),
    "Architectures": ("through", "times", "pizza", "at_a", "at_b", "heads", "pizza_logits"),
}

if __name__ == "__main__":
    begin(snakemake.log[0])
    sources = Path(snakemake.input.sources[0]).parent
    said = compile_library(sources, Path(snakemake.output.library))
    stated = theorems(sources / f"{FOR_EVERY_MODULUS}.v")
    found = [
        {"name": name, "statement": statement, "axioms": behind}
        for (name, statement), behind in zip(stated.items(), axioms(said), strict=True)
    ]
    defined = [definition(sources / f"{file}.v", name) for file, names in DEFINITIONS.items() for name in names]
    write_json(Path(snakemake.output.theorems), {"theorems": found, "definitions": defined})
