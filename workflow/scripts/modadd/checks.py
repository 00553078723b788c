"""Everything wrong with a config, found before any job starts."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modadd.recipes import recipe_of
from modadd.settings import require_parameters, require_valid
from modadd.suggestions import unknown

FILLED_IN = ("network_file", "figures", "values_file", "published")  # by the rule that executes the notebook


def check_config(config: Mapping[str, Any], schema: Path | str, ledger: Mapping[str, Any]) -> None:
    """Raise ValueError, one line, for the first bad key, study, seed list or notebook parameter of a config."""
    require_valid(config, schema, "config")
    studies = config["studies"]
    for study, settings in studies.items():
        try:
            recipe_of(study, settings)
        except ValueError as error:
            raise ValueError(f"config: {error}") from error
    for notebook, entry in ledger["notebooks"].items():
        study = entry["network"].split("/")[0]
        if study not in studies:
            raise ValueError(unknown(f"config: studies: notebook '{notebook}' needs", "study", study, studies))
    for notebook, parameters in config.get("notebooks", {}).items():
        if notebook not in ledger["notebooks"]:
            raise ValueError(unknown("config: notebooks", "notebook", notebook, ledger["notebooks"]))
        for parameter in sorted(set(parameters) & set(FILLED_IN)):
            raise ValueError(
                f"config: notebooks.{notebook}.{parameter}: the workflow fills this in; it cannot be overridden"
            )
        require_parameters(parameters, f"notebooks/{notebook}.py", f"config: notebooks.{notebook}")
