"""Take away the lock that a killed run has left in this folder (`make` and `make unlock`); refuse while something runs here."""

import sys
from pathlib import Path

from modadd.run.locks import take_lock_away

if __name__ == "__main__":
    try:
        if take_lock_away(Path(".")):
            print("The last run was killed. Its lock is taken away; what it had not finished is made again.")
    except ValueError as error:
        sys.exit(str(error))
