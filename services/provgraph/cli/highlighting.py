"""An answer by extraction in colours: quantities blue, names green; in labels where there are no colours."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TextIO

import click

from provgraph.cli.explanation import document_name, fact_text, shortened
from provgraph.cli.terminal import harmless

Json = dict[str, Any]

COLOURS: Final = {"METRIC": "blue", "ENTITY": "green"}
MOST_FACTS: Final = 10
MOST_EDGES: Final = 5


def colour_option(command: Any) -> Any:
    """`--color`, given to the command as None where it was not chosen."""
    return click.option(
        "--color/--no-color",
        "colour",
        default=None,
        help="Color an extractive answer. Default: on a terminal, unless NO_COLOR is set.",
    )(command)


def wants_colour(chosen: bool | None, stream: TextIO) -> bool:
    return not os.environ.get("NO_COLOR") and stream.isatty() if chosen is None else chosen


def say_highlighted(text: str, mentions: Sequence[Json], colour: bool) -> None:
    """A line of stdout in which the mentions, told in characters of `text`, stand out."""
    click.echo(highlighted(text, mentions, 0, colour), color=colour)


def say_evidence(found: Json, colour: bool) -> None:
    """On stderr, everything that was counted for an answer."""
    for line in evidence_lines(found, colour):
        click.echo(line, err=True, color=colour)


def highlighted(text: str, mentions: Iterable[Json], begins_at: int, colour: bool) -> str:
    """`text`, which begins at this character of what the mentions are told in, safe for a terminal."""
    parts, at = list[str](), 0
    for each in mentions:
        start, end = each["start"] - begins_at, each["end"] - begins_at
        parts += [harmless(text[at:start]), _marked(harmless(text[start:end]), each["type"], colour)]
        at = end
    return "".join([*parts, harmless(text[at:])])


def evidence_lines(found: Json, colour: bool) -> Iterator[str]:
    """Documents with the terms that made their scores, and their best sentences; what is named together; facts.

    A sentence that the answer repeats has its number.
    """
    yield f"Documents, by {found['method']}"
    for document in found["documents"]:
        terms = " + ".join(map(_term, document["terms"]))
        yield f"  {document['score']:.2f}  {harmless(document_name(document))}: {harmless(terms)}"
        for sentence in document["evidence"]:
            yield from _sentence_lines(sentence, colour)
    if edges := found["graph"]["edges"][:MOST_EDGES]:
        yield "Named together"
    for edge in edges:
        yield harmless(f"  {edge['source']} – {edge['target']}: {edge['count']} ×")
    if found["facts"]:
        yield "Facts read in these sentences"
    for fact in found["facts"][:MOST_FACTS]:
        place = f"{document_name(fact)}, page {fact['page_number']}, characters {fact['start']}–{fact['end']}"
        yield harmless(f"  {fact_text(fact)}  {place}")
    if (more := len(found["facts"]) - MOST_FACTS) > 0:
        yield f"  and {more} more, with --format json"


def _sentence_lines(sentence: Json, colour: bool) -> Iterator[str]:
    cited = sentence.get("cited")
    number = "   " if cited is None else f"[{cited + 1}]"
    place = f"page {sentence['page_number']}, characters {sentence['start']}–{sentence['end']}"
    yield f"    {number} {sentence['score']:.2f}  {place}"
    said = highlighted(sentence["text"], sentence["mentions"], sentence["start"], colour)
    yield f"        {' '.join(said.split()) if colour else shortened(said, 400)}"


def _term(term: Json) -> str:
    if term.get("weight") is None:
        return f"{term['text']} {term['score']:g}"
    return f"{term['text']} {term['count']} × {term['weight']:g}"


def _marked(text: str, kind: str, colour: bool) -> str:
    return click.style(text, fg=COLOURS[kind], bold=True) if colour else f"[{text}: {kind}]"
