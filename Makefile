# `make`: set up and rebuild everything. `make help` lists the targets; everything else is `snakemake ...`, and what
# maintainers need now and then is a script in workflow/dev (CONTRIBUTING lists them).
PYTHON ?= python3
VENV := .venv
READY := $(VENV)/ready
TESTED := $(VENV)/tested

.DEFAULT_GOAL := all
.PHONY: all smoke check look network proof test verify audit release clean help
# This folder's code, whichever one is installed.
PAPER := PYTHONPATH=src:workflow$(if $(PYTHONPATH),:$(PYTHONPATH)) $(VENV)/bin/python -m paper
# An option is given by one of these words, and not by `no`, `0` or nothing; make refuses another.
given = $(if $(filter-out $(2) no 0,$($(1))),$(error $(1)=$($(1)): expected $(firstword $(2)) or no),$(filter $(2),$($(1))))
VERBOSELY = $(if $(call given,VERBOSE,yes 1),--verbose)
# A format that is asked for is that of a file.
$(if $(findstring command,$(origin FORMAT)),$(if $(FILE),,$(error FORMAT=$(FORMAT): expected FILE=... with it)))

all: $(READY) ## every network, figure, table and verdict (config/config.yaml), then figures/index.html
	@$(PAPER) build $(VERBOSELY)

smoke: $(READY) ## the same workflow on networks stopped early, in results/smoke: a first look
	@$(PAPER) build --config config/smoke.yaml --folder results/smoke $(VERBOSELY)

check: $(READY) ## build what one claim needs, and judge it: make check CLAIM=phase_line
	@$(PAPER) check $(if $(CLAIM),"$(CLAIM)") $(if $(CONFIG),--configfile $(CONFIG)) $(VERBOSELY)

look: $(READY) ## say what a trained network does, and draw its phases: make look NETWORK=mod_31/seed0
	@$(PAPER) look $(if $(NETWORK),"$(NETWORK)")

network: $(READY) ## check a network of yours, and show it: make network FILE=mine.pt FORMAT=two_layer_mlp [ACTIVATION=square] [OPERATION=subtraction] [TENSORS="{W_in: 0.weight, W_out: 2.weight}"] [TOKENS="[a, b]"]
	@$(PAPER) network $(if $(FILE),"$(FILE)") $(FORMAT) $(if $(ACTIVATION),--activation $(ACTIVATION)) $(if $(OPERATION),--operation $(OPERATION)) $(if $(TENSORS),--tensors "$(TENSORS)") $(if $(TOKENS),--tokens "$(TOKENS)") $(if $(CONFIG),--configfile $(CONFIG)) $(VERBOSELY)

proof: $(READY) ## let Coq prove that trained networks add (apt-get install coq): make proof [NETWORK=mod_31/seed0] [FILE=mine.pt FORMAT=two_layer_mlp] [PUBLISHED=yes] [CHECK=yes] [KEEP=yes]
	@$(PAPER) proof $(if $(FILE),--file "$(FILE)" --format "$(FORMAT)") $(if $(NETWORK),--network "$(NETWORK)") $(if $(call given,PUBLISHED,yes),--published) $(if $(call given,CHECK,yes),--check) $(if $(call given,KEEP,yes),--keep)

test: $(TESTED) ## the tests, the smoke workflow among them
	$(VENV)/bin/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder tests/unit tests/workflow

verify: $(READY) ## build everything again in an empty folder, compare it with this one and with data/reference
	$(PAPER) verify

audit: $(READY) ## train some kept networks again and compare every bit of their rows: make audit [ROWS=20] [SEED=0] [DATASET=t_sets]
	$(PAPER) audit $(if $(ROWS),--rows $(ROWS)) $(if $(SEED),--seed $(SEED)) $(if $(DATASET),--dataset $(DATASET))

release: $(READY) ## pack figures, values, checksums and citation of a full build: results/release.zip
	$(PAPER) release

clean: ## remove everything that is built, but not the environment
	rm -rf results figures/[!R]* .snakemake

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /\1\t/' | expand -t 10

# An environment whose Python is gone (upgraded, or the folder moved) is made again.
ifneq ($(shell test -x $(VENV)/bin/python && echo there),there)
$(shell rm -f $(READY))
endif
# Not all packages are there for another Python; without this line pip would name one of them instead.
NEEDED := import sys; (3, 11) <= sys.version_info < (3, 14) or sys.exit("make: this project needs Python 3.11, 3.12 or 3.13; $(PYTHON) is %d.%d; \
name another one, as in `make PYTHON=python3.11`" % sys.version_info[:2])

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c '$(NEEDED)'
	@test "$$($(VENV)/bin/python -V 2>&1)" = "$$($(PYTHON) -V 2>&1)" && $(VENV)/bin/python -m pip --version > /dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV) # an older Python's, or one without pip, is replaced
	@echo "Installing requirements.txt into $(VENV), once; this takes minutes"
	@PIP_USER=0 $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements.txt
	@$(VENV)/bin/python -m compileall -qq -j "$$(nproc || echo 0)" -x '/tests?/' $(VENV)/lib || true # on all cores given, as pip does not; some files are not for this Python
	printf '../../../../src\n../../../../workflow\n' > "$$($(VENV)/bin/python -c 'import site; print(site.getsitepackages()[0])')/modadd.pth" # relative: a copy, or a moved folder, imports its own library
	@echo "Compiling the step of training, once; this takes some ten seconds"
	@$(VENV)/bin/python -c 'from modadd.training.network import compile_step; compile_step()'
	touch $(READY)

$(TESTED): requirements-test.txt $(READY)
	PIP_USER=0 $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile -r requirements-test.txt
	touch $(TESTED)
