# Verdicts, pages, and where all was made.
localrules:
    judge_claims,
    build_site,
    build_unseen,
    build_explorer,
    provenance,


rule judge_claims:
    """Compare every number of the notebooks with the published one and write the verdicts."""
    input:
        ledger=LEDGER_FILES,
        values=expand("results/values/{notebook}.json", notebook=PLAN.notebooks),
        rows=sorted({file for notebook in PLAN.notebooks for file in files_in(PLAN.rows(notebook))}),
        published=PUBLISHED,
        templates=expand(f"{TEMPLATES}/{{page}}.md.j2", page=["macros", "claims", "papers"]),
        held_out=own("data/held_out/verdicts.json"),
    output:
        json="figures/claims.json",
        unseen="figures/unseen.json",
        csv="figures/claims.csv",
        markdown="figures/claims.md",
        papers="figures/papers.md",
        latex="figures/claims.tex",
    log:
        "results/logs/judge_claims.log",
    benchmark:
        "results/benchmarks/judge_claims.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/judge_claims.py"),
        judged=PLAN.judged(),
    message:
        "Judging the claims"
    script:
        "../scripts/judge_claims.py"


rule build_unseen:
    """Put on a page how claims fare on networks that nobody had seen."""
    input:
        unseen="figures/unseen.json",
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/unseen.html.j2",
        table=f"{TEMPLATES}/table.html.j2",
        layout=[*LAYOUT, f"{TEMPLATES}/index.css"],
    output:
        page="figures/unseen.html",
    log:
        "results/logs/build_unseen.log",
    benchmark:
        "results/benchmarks/build_unseen.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/build_unseen.py"),
    message:
        "Building figures/unseen.html"
    script:
        "../scripts/build_unseen.py"


rule build_site:
    """Put answers, figures, tables and notebooks on figures/index.html, all claims with their verdicts on figures/claims.html."""
    input:
        claims="figures/claims.json",
        unseen="figures/unseen.json",
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/index.html.j2",
        claims_template=f"{TEMPLATES}/claims.html.j2",
        parts=expand(f"{TEMPLATES}/index_{{part}}.html.j2", part=["macros", "results", "front", "papers", "questions"]),
        table=f"{TEMPLATES}/table.html.j2",
        code=expand(f"{TEMPLATES}/{{script}}.js", script=["enlarge", "filter", "sort"]),
        layout=[*LAYOUT, f"{TEMPLATES}/index.css"],
        networks=PLAN.networks("safetensors", "losses.parquet"),
        populations=[table_of(population) for population in PLAN.populations],
        kept=[path for population in PLAN.populations for path in kept_rows(population)],
        executed=expand("results/notebooks/{notebook}.ipynb", notebook=PLAN.notebooks),
        values=expand("results/values/{notebook}.json", notebook=PLAN.notebooks),
        figures=[file for notebook in PLAN.notebooks for file in PLAN.figures(notebook)],
        tables=[file for notebook in PLAN.notebooks for file in PLAN.tables(notebook)],
        pages=expand("figures/notebooks/{notebook}.html", notebook=PLAN.notebooks),
    output:
        page="figures/index.html",
        claims_page="figures/claims.html",
    log:
        "results/logs/build_site.log",
    benchmark:
        "results/benchmarks/build_site.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/build_site.py"),
        pages=PAGES,
        scale=config["scale"],
        formats=config["figure_formats"],
    message:
        "Building figures/index.html and figures/claims.html"
    script:
        "../scripts/build_site.py"


rule build_explorer:
    """Put every network on one page that computes what it shows, figures/explorer.html."""
    input:
        networks=PLAN.explored(),
        histories=PLAN.networks("history.safetensors"),
        external=[f"results/external/{name}.safetensors" for name in sorted(PLAN.external)],
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/explorer.html.j2",
        code=expand(
            f"{TEMPLATES}/explorer{{part}}.js",
            part=["", "_network", "_neurons", "_moments", "_pictures", "_every", "_words", "_time"],
        ),
        layout=LAYOUT,
    output:
        page="figures/explorer.html",
    log:
        "results/logs/build_explorer.log",
    benchmark:
        "results/benchmarks/build_explorer.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/build_explorer.py"),
    message:
        "Building figures/explorer.html"
    script:
        "../scripts/build_explorer.py"


rule provenance:
    """Write down how this build was made: code, versions, machine, config, hashes; with a page of it."""
    input:
        claims="figures/claims.json",
        networks=PLAN.trained(),
        populations=[table_of(population) for population in PLAN.populations],
        kept=PLAN.kept(),
        published=PUBLISHED,
        external=expand("results/external/{external}.safetensors", external=PLAN.external),
        notebooks=sorted({PLAN.source(notebook) for notebook in PLAN.notebooks}),
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/provenance.html.j2",
        table=f"{TEMPLATES}/table.html.j2",
        layout=LAYOUT,
    output:
        json="results/provenance.json",
        page="figures/provenance.html",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/write_provenance.py"),
    message:
        "Writing down how this build was made"
    script:
        "../scripts/write_provenance.py"
