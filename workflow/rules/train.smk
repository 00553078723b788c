rule train_network:
    """Train one network by its published recipe; an interrupted run resumes."""
    input:
        library=library_behind("workflow/scripts/train_networks.py"),
    output:
        networks="results/networks/{study}/seed{seed}.safetensors",
        losses="results/networks/{study}/seed{seed}.loss.csv",
    log:
        "results/logs/train_network/{study}/seed{seed}.log",
    benchmark:
        "results/benchmarks/train_network/{study}/seed{seed}.jsonl"
    priority: 1  # the longest jobs: they start first, so that all cores end together
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        gpu=1,
        runtime="30m",
        mem="2GB",
    params:
        recipe=recipe_of_study,
        seeds=seeds_of_network,
        portable_bits=config["portable_bits"],
        tf32=config["tf32"],
        checkpoints="results/checkpoints/{study}/seed{seed}",
    message:
        "Training the {wildcards.study} network of seed {wildcards.seed}"
    script:
        "../scripts/train_networks.py"
