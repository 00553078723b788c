"""Write config/README.md, the manual of every config key (`python workflow/dev/manual.py`)."""

from pathlib import Path

import own_library  # noqa: F401

from modadd.page.manual import manual
from modadd.planning.yaml_files import read_yaml

if __name__ == "__main__":
    Path("config/README.md").write_text(manual(read_yaml("workflow/schemas/config.schema.yaml")), encoding="utf-8")
