"""Options that commands share."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from provgraph.cli.connection import Target
from provgraph.cli.terminal import be_quiet, json_text, say
from provgraph.rdf.graphs import DEFAULT_COLLECTION

Command = TypeVar("Command", bound=Callable[..., Any])


def target_options(create: bool = False, remote: bool = True) -> Callable[[Command], Command]:
    """`--data` and, for a command that may be `remote`, `--url`, given to it as one `target`.

    `create` makes the folder if need be.
    """

    def decorate(command: Command) -> Command:
        @click.option(
            "--data", type=click.Path(path_type=Path), help="The folder. [default: ./provgraph-data]"
        )
        @click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
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


def collection_option(command: Command) -> Command:
    return click.option(
        "-C", "--collection", default=DEFAULT_COLLECTION, show_default=True, help="The collection."
    )(command)


def rdf_option(command: Command) -> Command:
    """`--rdf`, the version of RDF that is written."""
    return click.option(
        "--rdf",
        type=click.Choice(("1.2", "1.1", "1.1-graphs")),
        help="1.1 for readers that know no triple terms: quoted edges as rdf:Statement, or each as a named graph.",
    )(command)


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
