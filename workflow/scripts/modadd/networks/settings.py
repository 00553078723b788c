"""Settings of a training, kept as JSON beside a file of weights, as [Z] publishes them."""

import json
from pathlib import Path
from typing import Any

from modadd.core.files import FileError


def settings_file(path: Path) -> Path:
    """Where the settings of the training lie beside a file of weights: [Z] publishes config_X.json with model_X.pt."""
    return path.with_name(f"{path.stem.replace('model_', 'config_', 1)}.json")


def settings_beside(path: Path) -> dict[str, Any]:
    """The settings of the training of a file of weights; none if they do not lie beside it.

    Raises FileError, one line, if what lies there is no JSON object.
    """
    file = settings_file(path)
    if not file.exists():
        return {}
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        settings = None
    if not isinstance(settings, dict):
        raise FileError(
            f"{file}: expected the settings of the training of {path.name}, a JSON object; move it, or mend it"
        )
    return settings
