"""What Python runs first in every job: nothing is collected while modules load, which would take a fifth of that time."""

import gc

gc.disable()  # `modadd.core.jobs.loaded` enables it
