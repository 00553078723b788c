#!/usr/bin/env bash
# One would expect: a measure that is updated batch by batch is the same for every size of the batches, and an area under the ROC curve
# depends on the order of the scores alone. The manual takes logits: with scores outside [0, 1] it applies the sigmoid to each.
# What happens: each batch is asked by itself. Where its logits happen to be in [0, 1] they are left as they are, among others that the
# sigmoid was applied to. The area of 1000 logits is 0.910 in batches of 10 and more, 0.888 in pairs and 0.819 one by one; the accuracy
# falls from 0.815 to 0.768. In float32 the sigmoid of what is above 17 is 1: with 40 added to every logit the area is 0.5, as of chance,
# and with 40 taken off it is right.
# Versions: torchmetrics 1.9.0, torch 2.13.0, numpy 2.4.6, Python 3.11.
# Source: normalize_logits_if_needed in torchmetrics/utilities/compute.py; https://github.com/Lightning-AI/torchmetrics/issues/2195 and
# 2819, both open.
# Why it matters: logits of a network that has settled are far from 0, and the last batch of a set may have one example. Probes of a
# network are measured by such areas.
# What we do: nothing is measured by it. Whoever does: hand over numbers from 0 to 1, for an area ranks divided by their number.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="torchmetrics==1.9.0 torch==2.13.0 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > batches.py <<'PY'
import numpy as np
import torch
from torchmetrics.classification import BinaryAccuracy, BinaryAUROC

rng = np.random.default_rng(0)
logits = rng.normal(size=1000)
truth = rng.random(1000) < 1 / (1 + np.exp(-3 * logits))
order = np.sign(logits[truth][:, None] - logits[~truth])
print(f"right: area {(1 + order.mean()) / 2:.3f}, accuracy {((logits > 0) == truth).mean():.3f}")


def measure(title, scores, size):
    area, accuracy = BinaryAUROC(), BinaryAccuracy()
    scores, labels = torch.tensor(scores, dtype=torch.float32), torch.tensor(truth).int()
    for some, known in zip(scores.split(size), labels.split(size), strict=True):
        area.update(some, known)
        accuracy.update(some, known)
    print(f"{title}: area {area.compute():.3f}, accuracy {accuracy.compute():.3f}")


for size in (1000, 10, 2, 1):
    measure(f"batches of {size}", logits, size)
for shift in (40, -40):
    measure(f"{shift:+} at every logit", logits + shift, 1000)
PY
"$folder/venv/bin/python" batches.py | tee found
cat > expected <<'END'
right: area 0.910, accuracy 0.815
batches of 1000: area 0.910, accuracy 0.815
batches of 10: area 0.910, accuracy 0.815
batches of 2: area 0.888, accuracy 0.801
batches of 1: area 0.819, accuracy 0.768
+40 at every logit: area 0.500, accuracy 0.481
-40 at every logit: area 0.910, accuracy 0.519
END
diff expected found
echo "found: torchmetrics' area of logits depends on the size of the batches"
