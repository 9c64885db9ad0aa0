"""An answer printed while it streams: its steps, the short answer, the text, and its evidence."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, TextIO

import click

from provgraph.cli.connection import Service, ServiceProblem
from provgraph.cli.explanation import (
    STEP_LINES,
    Json,
    document_name,
    element_lines,
    evidence_lines,
    fact_text,
    step_name,
    without_retrieval_paths,
)
from provgraph.cli.terminal import harmless, say, shortened
from provgraph.errors import Unavailable

EXTRACTIVE: Final = "/api/v1/extractive"
STEPS: Final = (
    "session",
    "grounding",
    "retrieval",
    "check",
    "reformulation",
    "reranking",
    "selection",
    "answer",
)
_HELD_S: Final = 0.3
"""An answer that is still coming after so long is shown while it streams: its short answer comes behind it."""
COLOURS: Final = {"METRIC": "blue", "ENTITY": "green"}
MOST_FACTS: Final = 10
MOST_EDGES: Final = 5


def stream_answer(
    service: Service,
    body: dict[str, Any],
    *,
    steps: Collection[str],
    evidence: bool,
    route: str = "/api/v1/graph-rag",
    colour: bool | None = None,
) -> dict[str, Any]:
    """Print the answer as it comes; on stderr the named `steps` before it. With `evidence` the short answer comes
    first, and what the answer cites after it.

    An answer by extraction is printed when it is complete, for its last message tells what stands out in it.
    Returns the last message, with the `session`. Raises `ServiceProblem` when the session fails.
    """
    answer: list[str] = []
    session = ""
    shown: set[str] = set()
    with AnswerText() as text:
        for _, message in service.events("POST", route, body):
            if message["message_type"] == "explain":
                explained = message["explain_id"]
                session = session or explained
                if step_name(explained) in steps and explained not in shown:  # the answer is explained twice
                    _explain(service, session, explained, paths=evidence)
                shown.add(explained)
                continue
            answer.append(message.get("response") or "")
            if understood := message.get("understood_as"):
                tell([f"Understood as: {understood}"])
            if evidence and (short := message.get("short_answer")):
                _say_short_answer(service, session, short, colour=wants_colour(colour, sys.stdout))
                text.leave_out(short["text"])
            if route != EXTRACTIVE:
                text.add(answer[-1])
            elif highlights := message.get("highlights"):
                _say_highlighted("".join(answer), highlights["mentions"], wants_colour(colour, sys.stdout))
            if message.get("end_of_session"):
                text.show()
                _finish(message, "".join(answer), evidence=evidence, colour=colour)
                return {**message, "session": session}
    raise Unavailable(f"The service stopped before the answer was complete. See 'provgraph trace {session}'.")


def _explain(service: Service, session: str, explain_id: str, *, paths: bool) -> None:
    """One step; with `paths` also how retrieval ranked and came to each edge."""
    step = step_name(explain_id)
    tell([f"[{step}] {explain_id}"])
    if step in STEP_LINES:
        trace = service.json("GET", f"/api/v1/traces/{session}")
        tell(STEP_LINES[step](trace if paths else without_retrieval_paths(trace)))
    elif step == "answer":
        tell([""])


def _finish(message: dict[str, Any], answer: str, *, evidence: bool, colour: bool | None) -> None:
    highlights = message.get("highlights")
    if answer and not highlights:
        say()
    for line in element_lines((message.get("verdict") or {}).get("elements", ())):
        say(line)
    tell(f"warning: {warning}" for warning in message.get("warnings") or ())
    if error := message.get("error"):
        raise ServiceProblem(error["message"])
    if highlights and message.get("citations"):
        tell([""])
        _say_evidence(highlights, wants_colour(colour, sys.stderr))
    elif evidence and message.get("citations"):
        lines = evidence_lines(answer, _sentences(message, answer), is_shown=sys.stdout.isatty())
        tell(["", *lines])


def _sentences(message: dict[str, Any], answer: str) -> list[dict[str, Any]]:
    """The citations of an answer without that of the short answer or the verdict, which stand on the sentences behind
    them."""
    cited: list[dict[str, Any]] = message["citations"]
    short = (message.get("short_answer") or {}).get("text")
    first, *others = cited
    if others and message.get("verdict"):
        return others
    told = answer[first["start"] : first["end"]].rstrip(".")
    return others if others and told == short else cited


def tell(lines: Iterable[str]) -> None:
    for line in lines:
        say(line, err=True)


class AnswerText:
    """The answer on stdout, held back for a moment, so that a short answer can be shown before it.

    What is held is shown on leaving it, however that comes.
    """

    def __init__(self) -> None:
        self._held: list[str] = []
        self._is_begun = False
        self._shown_apart = ""
        self._begun: float | None = None

    def __enter__(self) -> AnswerText:
        return self

    def __exit__(self, *_: object) -> None:
        self.show()

    def add(self, text: str) -> None:
        """Show the next words, now or with those that follow."""
        self._begun = self._begun or time.monotonic()
        self._held.append(text)
        if time.monotonic() - self._begun >= _HELD_S:
            self.show()

    def leave_out(self, short: str) -> None:
        """The short answer is shown by itself: not again as the first words of an answer that is not shown yet."""
        self._shown_apart = f"{short}. "

    def show(self) -> None:
        text = "".join(self._held)
        if not self._is_begun:
            text = text.removeprefix(self._shown_apart)
        self._is_begun = self._is_begun or bool(self._held)
        click.echo(harmless(text), nl=False)
        self._held.clear()


def _say_short_answer(service: Service, session: str, short: Json, *, colour: bool) -> None:
    """The short answer on stdout, and on stderr why it is the answer."""
    text = harmless(short["text"])
    click.echo(click.style(text, bold=True) if colour else text)
    answer = service.json("GET", f"/api/v1/traces/{session}").get("answer") or {}
    if steps := (answer.get("short_answer") or {}).get("steps"):
        say(f"  {steps[-1]['operation']}: {steps[-1]['explanation']}", err=True)
    click.echo()


colour_option = click.option(
    "--color/--no-color",
    "colour",
    default=None,
    help="Color an extractive answer. Default: on a terminal, unless NO_COLOR is set.",
)


def wants_colour(chosen: bool | None, stream: TextIO) -> bool:
    return not os.environ.get("NO_COLOR") and stream.isatty() if chosen is None else chosen


def _say_highlighted(text: str, mentions: Sequence[Json], colour: bool) -> None:
    """A line of stdout in which the mentions, told in characters of `text`, stand out."""
    click.echo(highlighted(text, mentions, 0, colour), color=colour)


def _say_evidence(found: Json, colour: bool) -> None:
    """On stderr, everything that was counted for an answer."""
    for line in highlight_lines(found, colour):
        click.echo(line, err=True, color=colour)


def highlighted(text: str, mentions: Iterable[Json], begins_at: int, colour: bool) -> str:
    """`text`, which begins at this character of what the mentions are told in, safe for a terminal."""
    parts, at = list[str](), 0
    for mention in mentions:
        start, end = mention["start"] - begins_at, mention["end"] - begins_at
        parts += [harmless(text[at:start]), _marked(harmless(text[start:end]), mention["type"], colour)]
        at = end
    return "".join([*parts, harmless(text[at:])])


def highlight_lines(found: Json, colour: bool) -> Iterator[str]:
    """Documents with the terms that made their scores, and their best sentences; what is named together; facts.

    A sentence that the answer repeats has its number.
    """
    if found.get("cut_off"):
        yield f"Sentences that score {found['cut_off']:.2f} or more answer (--near)."
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
    yield f"        {_counted(sentence)}"
    said = highlighted(sentence["text"], sentence["mentions"], sentence["start"], colour)
    yield f"        {' '.join(said.split()) if colour else shortened(said, 400)}"


def _counted(sentence: Json) -> str:
    """What made the score of a sentence."""
    read = f" + 0.5 × answer read {sentence['chance']:.2f}" if sentence.get("chance") else ""
    return f"coverage {sentence['coverage']:.2f} × (0.75 + 0.25 × density {sentence['density']:.2f}){read}"


def _term(term: Json) -> str:
    if term.get("weight") is None:
        return f"{term['text']} {term['score']:g}"
    return f"{term['text']} {term['count']} × {term['weight']:g}"


def _marked(text: str, kind: str, colour: bool) -> str:
    return click.style(text, fg=COLOURS[kind], bold=True) if colour else f"[{text}: {kind}]"
