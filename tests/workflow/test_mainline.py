"""The mainline network of Study Q, trained in full: all claims about it come out as the ledger expects."""

import json

from support import LEDGER_SCHEMA, ROOT, copy_tree, snakemake

from modadd.ledger.entries import read_ledger
from modadd.ledger.verdicts import judge
from modadd.populations.tables import read_population

LEDGER = read_ledger(ROOT / "data/claims.yaml", LEDGER_SCHEMA)
NOTEBOOKS = [name for name, entry in LEDGER["notebooks"].items() if entry.get("rounding") == "q_rounding"]


def test_mainline_claims_come_out_as_the_ledger_expects(tmp_path):
    folder = copy_tree(tmp_path)
    table = "results/populations/q_rounding.parquet"
    values = {name: f"results/values/{name}.json" for name in NOTEBOOKS}
    snakemake(folder, *values.values(), table, "--cores", "1", "--configfile", "tests/mainline.yaml")
    retrained = read_population(folder / table, folder / "data/populations/q_rounding.parquet")
    recorded = {name: json.loads((folder / path).read_text()) for name, path in values.items()}
    about = [claim for claim in LEDGER["claims"] if claim["notebook"] in NOTEBOOKS]
    verdicts = [judge(claim, recorded[claim["notebook"]], "laptop", retrained) for claim in about]
    assert {verdict.verdict for verdict in verdicts} >= {
        "number matches",
        "statement holds",
        "ours holds",
    }, "nothing was judged"
    surprises = [
        f"{v.id}: {v.verdict}, expected {v.expected}; published {v.published}, measured {v.measured}. {v.note}"
        for v in verdicts
        if not v.as_expected
    ]
    assert not surprises, "\n".join(surprises)
