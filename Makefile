# `make`: set up and rebuild everything. `make help` lists the targets; everything else is `snakemake ...`.
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/ready
SNAKEMAKE := $(VENV)/bin/python -m snakemake

.DEFAULT_GOAL := all
.PHONY: all smoke check look proof test test-builds test-slurm unlock verify reference keep published weights network review release bench faults format readme manual clean help
TOOL := $(VENV)/bin/python workflow/tools
VERBOSELY := $(if $(VERBOSE),--verbose)

all: $(READY) ## every network, figure, table and verdict (config/config.yaml), then figures/index.html
	@$(TOOL)/build.py $(VERBOSELY)

smoke: $(READY) ## the same workflow on networks stopped early, in results/smoke: a first look
	@$(TOOL)/build.py --config config/smoke.yaml --folder results/smoke $(VERBOSELY)

check: $(READY) ## build what one claim needs, and judge it: make check CLAIM=phase_line
	@$(TOOL)/check.py $(if $(CLAIM),"$(CLAIM)") $(if $(CONFIG),--configfile $(CONFIG)) $(VERBOSELY)

look: $(READY) ## say what a trained network does, and draw its phases: make look NETWORK=mod_31/seed0
	@$(TOOL)/look.py $(if $(NETWORK),"$(NETWORK)")

proof: $(READY) ## let Coq prove that trained networks add (apt-get install coq): make proof [NETWORK=mod_31/seed0] [FILE=mine.pt FORMAT=two_layer_mlp] [PUBLISHED=yes] [CHECK=yes] [KEEP=yes]
	@$(TOOL)/proof.py $(if $(FILE),--file "$(FILE)" --format "$(FORMAT)") $(if $(NETWORK),--network "$(NETWORK)") $(if $(PUBLISHED),--published) $(if $(CHECK),--check) $(if $(KEEP),--keep)

unlock: $(READY) ## remove the lock of a run that was killed; `make` does so itself
	@$(TOOL)/unlock.py

verify: $(READY) ## build everything again in an empty folder, compare it with this one and with data/reference
	$(TOOL)/verify.py

PYTEST := $(VENV)/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

test: $(READY) ## the tests, the smoke workflow among them
	$(PYTEST) tests/unit tests/workflow

test-builds: $(READY) ## further tests: builds that are killed, moved, verified, or made as the docs say
	$(PYTEST) tests/builds

test-slurm: $(READY) ## build the smoke config through a Slurm of one node, this machine, and compare with a local build (as root)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt --editable ".[slurm]"
	$(VENV)/bin/python tests/slurm/run.py

faults: $(READY) ## kill a smoke build at 30 random moments, flip bits, fill the disk; docs/reliability.md (as root)
	$(VENV)/bin/python tests/faults.py

bench: $(READY) ## time training steps, bounds and certificates in four minutes (figures/benchmark); keep the machine idle
	@$(TOOL)/bench.py

network: $(READY) ## check a network of yours, and show it: make network FILE=mine.pt FORMAT=two_layer_mlp [ACTIVATION=square] [OPERATION=subtraction]
	@$(TOOL)/network.py $(if $(FILE),"$(FILE)") $(FORMAT) $(if $(ACTIVATION),--activation $(ACTIVATION)) $(if $(OPERATION),--operation $(OPERATION)) $(if $(CONFIG),--configfile $(CONFIG)) $(VERBOSELY)

keep: $(READY) ## add the rows of a built dataset to data/: make keep DATASET=c91_batch
	$(TOOL)/keep.py $(DATASET)

weights: $(READY) ## fetch the published weights that claims are about into data/external, and print the config that names them
	@$(TOOL)/weights.py

published: $(READY) ## keep what this full build measured on published weights in data/published
	$(TOOL)/published.py

reference: $(READY) ## keep what this full build and the smoke build made in data/reference: checksums, numbers, verdicts
	$(TOOL)/reference.py

readme: $(READY) manual ## put verdicts, speeds, picture and graph of this full build into README.md and docs
	$(TOOL)/readme.py

manual: $(READY) ## write config/README.md from the schema and the recipes, docs/formats.md from the formats
	$(TOOL)/manual.py

NAMELESS := . ':!CITATION.cff' # what a reviewer gets
review: ## pack the last commit without history and CITATION.cff for anonymous review: results/review_bundle.zip
	@git log --format='%an%n%ae' | sort -u | git grep -ilFf - HEAD -- $(NAMELESS) && echo "review: these files name the author of a commit" && exit 1 || true
	mkdir -p results
	git archive --prefix=modadd/ --output=results/review_bundle.zip HEAD $(NAMELESS)

release: $(READY) ## pack figures, values, checksums and citation of a full build: results/release.zip
	$(TOOL)/release.py

format: $(READY) ## format Python and Snakemake files
	$(VENV)/bin/python -m ruff format --quiet workflow notebooks tests
	$(VENV)/bin/python -m ruff check --quiet --fix workflow notebooks tests
	$(VENV)/bin/python -m snakefmt Snakefile workflow

clean: ## remove everything that is built, but not the environment
	rm -rf results figures/[!R]* .snakemake

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 10

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@$(VENV)/bin/python -m compileall -qq -j "$$(nproc || echo 0)" -x '/tests?/' $(VENV)/lib || true # on all cores given, as pip does not; some files are not for this Python
	echo ../../../../workflow/scripts > "$$($(VENV)/bin/python -c 'import site; print(site.getsitepackages()[0])')/modadd.pth" # relative: a copy, or a moved folder, imports its own library
	touch $(READY)
