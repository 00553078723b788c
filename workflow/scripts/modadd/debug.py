"""One job of the workflow alone, in this process, so that its code runs in a debugger or an editor.

The first word names the job: a file that it makes, or its rule, with wildcards.

    python -m modadd.debug results/values/phases.json
    python -m modadd.debug train_network dataset=pizza_transformer seed=0 --pdb
"""

import argparse
import ast
import difflib
import os
import pdb
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType
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


def job(
    name: str, configfiles: Sequence[Path | str] = (), directory: Path | str = ROOT, **wildcards: str | int
) -> Snakemake:
    """The object `snakemake` that the script of a job finds; a file that it makes names the job, or rule and wildcards.

    This process becomes as that of the job: it works in `directory`, where the build is, and computes on one thread,
    unless NumPy was imported before; on the CPU. What the job writes counts as unfinished, so
    the next build makes it again. Raises ValueError, one line, for an unknown name or wildcard, and for missing inputs.
    """
    return _prepared(name, configfiles, directory, wildcards)[0]


def parameters(notebook: str, **where: Any) -> dict[str, Any]:
    """What the workflow gives to the cell `parameters` of a notebook; `where` is that of `job`."""
    return job(f"notebook_{notebook}", **where).params.given


def _prepared(
    name: str, configfiles: Sequence[Path | str], directory: Path | str, wildcards: Mapping[str, str | int]
) -> tuple[Snakemake, Path]:
    """The object of a job, and its script."""
    files = [Path(file).resolve() for file in configfiles]
    options = [] if directory == ROOT else ["--directory", str(directory)]
    options += ["--configfile", *map(str, configfiles)] if configfiles else []
    os.chdir(directory)
    os.environ.update(job_variables())
    jobs.begin = lambda log: None  # messages stay here, and there is no run that would end this process with itself
    try:
        with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
            resources, config = ResourceSettings(cores=1, resources={"gpu": 0}), ConfigSettings(configfiles=files)
            read = api.workflow(resources, config, snakefile=ROOT / "Snakefile")
            read.dag(DAGSettings())  # of nothing yet: the job alone is looked up in it
            workflow = read._workflow
            workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=False, nolock=True)
            found = _find(workflow, name, wildcards)
            _require_inputs(found, options)
            for file in (*found.output, *found.log):
                Path(file).parent.mkdir(parents=True, exist_ok=True)
            workflow.persistence.started(found)
            return _as_seen_by_its_script(found), _script_of(found)
    except WorkflowError as error:
        cause = error.__context__ or error if isinstance(error, InputFunctionException) else error
        raise ValueError(" ".join(str(cause).split())) from error
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}") from error


def _find(workflow: Workflow, name: str, wildcards: Mapping[str, str | int]) -> Job:
    """The job that makes a file, or that of a rule with these wildcards."""
    rules = {rule.name: rule for rule in workflow.rules if rule.script}
    if name in rules:
        expected = rules[name].wildcard_names
        if set(wildcards) != expected:
            needed = " ".join(f"{wildcard}=…" for wildcard in sorted(expected)) or "no wildcard"
            raise ValueError(f"{name}: expected {needed}, got {' '.join(sorted(wildcards)) or 'none'}")
        name = rules[name].output[0].apply_wildcards(wildcards)
    elif wildcards:
        raise ValueError(f"{name}: expected a rule before {' '.join(wildcards)}; a file has its wildcards in its name")
    if not any(rule.is_producer(name) for rule in rules.values()):
        files = [file for rule in rules.values() for file in rule.output if not rule.has_wildcards()]
        near = difflib.get_close_matches(name, [*rules, *files, *workflow.get_rule("all").input], n=1)
        guess = f"; did you mean '{near[0]}'?" if near else ""
        raise ValueError(f"unknown file or rule '{name}'{guess}")
    return workflow.async_run(workflow.dag.file2jobs(name))[0]


def _require_inputs(found: Job, options: Sequence[str]) -> None:
    """Raise ValueError, one line, for inputs that are not there, with the command that builds them with these options."""
    if missing := [file for file in found.input if not os.path.exists(file)]:
        others = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        command = " ".join(["snakemake", found.output[0], "--omit-from", found.rule.name, *options])
        raise ValueError(f"{missing[0]}{others} is missing; build what {found.rule.name} reads: {command}")


def _as_seen_by_its_script(found: Job) -> Snakemake:
    known = (found.input, found.output, found.params, found.wildcards, found.threads, found.resources, found.log)
    return Snakemake(*known, found.rule.workflow.config, found.rule.name, None, str(_script_of(found).parent))


def _script_of(found: Job) -> Path:
    return Path(found.rule.basedir.get_path_or_uri(secret_free=True), found.rule.script).resolve()


def _code_of(snakemake: Snakemake, script: Path) -> tuple[CodeType, dict[str, Any]]:
    """What a job runs, and the names that it finds: its script, or its notebook, whose lines stay where they are."""
    if "notebook" not in snakemake.input.keys():
        return compile(script.read_text(encoding="utf-8"), script, "exec"), {"snakemake": snakemake}
    notebook, given = Path(snakemake.input.notebook).resolve(), snakemake.params.given
    code, left = ast.parse(notebook.read_text(encoding="utf-8")), set(given)
    for node in code.body:
        if isinstance(node, ast.Assign) and (name := ast.unparse(node.targets[0])) in left:  # first in `parameters`
            node.value = ast.increment_lineno(ast.parse(f"given[{name!r}]", mode="eval").body, node.lineno - 1)
            left.remove(name)
    return compile(code, notebook, "exec"), {"given": given}


if __name__ == "__main__":
    form = {"description": __doc__, "formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(prog="python -m modadd.debug", **form)
    parser.add_argument("name", help="a file that the job makes, or its rule")
    parser.add_argument("wildcards", nargs="*", help="of a rule, such as seed=0")
    parser.add_argument("--configfile", nargs="*", default=[], help="laid over config/config.yaml, as snakemake does")
    parser.add_argument("--directory", default=ROOT, help="where the build is: results/smoke after `make smoke`")
    parser.add_argument("--pdb", action="store_true", help="stop in Python's debugger at the first line")
    options = parser.parse_args()
    try:
        wildcards = {key: value for key, _, value in (word.partition("=") for word in options.wildcards)}
        code, names = _code_of(*_prepared(options.name, options.configfile, options.directory, wildcards))
    except ValueError as error:
        sys.exit(f"debug: {error}")
    run = pdb.Pdb().run if options.pdb else exec
    run(code, {"__name__": "__main__", **names})
