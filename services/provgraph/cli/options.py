"""Options that commands share: where to, which collection and documents, how to rank and answer, in which format."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from provgraph.cli.connection import Target
from provgraph.cli.terminal import be_quiet, json_text, say
from provgraph.rdf.graphs import DEFAULT_COLLECTION

Command = TypeVar("Command", bound=Callable[..., Any])


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Options as one, which `--help` tells in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def target_options(create: bool = False, remote: bool = True) -> Callable[[Command], Command]:
    """`--data` and, for a command that may be `remote`, `--url`, given to it as one `target`.

    `create` makes the folder if need be.
    """

    def decorate(command: Command) -> Command:
        @click.option(
            "--data", type=click.Path(path_type=Path), help="The folder. [default: ./provgraph-data]"
        )
        @click.option("--quiet", is_flag=True, help="Write nothing but errors to stderr.")
        @click.option("--verbose", is_flag=True, help="Log what happens on stderr.")
        @click.pass_context
        def wrapped(ctx: click.Context, /, data: Path | None, quiet: bool, verbose: bool, **rest: Any) -> Any:
            from provgraph.settings import read_settings  # slow to import, and --help needs none

            url = rest.pop("url", None)
            if quiet:
                be_quiet(ctx)
            if verbose:
                logging.basicConfig(level=logging.DEBUG)
            settings = read_settings()
            given_url = url or ("" if data or not remote else settings.url)
            target = Target(settings, data or settings.data, given_url.rstrip("/"), create)
            return ctx.invoke(command, target=target, **rest)

        if remote:
            wrapped = click.option("-u", "--url", help="A service to use in place of a folder.")(wrapped)
        wrapped.__name__ = getattr(command, "__name__", "command")
        wrapped.__doc__, wrapped.__module__ = command.__doc__, command.__module__
        params = getattr(command, "__click_params__", [])
        wrapped.__click_params__ = [*params, *getattr(wrapped, "__click_params__", [])]  # type: ignore[attr-defined]
        return wrapped  # type: ignore[return-value]

    return decorate


collection_option = click.option(
    "-C", "--collection", default=DEFAULT_COLLECTION, show_default=True, help="The collection."
)
rdf_option = click.option(
    "--rdf",
    type=click.Choice(("1.2", "1.1", "1.1-graphs")),
    help="1.1 for readers without triple terms: quoted edges as rdf:Statement, or each as a named graph.",
)
private_option = click.option(
    "--allow-private", is_flag=True, help="Also allow web addresses of this machine and of private networks."
)


def picture_option(help: str) -> Callable[[Command], Command]:
    return click.option("--picture", type=click.Path(path_type=Path, dir_okay=False), help=help)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """`--format`, the first of the given ones by default."""
    return click.option(
        "--format", "style", type=click.Choice(formats), default=formats[0], show_default=True
    )


def echo_json(value: Any) -> None:
    click.echo(json_text(value))


def show(found: Any, style: str, lines: Callable[[Any], Iterable[str]], nothing: str = "") -> None:
    """What was found as JSON where that is wanted, else in lines, or `nothing` on stderr where there are none."""
    if style == "json":
        echo_json(found)
        return
    told = list(lines(found))
    for line in told:
        say(line)
    if nothing and not told:
        say(nothing, err=True)


def counted(number: int, noun: str) -> str:
    """A number with its noun: "1 page", "1,200 pages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


FIELDS: Final = ("documents", "titles", "types", "since", "until", "where")
"""The fields of a request that narrow a question to some documents."""

narrowing_options = together(
    click.option(
        "--document",
        "documents",
        multiple=True,
        metavar="NAME",
        help="Only from this document, by id, file name or title; may be repeated.",
    ),
    click.option(
        "--title",
        "titles",
        multiple=True,
        metavar="TEXT",
        help="Only from documents whose title has these words; may be repeated.",
    ),
    click.option(
        "--type",
        "types",
        multiple=True,
        metavar="NAME",
        help="Only from documents of this type: pdf, docx, xlsx, html, markdown, text, csv, json; may be repeated.",
    ),
    click.option("--since", default="", metavar="DATE", help="Only from documents of this date or later."),
    click.option("--until", default="", metavar="DATE", help="Only from documents of this date or earlier."),
    click.option(
        "--where",
        multiple=True,
        metavar="NAME=VALUE",
        help="Only from documents with this metadata; may be repeated.",
    ),
)


def _parameter(given: str) -> tuple[str, float]:
    name, _, number = given.partition("=")
    with suppress(ValueError):
        if isfinite(value := float(number)):  # JSON has no word for the others
            return name.strip(), value
    raise click.BadParameter(f"{given!r} is not NAME=NUMBER, as in k1=1.5.", param_hint="--set")


ranking_parameters = click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=NUMBER",
    callback=lambda _context, _option, given: dict(map(_parameter, given)),
    help="Set a parameter of the method; may be repeated.",
)
"""Given to the command as a mapping by the name `parameters`."""


def method_option(what: str) -> Callable[[Command], Command]:
    return click.option(
        "--method",
        default="",
        help=f"How to rank {what}; 'provgraph retrieve --help' lists the methods.",
    )


def engine_option(help: str) -> Callable[[Command], Command]:
    return click.option(
        "--engine",
        default="",
        type=click.Choice(["", "model-free", "model"]),
        metavar="[model-free|model]",
        help=help,
    )


def rerank_option(default: str) -> Callable[[Command], Command]:
    return click.option(
        "--rerank",
        default=default,
        show_default=bool(default),
        type=click.Choice(list(dict.fromkeys((default, "none", "model", "cross-encoder")))),
        metavar="[none|model|cross-encoder]",
        help="Rerank the candidates with scores from 0 to 10.",
    )


def _limit_option(name: str, most: int, meaning: str) -> Callable[[Command], Command]:
    return click.option(name, type=click.IntRange(1, most), help=meaning)


answer_options = together(
    method_option("candidates"),
    engine_option("Answer with the language model or without it. Default: with it, if one is configured."),
    click.option(
        "--corrective/--no-corrective",
        default=None,
        help="Check the retrieved candidates, and search again with a reformulated question if they are not relevant.",
    ),
    ranking_parameters,
    rerank_option(""),
    _limit_option("--edge-limit", 500, "Most edges selected. [default: 25]"),
    _limit_option("--entity-limit", 1_000, "Most seed entities. [default: 50]"),
    _limit_option("--triple-limit", 1_000, "Most edges followed from each entity. [default: 30]"),
    _limit_option("--max-subgraph-size", 5_000, "Most candidate edges. [default: 150]"),
    _limit_option("--max-path-length", 5, "Most hops from a seed. [default: 2]"),
    _limit_option(
        "--sentence-limit", 20, "With --flow extractive: most sentences of the answer. [default: 4]"
    ),
    click.option(
        "--near",
        type=click.FloatRange(0, 1),
        help="With --flow extractive: the share of the best score that each further sentence needs. [default: 0.8]",
    ),
)
"""How candidates are found and chosen, and what answers; given to the command by the names of a request."""


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """The members of a request; what was not chosen is left to the collection and the service."""
    return {name: value for name, value in options.items() if value not in (None, "", {}, ())}
