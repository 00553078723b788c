# What a build cost, where it was made, and how fast its parts are: the outputs that tell the time or the machine.
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


rule benchmark_training:
    """Time the recipes' training steps, early and late, against autograd, published loop and bare products."""
    output:
        csv="figures/benchmark/training_step.csv",
        markdown="figures/benchmark/training_step.md",
        latex="figures/benchmark/training_step.tex",
    log:
        "results/logs/benchmark_training.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        runtime="30m",
        mem="4GB",
    params:
        code=fingerprint(f"{SCRIPTS}/benchmark_training.py"),
        late="results/late",
    message:
        "Timing the training steps; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_training.py"


rule benchmark_scaling:
    """Time bounds on the quadrature error, certificates and exact margins, of growing neurons and inputs (on demand)."""
    input:
        networks=PLAN.separable(),
    output:
        quadrature="figures/benchmark/quadrature_scaling.md",
        quadrature_times="figures/benchmark/quadrature_times.svg",
        certificates="figures/benchmark/certificates.md",
        margins="figures/benchmark/exact_margins.md",
        margin_times="figures/benchmark/exact_margin_times.svg",
        others=expand(
            "figures/benchmark/{table}.{suffix}",
            table=["quadrature_scaling", "certificates", "exact_margins"],
            suffix=["csv", "tex"],
        )
        + expand(
            "figures/benchmark/{figure}.{suffix}",
            figure=["quadrature_times", "exact_margin_times"],
            suffix=["pdf", "png", "csv"],
        ),
    log:
        "results/logs/benchmark_scaling.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        runtime="40m",
        mem="6GB",
    params:
        code=fingerprint(f"{SCRIPTS}/benchmark_scaling.py"),
    message:
        "Timing bounds, certificates and margins; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_scaling.py"
