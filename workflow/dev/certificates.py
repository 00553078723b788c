"""Write proofs/Certificates.v again, as linear programs find the certificates (`python workflow/dev/certificates.py`)."""

from pathlib import Path

import project  # noqa: F401
from exclusion_in_coq import certificates_in_coq

from modadd.core.files import write_whole

FILE = Path(__file__).resolve().parents[2] / "proofs/Certificates.v"

if __name__ == "__main__":
    write_whole(FILE, certificates_in_coq(5).encode())
