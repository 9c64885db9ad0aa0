"""`provgraph extract`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO, Final

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.options import target_options
from provgraph.errors import UnreadableDocument

LINES_AT_ONCE: Final = 500


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--lines", is_flag=True, help="Each line is a text of its own; one JSON line for each.")
@target_options()
def extract(target: Target, file: BinaryIO, lines: bool) -> None:
    """Show the facts of FILE (of stdin: -) as JSON, with spans and confidence; nothing is stored."""
    texts = (_decoded(line).rstrip("\r\n") for line in file) if lines else iter([_decoded(file.read())])
    for facts in _remote(target, texts) if target.url else _here(texts):
        click.echo(json.dumps(facts, ensure_ascii=False, indent=None if lines else 2))


def _here(texts: Iterable[str]) -> Iterator[object]:
    from provgraph.assembly import (
        model_free_extractor,
    )  # half a second, which the other commands can do without
    from provgraph.extraction.texts import extract_text

    extractor = model_free_extractor()
    for text in texts:
        yield extract_text(extractor, text).model_dump()


def _remote(target: Target, texts: Iterator[str]) -> Iterator[object]:
    with connect(target) as service:
        while batch := list(islice(texts, LINES_AT_ONCE)):
            yield from service.json("POST", "/api/v1/extract", {"texts": batch})["results"]


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableDocument(
            f"The text is not UTF-8 (at byte {error.start}). Convert it to UTF-8 first."
        ) from error
