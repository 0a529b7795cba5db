# Every command a developer needs. `make` alone lists them.

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

# Reports missing requirements before anything is built.
needs-%:
	@scripts/requirements $*

setup: ## install and build everything (fast if nothing changed)
	@scripts/setup

run: setup ## start Jitterscope at http://127.0.0.1:8000 (PORT=, Ctrl-C stops it)
	@exec $(PYTHON) -m jitterscope run --port $(PORT)

test: needs-test ## run every check and test, including the browser tests
	@scripts/setup --with-tests
	@scripts/check lint unit wheel torture e2e

lint: needs-lint setup ## run the linters, type checkers and checks of generated files
	@scripts/check lint

unit: needs-unit setup ## run all tests that need no browser
	@scripts/check unit

wheel: setup ## build the whole program as one file in dist/, and test it in an empty environment
	@scripts/check wheel

fuzz: needs-fuzz ## feed every fuzz target mutated recordings, a minute each (FUZZ_SECONDS=, FUZZ_TARGETS=)
	@scripts/fuzz $(FUZZ_SECONDS) $(FUZZ_TARGETS)

torture: needs-torture setup ## run every attack on the product in full; takes about an hour (TORTURE=name)
	@$(PYTHON) torture/run.py --long $(TORTURE)

e2e: needs-e2e setup ## run the browser tests against the running product
	@scripts/check e2e

format: setup ## format all sources
	@scripts/format

client: setup ## regenerate openapi.json and the front end's types from the API
	@scripts/client

reference: setup ## regenerate the tables of docs/{settings,diagnostics,formats,latencies,advice}.md
	@scripts/reference

bless: setup ## rewrite the golden summaries of sample_traces/ (read the diff)
	@cd backend && .venv/bin/python -m pytest -q tests/goldens --bless

bench: setup ## measure parsing, loading, storage and queries, and print ratios
	@$(PYTHON) bench/run.py
	@$(PYTHON) bench/experiments.py
	@$(PYTHON) bench/frames.py

pictures: needs-e2e setup ## retake the screenshots in docs/pictures from the running product
	@scripts/pictures

audit: setup ## check all locked packages for known vulnerabilities (AUDIT=--strict fails if OSV cannot be reached)
	@$(PYTHON) scripts/audit.py $(AUDIT)

sbom: setup ## write a CycloneDX bill of materials to dist/sbom/
	@scripts/wheel && scripts/sbom

clean: ## remove all build results (not data/)
	rm -rf backend/target backend/.venv backend/jitterscope/_ftrace.abi3.so frontend/node_modules frontend/dist \
		e2e/node_modules e2e/test-results e2e/playwright-report dist .tools
