# make quick: a minute, while you work   make test: set up and run what must pass   make test-all: and the slow tests
# make demo: set up and run the sample event
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# modules stay compiled: else each process that a command or a test starts compiles all of them again
export PYTHONDONTWRITEBYTECODE =

WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)

# what a wrong result would come from first, and one page from the printer to the desk
QUICK := pipeline tests/judge tests/scoring tests/interpret tests/draw tests/ledger tests/desk/intake/test_one_page.py

.PHONY: demo quick test test-slow test-all check lint bench clean setup lock

demo: setup
	$(BIN)/ordersheets demo --out out

# mypy looks at what changed since it ran last; at first it needs a minute of one core. It runs beside the tests, and is
# heard when they are done.
define typed_and_tested
@$(BIN)/mypy >$(VENV)/mypy.log 2>&1 & typed=$$!; \
$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not slow" $(1); tested=$$?; \
wait $$typed; typed=$$?; cat $(VENV)/mypy.log; [ $$tested = 0 ] && [ $$typed = 0 ]
endef

# the same program as Windows and macOS see it; each has a cache of its own
typed_elsewhere = for system in win32 darwin; do $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system || exit 1; done

quick: lint
	$(call typed_and_tested,$(QUICK))

test: lint
	$(call typed_and_tested)

# further cases, long pages, a spreadsheet program and a browser: a test that waits for these leaves its core to another,
# and is tried once more on a busy machine, which is told
test-slow: setup
	$(BIN)/python -m pytest -n $$(($(WORKERS) + 1)) --dist worksteal --reruns 1 -m slow
	$(typed_elsewhere)

test-all: test test-slow

check: lint
	$(BIN)/mypy
	$(typed_elsewhere)

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

bench: setup
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

setup: $(READY)

$(READY): pyproject.toml requirements.lock setup.sh
	PYTHON="$(PYTHON)" sh setup.sh $(VENV)
	touch $(READY)

# write requirements.lock anew after a dependency in pyproject.toml changed
lock:
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra test --universal --generate-hashes --python-version 3.11 -o requirements.lock -q

clean:
	rm -rf $(VENV) out build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +
