"""`provgraph delete`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.files import write_file
from provgraph.cli.options import collection_option, counted, format_option, show, target_options
from provgraph.cli.terminal import own_name, say
from provgraph.errors import InvalidInput


@click.command()
@click.argument("id")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted, and delete nothing.")
@click.option("--yes", is_flag=True, help="Delete without asking.")
@click.option("--redact", is_flag=True, help="Also redact the answers that relied on it.")
@click.option(
    "--erase",
    is_flag=True,
    help="With --redact: also rewrite the files on disk, so that nothing of it remains in them.",
)
@click.option(
    "--certificate",
    type=click.Path(dir_okay=False, path_type=Path),
    help="With --erase: write a signed certificate of it into this file, such as erasure.zip.",
)
@collection_option
@format_option("text", "json")
@target_options()
def delete(
    target: Target, id: str, dry_run: bool, yes: bool, collection: str, style: str, **asked: Any
) -> None:
    """Delete document ID and everything extracted from it. ID may be the name of its file, or its title.

    Facts that other documents also support are kept, with those sources.
    """
    certificate: Path | None = asked.pop("certificate")
    if asked["erase"] and not asked["redact"]:
        raise InvalidInput(
            "Answers that stood on the document hold its words, so it cannot be erased without them. "
            "Add --redact."
        )
    if certificate and not asked["erase"]:
        raise InvalidInput(
            "Only what is erased has a certificate. Add --redact --erase, or leave --certificate out."
        )
    query = {"id": id, "collection": collection, "by": own_name(), **_flags(asked)}
    with connect(target) as service:
        if dry_run or not yes:
            report = _sent(service, query, dry_run=True)
        if not dry_run:
            if not yes:
                _ask(report)
            report = _sent(service, query)
            if certificate:
                _write_certificate(service, certificate, report)
    show(report, style, _lines)


def _write_certificate(service: Service, file: Path, report: dict[str, Any]) -> None:
    asked = {"deletion": report["deletion"], "collection": report["collection"]}
    size = write_file(
        file, service.download("/api/v1/certificates", "application/zip", **asked), "certificate"
    )
    say(f"Wrote {file} ({size:,} bytes). Check it with: provgraph verify-bundle {file}", err=True)


def _sent(service: Service, query: dict[str, str], dry_run: bool = False) -> dict[str, Any]:
    asked = query | _flags({"dry_run": dry_run})
    report: dict[str, Any] = service.json("DELETE", "/api/v1/documents", None, **asked)
    return report


def _flags(flags: dict[str, bool]) -> dict[str, str]:
    return {name: "true" for name, is_set in flags.items() if is_set}


def _ask(report: dict[str, Any]) -> None:
    """Show what would go, and go on only with a yes."""
    if not sys.stdin.isatty():
        raise InvalidInput(
            "Without a terminal there is no confirmation. Add --yes to delete, or --dry-run to look first."
        )
    for line in _lines(report):
        say(line, err=True)
    if not click.confirm("Delete it?", err=True):
        raise SystemExit(1)


def _lines(report: dict[str, Any]) -> Iterator[str]:
    if report["dry_run"]:
        yield f"{report['title']} ({report['document']}) would be deleted:"
    else:
        yield f"{report['title']} ({report['document']}) was deleted:"
    size = (
        counted(report["pages"], "page"),
        counted(report["chunks"], "chunk"),
        counted(report["subgraphs"], "subgraph"),
    )
    yield f"  {', '.join(size)}"
    yield f"  {counted(report['facts_removed'], 'fact')} that no other source says, labels and types included"
    yield f"  {counted(report['entities_removed'], 'name')} that nothing uses any more"
    yield f"  {counted(report['facts_kept'], 'fact')} kept, as others say them"
    stale, redacted = len(report["stale"]), len(report["redacted"])
    what = f"{counted(stale, 'answer')} stood on it"
    yield f"  {what}; {redacted} taken back" if redacted else f"  {what}"
    if report["erased"]:
        yield "  nothing of it is left in any file"
