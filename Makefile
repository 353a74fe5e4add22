# make run: set up and start the main job · make test: set up and run all tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready

.PHONY: run test check bench oracle golden lock clean

run: $(STAMP)  ## the whole product without hardware: simulated table, recorded camera, real detector
	@$(BIN)/paiju run --demo $(if $(PORT),--port $(PORT))

test: $(STAMP)-dev  ## every test, in two processes
	@$(BIN)/python -m pytest -n 2 --dist worksteal

check: $(STAMP)-dev  ## style, types, architecture
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

bench: $(STAMP)-dev  ## speed and memory beside named peers or goals; what following, sorting and killing find
	@$(BIN)/python -m tests.bench

oracle: $(STAMP)-dev  ## the independent GB calculator for the live comparison; needs a C++ compiler where no wheel fits
	@$(PIP) --no-deps --require-hashes -r requirements-oracle.lock

golden: $(STAMP)-dev  ## write the golden files anew (look at the diff before committing it)
	@$(BIN)/python -m tests.golden

LOCK := $(BIN)/pip-compile -q --generate-hashes --allow-unsafe --strip-extras \
  --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-header
lock: $(STAMP)  ## resolve the lock files anew from pyproject.toml
	@$(BIN)/python -m pip install -q pip-tools
	@$(LOCK) --extra build --extra hall -o requirements.lock pyproject.toml
	@$(LOCK) --extra build --extra hall --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	@$(LOCK) --extra build --extra oracle -c requirements.lock -o requirements-oracle.lock pyproject.toml

PIP := $(BIN)/python -m pip install -q --disable-pip-version-check
$(STAMP): requirements.lock pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "Paiju needs Python 3.11 or newer as '$(PYTHON)': sudo apt install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "The Debian package python3-venv is missing: sudo apt install python3-venv"; exit 1; }
	@echo "Setting up Paiju in $(VENV) (once, about a minute) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

$(STAMP)-dev: requirements-dev.lock $(STAMP)
	@echo "Adding the test tools (once) ..."
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

clean:
	rm -rf $(VENV) build dist artefacts
