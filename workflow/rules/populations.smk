localrules:
    gather_population,
    keep_population,


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
        mem="8GB",
    params:
        recipe=recipe_of_shard,
        seeds=seeds_of_shard,
        portable_bits=config["portable_bits"],
        tf32=config["tf32"],
        checkpoints="results/checkpoints/{population}/shard{shard}",
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
    benchmark:
        "results/benchmarks/gather_population/{population}.jsonl"
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


rule choose_exhibit:
    """Choose by rule the network of a population that stands for it in the figures."""
    input:
        table="results/populations/{population}.parquet",
        networks=networks_of_population,
        library=library_behind("workflow/scripts/choose_exhibit.py"),
    output:
        network="results/exhibits/{population}.safetensors",
    log:
        "results/logs/choose_exhibit/{population}.log",
    benchmark:
        "results/benchmarks/choose_exhibit/{population}.jsonl"
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="10m",
        mem="2GB",
    message:
        "Choosing the exhibit of {wildcards.population}"
    script:
        "../scripts/choose_exhibit.py"


rule keep_population:
    """Add the rows of a population to those in data/populations, with networks that witness what they mean (on demand)."""
    input:
        trained="results/populations/{population}.parquet",
        networks=networks_of_population,
        library=library_behind("workflow/scripts/keep_population.py"),
    output:
        done=touch("results/populations/{population}.kept"),
    log:
        "results/logs/keep_population/{population}.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        kept="data/populations/{population}.parquet",
    message:
        "Keeping {wildcards.population} in data/populations"
    script:
        "../scripts/keep_population.py"
