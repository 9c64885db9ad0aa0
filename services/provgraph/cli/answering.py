"""How a question is to be answered: the options of `provgraph ask` and of its twin."""

from __future__ import annotations

from typing import Any

import click

from provgraph.cli.options import Command


def answer_options(command: Command) -> Command:
    """`--engine`, `--method`, `--corrective` and `--rerank`, given to the command by these names."""
    options = (
        click.option(
            "--method", default="", help="How candidates are ranked: graph (the default), bm25 or topic-star."
        ),
        click.option(
            "--engine",
            default="",
            type=click.Choice(["", "model-free", "model"]),
            metavar="[model-free|model]",
            help="What answers; the language model if one is set.",
        ),
        click.option(
            "--corrective/--no-corrective",
            default=None,
            help="Check what was retrieved, and retrieve once more in other words if it is not relevant.",
        ),
        click.option(
            "--rerank/--no-rerank",
            default=None,
            help="Score what was retrieved a second time, 0 to 10, and select from the best.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def asked(question: str, collection: str, options: dict[str, Any]) -> dict[str, Any]:
    """The request; what was not chosen is left to the collection and the service."""
    chosen = {name: value for name, value in options.items() if value not in (None, "")}
    return {"query": question, "collection": collection, **chosen}
