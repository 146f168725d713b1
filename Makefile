# `make help` lists the targets. Needs Python 3.11 or newer, make and a C library; the rest is installed.

PYTHON ?= python3
VENV ?= .venv
# Locust and its packages have an environment of their own, made by `make load` alone.
LOAD_VENV ?= $(VENV)-load
CHECKED = cli common edge_api management_api publisher deploy tools tests loadtests

started_at := $(shell date +%s)
# The first that runs and is new enough, by its own path: the commands of version switchers are slow. A PYTHON that was
# named is the only one tried.
candidates = $(PYTHON) $(if $(filter file,$(origin PYTHON)),python3.14 python3.13 python3.12 python3.11 python)
executable = import sys; print(sys.executable if sys.version_info >= (3, 11) else sys.exit(1))
python = $(or $(shell for p in $(candidates); do "$$p" -c "$(executable)" 2>/dev/null && break; done),$(error \
	Python 3.11 or newer is needed: install it, or name its command with PYTHON))
bootstrap = "$(python)" tools/bootstrap.py --venv
web = "$(VENV)/bin/python" -m tools.web
# All processors. A run that hangs as a whole ends, with the names of the tests that did not. The slowest are listed.
pytest = "$(VENV)/bin/pytest" -q -n auto --session-timeout=1800 --durations=40 --durations-min=4
# Four times the examples of each property.
thorough = --hypothesis-profile=thorough
# The figure and its floor are those of `coverage report`, after all tests.
covered = --cov --cov-report= --cov-fail-under=0
# Some shells export a HOST of their own, the name of the machine.
listen = $(if $(filter command line,$(origin HOST)),ONBOARDING_STACK_HOST="$(HOST)")
# Tracing costs a third of the processor time, and sees the tests' own processes only.
parts = not slow and not whole
# Status 1 is that of failed tests.
run_failed = { [ $$? -eq 1 ] && "$(VENV)/bin/python" -m tools.failed_tests; }
benchmark = "$(VENV)/bin/python" -m loadtests.benchmarks
compile = "$(VENV)/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	$(if $(UPGRADE),--upgrade)
# Where the environment forbids bytecode, as images do, every start of a process would compile all packages: seconds.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help

##@ Everyday

.PHONY: help run token load clean

help: ## show this list
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' Makefile

# The web parts are built beside the start: without the npm registry, the services run, and a line says it.
run: runtime-environment ## start everything in the foreground, with a demo project; HOST=0.0.0.0 lets phones in; Ctrl-C stops it
	@nice $(web) build & $(listen) exec "$(VENV)/bin/onboarding" up --started-at $(started_at) --die-with-parent $$PPID

token: runtime-environment ## print a JWT of the development identity: make token EMAIL=alice@example.com
	@exec "$(VENV)/bin/onboarding" token "$(EMAIL)"

load: ## send phones to a running `make run` for two minutes: SHAPE=ramp, spike or soak
	@$(bootstrap) "$(LOAD_VENV)" load
	@"$(LOAD_VENV)/bin/python" -m loadtests.mobile --shape "$(or $(SHAPE),ramp)" $(OPTIONS)

clean: ## remove environments and caches; the state folder stays, it holds data
	rm -rf "$(VENV)" "$(LOAD_VENV)" build dist *.egg-info .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis \
		.import_linter_cache web/node_modules sdks/typescript/node_modules sdks/typescript/dist sdks/kotlin/node_modules \
		sdks/kotlin/build publisher/page_assets \
		management_api/dashboard/static
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

##@ Tests

.PHONY: test test-unit check check-code check-parts check-whole coverage soak soak-upgrade

test: web ## run all tests that are not marked slow
	@$(web) test
	@$(pytest) -m "not slow" $(OPTIONS)

test-unit: dev-environment ## run the quick tests of single modules (30 s)
	@$(pytest) -m "not slow" $(OPTIONS) tests/unit

# The three parts of it are independent of each other: CI may run them side by side.
check: check-code check-parts check-whole ## run everything that CI runs: all linters and all tests

check-code: lint check-generated web ## a part of check: linters, generated files, the tests of web/
	@$(web) test

check-parts: dev-environment programs ## a part of check: quick tests of modules, servers and routes, and their coverage
	@$(pytest) $(covered) -m "$(parts)" $(OPTIONS) || $(run_failed)
	@"$(VENV)/bin/coverage" report --format=total

check-whole: web programs ## a part of check: the slow tests, and those of the whole product: browser, journeys, faults
	@$(pytest) -m "not ($(parts))" $(OPTIONS) || $(run_failed)

