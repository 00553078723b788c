# One rule per notebook of the ledger, since each has figures and tables of its own: all of them are named targets.
for notebook in PLAN.notebooks:
    source, inputs = PLAN.source(notebook), PLAN.inputs(notebook)

    rule:
        name:
            f"notebook_{notebook}"
        input:
            notebook=source,
            inputs=files_in(inputs),
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
        params:
            code=fingerprint(source, f"{SCRIPTS}/execute_notebook.py"),
            inputs=inputs,
            told=PLAN.told(notebook),
            overrides=parameters_of(notebook, config, LEDGER),
            found=lambda _, notebook=notebook: PLAN.notebooks[notebook].get("found", ""),  # its places are no wildcards
            near=neighbours(notebook, LEDGER),
            # A function of the output, so that a claim on a number that is recorded already executes nothing again.
            claimed=lambda _, output, notebook=notebook: values_to_record(notebook, LEDGER, PLAN.external),
        message:
            f"Executing {source} on {PLAN.notebooks[notebook]['inputs']['shown']}"
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
