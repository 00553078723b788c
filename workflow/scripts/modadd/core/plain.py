"""The type of plain data."""

from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]  # values by name, as YAML and JSON have them
