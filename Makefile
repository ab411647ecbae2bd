# Needs make and a Python of 3.10 or later; for the VS Code extension also Node.js 20 and npm; for the
# PyCharm plugin these and JDK 17 with Debian's libgoogle-gson-java and junit5.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXAMPLE := examples/cifar10_cnn.py
EXTENSION := vscode-extension
PLUGIN := pycharm-plugin
NODE_MODULES := $(EXTENSION)/node_modules/.package-lock.json
KOTLIN := $(PLUGIN)/node_modules/.package-lock.json
# Set where Node.js is new enough and npm is there.
NODE := $(shell node -e 'process.exit(parseInt(process.version.slice(1)) < 20 ? 1 : 0)' 2>/dev/null && command -v npm)
# Set where the PyCharm plugin can be compiled and tested.
JDK := $(shell [ "$$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')" -ge 17 ] 2>/dev/null && \
  cd /usr/share/java 2>/dev/null && ls gson.jar junit-platform-console.jar 2>/dev/null | grep junit)
BUILDS_PLUGIN := $(and $(NODE),$(JDK))
VERSION := $(shell sed -n 's/^__version__ = "\(.*\)"/\1/p' backend/gradpeek/__init__.py)
VSIX := dist/gradpeek-$(VERSION).vsix

# Takes the torch that pip is configured for: PIP_EXTRA_INDEX_URL may name one built for CPUs only.
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-pycharm check vsix pycharm-plugin lock bench pictures clean node
.DEFAULT_GOAL := demo

demo: $(VENV)/.examples
	$(BIN)/gradpeek run --stops 2 \
	  --break $(EXAMPLE):$$(sed -n '/# @bp before backward/=' $(EXAMPLE)) \
	  --break $(EXAMPLE):$$(sed -n '/# @bp after backward/=' $(EXAMPLE)) \
	  $(EXAMPLE)

# Only CI must have what the PyCharm plugin needs.
define plugin_needs
$(if $(BUILDS_PLUGIN),,@echo '=== THE PYCHARM PLUGIN WAS NOT $(1): Node.js 20, JDK 17 or Debian packages \
libgoogle-gson-java, junit5 are missing ===' >&2; [ -z "$$CI" ])
endef

# PYTHONPATH: -p loads its plugin before pytest reads its own settings.
# Status 3: no VS Code could be had, and the run has said so; only CI must have one.
test: $(VENV)/.check $(if $(NODE),vsix) $(if $(BUILDS_PLUGIN),pycharm-plugin)
	$(if $(NODE),npm --prefix $(EXTENSION) test)
	$(if $(BUILDS_PLUGIN),$(BIN)/python $(PLUGIN)/build/plugin.py test)
	PYTHONPATH=tests $(BIN)/pytest -n auto --dist worksteal -p support.skips
ifdef NODE
	node $(EXTENSION)/e2e/run.mjs --vsix $(VSIX) || { [ $$? = 3 ] && [ -z "$$CI" ]; }
else
	@echo '=== THE VS CODE EXTENSION WAS NOT TESTED: Node.js 20 or later with npm is missing ===' >&2
	@[ -z "$$CI" ]
endif
	$(call plugin_needs,TESTED)

test-pycharm: $(VENV)/.check pycharm-plugin
	$(BIN)/python $(PLUGIN)/build/plugin.py test
	$(BIN)/pytest $(wildcard tests/*/test_pycharm_*.py)

check: $(VENV)/.check node $(NODE_MODULES) $(if $(BUILDS_PLUGIN),$(KOTLIN))
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python backend/protocol/generate.py --check
	$(BIN)/pytest -q tests/unit/test_import_rules.py
	npm --prefix $(EXTENSION) run check
	$(if $(BUILDS_PLUGIN),$(BIN)/python $(PLUGIN)/build/plugin.py compile)
	$(call plugin_needs,COMPILED)

# One package for all platforms, with the language server in it; the same sources, the same bytes.
vsix: $(VENV)/bin/python node $(NODE_MODULES)
	$(BIN)/python backend/bundle/bundle_backend.py $(EXTENSION)/bundled
	cp LICENSE $(EXTENSION)
	npm --prefix $(EXTENSION) run build
	mkdir -p dist
	cd $(EXTENSION) && SOURCE_DATE_EPOCH=315532800 node_modules/.bin/vsce package $(VERSION) \
	  --no-update-package-json --no-dependencies --no-rewrite-relative-links --out ../$(VSIX)

# What PyCharm installs from disk, with the language server in it; the same sources, the same bytes.
pycharm-plugin: $(VENV)/bin/python $(KOTLIN)
	$(BIN)/python $(PLUGIN)/build/plugin.py package

lock: $(VENV)/.check
	$(PIP_INSTALL) uv==0.13.9
	$(BIN)/python backend/bundle/lock_backend.py

bench: $(VENV)/.check
	$(BIN)/python tests/benchmarks/run.py

pictures: $(VENV)/.check vsix $(KOTLIN)
	$(BIN)/python docs/make_pictures.py
	GRADPEEK_PICTURES=1 node $(EXTENSION)/e2e/run.mjs --vsix $(VSIX) --filter pictures
	$(BIN)/python $(PLUGIN)/build/plugin.py test --include-classname '.*PicturesTest'
	cp build/pycharm/tree-light.png $(PLUGIN)/media

clean:
	rm -rf $(VENV) build dist $(addprefix $(EXTENSION)/,bundled dist node_modules) \
	  $(addprefix $(PLUGIN)/,.gradle .intellijPlatform .kotlin node_modules out)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo 'GradPeek needs Python 3.10 or later; try: make PYTHON=python3.12'; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.examples $(VENV)/.check: $(VENV)/.%: pyproject.toml | $(VENV)/bin/python
	$(PIP_INSTALL) --editable '.[$*]'
	@touch $@

node:
	@$(if $(NODE),:,$(error The VS Code extension needs Node.js 20 or later with npm))

$(NODE_MODULES) $(KOTLIN): %/node_modules/.package-lock.json: %/package.json | node
	npm --prefix $* ci --no-audit --no-fund
	@touch $@
