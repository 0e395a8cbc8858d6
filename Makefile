# make demo: set up and run the sample event   make test: set up and run everything that must pass
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# modules stay compiled: else each process that a command or a test starts compiles all of them again
export PYTHONDONTWRITEBYTECODE =

# one more than there are cores: a test that waits for a page or a spreadsheet leaves its core to another
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.PHONY: demo test check lint bench clean setup lock

demo: setup
	$(BIN)/ordersheets demo --out out

# mypy needs a minute of one core: it runs beside the tests, and is heard when they are done
test: lint
	@$(BIN)/mypy >$(VENV)/mypy.log 2>&1 & typed=$$!; \
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal; tested=$$?; \
	wait $$typed; typed=$$?; cat $(VENV)/mypy.log; [ $$tested = 0 ] && [ $$typed = 0 ]

check: lint
	$(BIN)/mypy

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
