#!/usr/bin/env bash
# One would expect: a job that fails is asked again by the same command, until it has succeeded.
# What happens: if its output is marked by update(), Snakemake puts the file of before back, and records it as made of today's input. The
# same command then says "Nothing to be done", and its status is 0. The file is of the old input. Without update() the job is asked again.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: Job.postprocess in snakemake/jobs.py restores the backup and then records the job as finished; the documentation of update() says
# that a failed job's output is put back, and not that the job counts as done.
# Why it matters: a build that ran out of memory while it judged is repeated, and shows old verdicts as if they were today's.
# What we do: no output is marked so. What may stay as it is lies in a copy that the job itself puts back; a test lets such a job fail.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
judge() { # its output: judged once, then asked for again with another input while the job fails, and once more without
    cat > Snakefile <<SM
rule judge:
    input: "values.txt"
    output: $1
    shell: "test ! -e out_of_memory && cp {input} {output}"
SM
    rm -rf .snakemake verdicts.txt out_of_memory
    echo old > values.txt
    venv/bin/snakemake --cores 1 --quiet all
    sleep 1
    echo new > values.txt
    touch out_of_memory
    failed=0
    venv/bin/snakemake --cores 1 > failed.log 2>&1 || failed=$?
    rm out_of_memory
    venv/bin/snakemake --cores 1 > again.log 2>&1
    echo "$1: status of the job that fails $failed, then $(grep -o 'Nothing to be done' again.log || echo 'it runs'), verdicts are $(cat verdicts.txt)"
}
{
    judge '"verdicts.txt"'
    judge 'update("verdicts.txt")'
} | tee found
cat > expected <<'END'
"verdicts.txt": status of the job that fails 1, then it runs, verdicts are new
update("verdicts.txt"): status of the job that fails 1, then Nothing to be done, verdicts are old
END
diff expected found
echo "found: a failed job counts as done if its output is marked by update()"
