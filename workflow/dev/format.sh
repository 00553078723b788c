#!/usr/bin/env bash
# Format Python and Snakemake files, as `make test` asks for them.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=.venv/bin/python
$python -m ruff format --quiet src workflow notebooks tests
$python -m ruff check --quiet --fix src workflow notebooks tests
$python -m snakefmt Snakefile workflow
