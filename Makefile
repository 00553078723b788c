# `make`: set up and rebuild everything. `make help` lists the targets; everything else is `snakemake ...`.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/ready
SNAKEMAKE := $(VENV)/bin/snakemake

.DEFAULT_GOAL := all
.PHONY: all smoke test bench format readme clean help

all: $(READY) ## every network, figure, table and verdict (config/config.yaml), then figures/index.html
	$(SNAKEMAKE) --cores all

smoke: $(READY) ## the same workflow on networks stopped early: a first look in about a minute
	$(SNAKEMAKE) --cores all --configfile config/smoke.yaml

test: $(READY) ## the tests, the smoke workflow and the mainline network among them
	$(VENV)/bin/python -m pytest -n 2 --dist loadgroup

bench: $(READY) ## time training steps, bounds and certificates (figures/benchmark); keep the machine idle
	$(SNAKEMAKE) --cores 1 --force $(patsubst %,figures/benchmark/%.md,training_step quadrature_scaling certificates)

format: $(READY) ## format Python and Snakemake files
	$(VENV)/bin/black -q workflow notebooks tests
	$(VENV)/bin/snakefmt Snakefile workflow

readme: $(READY) ## put the verdicts and the picture of the last full build into README.md
	$(SNAKEMAKE) --cores all readme

clean: ## remove everything that is built, but not the environment
	rm -rf results figures/[!R]* .snakemake

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /\1\t/' | expand -t 10

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)
