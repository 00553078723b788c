"""Jobs that are asked again though nothing that they read has other content: what they made stays as it is.

Snakemake runs a job whenever one before it has run: an edited plot would judge all claims again, on the same numbers.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from modadd.core.files import json_of, sha256, write_whole

FOLDER = Path("results/unchanged")  # what each job made its files of: no output, only known for the next time


def stays(job: Any) -> bool:
    """Whether the outputs of a job, the object `snakemake` of its script, are what it made of inputs and params of this content.

    Their times become new, as Snakemake expects. They have to be there still: the rule marks them by `update`.
    """
    record = _record_of(job)
    if not (record.exists() and json_of(record) == _content_of(job)):
        return False
    for file in job.output:
        os.utime(file)
    return True


def remember(job: Any) -> None:
    """Keep what the outputs of a job are made of."""
    write_whole(_record_of(job), json.dumps(_content_of(job), indent=1).encode())


def _record_of(job: Any) -> Path:
    return FOLDER / f"{job.rule}.json"


def _content_of(job: Any) -> dict[str, Any]:
    """A checksum of all that a job reads, and that of each file that it makes; None for one that is not there."""
    params = json.dumps(dict(job.params.items()), sort_keys=True)
    read = {file: sha256(file) for file in job.input}
    made = {file: sha256(file) if os.path.exists(file) else None for file in job.output}
    of = json.dumps([params, read])
    return {"of": hashlib.sha256(of.encode()).hexdigest(), "made": made}
