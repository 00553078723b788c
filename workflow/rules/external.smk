rule import_network:
    """Check one file of published weights; what follows reads safetensors only."""
    input:
        source=source_of_external,
        library=library_behind("workflow/scripts/import_network.py"),
    output:
        network="results/external/{external}.safetensors",
    log:
        "results/logs/import_network/{external}.log",
    benchmark:
        "results/benchmarks/import_network/{external}.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="2GB",
    params:
        entry=external_entry,
    message:
        "Checking the published weights of {wildcards.external}"
    script:
        "../scripts/import_network.py"
