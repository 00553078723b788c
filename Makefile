# `make`: set up and rebuild everything. `make help` lists the targets; everything else is `snakemake ...`.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/ready
SNAKEMAKE := $(VENV)/bin/snakemake

.DEFAULT_GOAL := all
.PHONY: all smoke test estimate verify bench processors format readme clean help

all: $(READY) estimate ## every network, figure, table and verdict (config/config.yaml), then figures/index.html
	$(SNAKEMAKE) --cores all
	@$(VENV)/bin/python workflow/scripts/show_verdicts.py

smoke: $(READY) ## the same workflow on networks stopped early: a first look in about a minute
	$(SNAKEMAKE) --cores all --configfile config/smoke.yaml
	@$(VENV)/bin/python workflow/scripts/show_verdicts.py

estimate: $(READY) ## what `make` would run, and how long that takes here
	@$(SNAKEMAKE) estimate --cores all --quiet all

verify: $(READY) ## build everything again in an empty folder, compare it with this one and with data/reference
	$(SNAKEMAKE) verify --cores all

test: $(READY) ## the tests, the smoke workflow and the mainline network among them
	$(VENV)/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

bench: $(READY) ## time training steps, bounds and certificates (figures/benchmark); keep the machine idle
	$(SNAKEMAKE) --cores 1 --force $(patsubst %,figures/benchmark/%.md,training_step quadrature_scaling certificates)

processors: $(READY) ## train the mainlines of a full build again as other processors would; list verdicts that move (an hour)
	$(VENV)/bin/python workflow/scripts/compare_processors.py

format: $(READY) ## format Python and Snakemake files
	$(VENV)/bin/black -q workflow notebooks tests
	$(VENV)/bin/snakefmt Snakefile workflow

readme: $(READY) ## put the verdicts, the picture and the graph of the last full build into README.md
	$(SNAKEMAKE) --cores all readme
	$(SNAKEMAKE) --cores all rulegraph

clean: ## remove everything that is built, but not the environment
	rm -rf results figures/[!R]* .snakemake

help: ## this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## /\1\t/' | expand -t 10

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)
