"""The mainline network of Study Q, trained in full: every claim about it comes out as the ledger expects."""

import json

from support import copy_tree, snakemake


def test_mainline_claims_come_out_as_the_ledger_expects(tmp_path):
    folder = copy_tree(tmp_path)
    snakemake(folder, "--cores", "1", "--configfile", "tests/mainline.yaml")
    claims = json.loads((folder / "figures/claims.json").read_text())
    surprises = [
        f"{c['id']}: {c['verdict']}, expected {c['expected']}; published {c['published']}, measured {c['measured']}. {c['note']}"
        for c in claims
        if not c["as_expected"]
    ]
    assert not surprises, "\n".join(surprises)
