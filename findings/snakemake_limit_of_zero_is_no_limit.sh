#!/usr/bin/env bash
# One would expect: of rules that declare `resources: gpu=2`, none runs under `--resources gpu=0` or `gpu=1`, or Snakemake refuses; the
# smaller the limit, the fewer jobs run at once.
# What happens: what a job needs is cut down to the limit, without a word. Under gpu=1 the jobs run one after the other, each told that it
# has one. Under gpu=0 each needs nothing, so all run at once: more than under gpu=4, which allows two.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: snakemake.jobs, resources of a job with constraints; nextstrain/ncov issue 949 asks why a limit on memory was passed over.
# Why it matters: on a machine without a GPU, or to keep jobs off it, one writes gpu=0; then every job that declares a GPU starts.
# What we do: we rely on it. On one machine, where nobody gives a limit, we set 0, so that every training job is told gpu=0 and trains on
# the processor; its threads bound what runs at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
cat > Snakefile <<'SM'
rule all:
    input: expand("{name}.txt", name=["a", "b", "c"])
rule network:
    output: "{name}.txt"
    resources: gpu=2
    shell: "echo {resources.gpu} $(date +%s.%N) > {output}; sleep 4; date +%s.%N >> {output}"
SM
cat > at_once.py <<'PY'
from pathlib import Path

spans, told = [], set()
for file in Path().glob("?.txt"):
    gpus, start, end = file.read_text().split()
    told.add(gpus)
    spans.append((float(start), float(end)))
print(max(sum(a <= start < b for a, b in spans) for start, _ in spans), "at once, each told gpu =", *told)
PY
for limit in 4 2 1 0; do
    rm -f ./?.txt
    venv/bin/snakemake --cores 3 --resources gpu=$limit > log 2>&1
    echo "limit $limit: $(python3 at_once.py)" | tee -a found
done
grep -q 'limit 4: 2 at once, each told gpu = 2' found
grep -q 'limit 2: 1 at once, each told gpu = 2' found
grep -q 'limit 1: 1 at once, each told gpu = 1' found
grep -q 'limit 0: 3 at once, each told gpu = 0' found
echo "found: a limit of 0 lets every job start that declares the resource"
