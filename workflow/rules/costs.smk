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


rule benchmark_quadrature:
    """Time brute force, bounds and exact sweep for schemes of growing size (on demand)."""
    output:
        csv="figures/benchmark/quadrature_scaling.csv",
        markdown="figures/benchmark/quadrature_scaling.md",
        latex="figures/benchmark/quadrature_scaling.tex",
        picture="figures/benchmark/quadrature_times.svg",
        others=expand("figures/benchmark/quadrature_times.{suffix}", suffix=["pdf", "png", "csv"]),
    log:
        "results/logs/benchmark_quadrature.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        runtime="20m",
        mem="6GB",
    params:
        code=fingerprint(f"{SCRIPTS}/benchmark_quadrature.py"),
    message:
        "Timing bounds on the quadrature error; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_quadrature.py"


rule benchmark_certificates:
    """Time the certificates on the mainline networks, and exact margins of growing networks (on demand)."""
    input:
        networks=PLAN.separable(),
    output:
        csv="figures/benchmark/certificates.csv",
        scaling="figures/benchmark/exact_margins.csv",
        tables=expand(
            "figures/benchmark/{table}.{suffix}", table=["certificates", "exact_margins"], suffix=["md", "tex"]
        ),
        picture="figures/benchmark/exact_margin_times.svg",
        others=expand("figures/benchmark/exact_margin_times.{suffix}", suffix=["pdf", "png", "csv"]),
    log:
        "results/logs/benchmark_certificates.log",
    conda:
        "../../envs/environment.yaml"
    resources:
        runtime="20m",
        mem="6GB",
    params:
        code=fingerprint(f"{SCRIPTS}/benchmark_certificates.py"),
    message:
        "Timing the certificates; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_certificates.py"
