# Networks: trained and watched (their losses and snapshots are kept), trained in shards of populations, and published weights.
from modadd.networks.foreign import settings_file


def settings_beside(path):
    """The settings beside a file of published weights, which decide how it is read; no file if there are none."""
    file = settings_file(Path(path))
    return [str(file)] if file.is_file() else []


rule train_network:
    """Train one network by its published recipe; an interrupted run resumes."""
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
        code=code_of("workflow/scripts/train_networks.py"),
        recipe=lambda wildcards: watched(wildcards).recipe.as_dict(),
        seeds=lambda wildcards: [int(wildcards.seed)],
        snapshots=lambda wildcards: watched(wildcards).snapshots,
        tf32=PAPER.config["tf32"],
        checkpoints="results/checkpoints/{dataset}/seed{seed}",
    message:
        "Training {wildcards.dataset}/seed{wildcards.seed}"
    script:
        "../scripts/train_networks.py"


def trained(population, shard):
    """What the job that trains several shards is told of each."""
    return {
        "recipe": shard.recipe.as_dict(),
        "seeds": list(shard.seeds),
        "checkpoints": f"results/checkpoints/{population}/{shard.name}",
    }


rule train_shard:
    """Train the networks of one shard of a population; an interrupted run resumes."""
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
        code=code_of("workflow/scripts/train_networks.py"),
        recipe=lambda wildcards: shard(wildcards).recipe.as_dict(),
        seeds=lambda wildcards: list(shard(wildcards).seeds),
        tf32=PAPER.config["tf32"],
        checkpoints="results/checkpoints/{population}/{shard}",
    message:
        "Training {wildcards.population}/{wildcards.shard}"
    script:
        "../scripts/train_networks.py"


rule import_network:
    """Check one file of weights that the config names; what follows reads safetensors only."""
    input:
        source=lambda wildcards: PAPER.datasets.imported[wildcards.external]["path"],
        settings=lambda wildcards: settings_beside(PAPER.datasets.imported[wildcards.external]["path"]),
    output:
        network="results/external/{external}.safetensors",
    log:
        "results/logs/import_network/{external}.log",
    benchmark:
        "results/benchmarks/import_network/{external}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/import_network.py"),
        entry=lambda wildcards: PAPER.datasets.imported[wildcards.external],
    message:
        "Checking the weights of {wildcards.external}"
    script:
        "../scripts/import_network.py"
