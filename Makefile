# What this project can do for you: `make help`. Needs Python 3.11 or newer, make and a C library; the rest is installed.

PYTHON ?= python3
VENV ?= .venv
CHECKED = cli common edge_api management_api publisher deploy tools tests loadtests

started_at := $(shell date +%s)
# One that works, whatever its version (bootstrap.py looks further); a PYTHON that was named is the only one tried.
pythons = $(PYTHON) $(if $(filter file,$(origin PYTHON)),python3.14 python3.13 python3.12 python3.11 python)
python = $(or $(shell for p in $(pythons); do "$$p" -c "" 2>/dev/null && command -v "$$p" && break; done),$(error \
	$(PYTHON) does not run: install Python 3.11 or newer, or name one with PYTHON=...))
# All processors; a run that hangs as a whole ends, with the tests named that did not. The slowest are listed.
pytest = "$(VENV)/bin/pytest" -q -n auto --session-timeout=1800 --durations=40 --durations-min=4
# Warnings of its own (a line where not every check that is told off would have spoken) are shown with findings only.
bandit = found=$$("$(VENV)/bin/bandit" -q -c pyproject.toml -r $(filter-out tests loadtests,$(wildcard $(CHECKED))) 2>&1) || \
	{ echo "$$found"; exit 1; }
setup = "$(python)" deploy/local/bootstrap.py --venv "$(VENV)"
# Where the environment forbids bytecode, as images do, every start of a process would compile all packages anew: seconds.
export PYTHONDONTWRITEBYTECODE :=
# Locust and what it needs have an environment of their own, made by `make load` alone.
LOAD_VENV ?= $(VENV)-load
SHAPE ?= ramp

.DEFAULT_GOAL := help
.PHONY: help run token test check format lock sbom generate check-generated bench bench-edge bench-analytics bench-events bench-rules bench-management bench-scale scale load plans simulate clean \
	runtime-environment dev-environment load-environment

help: ## show this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  make \1	\2/p' $(MAKEFILE_LIST)

run: runtime-environment ## start everything in the foreground, with a demo project; Ctrl-C stops it
	@exec "$(VENV)/bin/onboarding" up --started-at $(started_at) --die-with-parent $$PPID

token: runtime-environment ## print a JWT of the development identity: make token EMAIL=alice@example.com
	@exec "$(VENV)/bin/onboarding" token "$(EMAIL)"

test: dev-environment ## run all tests
	@$(pytest)

check: dev-environment ## what CI runs: linters, types, import contract, all tests
	@"$(VENV)/bin/ruff" check
	@"$(VENV)/bin/ruff" format --check
	@"$(VENV)/bin/mypy" $(wildcard $(CHECKED))
	@$(bandit)
	@"$(VENV)/bin/lint-imports"
	@$(pytest)

format: dev-environment ## bring the code into its format
	@"$(VENV)/bin/ruff" check --fix
	@"$(VENV)/bin/ruff" format

lock: dev-environment ## bring the lock files in line with pyproject.toml; UPGRADE=1 takes the newest versions
	@"$(VENV)/bin/python" -m tools.lock_files $(if $(UPGRADE),--upgrade)

sbom: dev-environment ## write sbom.json, a CycloneDX list of every package that the image installs, with hashes
	@"$(VENV)/bin/python" -m tools.sbom sbom.json

generate: dev-environment ## write the generated files: OpenAPI, pages of settings and metrics, .env.example, dashboard, alerts
	@"$(VENV)/bin/python" -m tools.generate

check-generated: dev-environment ## fail if a generated file differs from its source
	@"$(VENV)/bin/python" -m tools.generate --check

bench-edge: dev-environment ## measure the edge against a bare uvicorn, into docs/performance.md (10 min)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.edge --write-into docs/performance.md \
		--figure docs/figures/edge-benchmark.svg $(OPTIONS)

bench: bench-edge

bench-events: dev-environment ## measure what storing events costs, into docs/performance.md (3 min)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.events --write-into docs/performance.md $(OPTIONS)

bench-analytics: dev-environment ## measure storing and reading what is counted of events, into docs/internals/measurements.md (15 min, 8 GB)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.storage --write-into docs/internals/measurements.md $(OPTIONS)

bench-rules: dev-environment ## measure resolves with many experiments and flows, into docs/internals/measurements.md (2 min)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.rules --write-into docs/internals/measurements.md $(OPTIONS)

bench-management: dev-environment ## measure the management service against a bare one, into docs/performance.md (7 min)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.management --write-into docs/performance.md $(OPTIONS)

bench-scale: dev-environment ## measure 100,000 projects and large ones, into docs/internals/measurements.md (10 min, 10 GB of disk)
	@"$(VENV)/bin/python" -m loadtests.benchmarks.scale --write-into docs/internals/measurements.md --figure docs/figures/scale.svg $(OPTIONS)

scale: bench-scale

load: load-environment ## send phones to a running `make run` for two minutes: SHAPE=ramp, spike or soak
	@"$(LOAD_VENV)/bin/python" -m loadtests.mobile --shape "$(SHAPE)" $(OPTIONS)

plans: dev-environment ## explain the statements of every request on 1,000 projects and 5 million events (10 min, 5 GB)
	@PLANS_PROJECTS=1000 PLANS_EVENTS_OF_EACH=5000 "$(VENV)/bin/pytest" -q -s -o timeout=3600 \
		tests/integration/management_api/test_query_plans.py

simulate: dev-environment ## judge 2,000 simulated A/A tests, and draw the figures of docs/experiments.md (1 min)
	@AA_TESTS=2000 "$(VENV)/bin/pytest" -q -s tests/unit/management_api/experiment_statistics/test_simulated_tests.py
	@"$(VENV)/bin/python" -m tools.charts docs/figures

soak: dev-environment ## let things fail for long, with figures: Redis and PostgreSQL away, kills, cuts, crowds, floods (50 min)
	@SOAK=1 "$(VENV)/bin/pytest" -q -s -o timeout=1800 $(OPTIONS) tests/faults tests/integration/postgresql/test_restore.py \
		$(patsubst %,tests/contract/sweeps/test_%.py,schemathesis naughty_strings bad_input)

clean: ## remove the environment and the caches; the state folder stays, it holds data
	rm -rf "$(VENV)" "$(LOAD_VENV)" build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

runtime-environment:
	@$(setup) runtime

dev-environment:
	@$(setup) dev

load-environment:
	@"$(python)" deploy/local/bootstrap.py --venv "$(LOAD_VENV)" load
