#!/usr/bin/env bash
# One would expect: safetensors writes equal tensors with equal metadata as equal bytes: the format sorts its tensors, and has no clock.
# What happens: the entries of the metadata stand in another order at every call, in one process, too. The file has another checksum.
# With one entry, or none, the bytes are equal.
# Versions: safetensors 0.8.0, numpy 2.4.6, Python 3.11 to 3.13.
# Source: the metadata are a HashMap of Rust in safetensors/src/tensor.rs; the format's description says nothing of their order.
# Why it matters: a list of checksums of networks would differ after every training, though every weight is the same.
# What we do: all metadata of a network are one entry, as JSON with sorted keys.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check safetensors==0.8.0 numpy==2.4.6 2> /dev/null
cd "$folder"
cat > orders.py <<'PY'
import numpy as np
from safetensors.numpy import save

tensors = {"W_E": np.ones((3, 3), np.float32), "W_U": np.zeros((3, 3), np.float32)}
described = {"recipe": "C", "seed": "0", "steps": "14000", "torch": "2", "numpy": "2", "device": "cpu"}
for title, metadata in (("six entries", described), ("one entry", {"all": "C, 0"}), ("no entry", None)):
    files = {save(tensors, metadata=metadata) for _ in range(20)}
    print(f"{title}: files that differ among twenty:", "several" if len(files) > 1 else 1)
PY
"$folder/venv/bin/python" orders.py | tee found
grep -q '^six entries: .* several$' found
grep -q '^one entry: .* 1$' found
grep -q '^no entry: .* 1$' found
echo "found: safetensors writes equal metadata as other bytes at every call"
