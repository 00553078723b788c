"""Compile the lemmas with Coq; write the theorems for every modulus with the axioms that each stands on."""

from pathlib import Path

from modadd.core.files import write_json
from modadd.core.jobs import begin
from modadd.run.coq import axioms, compile_library, definition, theorems

FOR_EVERY_MODULUS = "Smallest"  # the file whose theorems are about networks of any modulus
# What a reader of the theorems about trained networks must know, and the files that say it.
DEFINITIONS = {"network": "Network", "logit": "Network", "adds": "Network", "near": "Ball", "value": "Parameters"}

if __name__ == "__main__":
    begin(snakemake.log[0])
    sources = Path(snakemake.input.sources[0]).parent
    said = compile_library(sources, Path(snakemake.output.library))
    stated = theorems(sources / f"{FOR_EVERY_MODULUS}.v")
    found = [
        {"name": name, "statement": statement, "axioms": behind}
        for (name, statement), behind in zip(stated.items(), axioms(said), strict=True)
    ]
    defined = {name: definition(sources / f"{file}.v", name) for name, file in DEFINITIONS.items()}
    write_json(Path(snakemake.output.theorems), {"theorems": found, "definitions": defined})
