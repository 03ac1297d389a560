# The two commands of the README are `make run` and `make test`; the rest is for people who change arena.
PYTHON ?= python3
BIN := .venv/bin
UV := $(BIN)/uv
COMPILE := $(UV) pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links

# Tests start thousands of processes; where Python is told to write no byte code, each would compile arena anew.
quick test: export PYTHONDONTWRITEBYTECODE =

# Which tests have failed, apart from what somebody else who runs some of them writes down at the same time.
KEPT := -o cache_dir=.pytest_cache/test

# The check of pages for what hinders people; the stamp has the version, so that a new one is installed.
AXE_VERSION := 4.14.0
AXE := .venv/axe/$(AXE_VERSION)

.PHONY: help run quick test axe check coverage bench soak sample lock clean

help:  ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

run: .venv/run  ## Install arena into .venv, run the sample tournament, print its leaderboard
	@isolation=$$($(BIN)/python -m arena.checking.starter configs/round_robin.toml) && \
	$(BIN)/arena run configs/round_robin.toml --isolation $$isolation

quick: .venv/test  ## The short form of the tests, under a minute: what one runs after every edit
	$(BIN)/python -m pytest -q --quick -n 2

test: .venv/test  ## Install what the tests need and run all of them, those that measure clocks at the end and alone
	-@$(MAKE) --no-print-directory axe 2> /dev/null
	$(BIN)/python -m pytest $(KEPT) -m 'not long and not alone' || $(BIN)/python -m tests.again
	$(BIN)/python -m pytest $(KEPT) -m 'alone and not long' -n 0 $$(grep -rl 'mark\.alone' tests --include='test_*.py') || $(BIN)/python -m tests.again

axe: $(AXE)  ## Install axe-core for the tests in a browser, with npm; `make test` tries it, and goes on without

check: .venv/test  ## Lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

coverage: .venv/test  ## How much of arena the tests reach, processes that they start included
	$(BIN)/python -m pytest -q --cov --cov-report=term:skip-covered

bench: .venv/test  ## Measure speed, as ratios within one run
	for name in position startup hosts whole tournament grading solver ratings versus versus_openings formats coverage real_bots shares report growth cluster coordinator serve fortnight; do $(BIN)/python -m benchmarks.$$name || exit 1; done

soak: .venv/test  ## The tests that want patience: clocks under load, all hostile bots in a tournament, kills
	ARENA_FAIRNESS_GAMES=200 $(BIN)/python -m pytest -n 0 --timeout 3600 tests/hosts/test_fairness.py tests/hosts/test_thieves.py
	ARENA_HOSTILE_STEP=1 $(BIN)/python -m pytest -n 0 --timeout 1800 tests/hostile/test_tournament.py
	$(BIN)/python -m pytest -n 2 -m long
	ARENA_BROWSER=chromium $(BIN)/python -m pytest -n 2 -m '' tests/browser
	ARENA_KILLS=20 $(BIN)/python -m pytest -n 0 -k killed tests/tournament/test_one_digest.py
	$(BIN)/python -m tests.fuzz.folders 10000
	ARENA_FUZZ=50 $(BIN)/python -m pytest -n 0 --timeout 3600 tests/fuzz tests/solver/test_openings.py tests/standings/test_tables.py -k "not folders"
	for round in 1 2 3 4 5; do $(BIN)/python -m pytest -q -n 0 -k kill_9 tests/hosts tests/executors || exit 1; done

sample: .venv/run  ## Write results/LEADERBOARD.md and docs/pictures anew, from a run of the sample tournament
	$(BIN)/arena run configs/round_robin.toml --quiet > /dev/null
	@{ cat results/round-robin/standings.md && printf '\n## Where the wins came from\n\n' \
	 && $(BIN)/arena leaderboard round-robin --ledger --format markdown && printf '\n## Who beat whom\n\n' \
	 && $(BIN)/arena crosstable round-robin --format markdown \
	 && printf '\n## Digest\n\n    %s\n' "$$($(BIN)/arena digest round-robin)"; } > results/LEADERBOARD.md
	@$(BIN)/arena report round-robin --svg charts > /dev/null && mv charts/ratings.svg charts/ledger.svg charts/meetings.svg docs/pictures/ \
	 && rm -r charts

lock: .venv/uv  ## Write the lock files anew
	$(COMPILE) pyproject.toml -o requirements.lock
	$(COMPILE) pyproject.toml --extra dev -o requirements-dev.lock

clean:  ## Remove the environment and every cache
	rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "arena needs Python 3.11 or newer, and $(PYTHON) is "\
	 + sys.version.split()[0] + "; name another one with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@touch $@

# The stamps make a second call install nothing. Test tools come on top of what running needs.
.venv/run: .venv/uv pyproject.toml requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
	@touch $@

.venv/test: .venv/run requirements-dev.lock
	$(UV) pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements-dev.lock
	@touch $@

$(AXE): | .venv/uv
	npm install --silent --no-save --no-package-lock --fetch-retries 0 --prefix .venv/axe axe-core@$(AXE_VERSION)
	@touch $@
