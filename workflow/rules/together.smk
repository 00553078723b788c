# Where the config says `together`: the populations of an architecture are trained in one job, measured in a second and put into
# tables in a third. To start a job takes longer than to train or measure one of their networks. Snakemake prefers these
# rules to those of the same files with wildcards.
for architecture, populations in PAPER.together.items():
    of_each = [(population.name, shard) for population in populations for shard in population.shards]

    rule:
        name:
            f"train_{architecture}"
        output:
            networks=[file for population in populations for file in population.files("safetensors")],
        log:
            f"results/logs/train_populations/{architecture}.log",
        benchmark:
            f"results/benchmarks/train_populations/{architecture}.jsonl"
        conda:
            "../../envs/environment.yaml"
        resources:
            gpu=1,
        params:
            code=code_of("workflow/scripts/train_populations.py", "workflow/scripts/train_networks.py"),
            shards=[trained(*each) for each in of_each],
            tf32=PAPER.config["tf32"],
        message:
            f"Training the populations of {architecture}"
        script:
            "../scripts/train_populations.py"

    rule:
        name:
            f"measure_{architecture}"
        input:
            networks=[file for population in populations for file in population.files("safetensors")],
        output:
            rows=[file for population in populations for file in population.files("parquet")],
        log:
            f"results/logs/measure_populations/{architecture}.log",
        benchmark:
            f"results/benchmarks/measure_populations/{architecture}.jsonl"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code_of(
                "workflow/scripts/measure_shard.py", *{columns_of(kind_of(shard.recipe)): None for _, shard in of_each}
            ),
            shards=[measured(*each) for each in of_each],
        message:
            f"Measuring the populations of {architecture}"
        script:
            "../scripts/measure_shard.py"

    rule:
        name:
            f"gather_{architecture}"
        input:
            rows=[file for population in populations for file in population.files("parquet")],
        output:
            tables=[table_of(population.name) for population in populations],
        log:
            f"results/logs/gather_populations/{architecture}.log",
        benchmark:
            f"results/benchmarks/gather_populations/{architecture}.jsonl"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code_of("workflow/scripts/gather_population.py"),
            shards=[population.files("parquet") for population in populations],
        message:
            f"Gathering the populations of {architecture}"
        script:
            "../scripts/gather_population.py"
