"""Options that commands share, and the group that turns errors into one line and an exit status."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from provgraph.cli.connection import Target
from provgraph.cli.terminal import json_text, say
from provgraph.errors import ProvGraphError
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.settings import read_settings

Command = TypeVar("Command", bound=Callable[..., Any])


class ProvGraphGroup(click.Group):
    """A group whose errors are one line on stderr and exit status 1; Ctrl-C is a quiet 130."""

    def invoke(self, ctx: click.Context) -> Any:
        with errors_told(ctx):
            return super().invoke(ctx)


class ProvGraphCommand(click.Command):
    """A program of one command, whose errors are told in the same way."""

    def invoke(self, ctx: click.Context) -> Any:
        with errors_told(ctx):
            return super().invoke(ctx)


@contextmanager
def errors_told(context: click.Context) -> Iterator[None]:
    """Turn an error that a user can meet into its message and an exit status."""
    try:
        yield
    except ProvGraphError as error:
        say(f"Error: {error}", err=True)
        context.exit(1)
    except UnicodeEncodeError as error:
        click.echo(
            f"Error: {error.object[error.start : error.end]!a} is no text in the encoding of this terminal. "
            "Run the command in a UTF-8 locale, or with PYTHONUTF8=1.",
            err=True,
        )
        context.exit(1)
    except KeyboardInterrupt:
        say("Stopped.", err=True)
        context.exit(130)


def target_options(create: bool = False, remote: bool = True) -> Callable[[Command], Command]:
    """`--data` and, for a command that may be `remote`, `--url`, given to it as one `target`.

    `create` makes the folder if need be.
    """

    def decorate(command: Command) -> Command:
        @click.option(
            "--data", type=click.Path(path_type=Path), help="The folder. [default: ./provgraph-data]"
        )
        @click.option("--verbose", is_flag=True, help="Log what happens on stderr.")
        @click.pass_context
        def wrapped(
            ctx: click.Context, /, data: Path | None, verbose: bool, url: str | None = None, **rest: Any
        ) -> Any:
            if verbose:
                logging.basicConfig(level=logging.DEBUG)
            settings = read_settings()
            given_url = url or ("" if data or not remote else settings.url)
            target = Target(settings, data or settings.data, given_url.rstrip("/"), create)
            return ctx.invoke(command, target=target, **rest)

        if remote:
            wrapped = click.option("-u", "--url", help="A service to use in place of a folder.")(wrapped)
        wrapped.__name__ = getattr(command, "__name__", "command")
        wrapped.__doc__ = command.__doc__
        params = getattr(command, "__click_params__", [])
        wrapped.__click_params__ = [*params, *getattr(wrapped, "__click_params__", [])]  # type: ignore[attr-defined]
        return wrapped  # type: ignore[return-value]

    return decorate


def collection_option(command: Command) -> Command:
    return click.option(
        "-C", "--collection", default=DEFAULT_COLLECTION, show_default=True, help="The collection."
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
