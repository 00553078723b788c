"""One job of the workflow alone, in this process, so that its code runs in a debugger or an editor.

python -m modadd.debug measure_shard population=q_seeds shard=seeds50
python -m pdb -m modadd.debug notebook_phases
"""

import argparse
import os
import runpy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from snakemake.api import ConfigSettings, DAGSettings, OutputSettings, ResourceSettings, SnakemakeApi
from snakemake.exceptions import InputFunctionException, WorkflowError
from snakemake.iocontainers import Snakemake
from snakemake.jobs import Job
from snakemake.settings.types import Quietness
from snakemake.workflow import Workflow

from modadd.core import jobs
from modadd.core.bits import job_variables
from modadd.core.files import ROOT
from modadd.core.wording import require_known
from modadd.run.notebooks import run_lines

Files = Sequence[Path | str]


def job(rule: str, configfiles: Files = (), directory: Path | str = ROOT, **wildcards: Any) -> Snakemake:
    """The object `snakemake` that the script of a rule finds for these wildcards.

    This process becomes as that of the job: it works in `directory`, where the build is, and computes on one thread,
    unless NumPy was imported before; on the CPU. What the job writes counts as unfinished, so the next build makes it
    again. Raises ValueError, one line, for an unknown rule or wildcard, and for missing inputs.
    """
    return _seen_by_script(_prepared(rule, configfiles, directory, wildcards))


def parameters(notebook: str, **where: Any) -> dict[str, Any]:
    """What the workflow gives to the cell `parameters` of a notebook; `where` is that of `job`."""
    return job(f"notebook_{notebook}", **where).params.given


def _prepared(rule: str, configfiles: Files, directory: Path | str, wildcards: Mapping[str, Any]) -> Job:
    files = [Path(file).resolve() for file in configfiles]
    os.chdir(directory)
    os.environ.update(job_variables())
    jobs.begin = lambda log: None  # messages stay here, and there is no run that would end this process with itself
    try:
        with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
            resources = ResourceSettings(cores=1, resources={"gpu": 0})
            read = api.workflow(resources, ConfigSettings(configfiles=files), snakefile=ROOT / "Snakefile")
            read.dag(DAGSettings())  # of nothing yet: the job alone is looked up in it
            workflow = read._workflow
            workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=False, nolock=True)
            found = _job_of(workflow, rule, wildcards)
            for file in (*found.output, *found.log):
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            workflow.persistence.started(found)
            return found
    except WorkflowError as error:
        cause = error.__context__ or error if isinstance(error, InputFunctionException) else error
        raise ValueError(" ".join(str(cause).split())) from error


def _job_of(workflow: Workflow, name: str, wildcards: Mapping[str, Any]) -> Job:
    rules = {rule.name: rule for rule in workflow.rules if rule.script}
    require_known("rules", "rule", [name], rules)
    expected = rules[name].wildcard_names
    if set(wildcards) != expected:
        needed = " ".join(f"{wildcard}=…" for wildcard in sorted(expected)) or "no wildcard"
        raise ValueError(f"{name}: expected {needed}, got {' '.join(sorted(wildcards)) or 'none'}")
    output = rules[name].output[0].apply_wildcards(wildcards)
    found = workflow.async_run(workflow.dag.file2jobs(output))[0]
    for file in found.input:
        if not os.path.exists(file):
            raise ValueError(f"{file} is missing; build what {name} reads: snakemake {output} --omit-from {name}")
    return found


def _seen_by_script(found: Job) -> Snakemake:
    known = (found.input, found.output, found.params, found.wildcards, found.threads, found.resources, found.log)
    return Snakemake(*known, found.rule.workflow.config, found.rule.name, None, str(_script_of(found).parent))


def _script_of(found: Job) -> Path:
    return Path(found.rule.basedir.get_path_or_uri(secret_free=True), found.rule.script).resolve()


def _run(found: Job) -> None:
    """Run the script of a job; of a notebook its own lines, with the parameters after the cell that declares them."""
    snakemake = _seen_by_script(found)
    if "notebook" not in snakemake.input.keys():
        runpy.run_path(str(_script_of(found)), {"snakemake": snakemake}, "__main__")
        return
    run_lines(Path(snakemake.input.notebook).resolve(), snakemake.params.given)


if __name__ == "__main__":
    form = {"description": __doc__, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(prog="python -m modadd.debug", **form)
    parser.add_argument("rule", help="the rule whose script runs, such as notebook_phases")
    parser.add_argument("wildcards", nargs="*", help="of the rule, such as seed=0")
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--directory", default=ROOT, help="where the build is: results/smoke after `make smoke`")
    options = parser.parse_args()
    given = dict(word.split("=", 1) for word in options.wildcards if "=" in word)
    try:
        found = _prepared(options.rule, options.configfile, options.directory, given)
    except (ValueError, OSError) as error:
        sys.exit(f"debug: {error}")
    _run(found)
