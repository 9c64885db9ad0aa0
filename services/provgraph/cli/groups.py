"""What holds commands: each is imported when it is asked for, and errors become one line and an exit status."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from provgraph.cli.terminal import say
from provgraph.errors import ProvGraphError


class LoadedCommands(UserDict[str, Any]):
    """Commands by name, each imported from its module when it is first asked for.

    All that is told of a command is told by itself: only its name stands here, with the module that holds it.
    """

    def __init__(self, modules: Mapping[str, Sequence[str]]) -> None:
        super().__init__({name: module for module, names in modules.items() for name in names})

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(super().__getitem__(name))
        return next(
            each for each in vars(module).values() if isinstance(each, click.Command) and each.name == name
        )


class ProvGraphGroup(click.Group):
    """A group whose errors are one line on stderr and exit status 1; Ctrl-C is a quiet 130."""

    def invoke(self, ctx: click.Context) -> Any:
        with reporting_errors(ctx):
            return super().invoke(ctx)


class ProvGraphCommand(click.Command):
    """A program of one command, whose errors are told in the same way."""

    def invoke(self, ctx: click.Context) -> Any:
        with reporting_errors(ctx):
            return super().invoke(ctx)


@contextmanager
def reporting_errors(context: click.Context) -> Iterator[None]:
    """Turn an error that a user can meet into its message and an exit status."""
    try:
        yield
    except ProvGraphError as error:
        say(f"Error: {error}", err=True)
        context.exit(1)
    except UnicodeEncodeError as error:
        click.echo(
            f"Error: {error.object[error.start : error.end]!a} cannot be written in the encoding of this terminal. "
            "Run the command in a UTF-8 locale, or with PYTHONUTF8=1.",
            err=True,
        )
        context.exit(1)
    except KeyboardInterrupt:
        say("Stopped.", err=True)
        context.exit(130)
