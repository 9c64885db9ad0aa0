.DEFAULT_GOAL := recipes
BIN := .venv-dev/bin

.PHONY: recipes install test slow format lint types layers schemas demo serve ci

recipes:  ## show this list
	@grep -E '^[a-z]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 12

install:  ## a virtual environment for work on the code
	python3.11 -m venv .venv-dev && $(BIN)/pip install -e '.[dev]'

test:  ## the tests that prove the product, in minutes
	$(BIN)/pytest -n auto --dist worksteal

slow:  ## the browser, crashes, services apart, stock clients, load
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
