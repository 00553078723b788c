# A rule for each question of the ledger, since each has figures and tables of its own: all of them are named targets.
for question in QUESTIONS:

    rule:
        name:
            f"notebook_{question.name}"
        input:
            notebook=question.notebook,
            inputs=question.reads,
            template=f"{TEMPLATES}/notebook.html.j2",
            layout=LAYOUT,
        output:
            executed=question.executed,
            page=question.page,
            values=question.values,
            figures=in_report(question, question.figures, "figure", ".svg"),
            tables=in_report(question, question.tables, "table", ".csv"),
        log:
            f"results/logs/notebooks/{question.name}.log",
        benchmark:
            f"results/benchmarks/notebooks/{question.name}.jsonl"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code_of(question.notebook, f"{SCRIPTS}/execute_notebook.py"),
            given=question.given,
            found=question.found,
            near=question.near,
            claimed=question.claimed,
        message:
            f"Executing {question.notebook} on {question.shown}"
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
        code=code_of(f"{SCRIPTS}/write_captions.py"),
    message:
        "Writing the captions"
    script:
        "../scripts/write_captions.py"
