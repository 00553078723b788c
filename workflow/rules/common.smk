# Shared by all rules: the checked config and ledger, and helpers with telling names.
import os
import sys

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, os.path.abspath("workflow/scripts"))  # every path here is relative to the repository root

from modadd.core.environment import FIGURE_FORMATS, job_variables
from modadd.ledger.entries import read_ledger
from modadd.ledger.published import require_known_weights
from modadd.networks.overrides import TRAINING_GB
from modadd.run.config import EXPERIMENTS, check_config
from modadd.run.fingerprints import fingerprint
from modadd.run.memory import analysis_gb
from modadd.run.plan import Plan, caption_file, kept_rows, kept_table, network_file, table_of
from modadd.run.project import TIMED
from modadd.run.settings import with_numbers
from modadd.run.yaml_files import read_yaml

LEDGER_FILE = "data/claims.yaml"
SCHEMAS = "workflow/schemas"
LAYOUT = ["workflow/templates/base.html.j2", "workflow/templates/style.css"]
# Further pages beside figures/index.html, with their titles.
PAGES = {"explorer.html": "Explorer", "provenance.html": "Provenance and cost"}

config.update(with_numbers(config))
try:
    for file in workflow.configfiles:
        read_yaml(file)  # Snakemake keeps the last of two equal keys without a word
    LEDGER = read_ledger(LEDGER_FILE, f"{SCHEMAS}/claims.schema.yaml")
    check_config(config, f"{SCHEMAS}/config.schema.yaml", LEDGER)
    require_known_weights(LEDGER["claims"], "data/published/values.json", config.get("external_networks", {}))
except (ValueError, OSError) as error:
    raise WorkflowError(str(error)) from None
validate(config, os.path.abspath(f"{SCHEMAS}/config.schema.yaml"))  # fills in the defaults

# What jobs inherit: variables that decide float arithmetic, the library of this folder, whichever one is installed, and
# the formats of figures.
os.environ.update(job_variables(config["portable_bits"]))
os.environ.update(
    {"PYTHONPATH": os.path.abspath("workflow/scripts"), FIGURE_FORMATS: " ".join(config["figure_formats"])}
)

PLAN = Plan(config, LEDGER)


wildcard_constraints:
    study=r"[a-z][a-z0-9_]*",
    seed=r"0|[1-9]\d*",  # seed00 would be a second file of seed 0
    population=r"[a-z][a-z0-9_]*",
    shard=r"0|[1-9]\d*",
    external="|".join(config["external_networks"]) or "none",
    notebook="|".join(PLAN.notebooks),


def checkpoints(networks=""):
    """Where training keeps what an interrupted run resumes from, until what it makes is accepted."""
    return os.path.join("results/checkpoints", networks)


def in_report(notebook, files, kind, suffix):
    """The same files; those of one format join `snakemake --report`, with caption, study and question."""
    place = {"category": f"Study {PLAN.study(notebook)}", "subcategory": PLAN.notebooks[notebook]["title"]}
    for file in files:
        name = os.path.splitext(os.path.basename(file))[0]
        labels, caption = {kind: name.replace("_", " ")}, f"../../{caption_file(notebook, name)}"
        yield report(file, caption=caption, labels=labels, **place) if file.endswith(suffix) else file
