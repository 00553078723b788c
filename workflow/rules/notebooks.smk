# One rule per notebook of the ledger, since each has figures and tables of its own: all of them are named targets.
for notebook in PLAN.notebooks:
    source, reads = PLAN.source(notebook), PLAN.reads(notebook)

    rule:
        name:
            f"notebook_{notebook}"
        input:
            notebook=source,
            network=network_file(PLAN.notebooks[notebook]["network"]),
            losses=PLAN.losses(notebook),
            populations=reads["populations"].values(),
            kept=reads["kept"].values(),
            others=reads["others"].values(),
            stages=sum(reads["stages"].values(), []),
            pilot=reads["pilot"],
            competition=reads["competition"],
            external=reads["external"].values(),
            proofs=sum(reads["proofs"].values(), []),
            history=reads["history"],
            template=f"{TEMPLATES}/notebook.html.j2",
            layout=LAYOUT,
        output:
            executed=f"results/notebooks/{notebook}.ipynb",
            page=f"figures/notebooks/{notebook}.html",
            values=f"results/values/{notebook}.json",
            figures=in_report(notebook, PLAN.figures(notebook), "figure", ".svg"),
            tables=in_report(notebook, PLAN.tables(notebook), "table", ".csv"),
        log:
            f"results/logs/notebooks/{notebook}.log",
        benchmark:
            f"results/benchmarks/notebooks/{notebook}.jsonl"
        conda:
            "../../envs/environment.yaml"
        resources:
            mem=f"{analysis_gb(PLAN.rows(reads['populations']))}GB",
        params:
            code=fingerprint(source, f"{SCRIPTS}/execute_notebook.py"),
            published=PLAN.published(notebook),
            populations=reads["populations"],
            kept=reads["kept"],
            claims=reads["claims"],
            others=reads["others"],
            stages=reads["stages"],
            pilot=reads["pilot"],
            competition=reads["competition"],
            external=reads["external"],
            proofs=reads["proofs"],
            portable_bits=config["portable_bits"],
            overrides=parameters_of(notebook, config, LEDGER),
        message:
            f"Executing {source} on {PLAN.notebooks[notebook]['network']}"
        script:
            "../scripts/execute_notebook.py"


localrules:
    write_captions,


rule write_captions:
    """Write the captions of the ledger one by one, as `snakemake --report` reads them."""
    input:
        ledger=LEDGER_FILES,
    output:
        captions=PLAN.captions(),
    log:
        "results/logs/write_captions.log",
    benchmark:
        "results/benchmarks/write_captions.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=fingerprint(f"{SCRIPTS}/write_captions.py"),
    message:
        "Writing the captions"
    script:
        "../scripts/write_captions.py"
