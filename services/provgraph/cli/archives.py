"""`provgraph export --archive` and `import` of an archive, `backup` and `restore`."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.files import read_pieces, write_pieces
from provgraph.cli.options import counted, echo_json, format_option, show, target_options
from provgraph.cli.progress import StepProgress, awaited
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput

ZIP: Final = "application/zip"
_MB: Final = 1_000_000
_SEPARATORS: Final = tuple(filter(None, (os.sep, os.altsep)))


def is_archive(file: Path) -> bool:
    """Whether the file is a ZIP file, whatever its name."""
    try:
        with file.open("rb") as content:
            return content.read(2) == b"PK"
    except OSError as error:
        raise InvalidInput(f"{file} cannot be read ({error.strerror}). Check its permissions.") from error


def export_archive(service: Service, output: Path | None, collection: str) -> None:
    """Write the archive of a collection. Raises `InvalidInput` without a file to write."""
    if output is None:
        raise InvalidInput(
            "An archive cannot be shown on a terminal. Name a file: --output FILE.provgraph.zip."
        )
    size = write_pieces(output, service.pieces("/api/v1/archive", ZIP, collection=collection), "archive")
    say(f"Wrote {output} ({size:,} bytes).", err=True)


def import_archive(service: Service, file: Path, collection: str) -> dict[str, Any]:
    """Send an archive, and show what is done with it; what was new, at the end."""
    sent = read_pieces(file, "sending")
    events = service.events_of_sent("/api/v1/archive", sent, ZIP, collection=collection)
    return awaited(events, "imported")[-1]


def say_imported(done: dict[str, Any]) -> None:
    holds = f"{counted(done['documents'], 'document')} and {counted(done['sessions'], 'trace')}"
    if done["statements"] or done["contents"]:
        new = f"{counted(done['statements'], 'statement')} and {counted(done['contents'], 'content')} new"
    else:
        new = "nothing new"
    say(f"{done['collection']}: {holds}; {new}.")


@click.command()
@click.argument("path")
@format_option("text", "json")
@target_options()
def backup(target: Target, path: str, style: str) -> None:
    """Back up everything to PATH: a file, or a folder in which to create one named after the time.

    PATH is a folder if it exists as one or ends in a slash. The service keeps answering and ingesting meanwhile.
    """
    with connect(target) as service:
        file = _backup_file(path)
        size = write_pieces(file, service.pieces("/api/v1/backup", ZIP), "backup", private=True)
    show({"file": str(file), "bytes": size}, style, lambda _: (f"Wrote {file} ({size:,} bytes).",))


def _backup_file(path: str) -> Path:
    """Raises `InvalidInput` where the file is there already, or its folder cannot be made."""
    file = Path(path)
    if file.is_dir() or path.endswith(_SEPARATORS):
        try:
            file.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"The folder {file} cannot be made ({error.strerror}). Name another one, or a file."
            ) from error
        file /= f"provgraph-backup-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.zip"
    if file.exists():
        raise InvalidInput(f"{file} already exists. Name another file, or a folder.")
    return file


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option("text", "json")
@target_options(create=True, remote=False)
def restore(target: Target, file: Path, style: str) -> None:
    """Restore backup FILE into a new folder, named with --data."""
    from provgraph.archiving.restoring import RestoreProgress, restored

    with StepProgress() as progress:
        for step in restored(file, target.data, target.settings.max_archive_mb * _MB):
            if isinstance(step, RestoreProgress):
                progress.show(step.doing, step.done, step.total)
            else:
                manifest = step
    if style == "json":
        echo_json({"data": str(target.data), "made": manifest.made, "provgraph": manifest.provgraph})
    else:
        say(f"Restored {target.data}, as it was at {manifest.made}.")
