"""Whether the bits in a proof are those of a network's file: `python bits.py PROOF.v.xz NETWORK.safetensors`; needs NumPy."""

import json
import lzma
import re
import sys

import numpy as np

text = lzma.open(sys.argv[1], "rt").read()
proven = [np.array(bits.split("; "), "<u4") for bits in re.findall(r"Definition bits_\d+ .*?\[\| (.*) \| 0 \|\]", text)]
raw = open(sys.argv[2], "rb").read()
start = 8 + int.from_bytes(raw[:8], "little")  # a length, a header of JSON, and the tensors as they stand in memory
header = {name: about for name, about in json.loads(raw[8:start]).items() if name != "__metadata__"}
p = {}
for name, about in header.items():
    begin, end = about[
        "data_offsets"
    ]  # a file may hold several networks, one after another along the first axis: the first
    p[name] = np.frombuffer(raw[start + begin : start + end], "<u4").reshape(about["shape"])[0]
if "W_pos" in p:  # the pizza transformer, its heads side by side
    d = p["W_E"].shape[1]
    stored = [p["W_E"], *p["W_pos"], np.moveaxis(p["W_V"], 0, 1).reshape(d, -1), p["W_O"].reshape(-1, d)]
    stored += [p[name] for name in ("W_in", "b_in", "W_out", "b_out", "W_U")]
elif "E_a" in p:  # the embedding MLP, the two halves of what its neurons read
    stored = [p["E_a"], p["E_b"], *np.split(p["W_in"], 2), p["b_in"], p["W_out"], p["b_out"]]
else:
    stored = [p["W_E"], p["W_in"], p["W_U"]]
same = len(proven) == len(stored) and all(np.array_equal(x, y.ravel()) for x, y in zip(proven, stored, strict=True))
print(f"{sum(map(len, proven)):,} numbers: {'the same bits' if same else 'OTHER BITS'}")
sys.exit(not same)
