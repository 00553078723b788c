# Targets with a name of their own: parts of the whole. A notebook is of the study of the network that it shows.
def pictures_of(study):
    """The figures and tables of a study, and its executed notebooks; their pages have verdicts, and need all notebooks."""
    own = [question for question in PAPER.questions.values() if question.study == study]
    return [[*question.figures, *question.tables, f"results/notebooks/{question.name}.ipynb"] for question in own]


localrules:
    study_q,
    study_m,
    study_c,
    study_t,
    proofs,
    claims,
    site,


rule study_q:
    """Study Q, the quadrature study: every figure and table of its notebooks."""
    input:
        pictures_of("Q"),


rule study_m:
    """Study M, the two-layer MLP: every figure and table of its notebooks."""
    input:
        pictures_of("M"),


rule study_c:
    """Study C, the approximate Chinese remainder theorem: every figure and table of its notebooks."""
    input:
        pictures_of("C"),


rule study_t:
    """Study T, the network of the theorists: every figure and table of its notebooks."""
    input:
        pictures_of("T"),


rule proofs:
    """The theorems that Coq checks: for every modulus, and for each network that a notebook asks about."""
    input:
        [question.given.get("proofs", {}).values() for question in PAPER.questions.values()],


rule claims:
    """Every claim with its verdict, figures/claims.{json,csv,md,tex}, and what is needed for it."""
    input:
        expand("figures/claims.{suffix}", suffix=["json", "csv", "md", "tex"]),


rule site:
    """The page with all figures, tables, claims and notebooks, figures/index.html."""
    input:
        "figures/index.html",
