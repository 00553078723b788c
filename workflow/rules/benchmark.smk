rule benchmark_training:
    """Time a training step of every recipe, early and late, against autograd, published loop and bare products (on demand)."""
    input:
        library=library_behind("workflow/scripts/benchmark_training.py"),
    output:
        csv="figures/benchmark/training_step.csv",
        markdown="figures/benchmark/training_step.md",
        latex="figures/benchmark/training_step.tex",
    log:
        "results/logs/benchmark_training.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="30m",
        mem="4GB",
    params:
        late="results/late",
    message:
        "Timing the training steps (the first time after some minutes of training); keep the machine otherwise idle"
    script:
        "../scripts/benchmark_training.py"


rule benchmark_quadrature:
    """Time brute force, bounds and exact sweep for schemes of growing size (on demand)."""
    input:
        library=library_behind("workflow/scripts/benchmark_quadrature.py"),
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
    threads: 1
    resources:
        runtime="20m",
        mem="6GB",
    message:
        "Timing bounds on the quadrature error; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_quadrature.py"


rule benchmark_certificates:
    """Time every rung of the ladder of certificates on the mainline network (on demand)."""
    input:
        network="results/networks/pizza_transformer/seed0.safetensors",
        library=library_behind("workflow/scripts/benchmark_certificates.py"),
    output:
        csv="figures/benchmark/certificates.csv",
        markdown="figures/benchmark/certificates.md",
        latex="figures/benchmark/certificates.tex",
    log:
        "results/logs/benchmark_certificates.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="10m",
        mem="4GB",
    message:
        "Timing the certificates; keep the machine otherwise idle"
    script:
        "../scripts/benchmark_certificates.py"
