"""Judge claims on committed tables of networks that were trained after everything was fixed."""

from dataclasses import asdict
from pathlib import Path

from modadd.core.files import write_json
from modadd.core.jobs import begin
from modadd.ledger.entries import read_ledger
from modadd.ledger.unseen import judged_held_out

if __name__ == "__main__":
    begin(snakemake.log[0])
    judged = judged_held_out(read_ledger()["claims"], snakemake.input.published, **snakemake.params.held_out)
    write_json(Path(snakemake.output[0]), asdict(judged))
