# What a job of a population trains and where its rows are; where published weights lie.


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


def networks_of_population(wildcards):
    """The networks of every shard of a population."""
    return [rows.replace(".parquet", ".safetensors") for rows in rows_of_population(wildcards)]


def external_entry(wildcards):
    """What the config says of one file of published weights."""
    return config["external_networks"][wildcards.external]


def source_of_external(wildcards):
    """The file of published weights that the config names."""
    path = external_entry(wildcards)["path"]
    if not os.path.isfile(path):
        raise WorkflowError(f"config: external_networks.{wildcards.external}.path: {path} does not exist")
    return path
