localrules:
    gather_population,


def shard_of(wildcards):
    """The shard that a job trains."""
    last = len(rows_of_population(wildcards)) - 1
    if int(wildcards.shard) > last:
        raise WorkflowError(f"{wildcards.population} has shards 0 to {last}, not {wildcards.shard}")
    return POPULATIONS[wildcards.population][int(wildcards.shard)]


def recipe_of_shard(wildcards):
    """Its recipe, as plain data."""
    return shard_of(wildcards).recipe.as_dict()


def seeds_of_shard(wildcards):
    """Its seeds."""
    return list(shard_of(wildcards).seeds)


def rows_of_population(wildcards):
    """The rows of every shard of a population."""
    population = wildcards.population
    if population not in POPULATIONS:
        raise WorkflowError(unknown("config: populations", "population", population, POPULATIONS))
    return [f"results/populations/{population}/shard{shard}.parquet" for shard in range(len(POPULATIONS[population]))]


rule train_shard:
    """Train the networks of one shard of a population, many at once; an interrupted run resumes."""
    input:
        library=library_behind("workflow/scripts/train_networks.py"),
    output:
        networks="results/populations/{population}/shard{shard}.safetensors",
    log:
        "results/logs/train_shard/{population}/shard{shard}.log",
    benchmark:
        "results/benchmarks/train_shard/{population}/shard{shard}.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        gpu=1,
        runtime="2h",
        mem="4GB",
    params:
        recipe=recipe_of_shard,
        seeds=seeds_of_shard,
        portable_bits=config["portable_bits"],
        tf32=config["tf32"],
        checkpoint="results/checkpoints/{population}/shard{shard}.safetensors",
    message:
        "Training shard {wildcards.shard} of {wildcards.population}"
    script:
        "../scripts/train_networks.py"


rule measure_shard:
    """Measure every network of a shard: one row of numbers each."""
    input:
        networks="results/populations/{population}/shard{shard}.safetensors",
        library=library_behind("workflow/scripts/measure_shard.py"),
    output:
        rows="results/populations/{population}/shard{shard}.parquet",
    log:
        "results/logs/measure_shard/{population}/shard{shard}.log",
    benchmark:
        "results/benchmarks/measure_shard/{population}/shard{shard}.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="30m",
        mem="2GB",
    message:
        "Measuring shard {wildcards.shard} of {wildcards.population}"
    script:
        "../scripts/measure_shard.py"


rule gather_population:
    """Put the rows of all shards of a population into one table."""
    input:
        rows=rows_of_population,
        library=library_behind("workflow/scripts/gather_population.py"),
    output:
        table="results/populations/{population}.parquet",
    log:
        "results/logs/gather_population/{population}.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="2GB",
    message:
        "Gathering {wildcards.population}"
    script:
        "../scripts/gather_population.py"
