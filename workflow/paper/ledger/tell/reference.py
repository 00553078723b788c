"""What every machine must reproduce: one list of checksums, and the numbers and verdicts behind it."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from modadd.core.bits import ORIGIN
from modadd.core.files import Data
from modadd.core.parquet import read_table
from modadd.networks.store import read_tensors
from paper.ledger.judge.verdicts import is_as_expected
from paper.ledger.read.words import show
from paper.ledger.tell.differences import difference_in_words
from paper.notebook import plain

# The order of the graph: what a difference is looked for in first.
ORDER = (
    *("results/networks", "results/populations", "results/external", "results/exhibits", "results/stages"),
    *("results/proofs", "results/values", "results/notebooks", "figures"),
)


def checksum(path: Path) -> str:
    """SHA-256 of what a file says, in hexadecimal digits, whoever made it: networks and tables without their ORIGIN."""
    if path.suffix == ".safetensors":
        tensors, metadata = read_tensors(path)
        for key in ("origin", "checksum"):
            metadata.pop(key, None)
        parts = [json.dumps(metadata, sort_keys=True).encode()]
        for name, tensor in tensors.items():
            shape = f"{name} {tensor.dtype} {tensor.shape}"
            parts += [shape.encode(), tensor.tobytes()]
    elif path.suffix == ".parquet":
        table = read_table(path)
        columns = {name: plain(table[name]) for name in table if name not in ORIGIN}
        parts = [json.dumps(columns).encode()]
    else:
        parts = [path.read_bytes()]
    return hashlib.sha256(b"\n".join(parts)).hexdigest()


def place_in_graph(name: str) -> tuple[int, str]:
    """Files sort by it as the graph makes them, of one stage by name."""
    for stage, start in enumerate(ORDER):
        if name.startswith(start):
            return stage, name
    return len(ORDER), name


def checksums_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The checksum of every file of a build, by its name, in the order of the graph; those that are not there lack."""
    there = [name for name in names if (folder / name).is_file()]
    return {name: checksum(folder / name) for name in sorted(there, key=place_in_graph)}


def as_lines(scale: str, checksums: Mapping[str, str]) -> str:
    """The list as text: a checksum and SCALE/NAME to a line."""
    return "".join(f"{digest}  {scale}/{name}\n" for name, digest in checksums.items())


def listed(text: str, scale: str) -> dict[str, str]:
    """The checksums of one scale in the text of `as_lines`, by the name of the file."""
    found = {}
    for line in text.splitlines():
        digest, place = line.split("  ", 1)
        of_scale, name = place.split("/", 1)
        if of_scale == scale:
            found[name] = digest
    return found


def against_list(expected: Mapping[str, str], folder: Path) -> dict[str, str]:
    """What a build has otherwise than the list, by file, in the order of the graph: the first is where it begins."""
    found = checksums_of(folder, expected)
    return {
        name: "other content" if name in found else "was not built"
        for name, digest in expected.items()
        if found.get(name) != digest
    }


def expected_numbers(rows: Sequence[Data]) -> dict[str, Data]:
    """The rows of figures/claims.json by claim: measured number, verdict, and all that README and docs tell of them."""
    return {row["id"]: row for row in rows}


def deviations_of(expected: Mapping[str, Data], rows: Sequence[Data]) -> dict[str, str]:
    """Claims whose number or verdict is not the expected one, each with what differs and by how much."""
    found = {row["id"]: row for row in rows}
    deviations = {}
    for name in expected:
        if name not in found:
            deviations[name] = "is not in the ledger any more"
    for name, row in found.items():
        words = f"is new: measured {show(row['measured'])}, {row['verdict']}"
        if name in expected:
            words = _deviation(expected[name], row)
        if words:
            deviations[name] = words
    return deviations


def _deviation(expected: Data, row: Data) -> str | None:
    """What differs, in words."""
    apart = difference_in_words(expected["measured"], row["measured"])
    verdict = expected["verdict"]
    if row["verdict"] == verdict:
        return apart
    return f"verdict {row['verdict']}, expected {verdict}; {apart or 'equal numbers'}"


def surprises(rows: Sequence[Data]) -> dict[str, str]:
    """Claims with another verdict than the ledger expects, with what was measured and what it is compared with."""
    found = {}
    for row in rows:
        if is_as_expected(row):
            continue
        target = row["criterion"]
        if row["published"] is not None:
            target = f"published {show(row['published'])}"
        words = f"{row['verdict']}, expected {row['expected']}"
        measured = show(row["measured"])
        found[row["id"]] = f"{words}: measured {measured}, {target}"
    return found
