#!/usr/bin/env bash
# One would expect: a collection of measures gives what each of them gives alone.
# What happens: after the first batch torchmetrics' MetricCollection compares the counts that its measures keep. Two with equal counts are
# one group from then on, though they count different things: only one counts on, and the other works with its counts. If the first ten
# answers are all right, the accuracy of the best three is that of the best one: 0.24 after 200 answers, where 0.63 is right. If another
# batch comes first, both are right. The same holds for accuracies at two thresholds and for distances of two powers. No warning is given.
# With compute_groups=False all are right.
# Versions: torchmetrics 1.9.0, torch 2.13.0, numpy 2.4.6, Python 3.11.
# Source: MetricCollection._equal_metric_states in torchmetrics/collections.py; https://github.com/Lightning-AI/torchmetrics/issues/2596 and
# 2916, closed, and https://github.com/alan-turing-institute/icenet-mp/issues/537, open.
# Why it matters: a network that has settled is right on its first batch, so a measure's number depends on which examples come first.
# What we do: nothing is measured by it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pins="torchmetrics==1.9.0 torch==2.13.0 numpy==2.4.6"
# shellcheck disable=SC2086
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check $pins 2> /dev/null
cd "$folder"
cat > together.py <<'PY'
from copy import deepcopy

import numpy as np
import torch
from torchmetrics import MetricCollection
from torchmetrics.classification import BinaryAccuracy, MulticlassAccuracy
from torchmetrics.regression import MinkowskiDistance

CLASSES, EACH = 5, 10
rng = np.random.default_rng(0)
truth = torch.tensor(rng.integers(0, CLASSES, 200))
scores = torch.tensor(rng.normal(size=(200, CLASSES)), dtype=torch.float32)
scores[:EACH] = torch.nn.functional.one_hot(truth[:EACH], CLASSES).float()  # the first batch is right
yes = torch.tensor(rng.integers(0, 2, 200))
certain = torch.tensor(rng.random(200), dtype=torch.float32)
certain[:EACH] = yes[:EACH].float()
errors = torch.tensor(rng.random(200) * 4, dtype=torch.float32)
errors[:EACH] = torch.arange(EACH) % 2

CASES = {
    "of the best": ({1: MulticlassAccuracy(CLASSES, top_k=1), 3: MulticlassAccuracy(CLASSES, top_k=3)}, scores, truth),
    "threshold in tenths": ({5: BinaryAccuracy(threshold=0.5), 9: BinaryAccuracy(threshold=0.9)}, certain, yes),
    "distance of power": ({1: MinkowskiDistance(1), 3: MinkowskiDistance(3)}, errors, torch.zeros(200)),
}


def measured(metrics, given, known, order, **named):
    together = MetricCollection({str(name): deepcopy(metric) for name, metric in metrics.items()}, **named)
    for batch in order:
        together.update(given[batch], known[batch])
    return " ".join(f"{name}: {float(value):.2f}" for name, value in together.compute().items())


batches = torch.arange(200).split(EACH)
for title, (metrics, given, known) in CASES.items():
    alone = []
    for name, metric in metrics.items():
        for batch in batches:
            metric.update(given[batch], known[batch])
        alone.append(f"{name}: {float(metric.compute()):.2f}")
        metric.reset()
    print(f"{title}: together {measured(metrics, given, known, batches)}; alone {' '.join(alone)};", end=" ")
    print(f"last batch first {measured(metrics, given, known, batches[::-1])};", end=" ")
    print(f"no groups {measured(metrics, given, known, batches, compute_groups=False)}")
PY
"$folder/venv/bin/python" together.py | tee found
cat > expected <<'END'
of the best: together 1: 0.24 3: 0.24; alone 1: 0.24 3: 0.63; last batch first 1: 0.24 3: 0.63; no groups 1: 0.24 3: 0.63
threshold in tenths: together 5: 0.57 9: 0.57; alone 5: 0.57 9: 0.47; last batch first 5: 0.57 9: 0.47; no groups 5: 0.57 9: 0.47
distance of power: together 1: 382.12 3: 7.26; alone 1: 382.12 3: 14.70; last batch first 1: 382.12 3: 14.70; no groups 1: 382.12 3: 14.70
END
diff expected found
echo "found: torchmetrics takes measures for one whose first batch agrees"
