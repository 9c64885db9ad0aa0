"""How `provgraph ingest` is told to read, and what it tells of the reading by model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.options import Command, counted
from provgraph.errors import NotFound
from provgraph.extraction.names import ACCEPTED, EXTRACTORS
from provgraph.rdf.ontology_files import ontology_text

SHIPPED: Final = ("research",)
SHOWN_WARNINGS: Final = 20


def extraction_options(command: Command) -> Command:
    """`--extractor`, `--ontology`, `--max-tokens`, `--rules-first` and `--replace`, each by its name."""
    options = (
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
    for option in reversed(options):
        command = option(command)
    return command


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
