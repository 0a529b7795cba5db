# Everything a developer types. `make` alone lists it.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup run test lint unit wheel fuzz torture e2e format client bless bench pictures reference audit sbom clean

PYTHON := backend/.venv/bin/python
PORT ?= 8000
FUZZ_SECONDS ?= 60
FUZZ_TARGETS ?=
TORTURE ?=
AUDIT ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# What is missing is said before anything is built.
needs-%:
	@scripts/requirements $*

setup: ## install and build everything (quick when nothing changed)
	@scripts/setup

run: setup ## start Jitterscope at http://127.0.0.1:8000 (PORT=, Ctrl-C stops it)
	@exec $(PYTHON) -m jitterscope run --port $(PORT)

test: needs-test setup ## run every check and test, in the browser, too
	@scripts/check lint unit wheel fuzz torture e2e

lint: needs-lint setup ## run the linters, type checkers and checks of generated files
	@scripts/check lint

unit: needs-unit setup ## run the tests of all parts that need no browser
	@scripts/check unit

wheel: setup ## build the whole program as one file in dist/, and try it in an empty environment
	@scripts/check wheel

fuzz: needs-fuzz ## feed every fuzz target mutated recordings, a minute each (FUZZ_SECONDS=, FUZZ_TARGETS=)
	@scripts/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

torture: needs-torture setup ## run every attack on the product in full, which takes an hour or so (TORTURE=name)
	@$(PYTHON) torture/run.py --long $(TORTURE)

e2e: needs-e2e setup ## run the browser tests against the running product
	@scripts/check e2e

format: setup ## rewrite all sources in the project's format
	@scripts/format

client: setup ## regenerate openapi.json and the front end's types from the API
	@scripts/client

reference: setup ## rewrite the tables of docs/{settings,diagnostics,formats}.md from the program
	@scripts/reference

bless: setup ## rewrite the golden summaries of sample_traces/ (read the diff)
	@cd backend && .venv/bin/python -m pytest -q tests/goldens --bless

bench: setup ## measure parsing, loading, storage and queries, and print ratios
	@$(PYTHON) bench/run.py

pictures: needs-e2e setup ## redraw the pictures of the documentation from the running product
	@scripts/pictures

audit: setup ## ask OSV about known vulnerabilities of all locked packages (AUDIT=--strict where it must answer)
	@$(PYTHON) scripts/audit.py $(AUDIT)

sbom: setup ## write what the program is made of to dist/sbom/, as CycloneDX
	@scripts/wheel && scripts/sbom

clean: ## remove what was built (not data/)
	rm -rf backend/target backend/.venv backend/jitterscope/_ftrace.abi3.so frontend/node_modules frontend/dist \
		e2e/node_modules e2e/test-results e2e/playwright-report dist .tools
