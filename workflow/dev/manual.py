"""Write config/README.md, the manual of every config key, and docs/formats.md, of networks of others (`python workflow/dev/manual.py`)."""

from pathlib import Path

import own_library  # noqa: F401

from modadd.page.manual import manual
from modadd.page.networks_of_others import formats_page
from modadd.planning.yaml_files import read_yaml

if __name__ == "__main__":
    Path("config/README.md").write_text(manual(read_yaml("workflow/schemas/config.schema.yaml")), encoding="utf-8")
    Path("docs/formats.md").write_text(formats_page(), encoding="utf-8")
