"""How a question is to be answered: the options of `provgraph ask` and of its twin."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import Any, Final

import click

from provgraph.cli.options import Command

LIMITS: Final = (
    ("edge-limit", 500, "Most edges selected. [default: 25]"),
    ("entity-limit", 1_000, "Most seed entities. [default: 50]"),
    ("triple-limit", 1_000, "Most edges followed from each entity. [default: 30]"),
    ("max-subgraph-size", 5_000, "Most candidate edges. [default: 150]"),
    ("max-path-length", 5, "Most hops from a seed. [default: 2]"),
)
"""As a request has them: name, the most it may be, and what it is."""


def answer_options(command: Command) -> Command:
    """How candidates are found and chosen, and what answers; given to the command by the names of a request."""
    options = (
        click.option(
            "--method",
            default="",
            help="How to rank candidates; 'provgraph retrieve --help' lists the methods.",
        ),
        click.option(
            "--engine",
            default="",
            type=click.Choice(["", "model-free", "model"]),
            metavar="[model-free|model]",
            help="Answer with the language model or without it. Default: with it, if one is configured.",
        ),
        click.option(
            "--corrective/--no-corrective",
            default=None,
            help=(
                "Check the retrieved candidates, and search again with a reformulated question if they are not "
                "relevant."
            ),
        ),
        ranking_parameters,
        rerank_option(""),
        *map(_limit_option, LIMITS),
    )
    for option in reversed(options):
        command = option(command)
    return command


def ranking_parameters(command: Command) -> Command:
    """`--set`, given to the command as a mapping by the name `parameters`."""
    return click.option(
        "--set",
        "parameters",
        multiple=True,
        metavar="NAME=NUMBER",
        callback=lambda _context, _option, given: dict(map(_parameter, given)),
        help="Set a parameter of the method; may be repeated.",
    )(command)


def rerank_option(default: str) -> Callable[[Command], Command]:
    return click.option(
        "--rerank",
        default=default,
        show_default=bool(default),
        type=click.Choice(
            ["none", "model", "cross-encoder"] if default else ["", "none", "model", "cross-encoder"]
        ),
        metavar="[none|model|cross-encoder]",
        help="Rerank the candidates with scores from 0 to 10.",
    )


def _limit_option(limit: tuple[str, int, str]) -> Callable[[Command], Command]:
    name, most, meaning = limit
    return click.option(f"--{name}", type=click.IntRange(1, most), help=meaning)


def _parameter(given: str) -> tuple[str, float]:
    name, _, number = given.partition("=")
    with suppress(ValueError):
        if isfinite(value := float(number)):  # JSON has no word for the others
            return name.strip(), value
    raise click.BadParameter(f"{given!r} is not NAME=NUMBER, as in k1=1.5.", param_hint="--set")


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """The members of a request; what was not chosen is left to the collection and the service."""
    return {name: value for name, value in options.items() if value not in (None, "", {}, ())}
