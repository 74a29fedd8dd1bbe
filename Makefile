# make play   sets up what it needs and starts a game
# make test   sets up what it needs and runs all checks

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test test-all lint bench clean

play: .venv/play
	$(BIN)/strandline play

test: lint
	$(BIN)/pytest -n 2 --dist loadgroup -m "not slow"

test-all: lint
	$(BIN)/pytest -n 2 --dist loadgroup

lint: .venv/test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/bench
	$(BIN)/strandline bench
	$(BIN)/python bench/river.py

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/play: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e .
	touch $@

# The tests of the page need a browser: Debian's, fetched where we may. Without any they are skipped and say so.
.venv/test: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e '.[test,cuda]'
	command -v chromium || test "$$(id -u)" != 0 || (apt-get update -q && apt-get install -qy chromium) || true
	touch $@

.venv/bench: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e '.[openspiel]'
	touch $@

clean:
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
