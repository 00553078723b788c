# Verdicts, pages, and where all was made.
from paper.questions import explored, files_in

REFERENCE_CARDS = in_project("data/reference/cards/{card}.svg")
QUESTIONS = PAPER.questions.values()


localrules:
    judge_claims,
    build_notebook_pages,
    build_site,
    build_unseen,
    build_explorer,
    provenance,


rule judge_claims:
    """Compare every number of the notebooks with the published one and write the verdicts, unless all numbers are as before."""
    input:
        ledger=LEDGER_FILES,
        values=expand("results/values/{notebook}.{suffix}", notebook=PAPER.questions, suffix=["json", "sha256"]),
        rows=sorted({file for question in QUESTIONS for file in files_in(question.rows)}),
        published=in_project(PUBLISHED),
        templates=expand(f"{TEMPLATES}/{{page}}.md.j2", page=["macros", "claims", "papers"]),
        held_out=in_project("data/held_out/verdicts.json"),
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
        code=code_of("workflow/scripts/judge_claims.py"),
        judged=PAPER.judged,
    message:
        "Judging the claims"
    script:
        "../scripts/judge_claims.py"


rule build_notebook_pages:
    """Put every executed notebook on a page that ends with the verdicts of its claims; a page that would not change stays."""
    input:
        executed=expand("results/notebooks/{notebook}.ipynb", notebook=PAPER.questions),
        values=expand("results/values/{notebook}.json", notebook=PAPER.questions),
        claims="figures/claims.json",
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/notebook.html.j2",
        layout=LAYOUT,
    output:
        pages=expand("figures/notebooks/{notebook}.html", notebook=PAPER.questions),
    log:
        "results/logs/build_notebook_pages.log",
    benchmark:
        "results/benchmarks/build_notebook_pages.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/build_notebook_pages.py"),
    message:
        "Building the pages of the notebooks"
    script:
        "../scripts/build_notebook_pages.py"


rule build_unseen:
    """Put on a page how claims fare on networks held out."""
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
        code=code_of("workflow/scripts/build_unseen.py"),
    message:
        "Building figures/unseen.html"
    script:
        "../scripts/build_unseen.py"


rule build_site:
    """Put answers, figures, tables and notebooks on figures/index.html, all claims with their verdicts on figures/claims.html."""
    input:
        claims="figures/claims.json",
        words=in_project("data/readme.yaml"),
        reference=in_project("data/reference/numbers.json"),
        cards=expand(REFERENCE_CARDS, card=sorted(glob_wildcards(REFERENCE_CARDS).card)),
        unseen="figures/unseen.json",
        ledger=LEDGER_FILES,
        template=f"{TEMPLATES}/index.html.j2",
        claims_template=f"{TEMPLATES}/claims.html.j2",
        parts=expand(
            f"{TEMPLATES}/index_{{part}}.html.j2",
            part=["macros", "results", "guesses", "front", "papers", "questions"],
        ),
        table=f"{TEMPLATES}/table.html.j2",
        code=expand(f"{TEMPLATES}/{{script}}.js", script=["enlarge", "filter", "sort"]),
        layout=[*LAYOUT, f"{TEMPLATES}/index.css"],
        networks=PAPER.datasets.networks("safetensors", "losses.parquet"),
        populations=[table_of(population) for population in PAPER.datasets.populations],
        kept=[path for population in PAPER.datasets.populations for path in kept_rows(population)],
        executed=expand("results/notebooks/{notebook}.ipynb", notebook=PAPER.questions),
        values=expand("results/values/{notebook}.json", notebook=PAPER.questions),
        figures=[question.figures for question in QUESTIONS],
        tables=[question.tables for question in QUESTIONS],
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
        code=code_of("workflow/scripts/build_site.py"),
        pages={"explorer.html": "Explorer", "provenance.html": "Provenance"},
        scale=PAPER.config["scale"],
        formats=PAPER.config["figure_formats"],
    message:
        "Building figures/index.html and figures/claims.html"
    script:
        "../scripts/build_site.py"


rule build_explorer:
    """Put every network on one page that computes what it shows, figures/explorer.html."""
    input:
        networks=explored(PAPER.ledger, PAPER.datasets),
        histories=PAPER.datasets.networks("history.safetensors"),
        external=expand("results/external/{name}.safetensors", name=sorted(PAPER.datasets.imported)),
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
        code=code_of("workflow/scripts/build_explorer.py"),
    message:
        "Building figures/explorer.html"
    script:
        "../scripts/build_explorer.py"


rule provenance:
    """Write down how this build was made: code, versions, machine, config, hashes; with a page of it."""
    input:
        claims="figures/claims.json",
        networks=PAPER.datasets.trained,
        populations=[table_of(population) for population in PAPER.datasets.populations],
        kept=PAPER.datasets.kept,
        published=in_project(PUBLISHED),
        external=expand("results/external/{external}.safetensors", external=PAPER.datasets.imported),
        notebooks=sorted({question.notebook for question in QUESTIONS}),
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
        code=code_of("workflow/scripts/write_provenance.py"),
        config=PAPER.config,
    message:
        "Writing down how this build was made"
    script:
        "../scripts/write_provenance.py"
