#!/usr/bin/env bash
# One would expect: an intervention on a batch gives each example what the same intervention gives it alone. pyvene takes a list of
# entries for every example, and the lists may differ.
# What happens: every example gets the entries that any example of the batch asks for. Three examples that ask for entry 0, 1 and 2 all get
# 0, 1 and 2 from the source; zeroing, adding and subtracting do the same. With as many positions as examples, position i gets what example
# i asks for, in every example; with another number torch raises an error. Equal lists are right, lists of unequal lengths are, and so are
# interventions in a rotated space, which hold one row per example.
# Versions: pyvene 0.1.8, torch 2.13.0, transformers 4.57.6, numpy 2.4.6, Python 3.11.
# Source: _do_intervention_by_swap in pyvene/models/intervention_utils.py takes the entries of all examples as one index, beside one of the
# positions, and none of the examples. https://github.com/stanfordnlp/pyvene/issues/33 says that each example may have its own subspace.
# Why it matters: which entries carry a variable is measured by such swaps, of other entries in every example or of random ones. Too much
# is swapped, and how much depends on the batch.
# What we do: our interventions are our own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="torch==2.13.0 transformers==4.57.6 numpy==2.4.6 matplotlib==3.11.2 networkx==3.6.1"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
# Of what pyvene asks for, only what it imports is installed.
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps pyvene==0.1.8 2> /dev/null
cd "$folder"
cat > swaps.py <<'PY'
import torch
import pyvene as pv
from pyvene.models.mlp.modelings_mlp import MLPConfig, MLPForClassification

WIDTH = 4
model = MLPForClassification(MLPConfig(h_dim=WIDTH, num_classes=WIDTH, n_layer=1, activation_function="relu", squeeze_output=False))
with torch.no_grad():  # it hands out what goes in
    for layer in (model.mlp.h[0].ff1, model.score):
        layer.weight.copy_(torch.eye(WIDTH))
        layer.bias.zero_()
model.eval()


def swap(lists, positions=1, kind=pv.VanillaIntervention):
    """Entries of all ones put into all zeros: for each example and position, which the example's list names."""
    places = [[list(range(positions))] * len(lists)]
    site = pv.RepresentationConfig(0, "block_output", "pos", positions)
    base, source = ({"inputs_embeds": torch.full((len(lists), positions, WIDTH), float(x))} for x in (0, 1))
    patched = pv.IntervenableModel(pv.IntervenableConfig([site], kind), model)
    _, out = patched(base, [source], {"sources->base": (places, places)}, subspaces=[lists])
    return [" ".join("".join(str(int(x)) for x in row) for row in example) for example in out[0]]


for kind in (pv.VanillaIntervention, pv.AdditionIntervention):
    lists = [[0], [1], [2]]
    print(f"{kind.__name__} {lists}: one by one {sum((swap([one], kind=kind) for one in lists), [])}, together {swap(lists, kind=kind)}")
print("unequal lengths [[0], [1], [2, 3]]:", swap([[0], [1], [2, 3]]))
print("two positions, [[0]] and [[1]]:", swap([[0]], 2), swap([[1]], 2), "together", swap([[0], [1]], 2))
PY
"$folder/venv/bin/python" swaps.py 2> /dev/null | grep -v nnsight | tee found
cat > expected <<'END'
VanillaIntervention [[0], [1], [2]]: one by one ['1000', '0100', '0010'], together ['1110', '1110', '1110']
AdditionIntervention [[0], [1], [2]]: one by one ['1000', '0100', '0010'], together ['1110', '1110', '1110']
unequal lengths [[0], [1], [2, 3]]: ['1000', '0100', '0011']
two positions, [[0]] and [[1]]: ['1000 1000'] ['0100 0100'] together ['1000 0100', '1000 0100']
END
diff expected found
echo "found: pyvene swaps in every example what any example of the batch asks for"
