#!/usr/bin/env bash
# One would expect: under `--cache` a job takes a file of the cache if that was made by the same command from the same inputs.
# What happens: which input is which does not count. A job wrote train.csv and test.csv: the accuracy on test.csv is that on train.csv,
# since the key of the cache holds the job that made an input, not which of its outputs is read. And a - b is handed out as b - a: the
# checksums of the inputs are sorted, and their names left out. The log names the file as one of the cache, as for any that is right.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: ProvenanceHashMap._get_provenance_hash in snakemake/caching/hash.py. The manual's page on caching says that parameters have to
# come by `params` and that wildcards do not count; of the names and the order of inputs it says nothing.
# Why it matters: a score on data held out is the one on the data trained on, and a difference of two networks changes its sign. The cache
# is meant to be shared by all workflows of a group, so the wrong file may come from another one.
# What we do: no rule declares `cache`, and nothing of ours asks for `--cache`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
cat > Snakefile <<'SM'
rule split:
    output: train="train.csv", test="test.csv"
    shell: "printf '1\n1\n1\n1\n' > {output.train}; printf '1\n0\n0\n0\n' > {output.test}"
rule accuracy:
    input: "{part}.csv"
    output: "{part}.accuracy"
    cache: True
    shell: "awk '{{right += $1}} END {{print right / NR}}' {input} > {output}"
rule difference:
    input: of="{one}.txt", less="{other}.txt"
    output: "{one}_less_{other}.difference"
    cache: True
    shell: "echo $(($(cat {input.of}) - $(cat {input.less}))) > {output}"
SM
echo 5 > a.txt
echo 3 > b.txt
mkdir store
export SNAKEMAKE_OUTPUT_CACHE="$folder/store"
results() { # options of Snakemake
    rm -rf .snakemake -- *.csv *.accuracy *.difference
    for target in train.accuracy test.accuracy a_less_b.difference b_less_a.difference; do
        venv/bin/snakemake "$@" --cores 1 --quiet all -- "$target"
        echo "$target $(cat "$target")"
    done
}
{
    echo "without the cache:"
    results
    echo "with the cache:"
    results --cache
} | tee found
cat > expected <<'END'
without the cache:
train.accuracy 1
test.accuracy 0.25
a_less_b.difference 2
b_less_a.difference -2
with the cache:
train.accuracy 1
test.accuracy 1
a_less_b.difference 2
b_less_a.difference 2
END
diff expected found
echo "found: Snakemake's cache hands out what was made from another input, or from the same ones the other way round"
