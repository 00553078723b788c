"""Imported by tools whose numbers are kept, before anything that imports NumPy: they compute as the jobs do."""

import os

from modadd.core.bits import job_variables

os.environ.update(job_variables())
