"""How `provgraph ingest` is told to read, and what it tells of the reading by model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click

from provgraph.checking.ontology import ontology_text
from provgraph.cli.options import Command
from provgraph.errors import NotFound
from provgraph.extraction.extractors import EXTRACTORS

SHIPPED: Final = ("research",)


def extraction_options(command: Command) -> Command:
    """`--extractor`, `--ontology`, `--max-tokens` and `--replace`, given to the command by these names."""
    options = (
        click.option(
            "--extractor",
            "extractors",
            multiple=True,
            type=click.Choice(EXTRACTORS),
            help="How to read; may be given several times. [default: as PROVGRAPH_EXTRACTORS says]",
        ),
        click.option(
            "--ontology", help="An OWL or RDFS file to be guided by, or 'research', which is shipped."
        ),
        click.option(
            "--max-tokens", type=click.IntRange(min=1), help="The most tokens to spend on each file."
        ),
        click.option(
            "--replace",
            is_flag=True,
            help="Retire what the same extractors read before with another version, model or prompt.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Extraction:
    """The options as form fields, and the ontology's file."""

    fields: dict[str, str | list[str]]
    ontology: tuple[str, bytes] | None

    @classmethod
    def of(cls, asked: dict[str, Any]) -> Extraction:
        tokens = asked["max_tokens"]
        fields: dict[str, str | list[str]] = {"extractor": list(asked["extractors"])}
        fields |= {"max_tokens": str(tokens)} if tokens else {}
        fields |= {"replace": "true"} if asked["replace"] else {}
        return cls(fields, _ontology(asked["ontology"]))


def model_report(jobs: list[dict[str, Any]]) -> Iterator[str]:
    """What the model did and what failed, in a line each."""
    used = [job["model"] for job in jobs if job.get("model")]
    if used:
        calls, tokens_in, tokens_out = (
            sum(each[key] for each in used) for key in ("calls", "in_tokens", "out_tokens")
        )
        dropped = sum(sum(each["dropped"].values()) for each in used)
        yield f"{calls} calls of the model, {tokens_in} tokens in, {tokens_out} out; {dropped} proposals dropped."
    for failed in (each for job in jobs for each in job.get("failed", [])):
        what = f"{failed['chunks']} chunks of {failed['name']} not read by {failed['extractor']}"
        yield f"Error: {what}: {failed['problem']['detail']}"


def _ontology(given: str | None) -> tuple[str, bytes] | None:
    if not given:
        return None
    path = Path(given)
    if path.is_file():
        return path.name, path.read_bytes()
    if given in SHIPPED:
        return f"{given}.ttl", ontology_text(f"{given}.ttl").encode()
    raise NotFound(
        f"There is no ontology {given}. Give a file, or one that is shipped: {', '.join(SHIPPED)}."
    )
