"""Pack the project for anonymous review, without its authors' names and its history (`make review`)."""

import sys
from pathlib import Path

import own_library  # noqa: F401

from modadd.core.files import write_whole
from modadd.run.project import project_files
from modadd.run.review import bundle, names_in, removable

if __name__ == "__main__":
    zip = Path("results/review_bundle.zip")
    try:
        files, names = project_files(Path(".")), names_in(Path("."))
    except ValueError as error:
        sys.exit(f"review: {error}")
    for name in names:
        print(f"{'removed' if removable(name) else 'NOT removed, look for it yourself'}: {name}", file=sys.stderr)
    zip.parent.mkdir(exist_ok=True)
    write_whole(zip, bundle(Path("."), files, names, folder="modadd"))
    print(zip)
