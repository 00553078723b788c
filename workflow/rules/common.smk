# Shared by all rules: the checked config and ledger, and helpers with telling names.
import os
import sys

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, os.path.abspath("workflow/scripts"))  # every path here is relative to the repository root

from modadd.checks import check_config
from modadd.claims import read_ledger
from modadd.environment import PORTABLE_BITS, SINGLE_THREAD
from modadd.recipes import recipe_of
from modadd.settings import with_numbers
from modadd.suggestions import unknown

LEDGER_FILE = "data/claims.yaml"
SCHEMAS = "workflow/schemas"
LIBRARY = "workflow/scripts/modadd"
LAYOUT = ["workflow/templates/base.html.j2", "workflow/templates/style.css"]

config.update(with_numbers(config))
try:
    LEDGER = read_ledger(LEDGER_FILE, f"{SCHEMAS}/claims.schema.yaml")
    check_config(config, f"{SCHEMAS}/config.schema.yaml", LEDGER)
except (ValueError, OSError) as error:
    raise WorkflowError(str(error)) from None
validate(config, os.path.abspath(f"{SCHEMAS}/config.schema.yaml"))  # fills in the defaults

# Jobs inherit these before they import NumPy or torch: the same floats whatever the number of cores.
os.environ.update(SINGLE_THREAD | (PORTABLE_BITS if config["portable_bits"] else {}))

NOTEBOOKS = LEDGER["notebooks"]

# Snakemake sees scripts but not what they import, so library files are inputs too; training code apart from the rest,
# so that an edit to an analysis never retrains.
TRAINING_CODE = [
    f"{LIBRARY}/{module}.py"
    for module in "suggestions residues recipes architectures initialisation separable kernel training networks".split()
]
ANALYSIS_CODE = [
    f"{LIBRARY}/{module}.py"
    for module in "residues recipes architectures networks fourier separable neurons quadrature regression figures claims notebooks".split()
]


wildcard_constraints:
    study=r"[a-z][a-z0-9_]*",
    seed=r"\d+",
    notebook="|".join(NOTEBOOKS),


def networks_of_config():
    """Files of every network that the config asks for."""
    return [
        f"results/networks/{study}/seed{seed}.safetensors"
        for study, settings in config["studies"].items()
        for seed in settings["seeds"]
    ]


def network_of(notebook):
    """The network file that a notebook of the ledger reads."""
    return f"results/networks/{NOTEBOOKS[notebook]['network']}.safetensors"


def figures_of(notebook, suffixes=("svg", "pdf", "png", "csv")):
    """Figure files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("figures", {}) for s in suffixes]


def tables_of(notebook, suffixes=("csv", "md", "tex")):
    """Table files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("tables", {}) for s in suffixes]


def published_of(notebook):
    """Published value of each claim of a notebook, by the name of the value it is compared with (the first claim's)."""
    claims = [claim for claim in reversed(LEDGER["claims"]) if claim["notebook"] == notebook]
    return {claim["value"]: claim["published"] for claim in claims}


def recipe_of_study(wildcards):
    """The recipe of the study, as plain data: a change of any number in it retrains."""
    if wildcards.study not in config["studies"]:
        raise WorkflowError(unknown("config: studies", "study", wildcards.study, config["studies"]))
    return recipe_of(wildcards.study, config["studies"][wildcards.study]).as_dict()
