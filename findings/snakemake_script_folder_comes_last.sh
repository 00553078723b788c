#!/usr/bin/env bash
# One would expect: `import helper` in a script of a Snakemake rule takes the helper.py beside the script, as `python script.py` does,
# whatever PYTHONPATH has.
# What happens: Snakemake runs a copy of the script, and appends the script's own folder to the end of sys.path. So the helper.py of a
# folder in PYTHONPATH is imported instead, without a word.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: the preamble that snakemake.script writes before a Python script (`sys.path.extend`).
# Why it matters: every script of a workflow may import a module that lies beside it; with two clones, the other clone's code computes.
# What we do: the jobs' PYTHONPATH begins with this project's folder of scripts, too; a test of builds copies the project.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
mkdir beside elsewhere
echo 'WHERE = "beside the script"' > beside/helper.py
echo 'WHERE = "a folder in PYTHONPATH"' > elsewhere/helper.py
cat > beside/script.py <<'PY'
import helper

target = snakemake.output[0] if "snakemake" in globals() else "plain.txt"
open(target, "w").write(helper.WHERE)
PY
cat > Snakefile <<'SM'
rule all:
    output: "made.txt"
    script: "beside/script.py"
SM
export PYTHONPATH="$folder/elsewhere"
venv/bin/python beside/script.py
venv/bin/snakemake --cores 1 --quiet all > log 2>&1
echo "python script.py: $(cat plain.txt)"
echo "snakemake:        $(cat made.txt)"
test "$(cat plain.txt)" = "beside the script"
test "$(cat made.txt)" = "a folder in PYTHONPATH"
echo "found: the folder of a Snakemake script comes last on its path"