# No package of Python or npm has these programs. Unpacking Debian's packages needs no root; only renewing the lists of
# packages does. The libraries of a program go beside it.
unpacked = command -v $(1) > /dev/null || test -x "$(VENV)/bin/$(1)" || ( folder="$$(mktemp -d)" && cd "$$folder" && \
	packages="$(2) $$(apt-cache depends $(2) | grep -oE 'lib(event|c-?ares)[^ ]*')" && { apt-get -qq download $$packages || \
	{ apt-get -qq update && apt-get -qq download $$packages; }; } && for each in *.deb; do dpkg-deb -x "$$each" .; done && \
	find usr/lib -name 'lib*.so.*' -exec mv {} "$(abspath $(VENV))/lib/" \; && mv usr/*bin/$(1) "$(abspath $(VENV))/bin/" && \
	rm -r "$$folder" ) > /dev/null 2>&1 || echo "$(1) cannot be had here: its tests are skipped"

.PHONY: programs
programs: dev-environment
	@$(call unpacked,promtool,prometheus)
	@$(call unpacked,pgbouncer,pgbouncer)

coverage: dev-environment ## run the tests that are not slow, and report the branch coverage of the product
	@$(pytest) $(covered) -m "$(parts)" $(OPTIONS)
	@"$(VENV)/bin/coverage" report

soak: dev-environment ## run fault tests, properties and sweeps for long: outages, kills, floods (50 min)
	@SOAK=1 "$(VENV)/bin/pytest" -q -s -o timeout=1800 $(thorough) $(OPTIONS) tests/faults tests/unit \
		tests/browser/dashboard/flows/test_random_edits.py tests/integration/postgresql/test_restore.py \
		tests/integration/management_api/analytics/test_analytics_oracle.py \
		tests/integration/management_api/event_consumer/store/test_order_independence.py \
		tests/contract/sweeps/test_schemathesis.py

soak-upgrade: dev-environment ## upgrade under load from a former release, both side by side: FORMER=COMMIT (3 min)
	@$(if $(FORMER),FORMER_RELEASE="$(FORMER)") "$(VENV)/bin/pytest" -q -s -n 0 $(OPTIONS) tests/faults/upgrade_from_history.py

##@ Code

.PHONY: web format lint generate check-generated lock sbom

web: dev-environment ## build the hosted pages and the dashboard, if their sources have changed
	@$(web) install
	@$(web) build

format: dev-environment ## format the code, and fix what the linters can fix
	@"$(VENV)/bin/ruff" check --fix
	@"$(VENV)/bin/ruff" format
	@$(web) format

lint: dev-environment ## check style, spelling, types, imports and dependencies
	@"$(VENV)/bin/ruff" check
	@"$(VENV)/bin/ruff" format --check
	@"$(VENV)/bin/typos"
	@"$(VENV)/bin/mypy" $(wildcard $(CHECKED))
	@"$(VENV)/bin/lint-imports"
	@"$(VENV)/bin/deptry" .
	@$(web) lint

generate: dev-environment ## write the OpenAPI document, the reference, .env.example and the dashboard from the code
	@"$(VENV)/bin/python" -m tools.generate
	@$(web) api-types

check-generated: dev-environment ## fail if a generated file differs from its source
	@"$(VENV)/bin/python" -m tools.generate --check
	@$(web) api-types --check

lock: dev-environment ## write requirements/ from pyproject.toml; UPGRADE=1 takes the newest versions
	@$(compile) --group build --output-file requirements/build.txt
	@$(compile) pyproject.toml --extra local --group web --output-file requirements/runtime.txt
	@$(compile) pyproject.toml --extra tracing --constraint requirements/runtime.txt --output-file requirements/image.txt
	@$(compile) --group web --constraint requirements/runtime.txt --output-file requirements/web.txt
	@$(compile) pyproject.toml --all-extras --group dev --constraint requirements/runtime.txt \
		--constraint requirements/build.txt --output-file requirements/dev.txt
	@$(compile) --group load --output-file requirements/load.txt

sbom: web ## write sbom.json: every package of the image and of its bundles with its hashes, as CycloneDX
	@"$(VENV)/bin/python" -m tools.sbom sbom.json

##@ Benchmarks (they write tables and figures into documents)

.PHONY: bench-edge bench-events bench-analytics bench-queries bench-dashboard screenshots simulate

bench-edge: dev-environment ## the edge against a bare uvicorn (10 min)
	@$(benchmark).edge --write-into loadtests/RESULTS.md --figure docs/figures/edge-benchmark.svg $(OPTIONS)

bench-events: dev-environment ## storing events (3 min)
	@$(benchmark).events --write-into loadtests/RESULTS.md $(OPTIONS)

bench-analytics: dev-environment ## storing and reading analytics (15 min, 8 GB)
	@$(benchmark).storage --write-into loadtests/RESULTS.md $(OPTIONS)

bench-queries: dev-environment ## explain each statement on 1,000 projects; results among 20 million events (25 min, 15 GB)
	@PLANS_PROJECTS=1000 PLANS_EVENTS_OF_EACH=5000 RESULTS_EVENTS=20000000 "$(VENV)/bin/pytest" -q -s -o timeout=3600 \
		tests/integration/management_api/db/test_query_plans.py tests/integration/management_api/analytics/test_large_results.py

bench-dashboard: web ## each view of the dashboard: scripts, requests, times (3 min)
	@"$(VENV)/bin/python" -m tests.browser.dashboard.views.measure_views loadtests/RESULTS.md

screenshots: web ## take the pictures of the dashboard for README.md and docs/ (2 min)
	@"$(VENV)/bin/python" -m tests.browser.dashboard.views.take_pictures docs/figures
	@"$(VENV)/bin/python" -m tests.browser.dashboard.views.record_clip docs/figures
	@"$(VENV)/bin/python" -m tests.browser.pages.template_pictures docs/figures

simulate: dev-environment ## judge 2,000 simulated A/A tests (1 min)
	@AA_TESTS=2000 "$(VENV)/bin/pytest" -q -s tests/unit/management_api/experiment_statistics/test_simulated_tests.py

.PHONY: runtime-environment dev-environment

runtime-environment:
	@$(bootstrap) "$(VENV)" runtime

dev-environment:
	@$(bootstrap) "$(VENV)" dev
