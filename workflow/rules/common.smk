# Shared by all rules: the checked config and ledger, and helpers with telling names.
import os
import sys

from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

sys.path.insert(0, os.path.abspath("workflow/scripts"))  # every path here is relative to the repository root

from modadd.checks import check_config
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


def network_file(name):
    """The file of a network that the ledger names: study/seedN, or population/exhibit."""
    place, which = name.split("/")
    return f"results/exhibits/{place}.safetensors" if which == "exhibit" else f"results/networks/{name}.safetensors"


def network_of(notebook):
    """The network file that a notebook of the ledger reads."""
    return network_file(NOTEBOOKS[notebook]["network"])


def others_of(notebook):
    """Files of the further networks that it reads, by name."""
    return {name: network_file(name) for name in NOTEBOOKS[notebook].get("others", [])}


def losses_of(notebook):
    """The losses of its network's training; none of an exhibit's."""
    network = NOTEBOOKS[notebook]["network"]
    return [] if network.endswith("exhibit") else f"results/networks/{network}.loss.csv"


def external_of(notebook):
    """Files of the published weights of the config, by name, for a notebook that can show them."""
    takes_them = "external" in notebook_parameters(f"notebooks/{notebook}.py")
    return {name: f"results/external/{name}.safetensors" for name in config["external_networks"] if takes_them}


def outputs_of(notebook):
    """Everything that a notebook of the ledger makes for the reader."""
    return [f"figures/notebooks/{notebook}.html", *figures_of(notebook), *tables_of(notebook)]


def figures_of(notebook, suffixes=("svg", "pdf", "png", "csv")):
    """Figure files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("figures", {}) for s in suffixes]


def tables_of(notebook, suffixes=("csv", "md", "tex")):
    """Table files of a notebook."""
    return [f"figures/{notebook}/{name}.{s}" for name in NOTEBOOKS[notebook].get("tables", {}) for s in suffixes]


def published_of(notebook):
    """Published value of each claim of a notebook, by the name of the value it is compared with (the first claim's).

    None for a network that is not trained by the published recipe, or not for long enough.
    """
    place, which = NOTEBOOKS[notebook]["network"].split("/")
    if which == "exhibit":
        recipe = POPULATIONS[place][0].recipe
    else:
        recipe = recipe_of(f"studies.{place}", config["studies"][place])
    differing = set(deviations(recipe.as_dict()))
    if differing - {"steps"}:
        return {}
    claims = [claim for claim in reversed(LEDGER["claims"]) if claim["notebook"] == notebook and "published" in claim]
    return {
        claim["value"]: claim["published"]
        for claim in claims
        if not differing or recipe.steps >= claim.get("from_steps", float("inf"))
    }


def recipe_of_study(wildcards):
    """The recipe of the study, as plain data: a change of any number in it retrains."""
    study = wildcards.study
    if study not in config["studies"]:
        raise WorkflowError(unknown("config: studies", "study", study, config["studies"]))
    return recipe_of(f"studies.{study}", config["studies"][study]).as_dict()


def seeds_of_network(wildcards):
    """The seed of a network that is trained alone."""
    return [int(wildcards.seed)]


def populations_of(notebook):
    """Tables of the populations that a notebook reads, by name."""
    return {name: f"results/populations/{name}.parquet" for name in NOTEBOOKS[notebook].get("populations", [])}


def kept_of(notebook):
    """Committed tables of those populations, by name, for those that have one."""
    return {name: path for name in NOTEBOOKS[notebook].get("populations", []) for path in kept_table(name)}


def kept_table(population):
    """The committed table of a population, if there is one."""
    path = f"data/populations/{population}.parquet"
    return [path] if os.path.exists(path) else []


def roundings():
    """Tables of retrainings from initial weights changed in their last bit, trained here and kept, by notebook."""
    return {
        notebook: [f"results/populations/{entry['rounding']}.parquet", *kept_table(entry["rounding"])]
        for notebook, entry in NOTEBOOKS.items()
        if "rounding" in entry
    }
