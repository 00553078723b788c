# What `snakemake --report report.zip` shows: every figure and table with its caption, under its study and question.
report: "../report/workflow.rst"


localrules:
    write_captions,


rule write_captions:
    """Write the captions of the ledger one by one, as `snakemake --report` reads them."""
    input:
        ledger=LEDGER_FILE,
        library=library_behind("workflow/scripts/write_captions.py"),
    output:
        captions=caption_files(),
    log:
        "results/logs/write_captions.log",
    benchmark:
        "results/benchmarks/write_captions.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        schema=f"{SCHEMAS}/claims.schema.yaml",
    message:
        "Writing the captions"
    script:
        "../scripts/write_captions.py"
