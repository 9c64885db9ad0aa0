"""`provgraph extract`, how `ingest` is told to extract, and what it says of a model's work."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Final

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.files import decoded
from provgraph.cli.options import counted, format_option, target_options, together
from provgraph.errors import NotFound
from provgraph.extraction.names import ACCEPTED, EXTRACTORS
from provgraph.rdf.ontology_files import ontology_text

SHIPPED: Final = ("research",)
SHOWN_WARNINGS: Final = 20


extraction_options = together(
    click.option(
        "--extractor",
        "extractors",
        multiple=True,
        type=click.Choice(ACCEPTED),
        metavar=f"[{'|'.join(EXTRACTORS)}]",
        help="An extractor to use; may be repeated. [default: PROVGRAPH_EXTRACTORS]",
    ),
    click.option(
        "--ontology",
        help="An OWL or RDFS file to guide extraction, or 'research' for the one that is included.",
    ),
    click.option("--max-tokens", type=click.IntRange(min=1), help="Token limit per file."),
    click.option(
        "--rules-first",
        "--sparing",
        "sparing",
        is_flag=True,
        help="Run rules first, and send only chunks without facts to the model.",
    ),
    click.option(
        "--replace",
        is_flag=True,
        help="Replace what the same extractors found earlier with another version, model or prompt.",
    ),
)
"""Given to the command by the names of a request."""


@dataclass(frozen=True)
class ExtractionChoice:
    """The options as form fields, and the ontology's file."""

    fields: dict[str, str | list[str]]
    ontology: tuple[str, bytes] | None

    @classmethod
    def of(cls, asked: dict[str, Any]) -> ExtractionChoice:
        tokens = asked["max_tokens"]
        fields: dict[str, str | list[str]] = {"extractor": list(asked["extractors"])}
        fields |= {name: "true" for name in ("sparing", "replace") if asked[name]}
        ontology = chosen_ontology(asked["ontology"]) if asked["ontology"] else None
        return cls(fields | ({"max_tokens": str(tokens)} if tokens else {}), ontology)

    def request(self) -> dict[str, Any]:
        """The same as the members of a JSON request."""
        request: dict[str, Any] = {"extractors": self.fields["extractor"]}
        if "max_tokens" in self.fields:
            request["max_tokens"] = int(str(self.fields["max_tokens"]))
        if self.ontology:
            name, content = self.ontology
            request |= {"ontology": content.decode(errors="replace"), "ontology_name": name}
        return request


def model_report(jobs: list[dict[str, Any]]) -> Iterator[str]:
    """What the model did and what failed, in a line each."""
    used = [job["model"] for job in jobs if job.get("model")]
    if used:
        calls, tokens_in, tokens_out = (
            sum(each[key] for each in used) for key in ("calls", "in_tokens", "out_tokens")
        )
        dropped = sum((Counter(each["dropped"]) for each in used), Counter[str]())
        said = f"{counted(calls, 'call')} of the model, {tokens_in:,} tokens in, {tokens_out:,} out"
        reasons = ", ".join(f"{count} {fault}" for fault, count in dropped.most_common())
        why = f" ({reasons})" if reasons else ""
        yield f"{said}; {counted(dropped.total(), 'proposal')} dropped{why}."
    for failed in (each for job in jobs for each in job.get("failed", [])):
        what = f"{counted(failed['chunks'], 'chunk')} of {failed['name']} not read by {failed['extractor']}"
        yield f"Error: {what}: {failed['problem']['detail']}"


def page_warnings(documents: list[dict[str, Any]]) -> Iterator[str]:
    """What to know of pages before relying on them, a line each, for the first of them."""
    warnings = [
        f"Warning: {document['title']}: {warning}."
        for document in documents
        for warning in document.get("warnings", [])
    ]
    yield from warnings[:SHOWN_WARNINGS]
    if len(warnings) > SHOWN_WARNINGS:
        yield f"… and {counted(len(warnings) - SHOWN_WARNINGS, 'more warning')}"


def chosen_ontology(given: str) -> tuple[str, bytes]:
    """The name and the bytes of an ontology: a file, or one that is shipped. Raises `NotFound` for neither."""
    path = Path(given)
    if path.is_file():
        return path.name, path.read_bytes()
    if given in SHIPPED:
        return f"{given}.ttl", ontology_text(f"{given}.ttl").encode()
    raise NotFound(
        f"There is no ontology {given}. Give a file, or one that is shipped: {', '.join(SHIPPED)}."
    )


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
@format_option("json")
@target_options()
def extract(target: Target, file: BinaryIO, lines: bool, stored: bool, style: str) -> None:  # noqa: ARG001
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
