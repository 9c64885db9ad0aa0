.DEFAULT_GOAL := recipes
BIN := .venv-dev/bin

LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --no-emit-index-url --no-header

.PHONY: recipes install lock sbom test slow attack format lint types layers schemas demo serve ci

recipes:  ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 12

install:  ## a virtual environment for work on the code
	python3.11 -m venv .venv-dev && $(BIN)/pip install -e '.[dev]'

lock:  ## write locks/ anew: every package of the image and of CI, with the hashes of its files
	$(LOCK) --upgrade pyproject.toml --extra apart --extra otel --extra mcp -o locks/image.txt
	$(LOCK) --upgrade pyproject.toml --extra apart --extra otel --extra mcp --extra dev -o locks/ci.txt
	echo hatchling | $(LOCK) --upgrade - -o locks/build.txt

sbom:  ## write provgraph.cdx.json: what the image is made of (CycloneDX 1.6)
	$(BIN)/cyclonedx-py requirements locks/image.txt --pyproject pyproject.toml --mc-type application --sv 1.6 -o provgraph.cdx.json

attack:  ## grow and mutate inputs over every door for 20 minutes
	cd tests && ../$(BIN)/python -m attack --minutes 20

test:  ## the tests that prove the product, in minutes
	$(BIN)/pytest -n auto --dist worksteal

slow:  ## the browser, crashes, attacks, load, services apart, stock clients
	$(BIN)/pytest -n auto --dist worksteal -m slow

format:  ## lay out the code
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lint:  ## layout and lint
	$(BIN)/ruff format --check . && $(BIN)/ruff check .

types:  ## strict types
	$(BIN)/mypy

layers:  ## imports go down only
	$(BIN)/lint-imports

schemas:  ## write schemas/ anew from the messages and the app
	$(BIN)/python -m provgraph.cli.schemas schemas

demo:  ## the demo, in a folder of its own
	$(BIN)/provgraph demo

serve:  ## serve ./provgraph-data on 127.0.0.1:8888
	$(BIN)/provgraph serve

ci:  ## everything that has to pass, in a fresh copy
	.ci/run
