# Shared by all rules: the checked config and ledger, and helpers with telling names.
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.settings.types import RerunTrigger
from snakemake.utils import validate

RULES = os.path.join(HERE, "rules")
sys.path.insert(0, os.path.join(HERE, "scripts"))

# None of these imports a package that computes, but for NumPy: reading the rules takes as long as what it imports.
try:
    from modadd.core.bits import job_variables, with_first
    from modadd.core.code import code_behind
    from modadd.core.files import ROOT
    from modadd.ledger.entries import ledger_files, read_ledger
    from modadd.ledger.known import require_measures
    from modadd.ledger.published import require_known_weights
    from modadd.page.formats import FIGURE_FORMATS
    from modadd.page.questions import Question
    from modadd.planning.config import check_config
    from modadd.planning.datasets import IMPORTED, datasets_of
    from modadd.planning.kept_recipes import trained_otherwise
    from modadd.planning.outputs import TIMED
    from modadd.planning.paths import (
        EXPERIMENTS,
        PROOF_LIBRARY,
        THEOREMS,
        caption_file,
        kept_rows,
        network_file,
        table_of,
    )
    from modadd.planning.plan import Plan, files_in
    from modadd.planning.root import own
    from modadd.planning.settings import with_numbers
    from modadd.planning.yaml_files import read_yaml
    from modadd.populations.rows import kind_of
    from modadd.run.checkpoints import remove_accepted
    from modadd.run.coq import ABSENT, LEMMAS, version
    from modadd.run.failures import what_helps
    from modadd.run.machine import Quoted, stand_ins
    from modadd.run.records import (
        keep_records_beside_results,
        require_recipe,
        require_records,
        require_values,
        train_again,
    )
    from modadd.run.targets import require_targets
except ModuleNotFoundError as missing:
    raise WorkflowError(
        f"the package {missing.name} is missing in {sys.prefix}: `make .venv/ready` installs all that rules and jobs need, "
        "and a snakemake, in .venv/bin"
    ) from None

# The project's own files, as seen from the folder that is built in.
LEDGER_FILES, PUBLISHED = [own(file) for file in ledger_files()], own("data/published/values.json")
SCHEMAS, SCRIPTS, TEMPLATES = own("workflow/schemas"), own("workflow/scripts"), own("workflow/templates")
PROOFS = own("workflow/proofs")
LIBRARY = f"{SCRIPTS}/modadd"
COLUMNS = f"{LIBRARY}/populations/columns"  # a module for each kind of network, which measures it
LAYOUT = [f"{TEMPLATES}/base.html.j2", f"{TEMPLATES}/style.css"]
# Further pages beside figures/index.html, with their titles.
PAGES = {"explorer.html": "Explorer", "provenance.html": "Provenance"}

config.update(with_numbers(config))
# Whether this is the process that plans, and no other workflow that has this one as a module.
PLANS = workflow.is_main_process and Path(workflow.main_snakefile).resolve().is_relative_to(ROOT)
if PLANS and os.path.exists("results"):  # a dry run elsewhere makes nothing of ours
    keep_records_beside_results()
try:
    LEDGER = read_ledger()
    if workflow.is_main_process:  # on a node every job reads these rules again: what it reads was checked already
        for file in workflow.configfiles:
            read_yaml(file)  # Snakemake keeps the last of two equal keys without a word
        check_config(config, f"{SCHEMAS}/config.schema.yaml", LEDGER)
        require_measures(config, LEDGER)
        require_known_weights(LEDGER["claims"], PUBLISHED, datasets_of(config, IMPORTED))
except (ValueError, OSError) as error:
    raise WorkflowError(str(error)) from None
validate(config, os.path.abspath(f"{SCHEMAS}/config.schema.yaml"))  # fills in the defaults

# What jobs inherit: variables that decide float arithmetic, the library of this folder, whichever one is installed, and
# the formats of figures. Modules stay compiled also where the user's Python may not keep them, as in many containers:
# every job would compile the whole library again, which is up to a third of a short job.
os.environ.update(job_variables())
os.environ.update({"PYTHONPATH": with_first(os.path.abspath(SCRIPTS)), "PYTHONDONTWRITEBYTECODE": ""})
os.environ.update({FIGURE_FORMATS: " ".join(config["figure_formats"])})
os.environ.update(stand_ins())
sys.executable = Quoted(sys.executable)

if workflow.is_main_process and workflow.resource_settings.nodes is None:
    # Jobs run on this machine: where nobody says how many GPUs they may use, they use none. A rule's gpu=1 is then
    # clamped to 0, and the job trains on the CPU.
    workflow.global_resources.setdefault("gpu", 0)
elif workflow.is_main_process and f"{sys.executable}" != sys.executable:
    raise WorkflowError(
        f"{sys.executable}: Snakemake hands the path of the interpreter to a cluster without quotes, so it may have no "
        "space there; put the environment into another folder"
    )

PLAN = Plan(config, LEDGER)
QUESTIONS = [Question(name, PLAN, config, LEDGER) for name in PLAN.notebooks]
if PLANS and PLAN.scale != "smoke" and (said := trained_otherwise(PLAN.populations)):
    print(said, file=sys.stderr)
if PLANS and (said := train_again()):
    print(said, file=sys.stderr)


wildcard_constraints:
    dataset=r"[a-z][a-z0-9_]*",
    seed=r"0|[1-9]\d*",  # seed00 would be a second file of seed 0
    population=r"[a-z][a-z0-9_]*",
    shard=r"([\w.+-]+_)?\d*seeds[\w-]+",
    external="|".join(PLAN.external) or "none",
    experiment="|".join(EXPERIMENTS),
    networks=r"(networks|exhibits|populations)/.+",


def code_of(*files):
    """The checksum of the code of a job: its script, what that imports, and the environment that decides its bits."""
    return code_behind(f"{LIBRARY}/core/bits.py", *files)


def checkpoints(networks):
    """Where training keeps what an interrupted run resumes from, until what it makes is accepted."""
    return os.path.join("results/checkpoints", networks)


def no_input(file, recipe):
    """No files, as training reads none; refuses a file of networks of another recipe that this run would keep."""
    if PLANS:
        require_recipe(file, recipe, by_params=RerunTrigger.PARAMS in workflow.rerun_triggers)
    return []


def kind_of_shard(wildcards):
    """What kind of networks is in a shard, which decides what is measured of them."""
    return kind_of(PLAN.shard(wildcards.population, wildcards.shard).recipe)


def rows_of(wildcards):
    """The function that trains the networks of an experiment and gives their rows, by its full name."""
    return f"modadd.populations.{wildcards.experiment}.{wildcards.experiment}_rows"


def in_report(question, files, kind, suffix):
    """The same files; those of one format join `snakemake --report`, with caption, study and question."""
    place = {"category": f"Study {question.study}", "subcategory": question.title}
    for file in files:
        name = os.path.splitext(os.path.basename(file))[0]
        labels, caption = {kind: name.replace("_", " ")}, os.path.relpath(caption_file(question.name, name), RULES)
        yield report(file, caption=caption, labels=labels, **place) if file.endswith(suffix) else file
