"""A question of the ledger as the rule of its notebook takes it: what the notebook reads, is given and makes."""

from collections.abc import Mapping
from typing import Any

from modadd.ledger.known import values_to_record
from modadd.page.found import neighbours
from modadd.planning.config import parameters_of
from modadd.planning.plan import Plan, files_in


class Question:
    """One notebook, executed on the networks that its question names.

    shown: the name of the network that it is about. given: what goes into its cell `parameters`: files that it reads and
    writes, what it is told of the ledger, and what the config overrides. near: the questions before and after it.
    """

    def __init__(self, name: str, plan: Plan, config: Mapping[str, Any], ledger: Mapping[str, Any]) -> None:
        entry = ledger["notebooks"][name]
        inputs = plan.inputs(name)
        self.name = name
        self.title = entry["title"]
        self.study = plan.study(name)
        self.notebook = plan.source(name)
        self.shown = entry["inputs"]["shown"]
        self.reads = files_in(inputs)
        self.executed = f"results/notebooks/{name}.ipynb"
        self.page = f"figures/notebooks/{name}.html"
        self.values = f"results/values/{name}.json"
        self.figures = plan.figures(name)
        self.tables = plan.tables(name)
        self.given = {
            **inputs,
            "figures": f"figures/{name}",
            "values_file": self.values,
            **plan.told(name),
            **parameters_of(name, config, ledger),
        }
        self.near = neighbours(name, ledger)
        self._found = entry.get("found", "")
        self._claimed = values_to_record(name, ledger, plan.external)

    def found(self, wildcards: object) -> str:
        """What was found, with places for values: these are no wildcards, so Snakemake gets it from a function."""
        return self._found

    def claimed(self, wildcards: object, output: object) -> list[str]:
        """The values that claims are about.

        A function of the output, so that a claim on a number that is recorded already executes nothing again.
        """
        return self._claimed
