"""What holds commands: each is imported when it is asked for, and errors become one line and an exit status."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from provgraph.cli.terminal import complain, say
from provgraph.errors import ProvGraphError

_WHOLE: Final = 500
"""Characters of a summary: all of its first sentence."""


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


class SummarizedGroup(click.Group):
    """A group that tells each command in its whole first sentence, under the headings of its `sections`."""

    sections: Mapping[str, Sequence[str]]

    def __init__(self, *given: Any, sections: Mapping[str, Sequence[str]] | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self.sections = sections or {}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        named = self.sections or {"Commands": self.list_commands(ctx)}
        for heading, names in named.items():
            rows = [(name, self.commands[name].get_short_help_str(_WHOLE)) for name in names]
            with formatter.section(heading):
                formatter.write_dl(rows)


class ProvGraphGroup(SummarizedGroup):
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
        complain(f"Error: {error}")
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
