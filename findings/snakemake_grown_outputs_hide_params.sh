#!/usr/bin/env bash
# One would expect: a rule whose parameter changes runs again (`--rerun-triggers params`, on by default), also if the same edit gives it
# one more output.
# What happens: asked for the old output by name, Snakemake says "Nothing to be done": the job's new output has no record, so no record
# of the job is used. The old file stays, made with the old parameter; a line says that metadata is missing.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: DAG.update_needrun, which compares the params recorded for all outputs of a job.
# Why it matters: after an edit of a workflow, a figure that is asked for by name is an old one.
# What we do: everything is made by the target that names all outputs; a test asks for a table by name after a change of its networks.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
rule() { # its outputs, its parameter
    cat > Snakefile <<SM
rule table:
    output: $1
    params: seeds=$2
    shell: "for file in {output}; do echo {params.seeds} > \$file; done"
SM
}
rule '"first.txt"' 1
venv/bin/snakemake --cores 1 --quiet all -- first.txt
rule '"first.txt"' 2
venv/bin/snakemake --dry-run first.txt > changed.log 2>&1
rule '"first.txt", "second.txt"' 2
venv/bin/snakemake --dry-run first.txt > both.log 2>&1
echo "another parameter:                   $(grep -o 'Params have changed since last execution' changed.log | head -1)"
echo "another parameter, one more output:  $(grep -o 'Nothing to be done' both.log)"
echo "in the file:                         $(cat first.txt)"
grep -q 'Params have changed since last execution' changed.log
grep -q 'Nothing to be done' both.log
test "$(cat first.txt)" = 1
echo "found: a job that gets one more output does not run for its changed parameter"
