# Targets with a name of their own: parts of the whole, and things that are made for others.
localrules:
    study_q,
    study_m,
    study_c,
    claims,
    site,
    smoke,
    rulegraph,
    review_bundle,


rule study_q:
    """Study Q, the quadrature study: every figure, table and page of its notebooks."""
    input:
        results_of_study("Q"),


rule study_m:
    """Study M, the two-layer MLP: every figure, table and page of its notebooks."""
    input:
        results_of_study("M"),


rule study_c:
    """Study C, the approximate Chinese remainder theorem: every figure, table and page of its notebooks."""
    input:
        results_of_study("C"),


rule claims:
    """Every claim with its verdict, figures/claims.{json,csv,md,tex}, and what is needed for it."""
    input:
        expand("figures/claims.{suffix}", suffix=["json", "csv", "md", "tex"]),


rule site:
    """The page with all figures, tables, claims and notebooks, figures/index.html."""
    input:
        "figures/index.html",


rule smoke:
    """The whole workflow on networks stopped early, in results/smoke, apart from the real results (config/smoke.yaml)."""
    input:
        config="config/smoke.yaml",
        library=library_behind("workflow/scripts/build_apart.py"),
    log:
        "results/logs/smoke.log",
    conda:
        "../../envs/environment.yaml"
    threads: os.cpu_count()
    resources:
        runtime="1h",
        mem="4GB",
    params:
        folder="results/smoke",
    message:
        "Building {input.config} in {params.folder}"
    script:
        "../scripts/build_apart.py"


rule rulegraph:
    """Put the graph of the rules into README.md."""
    input:
        library=library_behind("workflow/scripts/draw_rulegraph.py"),
    log:
        "results/logs/rulegraph.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    message:
        "Drawing the rules in README.md"
    script:
        "../scripts/draw_rulegraph.py"


rule review_bundle:
    """The project without names and history, for anonymous review: results/review_bundle.zip."""
    input:
        files=files_of_project,
    output:
        zip="results/review_bundle.zip",
    log:
        "results/logs/review_bundle.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    message:
        "Bundling the project for review"
    script:
        "../scripts/bundle_for_review.py"
