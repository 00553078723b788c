# Shared by all rules: the checked config and ledger, and helpers with telling names.
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, os.path.abspath("workflow/scripts"))  # every path here is relative to the repository root

from modadd.checks import check_config
from modadd.clones import project_files
from modadd.environment import PORTABLE_BITS, SINGLE_THREAD
from modadd.ledger import read_ledger
from modadd.recipes import deviations, recipe_of
from modadd.settings import notebook_parameters, with_numbers
from modadd.shards import shards_of
from modadd.sources import modules_behind
from modadd.suggestions import unknown

LEDGER_FILE = "data/claims.yaml"
SCHEMAS = "workflow/schemas"
LIBRARY = "workflow/scripts/modadd"
REFERENCE = "data/reference"  # what a full build of the default config measured, and what it cost
LAYOUT = ["workflow/templates/base.html.j2", "workflow/templates/style.css"]
# Further pages beside figures/index.html, with their titles.
PAGES = {"explorer.html": "Explorer", "provenance.html": "Provenance and cost"}

config.update(with_numbers(config))
try:
    LEDGER = read_ledger(LEDGER_FILE, f"{SCHEMAS}/claims.schema.yaml")
    check_config(config, f"{SCHEMAS}/config.schema.yaml", LEDGER)
except (ValueError, OSError) as error:
    raise WorkflowError(str(error)) from None
validate(config, os.path.abspath(f"{SCHEMAS}/config.schema.yaml"))  # fills in the defaults

# Jobs inherit these before they import NumPy or torch: the same floats whatever the number of cores.
os.environ.update(SINGLE_THREAD | (PORTABLE_BITS if config["portable_bits"] else {}))
# Jobs and the notebooks' kernels import the library of this folder, whichever one is installed.
os.environ.update(PYTHONPATH=os.path.abspath("workflow/scripts"))

NOTEBOOKS = LEDGER["notebooks"]
POPULATIONS = {name: shards_of(name, settings) for name, settings in config["populations"].items()}


wildcard_constraints:
    study=r"[a-z][a-z0-9_]*",
    seed=r"\d+",
    population=r"[a-z][a-z0-9_]*",
    shard=r"\d+",
    external="|".join(config["external_networks"]) or "none",
    notebook="|".join(NOTEBOOKS),


def networks_of_config():
    """Files of every network that the config asks for: the network and its losses."""
    return [
        f"results/networks/{study}/seed{seed}.{suffix}"
        for study, settings in config["studies"].items()
        for seed in settings["seeds"]
        for suffix in ("safetensors", "loss.csv")
    ]


def library_behind(*files):
    """Library files that the given scripts or notebooks import, as inputs: an edit reruns what stands on it, no more."""
    return [f"{LIBRARY}/{module}.py" for module in modules_behind(*files)]


def recipe_of_study(wildcards):
    """The recipe of the study, as plain data: a change of any number in it retrains."""
    study = wildcards.study
    if study not in config["studies"]:
        raise WorkflowError(unknown("config: studies", "study", study, config["studies"]))
    return recipe_of(f"studies.{study}", config["studies"][study]).as_dict()


def seeds_of_network(wildcards):
    """The seed of a network that is trained alone."""
    return [int(wildcards.seed)]
