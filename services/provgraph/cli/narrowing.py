"""The options that narrow a question to some documents, the same for every command that asks."""

from __future__ import annotations

from typing import Any, Final

import click

from provgraph.cli.options import Command

FIELDS: Final = ("documents", "titles", "types", "since", "until", "where")
"""The fields of a request that these options fill."""


def narrowing_options(command: Command) -> Command:
    options = (
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
            help="Only from documents of this type: pdf, docx, html, markdown, text, csv, json; may be repeated.",
        ),
        click.option(
            "--since", default="", metavar="DATE", help="Only from documents of this date or later."
        ),
        click.option(
            "--until", default="", metavar="DATE", help="Only from documents of this date or earlier."
        ),
        click.option(
            "--where",
            multiple=True,
            metavar="NAME=VALUE",
            help="Only from documents with this metadata; may be repeated.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def narrowing_of(options: dict[str, Any]) -> dict[str, Any]:
    """Take what the options say out of them: the members of a request, those that narrow nothing left out."""
    given = {name: options.pop(name) for name in FIELDS}
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in given.items() if value
    }
