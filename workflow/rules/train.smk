# Networks: trained and watched, trained in shards of populations, and published weights.


rule train_network:
    """Train one network by its published recipe; an interrupted run resumes."""
    input:
        lambda wildcards: no_input(*PLAN.trained_alone(wildcards.dataset, int(wildcards.seed))),
    output:
        networks="results/networks/{dataset}/seed{seed}.safetensors",
        losses="results/networks/{dataset}/seed{seed}.losses.parquet",
        history="results/networks/{dataset}/seed{seed}.history.safetensors",
    log:
        "results/logs/train_network/{dataset}/seed{seed}.log",
    benchmark:
        "results/benchmarks/train_network/{dataset}/seed{seed}.jsonl"
    priority: 1  # the longest jobs: they start first, so that all cores end together
    conda:
        "../../envs/environment.yaml"
    resources:
        gpu=1,
    params:
        code=code_of(f"{SCRIPTS}/train_networks.py"),
        recipe=lambda wildcards: PLAN.recipe_of_watched(wildcards.dataset).as_dict(),
        seeds=lambda wildcards: [int(wildcards.seed)],
        snapshots=lambda wildcards: PLAN.watched[wildcards.dataset]["snapshots"],
        tf32=config["tf32"],
        checkpoints=checkpoints("{dataset}/seed{seed}"),
    message:
        "Training {wildcards.dataset}/seed{wildcards.seed}"
    script:
        "../scripts/train_networks.py"


rule train_shard:
    """Train the networks of one shard of a population; an interrupted run resumes."""
    input:
        lambda wildcards: no_input(*PLAN.trained_together(wildcards.population, wildcards.shard)),
    output:
        networks="results/populations/{population}/{shard}.safetensors",
    log:
        "results/logs/train_shard/{population}/{shard}.log",
    benchmark:
        "results/benchmarks/train_shard/{population}/{shard}.jsonl"
    conda:
        "../../envs/environment.yaml"
    resources:
        gpu=1,
    params:
        code=code_of(f"{SCRIPTS}/train_networks.py"),
        recipe=lambda wildcards: PLAN.shard(wildcards.population, wildcards.shard).recipe.as_dict(),
        seeds=lambda wildcards: list(PLAN.shard(wildcards.population, wildcards.shard).seeds),
        tf32=config["tf32"],
        checkpoints=checkpoints("{population}/{shard}"),
    message:
        "Training {wildcards.population}/{wildcards.shard}"
    script:
        "../scripts/train_networks.py"


rule import_network:
    """Check one file of weights that the config names; what follows reads safetensors only."""
    input:
        source=lambda wildcards: PLAN.external_source(wildcards.external),
        settings=lambda wildcards: PLAN.external_settings(wildcards.external),
    output:
        network="results/external/{external}.safetensors",
    log:
        "results/logs/import_network/{external}.log",
    benchmark:
        "results/benchmarks/import_network/{external}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of(f"{SCRIPTS}/import_network.py"),
        entry=lambda wildcards: PLAN.external[wildcards.external],
    message:
        "Checking the weights of {wildcards.external}"
    script:
        "../scripts/import_network.py"
