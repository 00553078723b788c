localrules:
    manual,


rule manual:
    """Write config/README.md from the schema of the config and the published recipes (on demand)."""
    input:
        schema=f"{SCHEMAS}/config.schema.yaml",
        library=library_behind("workflow/scripts/write_manual.py"),
    log:
        "results/logs/manual.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        manual="config/README.md",
    message:
        "Writing config/README.md"
    script:
        "../scripts/write_manual.py"
