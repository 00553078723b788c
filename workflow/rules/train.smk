rule train_network:
    """Train one network by its published recipe; an interrupted run resumes."""
    input:
        library=TRAINING_CODE,
    output:
        network="results/networks/{study}/seed{seed}.safetensors",
        losses="results/networks/{study}/seed{seed}.loss.csv",
    log:
        "results/logs/train_network/{study}/seed{seed}.log",
    benchmark:
        "results/benchmarks/train_network/{study}/seed{seed}.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        gpu=1,
        runtime="30m",
        mem="2GB",
    params:
        recipe=recipe_of_study,
        checkpoint="results/checkpoints/{study}/seed{seed}.safetensors",
    message:
        "Training the {wildcards.study} network of seed {wildcards.seed}"
    script:
        "../scripts/train_network.py"
