# Proofs that a machine checks, where Coq is installed: theorems for every modulus, and one for each proven network.
from paper.coq import ABSENT, LEMMAS, version, wanted
from paper.proofs import PROOF_LIBRARY, THEOREMS

PROVES = wanted(PAPER.config["proofs"])
if PAPER.config["proofs"] == "auto" and not PROVES and workflow.is_main_process:
    print(
        f"Proofs are left out, and claims about them are not judged: {ABSENT}. See `proofs` in config/README.md.",
        file=sys.stderr,
    )

# A theorem is what one version of Coq accepts: with another, jobs run again.
COQ = version() if PROVES else ""
# Of the networks of a file: some seconds for each, so that a hundred thousand of one recipe are not all proven.
MOST_PROVEN = 32
LEMMA_FILES = [in_project(f"proofs/{name}.v") for name in LEMMAS]


rule check_theorems:
    """Let Coq check the lemmas of proofs, and the theorems for every modulus."""
    input:
        sources=LEMMA_FILES,
    output:
        library=directory(PROOF_LIBRARY),
        theorems=THEOREMS,
    log:
        "results/logs/check_theorems.log",
    benchmark:
        "results/benchmarks/check_theorems.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/check_theorems.py"),
        coq=COQ,
        may_fail=PAPER.config["proofs"] == "auto",
    message:
        "Checking the theorems for every modulus"
    script:
        "../scripts/check_theorems.py"


rule prove_networks:
    """Write the tables and parameters of networks for Coq, at most MOST_PROVEN of a file, and let it prove that each adds."""
    input:
        networks="results/{networks}.safetensors",
        sources=LEMMA_FILES,  # what the library holds: a folder has no checksum, so its time says nothing after a copy
        library=ancient(PROOF_LIBRARY),
        theorems=THEOREMS,
    output:
        proofs="results/proofs/{networks}.json",
        files="results/proofs/{networks}.zip",
    log:
        "results/logs/prove_networks/{networks}.log",
    benchmark:
        "results/benchmarks/prove_networks/{networks}.jsonl"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code_of("workflow/scripts/prove_networks.py"),
        coq=COQ,
        most=MOST_PROVEN,
    message:
        "Proving the answers of {wildcards.networks}"
    script:
        "../scripts/prove_networks.py"
