# What a build cost, what one will cost, and where it was made: the outputs that tell the time or the machine.
localrules:
    compute_ledger,
    provenance,
    provenance_page,
    estimate,


rule compute_ledger:
    """Add up the benchmarks: what every claim cost, and everything together."""
    input:
        networks=networks_of_config(),
        populations=expand("results/populations/{population}.parquet", population=POPULATIONS),
        claims="figures/claims.json",
        ledger=LEDGER_FILE,
        library=library_behind("workflow/scripts/compute_ledger.py"),
    output:
        csv="results/compute_ledger.csv",
        json="results/compute_ledger.json",
    log:
        "results/logs/compute_ledger.log",
    benchmark:
        "results/benchmarks/compute_ledger.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        schema=f"{SCHEMAS}/claims.schema.yaml",
        config=[config["studies"], config["populations"]],
        benchmarks="results/benchmarks",
    message:
        "Adding up what the claims cost"
    script:
        "../scripts/compute_ledger.py"


rule provenance:
    """Write down where this build was made: versions, machine, config, hashes of inputs and networks, state of the code."""
    input:
        claims="figures/claims.json",
        costs="results/compute_ledger.json",
        networks=trained_networks(),
        kept=sorted({table for name in POPULATIONS for table in kept_table(name)}),
        external=expand("results/external/{external}.safetensors", external=config["external_networks"]),
        notebooks=sorted({source_of(notebook) for notebook in NOTEBOOKS}),
        ledger=LEDGER_FILE,
        library=library_behind("workflow/scripts/write_provenance.py"),
    output:
        json="results/provenance.json",
    log:
        "results/logs/provenance.log",
    benchmark:
        "results/benchmarks/provenance.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    message:
        "Writing results/provenance.json"
    script:
        "../scripts/write_provenance.py"


rule provenance_page:
    """Show provenance and costs on a page, figures/provenance.html: the only page that tells the time and the machine."""
    input:
        provenance="results/provenance.json",
        costs="results/compute_ledger.json",
        template="workflow/templates/provenance.html.j2",
        layout=LAYOUT,
        library=library_behind("workflow/scripts/build_provenance_page.py"),
    output:
        page="figures/provenance.html",
    log:
        "results/logs/provenance_page.log",
    benchmark:
        "results/benchmarks/provenance_page.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    message:
        "Building figures/provenance.html"
    script:
        "../scripts/build_provenance_page.py"


rule estimate:
    """Say what a full build would run and how long it takes, before it starts."""
    input:
        library=library_behind("workflow/scripts/estimate.py"),
    log:
        "results/logs/estimate.log",
    conda:
        "../../envs/environment.yaml"
    threads: os.cpu_count()
    resources:
        runtime="5m",
        mem="1GB",
    params:
        reference=REFERENCE,
    message:
        "Counting what is left to build"
    script:
        "../scripts/estimate.py"
