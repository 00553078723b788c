"""Write workflow/proofs/Certificates.v again, as linear programs find the certificates (`python workflow/dev/certificates.py`)."""

from pathlib import Path

import project  # noqa: F401

from modadd.core.files import write_whole
from modadd.handmade.exclusion_in_coq import certificates_in_coq

FILE = Path(__file__).resolve().parents[1] / "proofs/Certificates.v"

if __name__ == "__main__":
    write_whole(FILE, certificates_in_coq(5).encode())
