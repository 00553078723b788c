"""Write proofs/Certificates.v again, as linear programs find the certificates (`python workflow/dev/certificates.py`)."""

from pathlib import Path

import project
from exclusion_in_coq import certificates_in_coq

from modadd.core.files import write_whole

FILE = Path(__file__).resolve().parents[2] / "proofs/Certificates.v"

if __name__ == "__main__":
    project.without_arguments(__doc__)
    write_whole(FILE, certificates_in_coq(5).encode())
