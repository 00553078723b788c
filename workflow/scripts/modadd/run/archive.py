"""Zip archives whose bytes depend on nothing but the files in them."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the date of every file


def packed(files: Mapping[str, bytes], executable: frozenset[str] = frozenset()) -> bytes:
    """A zip of files by name, sorted; equal files give equal bytes. Names in `executable` may be run."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.external_attr = (0o100755 if name in executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    return content.getvalue()


def executables(root: Path, names: list[str]) -> frozenset[str]:
    """The names whose files their owner may run."""
    return frozenset(name for name in names if (root / name).stat().st_mode & 0o100)
