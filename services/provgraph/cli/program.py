"""The program: its commands, each with the module that is imported when it is called."""

from __future__ import annotations

from typing import Final

import click

from provgraph import __version__
from provgraph.cli.groups import LoadedCommands, ProvGraphGroup

MODULES: Final = {
    "provgraph.cli.archives": ("backup", "restore"),
    "provgraph.cli.asking": ("ask", "retrieve"),
    "provgraph.cli.attribution": ("check-answer",),
    "provgraph.cli.chatting": ("chat",),
    "provgraph.cli.collections": ("collection",),
    "provgraph.cli.configuration": ("config",),
    "provgraph.cli.demo": ("demo",),
    "provgraph.cli.documents": ("document", "documents", "ingest"),
    "provgraph.cli.entities": ("entities",),
    "provgraph.cli.evaluate": ("evaluate",),
    "provgraph.cli.extracting": ("extract",),
    "provgraph.cli.graph": ("check", "reindex", "sparql"),
    "provgraph.cli.kgqa": ("kgqa",),
    "provgraph.cli.lineage": ("compare", "lineage"),
    "provgraph.cli.mcp": ("mcp",),
    "provgraph.cli.proving": ("prove", "verify-bundle"),
    "provgraph.cli.queue": ("queue",),
    "provgraph.cli.removal": ("compact", "delete"),
    "provgraph.cli.research": ("research",),
    "provgraph.cli.serving": ("serve",),
    "provgraph.cli.syncing": ("sync",),
    "provgraph.cli.tokens": ("access", "audit", "token"),
    "provgraph.cli.traces": ("trace", "traces"),
    "provgraph.cli.transfer": ("export", "import", "nanopub"),
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
