localrules:
    judge_claims,
    build_site,
    readme,


rule judge_claims:
    """Compare every number of the notebooks with the published one and write the verdicts."""
    input:
        ledger=LEDGER_FILE,
        values=expand("results/values/{notebook}.json", notebook=NOTEBOOKS),
        roundings=sorted({table for tables in roundings().values() for table in tables}),
        library=library_behind("workflow/scripts/judge_claims.py"),
    output:
        json="figures/claims.json",
        csv="figures/claims.csv",
        markdown="figures/claims.md",
        latex="figures/claims.tex",
    log:
        "results/logs/judge_claims.log",
    benchmark:
        "results/benchmarks/judge_claims.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        schema=f"{SCHEMAS}/claims.schema.yaml",
        roundings=roundings(),
        external=sorted(config["external_networks"]),
        scale=config["scale"],
    message:
        "Judging the claims"
    script:
        "../scripts/judge_claims.py"


rule build_site:
    """Put verdicts, figures, tables and notebooks on one page, figures/index.html."""
    input:
        claims="figures/claims.json",
        ledger=LEDGER_FILE,
        template="workflow/templates/index.html.j2",
        layout=LAYOUT,
        filter="workflow/templates/filter.js",
        library=library_behind("workflow/scripts/build_site.py"),
        networks=networks_of_config(),
        populations=expand("results/populations/{population}.parquet", population=POPULATIONS),
        executed=expand("results/notebooks/{notebook}.ipynb", notebook=NOTEBOOKS),
        figures=[file for notebook in NOTEBOOKS for file in figures_of(notebook)],
        tables=[file for notebook in NOTEBOOKS for file in tables_of(notebook)],
        pages=expand("figures/notebooks/{notebook}.html", notebook=NOTEBOOKS),
    output:
        page="figures/index.html",
    log:
        "results/logs/build_site.log",
    benchmark:
        "results/benchmarks/build_site.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        schema=f"{SCHEMAS}/claims.schema.yaml",
        studies={notebook: study_of(notebook) for notebook in NOTEBOOKS},
        pages=PAGES,
        scale=config["scale"],
    message:
        "Building figures/index.html"
    script:
        "../scripts/build_site.py"


rule readme:
    """Put the verdicts, the benchmark and the picture of this build into README.md and docs."""
    input:
        ledger=LEDGER_FILE,
        claims="figures/claims.md",
        bench="figures/benchmark/training_step.csv",
        verdicts="figures/claims.json",
        picture="figures/quadrature/rectangles.png",
    log:
        "results/logs/readme.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        scale=config["scale"],
        kept=f"{REFERENCE}/training_speed.csv",
    message:
        "Updating README.md and docs/claims.md"
    script:
        "../scripts/update_readme.py"
