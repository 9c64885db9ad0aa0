"""The program: its commands under their headings, each imported with its module when it is called, and errors as one
line and an exit status."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

import click

from provgraph import __version__
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
            var for var in vars(module).values() if isinstance(var, click.Command) and var.name == name
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


MODULES: Final = {
    "provgraph.cli.asking": ("ask", "chat", "retrieve"),
    "provgraph.cli.attribution": ("check-answer",),
    "provgraph.cli.collections": ("collection",),
    "provgraph.cli.demo": ("demo",),
    "provgraph.cli.documents": ("document", "documents", "ingest"),
    "provgraph.cli.evaluate": ("evaluate",),
    "provgraph.cli.extraction": ("extract",),
    "provgraph.cli.kgqa": ("kgqa",),
    "provgraph.cli.facts": ("compare", "entities", "lineage"),
    "provgraph.cli.operating": ("check", "compact", "config", "queue", "reindex"),
    "provgraph.cli.proving": ("prove", "verify-bundle"),
    "provgraph.cli.removal": ("delete",),
    "provgraph.cli.research": ("research",),
    "provgraph.cli.serving": ("mcp", "serve"),
    "provgraph.cli.sparql": ("sparql",),
    "provgraph.cli.syncing": ("sync",),
    "provgraph.cli.tokens": ("access", "audit", "token"),
    "provgraph.cli.traces": ("trace", "traces"),
    "provgraph.cli.transfer": ("backup", "export", "import", "nanopub", "restore"),
    "provgraph.cli.verifying": ("verify",),
    "provgraph.cli.watching": ("watch",),
}

SECTIONS: Final = {
    "Start": ("demo", "ingest", "ask", "chat", "serve"),
    "Ask and check": ("retrieve", "verify", "check-answer", "evaluate"),
    "See why": ("trace", "traces", "lineage", "compare", "watch", "sparql"),
    "Prove to others": ("prove", "verify-bundle"),
    "Documents and collections": (
        "sync",
        "documents",
        "document",
        "delete",
        "collection",
        "entities",
        "extract",
        "kgqa",
        "research",
    ),
    "Exchange": ("export", "import", "nanopub", "mcp"),
    "Share": ("token", "access", "audit"),
    "Operate": ("config", "check", "compact", "reindex", "backup", "restore", "queue"),
}
"""The commands under the headings of `provgraph --help`."""


@click.group(
    cls=ProvGraphGroup,
    commands=LoadedCommands(MODULES),
    sections=SECTIONS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="provgraph")
def main() -> None:
    """Ask questions of your documents and get answers traced to the exact characters they came from."""
