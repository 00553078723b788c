# What a build cost, and where it was made: the outputs that tell the time or the machine.
localrules:
    provenance,


rule provenance:
    """Write down what this build cost and how it was made: code, versions, machine, config, hashes; with a page of it."""
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
        layout=LAYOUT,
    output:
        csv="results/compute_ledger.csv",
        costs="results/compute_ledger.json",
        json="results/provenance.json",
        page="figures/provenance.html",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=fingerprint(f"{SCRIPTS}/write_provenance.py"),
    message:
        "Writing down what this build cost, and how it was made"
    script:
        "../scripts/write_provenance.py"
