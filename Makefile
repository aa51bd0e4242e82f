PYTHON ?= python3
BIN := .venv/bin
export PYTHONPATH := $(CURDIR)/demo:$(CURDIR)/tests
unexport PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes: none is to compile our modules again

.DEFAULT_GOAL := help
.PHONY: help setup package demo test test-pythons check sim docs site examples bench mutate mutate-extension apps clients assistants constraints clean

help: ## Say what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/'

setup: .setup/python extension/dist/manifest.json .setup/conformance/node_modules ## Install what everything else needs, as far as it is missing

.setup/system: .ci/system
	@mkdir -p .setup
	.ci/system
	@touch $@

.setup/python: pyproject.toml constraints.txt Procfile .setup/system | extension/dist/manifest.json # shipped in the wheel
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@

.setup/node: package.json package-lock.json .setup/system
	npm ci --loglevel=error
	@touch $@

.setup/conformance/node_modules: tests/conformance/package.json tests/conformance/package-lock.json .setup/system
	mkdir -p .setup/conformance
	cp tests/conformance/package*.json .setup/conformance
	npm ci --prefix .setup/conformance --loglevel=error
	@touch $@

extension/dist/manifest.json: .setup/node extension/build.mjs extension/manifest.json broker/gasoline_broker/product.py $(shell find extension/src extension/icons -type f)
	npm run --silent build
	@touch $@

package: setup ## Pack the built extension as a zip for a web store: dist/gasoline-VERSION.zip
	$(BIN)/python -m gasoline_demo.package dist

demo: setup ## Show it: a real Chromium, every process, a real assistant's session
	$(BIN)/python -m gasoline_demo

# for two cores: up to half have what keeps a core busy (tests/scheduling.py), the others wait two thirds of their time
TEST_PROCESSES ?= 5
test: setup ## Run the unit, process, extension and browser tests
	npm test --silent
	$(BIN)/pytest -n $(TEST_PROCESSES) --dist loadfile

check: setup ## Lint, format, types, and who may import whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	npm run --silent check

test-pythons: setup ## Run the unit, simulator and process tests on every Python from 3.11 on
	.ci/pythons

constraints: setup ## Resolve the newest allowed dependencies and write constraints.txt
	rm -rf .setup/resolve
	$(PYTHON) -m venv .setup/resolve
	.setup/resolve/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.setup/resolve/bin/python -m pip install --quiet --editable . --group dev
	.setup/resolve/bin/python -m pip freeze --exclude-editable > constraints.txt

MERMAID := 11.6.0
.setup/site/ready: pyproject.toml constraints.txt
	test -x .setup/site/venv/bin/python || $(PYTHON) -m venv .setup/site/venv
	.setup/site/venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.setup/site/venv/bin/python -m pip install --quiet --constraint constraints.txt --group site
	cd .setup/site && npm pack --silent mermaid@$(MERMAID) && tar -xzf mermaid-$(MERMAID).tgz package/dist/mermaid.min.js package/LICENSE
	rm .setup/site/mermaid-$(MERMAID).tgz
	@touch $@

site: .setup/site/ready ## Build the documents as a site: .setup/site/html/index.html
	NO_MKDOCS_2_WARNING=1 .setup/site/venv/bin/mkdocs build --quiet --strict

SEEDS ?= 2000
sim: setup ## Play SEEDS runs of the simulator
	$(BIN)/python -m sim.run --seeds $(SEEDS)

docs: setup ## Write docs/tools.md and docs/tour.md from the code and the recorded examples
	$(BIN)/python -m gasoline_bridge.front.reference docs/examples.json > docs/tools.md
	$(BIN)/python -m gasoline_demo.tour docs/examples.json > docs/tour.md

examples: setup ## Record docs/examples.json, with a real Chromium and every process
	$(BIN)/python -m gasoline_demo.examples docs/examples.json

bench: setup ## Measure, as ratios within one run
	$(BIN)/python tests/bench/broker.py
	$(BIN)/python tests/bench/start.py
	$(BIN)/python tests/bench/clients.py
	$(BIN)/python tests/bench/query_dom.py
	$(BIN)/python tests/bench/capture_page.py
	$(BIN)/python tests/bench/page_load.py
	$(BIN)/python tests/bench/capture.py
	$(BIN)/python tests/bench/journal.py
	$(BIN)/python tests/bench/diff.py
	$(BIN)/python tests/bench/system.py
	$(BIN)/python tests/bench/action_calls.py
	$(BIN)/python tests/bench/late_changes.py
	$(BIN)/python tests/bench/actions.py
	$(BIN)/python tests/bench/redaction.py

.setup/mutate/python: pyproject.toml constraints.txt | .setup/python
	test -x .setup/mutate/venv/bin/python || $(PYTHON) -m venv .setup/mutate/venv
	.setup/mutate/venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	.setup/mutate/venv/bin/python -m pip install --quiet --constraint constraints.txt --editable . --group dev --group mutate
	@touch $@

mutate: .setup/mutate/python ## Change the deciding modules piece by piece and see the tests fail; GROUPS="diff hub" for some, LEFT=1 for the last survivors
	nice -n 10 .setup/mutate/venv/bin/python -m mutation.run $(if $(LEFT),--left) $(GROUPS)

.setup/stryker/node_modules: tests/mutation/package.json tests/mutation/package-lock.json | .setup/node
	mkdir -p .setup/stryker
	cp $^ .setup/stryker
	npm ci --prefix .setup/stryker --loglevel=error
	@touch $@

mutate-extension: .setup/stryker/node_modules ## The same with the deciding modules of the extension
	nice -n 10 node .setup/stryker/node_modules/@stryker-mutator/core/bin/stryker.js run tests/mutation/stryker.json

apps: setup ## Do a user's tasks on real applications; APP=django TASK=log_in_by_enter for one, CALLS=1 to see the calls, TOOL=playwright to compare
	$(BIN)/python -m apps $(if $(APP),--app $(APP)) $(if $(TASK),--task $(TASK)) $(if $(CALLS),--calls) $(if $(TOOL),--tool $(TOOL))

.setup/clients/node_modules: tests/clients/package.json tests/clients/package-lock.json | .setup/system
	mkdir -p .setup/clients
	cp tests/clients/package*.json .setup/clients
	npm ci --prefix .setup/clients --loglevel=error
	@touch $@

clients: setup .setup/clients/node_modules ## Run real clients of MCP against a real system; CLIENTS="fastmcp inspector" for some
	$(BIN)/python -m clients $(CLIENTS)

.setup/assistants/node_modules: tests/assistants/package.json | .setup/system
	mkdir -p .setup/assistants
	cp tests/assistants/package.json .setup/assistants
	npm install --prefix .setup/assistants --no-package-lock --loglevel=error
	@touch $@

assistants: setup .setup/assistants/node_modules ## Have real assistants ask a scripted model; ASSISTANTS="codex gemini" for some
	$(BIN)/python -m assistants $(ASSISTANTS)

clean: ## Remove everything that was set up or cached
	rm -rf .venv .setup node_modules extension/dist tests/.built tests/.apps .pytest_cache .mypy_cache .ruff_cache .hypothesis
