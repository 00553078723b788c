#!/usr/bin/env bash
# One would expect: a workflow of local files runs for a user whose home cannot be written, as in a container that is started with
# another user's number. The folder of the workflow can be written, and nothing is fetched.
# What happens: Snakemake ends before it reads a rule, also in a dry run. It makes a cache for sources of other workflows in the
# home, whether or not one is named. XDG_CACHE_HOME moves it.
# Versions: snakemake 9.27.1, Python 3.11.
# Source: SourceCache.__init__ in snakemake/sourcecache.py, which every workflow makes.
# Why it matters: a reviewer's `docker run --user` has no home; the message is a trace that names none of the workflow's files.
# What we do: the commands of this project name a cache in the folder of the build where the user's own cannot be written; a test
# builds with a home that is no folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check snakemake==9.27.1 2> /dev/null
cat > Snakefile <<'SM'
rule all:
    output: "made.txt"
    shell: "echo made > {output}"
SM
unset XDG_CACHE_HOME
if HOME=/dev/null venv/bin/snakemake --cores 1 --dry-run > log 2>&1; then
    echo "a dry run without a home worked"
    exit 1
fi
echo "without a home:                    $(grep -o "NotADirectoryError.*" log | head -n 1)"
grep -q "NotADirectoryError: .*'/dev/null/" log
HOME=/dev/null XDG_CACHE_HOME="$folder/cache" venv/bin/snakemake --cores 1 > log 2>&1
echo "with a cache in the folder:        $(cat made.txt)"
test "$(cat made.txt)" = made
echo "found: Snakemake needs a home, or XDG_CACHE_HOME, for workflows of local files too"
