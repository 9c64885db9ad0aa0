"""`provgraph extract`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO, Final

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.files import decoded
from provgraph.cli.options import target_options

LINES_AT_ONCE: Final = 500


@click.command()
@click.argument("file", type=click.File("rb"), default="-")
@click.option(
    "--lines", is_flag=True, help="Treat each line as a separate text; write one JSON line for each."
)
@click.option(
    "--stored",
    is_flag=True,
    help="Write the facts as an ingest would store them rather than in the text's own words.",
)
@target_options()
def extract(target: Target, file: BinaryIO, lines: bool, stored: bool) -> None:
    """Extract the facts of FILE (- for stdin) as JSON with spans and confidence, without storing them."""
    texts = _lines(file) if lines else iter([decoded(file.read(), "The text")])
    for facts in _remote(target, texts, stored) if target.url else _here(texts, stored):
        click.echo(json.dumps(facts, ensure_ascii=False, indent=None if lines else 2))


def _here(texts: Iterable[str], stored: bool) -> Iterator[object]:
    from provgraph.extraction.extractors import (  # time that other commands can save
        extract_text,
        text_extractor,
    )

    extractor = text_extractor(stored, lambda: None)
    for text in texts:
        yield extract_text(extractor, text).model_dump()


def _remote(target: Target, texts: Iterator[str], stored: bool) -> Iterator[object]:
    with connect(target) as service:
        while batch := list(islice(texts, LINES_AT_ONCE)):
            yield from service.json("POST", "/api/v1/extract", {"texts": batch, "stored": stored})["results"]


def _lines(file: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        yield decoded(line, f"Line {number}").rstrip("\r\n")
