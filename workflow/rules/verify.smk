# Is what lies here what the code makes, and what was expected? And what was expected, kept in data/reference.
localrules:
    verify,
    reference,


# What it compares are parameters, not inputs: they all stand behind the page, and an error would list every one of them.
rule verify:
    """Build everything again in an empty folder and compare it with what lies here and with data/reference."""
    input:
        claims="figures/claims.json",
        page="figures/index.html",
        provenance="results/provenance.json",
    log:
        "results/logs/verify.log",
    conda:
        "../../envs/environment.yaml"
    threads: os.cpu_count()
    resources:
        gpu=1,
        runtime="4h",
        mem="4GB",
    params:
        trained=trained_networks(),
        built=everything_built,
        retrain=config["verify_training"],
        reference=REFERENCE,
        rebuilt="results/verify",
    message:
        "Building everything again in an empty folder; progress in results/verify/build.log"
    script:
        "../scripts/verify.py"


rule reference:
    """Keep what this build measured, its hashes and its costs in data/reference, for others to compare with (on demand)."""
    input:
        trained=trained_networks(),
        built=everything_built,
        claims="figures/claims.json",
        costs="results/compute_ledger.json",
        provenance="results/provenance.json",
        page="figures/provenance.html",  # nothing is left to build afterwards
        library=library_behind("workflow/scripts/keep_reference.py"),
    log:
        "results/logs/reference.log",
    conda:
        "../../envs/environment.yaml"
    threads: 1
    resources:
        runtime="5m",
        mem="1GB",
    params:
        reference=REFERENCE,
        benchmarks="results/benchmarks",
    message:
        "Writing data/reference"
    script:
        "../scripts/keep_reference.py"
