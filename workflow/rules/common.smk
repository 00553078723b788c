# Shared by all rules: what the build is of, and helpers with telling names. Nothing that is imported here computes, but for
# NumPy: reading the rules takes as long as what they import.
from snakemake.exceptions import WorkflowError

try:
    from modadd.core.files import in_project
    from paper.ledger.read.entries import ledger_files
    from paper.build import PUBLISHED, read_build
    from paper.code import code_of
    from paper.datasets import kept_rows, table_of
    from paper.environment import Quoted, job_environment
    from paper.headers import train_again
except ModuleNotFoundError as missing:
    raise WorkflowError(
        f"the package {missing.name} is missing in {sys.prefix}: `make .venv/ready` installs all that rules and jobs need, "
        "and a snakemake, in .venv/bin"
    ) from None

try:
    PAPER = read_build(config, in_project(PUBLISHED), workflow.configfiles, check=workflow.is_main_process)
except (ValueError, OSError) as error:
    raise WorkflowError(str(error)) from None

os.environ.update(job_environment(PAPER.config["figure_formats"]))
TEMPLATES = in_project("workflow/templates")
LAYOUT = [f"{TEMPLATES}/base.html.j2", f"{TEMPLATES}/style.css"]
LEDGER_FILES = [in_project(file) for file in ledger_files()]

if workflow.is_main_process and (said := train_again()):
    print(said, file=sys.stderr)
if workflow.is_main_process and workflow.resource_settings.nodes is None:
    # Jobs run on this machine: where nobody says how many GPUs they may use, they use none. A rule's gpu=1 is then
    # clamped to 0, and the job trains on the CPU.
    workflow.global_resources.setdefault("gpu", 0)
elif workflow.is_main_process and f"{Quoted(sys.executable)}" != sys.executable:
    raise WorkflowError(
        f"{sys.executable}: Snakemake hands the path of the interpreter to a cluster without quotes, so it may have no "
        "space there; put the environment into another folder"
    )


wildcard_constraints:
    dataset=r"[a-z][a-z0-9_]*",
    seed=r"0|[1-9]\d*",  # seed00 would be a second file of seed 0
    population=r"[a-z][a-z0-9_]*",
    shard=r"([\w.+-]+_)?\d*seeds[\w-]+",
    external="|".join(PAPER.datasets.imported) or "none",
    experiment="|".join(PAPER.datasets.experiments) or "none",
    networks=r"(networks|exhibits|populations)/.+",


def watched(wildcards):
    """The watched networks of a dataset, one of whose seeds is asked for."""
    found = PAPER.datasets.watched_one(wildcards.dataset)
    found.require_seed(int(wildcards.seed))
    return found


def shard(wildcards):
    """The shard of a population that is asked for."""
    return PAPER.datasets.population(wildcards.population).shard(wildcards.shard)


def shards(suffix):
    """A function of wildcards: a file of every shard of the population."""
    return lambda wildcards: PAPER.datasets.population(wildcards.population).files(suffix)
