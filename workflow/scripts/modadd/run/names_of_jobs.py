"""The names of jobs, as logs and benchmarks have them, and which of them run alone at the end."""

import re

# Rules with a job for each of several networks or datasets.
MANY_JOBS = (
    *("train_network", "measure_stages", "train_shard", "measure_shard"),
    *("gather_population", "choose_exhibit", "import_network", "prove_networks"),
)
LAST = (  # each waits for the one before
    "judge_claims",
    "build_site",
    "provenance",
)
BETWEEN = 0.5  # seconds of a core from the end of one job to the beginning of the next


def job_of(rule: str, output: str) -> str:
    """The name of the job of a rule that makes a file."""
    return job_named(rule, re.sub(r"([.](losses|history))?[.][a-z]+$", "", output.split("/", 2)[-1]))


def job_named(rule: str, networks: str) -> str:
    """The name of the job of a rule that trains or measures some networks, or does all that the rule does."""
    if rule.startswith("notebook_"):
        return f"notebooks/{rule.removeprefix('notebook_')}"
    return f"{rule}/{networks}" if rule in MANY_JOBS else rule
