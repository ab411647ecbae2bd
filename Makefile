# Needs nothing but make and a Python of 3.10 or later: make demo, make test.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLE := examples/cifar10_cnn.py

# Takes the torch that pip is configured for: PIP_EXTRA_INDEX_URL may name one built for CPUs only.
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check bench pictures clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.examples
	$(BIN)/gradpeek run --stops 2 \
	  --break $(EXAMPLE):$$(sed -n '/# @bp before backward/=' $(EXAMPLE)) \
	  --break $(EXAMPLE):$$(sed -n '/# @bp after backward/=' $(EXAMPLE)) \
	  $(EXAMPLE)

# PYTHONPATH: -p loads its plugin before pytest reads its own settings.
test: $(VENV)/.check
	PYTHONPATH=tests $(BIN)/pytest -n auto --dist worksteal -p support.skips

check: $(VENV)/.check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python backend/protocol/generate.py --check
	$(BIN)/pytest -q tests/unit/test_import_rules.py

bench: $(VENV)/.check
	$(BIN)/python tests/benchmarks/run.py

pictures: $(VENV)/.examples
	$(BIN)/python docs/make_pictures.py

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo 'GradPeek needs Python 3.10 or later; try: make PYTHON=python3.12'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.examples $(VENV)/.check: $(VENV)/.%: pyproject.toml | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[$*]'
	@touch $@
