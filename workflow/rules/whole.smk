# What a whole build makes and stands on, and the part of it that belongs to one study.

# The only outputs that differ between two builds.
TIMED = [
    "results/compute_ledger.csv",
    "results/compute_ledger.json",
    "results/provenance.json",
    "figures/provenance.html",
]


def trained_networks():
    """Files of everything that is trained."""
    shards = [
        f"results/populations/{name}/shard{i}.safetensors" for name, n in shard_counts().items() for i in range(n)
    ]
    return [*networks_of_config(), *shards]


def shard_counts():
    """The number of shards of each population."""
    return {name: len(shards) for name, shards in POPULATIONS.items()}


def everything_built(wildcards):
    """What rule all builds, and the numbers and executed notebooks behind it, but for what holds times."""
    pages = [str(name) for name in rules.all.input if name not in TIMED]
    values = [f"results/values/{notebook}.json" for notebook in NOTEBOOKS]
    executed = [f"results/notebooks/{notebook}.ipynb" for notebook in NOTEBOOKS]
    return [*pages, *values, *executed]


def results_of_study(mark):
    """Figures, tables and pages of the notebooks of one study: Q, M or C."""
    return [output for name in NOTEBOOKS if study_of(name) == mark for output in outputs_of(name)]


def files_of_project(wildcards):
    """Every file that a clone would hold."""
    return project_files(Path("."))
