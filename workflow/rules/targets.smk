# Targets with a name of their own: parts of the whole.
localrules:
    study_q,
    study_m,
    study_c,
    study_t,
    proofs,
    claims,
    site,


rule study_q:
    """Study Q, the quadrature study: every figure, table and page of its notebooks."""
    input:
        PLAN.outputs("Q"),


rule study_m:
    """Study M, the two-layer MLP: every figure, table and page of its notebooks."""
    input:
        PLAN.outputs("M"),


rule study_c:
    """Study C, the approximate Chinese remainder theorem: every figure, table and page of its notebooks."""
    input:
        PLAN.outputs("C"),


rule study_t:
    """Study T, the network of the theorists: every figure, table and page of its notebooks."""
    input:
        PLAN.outputs("T"),


rule proofs:
    """The theorems that Coq checks: for every modulus, and for each network that a notebook asks about."""
    input:
        [file for entry in PLAN.notebooks.values() for file in files_in(PLAN.proofs(entry["inputs"]["proofs"]))],


rule claims:
    """Every claim with its verdict, figures/claims.{json,csv,md,tex}, and what is needed for it."""
    input:
        expand("figures/claims.{suffix}", suffix=["json", "csv", "md", "tex"]),


rule site:
    """The page with all figures, tables, claims and notebooks, figures/index.html."""
    input:
        "figures/index.html",
