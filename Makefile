# Everything that a person or CI calls. Each target sets itself up: a virtual environment in .venv from pyproject.toml.
PYTHON ?= python3
VENV := .venv/bin
DUMP ?=
JOBS ?= auto

.PHONY: run test bench fuzz lint docs pictures setup clean incident bundle deb dist lock licences sbom

run: setup
	@if $(VENV)/python packaging/has_display.py; then $(VENV)/python -m app $(if $(DUMP),"$(DUMP)",--incident); else $(VENV)/python -m app.headless $(if $(DUMP),"$(DUMP)",); fi

test: setup
	@QT_QPA_PLATFORM=offscreen $(VENV)/python -m pytest -q -n $(JOBS) --maxprocesses 8 --dist worksteal $(ARGS)

bench: setup
	@$(VENV)/python packaging/bootstrap.py --extra bench
	@QT_QPA_PLATFORM=offscreen $(VENV)/python -m tests.bench $(ARGS)

fuzz: setup
	@QT_QPA_PLATFORM=offscreen $(VENV)/python -m tests.fuzz $(ARGS)

lint: setup
	@$(VENV)/ruff check .
	@$(VENV)/mypy

docs: setup
	@$(VENV)/python packaging/docs.py docs/rules.md
	@QT_QPA_PLATFORM=offscreen $(VENV)/python packaging/help_pictures.py widgets/help

pictures: setup
	@$(VENV)/python -m tests.pictures

incident: setup
	@$(VENV)/python packaging/incident.py app/incident/invoice-agent-0412.json

# What a person can install; packaging/README.md tells of each. The tools come from lock files, into environments of their own.
bundle:
	@python=$$("$(PYTHON)" packaging/environment.py pack) && "$$python" packaging/bundle.py $(ARGS)

deb: bundle
	@python=$$("$(PYTHON)" packaging/environment.py pack) && "$$python" packaging/deb.py

dist:
	@python=$$("$(PYTHON)" packaging/environment.py audit) && "$$python" packaging/try_wheel.py

lock:
	@python=$$("$(PYTHON)" packaging/environment.py audit) && "$$python" packaging/lock.py $(ARGS)

licences: setup
	@$(VENV)/python packaging/licences.py build/licences.md

sbom:
	@python=$$("$(PYTHON)" packaging/environment.py audit) && "$$python" packaging/sbom.py "$$("$(PYTHON)" packaging/environment.py run)"

setup:
	@"$(PYTHON)" packaging/bootstrap.py

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
