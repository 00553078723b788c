# Populations: a row of numbers for each network, one table for all, and the network that is shown. Stages: a row for each
# snapshot of a run. Experiments: small networks in float64, a row for each.
from modadd.populations.rows import kind_of


def columns_of(kind):
    """The module that names what is measured of a kind of networks."""
    return f"src/modadd/populations/columns/{kind}.py"


def measured(population, shard):
    """What the job that measures a shard is told of it."""
    return {
        "recipe": shard.recipe.as_dict(),
        "kind": kind_of(shard.recipe),
        "costly": shard.costly,
        "checkpoints": f"results/checkpoints/{population}/{shard.name}",
    }


rule measure_shard:
    """Measure every network of a shard: one row of numbers each."""
    input:
        networks=["results/populations/{population}/{shard}.safetensors"],
    output:
        rows=["results/populations/{population}/{shard}.parquet"],
    log:
        "results/logs/measure_shard/{population}/{shard}.log",
    benchmark:
        "results/benchmarks/measure_shard/{population}/{shard}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=lambda wildcards: code_of(
            "workflow/scripts/measure_shard.py", columns_of(kind_of(shard(wildcards).recipe))
        ),
        shards=lambda wildcards: [measured(wildcards.population, shard(wildcards))],
    message:
        "Measuring {wildcards.population}/{wildcards.shard}"
    script:
        "../scripts/measure_shard.py"


rule gather_population:
    """Put the rows of all shards of a population into one table."""
    input:
        rows=shards("parquet"),
    output:
        tables=["results/populations/{population}.parquet"],
    log:
        "results/logs/gather_population/{population}.log",
    benchmark:
        "results/benchmarks/gather_population/{population}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/gather_population.py"),
        shards=lambda wildcards, input: [list(input.rows)],
    message:
        "Gathering {wildcards.population}"
    script:
        "../scripts/gather_population.py"


rule choose_exhibit:
    """Choose by rule the network of a population that stands for it in the figures."""
    input:
        table="results/populations/{population}.parquet",
        networks=shards("safetensors"),
    output:
        network="results/exhibits/{population}.safetensors",
    log:
        "results/logs/choose_exhibit/{population}.log",
    benchmark:
        "results/benchmarks/choose_exhibit/{population}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/choose_exhibit.py"),
    message:
        "Choosing the exhibit of {wildcards.population}"
    script:
        "../scripts/choose_exhibit.py"


rule measure_stages:
    """Measure every snapshot of a run: one row of numbers each."""
    input:
        history="results/networks/{dataset}/seed{seed}.history.safetensors",
    output:
        rows="results/stages/{dataset}/seed{seed}.parquet",
    log:
        "results/logs/measure_stages/{dataset}/seed{seed}.log",
    benchmark:
        "results/benchmarks/measure_stages/{dataset}/seed{seed}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/measure_stages.py"),
    message:
        "Measuring the snapshots of {wildcards.dataset}/seed{wildcards.seed}"
    script:
        "../scripts/measure_stages.py"


rule train_experiment:
    """Train and measure the small networks of an experiment, which has a training loop of its own: one row each."""
    output:
        rows="results/{experiment}.parquet",
    log:
        "results/logs/train_experiment/{experiment}.log",
    benchmark:
        "results/benchmarks/train_experiment/{experiment}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=lambda wildcards: code_of(
            "workflow/scripts/train_experiment.py", f"src/modadd/populations/{wildcards.experiment}.py"
        ),
        rows=lambda wildcards: f"modadd.populations.{wildcards.experiment}.{wildcards.experiment}_rows",
        settings=lambda wildcards: PAPER.datasets.experiments[wildcards.experiment],
    message:
        "Training the networks of {wildcards.experiment}"
    script:
        "../scripts/train_experiment.py"
