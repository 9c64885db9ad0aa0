"""`provgraph ask`, of one question or several, `chat`, which understands each from those before it, and `retrieve`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from provgraph.catalogue.naming import read_name
from provgraph.cli.answer_stream import STEPS, colour_option, stream_answer, tell
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.explanation import Json, chunk_place, difference_lines, document_name
from provgraph.cli.files import decoded
from provgraph.cli.options import (
    answer_options,
    chosen,
    collection_option,
    echo_json,
    format_option,
    narrowing_options,
    ranking_parameters,
    rerank_option,
    show,
    target_options,
)
from provgraph.cli.research import research_options
from provgraph.cli.terminal import complain, json_line, say
from provgraph.client.files import content_of
from provgraph.errors import InvalidInput

_TRACED: Final = "urn:trustgraph:prov:"
STDIN: Final = "-"
NO_ANSWER: Final = 3
"""The exit status of `--fail-on-no-answer`."""


@click.command()
@click.argument("question", required=False)
@click.option(
    "--questions",
    "questions_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Answer each line of a file (- for stdin); with --format json, one line of JSON for each.",
)
@click.option("--fail-on-no-answer", is_flag=True, help="Exit with status 3 if a question has no answer.")
@click.option(
    "--again",
    metavar="SESSION",
    default="",
    help="Ask the question of this session again and show what changed.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="DOC|EDGE",
    help="Leave out a document (by id) or an edge ('SUBJECT | RELATION | OBJECT') and show what changes.",
)
@click.option("-x", "--explain", is_flag=True, help="Show each step of the answer on stderr as it happens.")
@click.option(
    "--flow",
    default="graph-rag",
    show_default=True,
    type=click.Choice(["graph-rag", "document-rag", "extractive", "kgqa", "passages", "research", "verify"]),
    help=(
        "How to answer: graph-rag from facts, document-rag from chunks, extractive by quoting sentences,"
        " kgqa from question-answer pairs, passages by listing the best passages, research from papers, "
        "verify as a claim to check."
    ),
)
@narrowing_options
@research_options
@colour_option
@answer_options
@collection_option
@format_option("text", "json")
@target_options()
def ask(
    target: Target, question: str | None, explain: bool, style: str, colour: bool | None, **options: Any
) -> None:
    """Answer QUESTION from the documents in a collection.

    The answer goes to stdout, the explanation to stderr. QUESTION may be - to read questions from stdin, one a line.
    """
    file, fail = options.pop("questions_file"), options.pop("fail_on_no_answer")
    if question is not None and (options["again"] or file):
        raise click.UsageError("QUESTION does not go with --again or --questions. Leave out one of them.")
    several = None if options["again"] else read_questions(question, file)
    if question is None and several is None and not options["again"]:
        raise click.UsageError("There is no question. Write one, or name a session with --again.")
    route = f"/api/v1/{options.pop('flow')}"
    with connect(target) as service:
        asking = QuestionCommand(service, route, options, explain=explain, colour=colour, needs_outcome=fail)
        answer = asking.json if style == "json" else asking.text
        if several is not None:
            are_asked, are_answered = answer_each(several, answer, style=style)
        else:
            answered = answer(question)
            are_asked, are_answered = True, answered.get("outcome") == "answered"
            if style == "json":
                echo_json(answered)
    if not are_asked:
        raise SystemExit(1)
    if fail and not are_answered:
        raise SystemExit(NO_ANSWER)


@dataclass(frozen=True)
class QuestionCommand:
    """How questions are asked by one command; each way gives what the answer was, with its `outcome` if it
    `needs_outcome`."""

    service: Service
    route: str
    options: dict[str, Any]
    explain: bool
    colour: bool | None
    needs_outcome: bool

    def json(self, question: str | None) -> dict[str, Any]:
        """The answer as the service gives it, without its steps unless they are wanted."""
        body = _request(self.service, question, dict(self.options))
        answer = self.service.json("POST", self.route, body)
        shown = {key: answer[key] for key in answer if self.explain or key != "explain"}
        compared = {"difference": _difference(self.service, answer["session"])} if "again" in body else {}
        return {**shown, **compared}

    def text(self, question: str | None) -> dict[str, Any]:
        """The answer printed as it comes, and on stderr what it stands on, or what was nearest."""
        body = _request(self.service, question, dict(self.options))
        steps = STEPS if self.explain else ()
        last = stream_answer(
            self.service, body, steps=steps, evidence=True, route=self.route, colour=self.colour
        )
        if "again" in body:
            tell(["", *difference_lines(_difference(self.service, last["session"]))])
        if last.get("citations") and not self.needs_outcome:
            return last
        trace = self.service.json("GET", f"/api/v1/traces/{last['session']}")
        if not last.get("citations"):
            tell(refusal_lines(trace))
        return {**last, "outcome": trace.get("outcome")}


def _request(service: Service, question: str | None, options: dict[str, Any]) -> dict[str, Any]:
    """The body of the request; what is asked without something is asked with it first, to be compared with."""
    again, without, own = options.pop("again"), options.pop("without"), chosen(options)
    if click.get_current_context().get_parameter_source("collection") is ParameterSource.DEFAULT:
        del own["collection"]
    if not again and not without:
        return {"query": question, **own}
    baseline = again or service.json("POST", "/api/v1/graph-rag", {"query": question, **own})["session"]
    edges = [text for text in without if text.startswith(_TRACED) or read_name(text)]
    documents = [text for text in without if text not in edges]
    return {"again": baseline, "without": {"documents": documents, "edges": edges}, **(own if again else {})}


def _difference(service: Service, session: str) -> Any:
    return service.json("GET", f"/api/v1/traces/{session}/difference")


@click.command()
@click.argument("question")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="Rows of each kind.")
@click.option("--method", default="", help="How to rank candidates. [default: graph]")
@ranking_parameters
@rerank_option("none")
@narrowing_options
@collection_option
@format_option("text", "json")
@target_options()
def retrieve(target: Target, question: str, style: str, **options: Any) -> None:
    """Rank the edges, chunks and documents for QUESTION, without answering or recording a trace.

    Methods: graph, bm25, term-frequency, topic-star, breadth-first, pagerank, propagation, vector, hybrid, fusion.
    What each does, and its parameters: docs/cli.md.
    """
    body = {"query": question, **chosen(options)}
    with connect(target) as service:
        found = service.json("POST", "/api/v1/retrieve", body)
    tell(f"warning: {warning}" for warning in found["warnings"])
    show(found, style, ranked_lines)


def ranked_lines(found: Json) -> Iterator[str]:
    """Candidates of a question, each kind under its heading, best first, with what led to each."""
    numbers = "".join(f" {name}={number:g}" for name, number in found["parameters"].items())
    yield f"Method: {found['method']}{numbers}"
    yield "Seeds"
    for seed in found["seeds"]:
        yield f"{seed['score']:8.3f}  {seed['label']}  [{seed['how']}]"
    yield "Edges"
    for edge in found["edges"]:
        labels = edge["labels"]
        said = f"({labels['subject']}, {labels['relation']}, {labels['object']})"
        way = ": ".join(filter(None, (edge["how"], " → ".join(edge["path"]))))
        yield f"{_scores(edge)}  {said}  [{way}]"
    yield "Chunks"
    for chunk in found["chunks"]:
        words = ", ".join(f"{term['text']} {term['score']:.2f}" for term in chunk["terms"])
        yield f"{_scores(chunk)}  {chunk_place(chunk)}: {words}" + (
            f"  [{chunk['how']}]" if chunk["how"] else ""
        )
    yield "Documents"
    for document in found["documents"]:
        yield f"{document['score']:8.3f}  {document_name(document)}  {document['id']}"


def _scores(candidate: Json) -> str:
    """The score, and behind it that of a second scoring where there was one."""
    again = candidate["rerank_score"]
    return f"{candidate['score']:8.3f}" + ("" if again is None else f"{again:6.1f}")


# several questions


def questions_in(content: bytes, name: str) -> Iterator[str]:
    """A question a line; a line may also be a JSON object with a `query` or a `question`. Empty lines are skipped.

    Raises `InvalidInput` for a line of JSON without either, and for a text without a question.
    """
    asked = [line.strip() for line in decoded(content, name).splitlines()]
    if not any(asked):
        raise InvalidInput(f"{name} has no question. Write one a line.")
    for number, line in enumerate(asked, 1):
        if line:
            yield _question(line, f"{name}, line {number}") if line.startswith("{") else line


def _question(line: str, place: str) -> str:
    try:
        loads = json.loads(line)
        question = loads.get("query") or loads.get("question")
    except (ValueError, RecursionError):
        question = None
    if not isinstance(question, str):
        raise InvalidInput(f'{place} is not a question. Write it as it is, or as {{"query": "…"}}.')
    return question


def read_questions(question: str | None, file: Path | None) -> list[str] | None:
    """All questions of `--questions FILE`, of `-`, or of a pipe where nothing else is asked; None for one question."""
    if file is not None and str(file) != STDIN:
        return list(questions_in(content_of(file), str(file)))
    if file is not None or question == STDIN:
        return list(questions_in(sys.stdin.buffer.read(), "stdin"))
    if question is None and not sys.stdin.isatty() and (piped := sys.stdin.buffer.read()).strip():
        return list(questions_in(piped, "stdin"))
    return None


def answer_each(questions: Iterable[str], answer: Callable[[str], Json], *, style: str) -> tuple[bool, bool]:
    """Answer one question after another: with `json` a line of JSON each, else as a person reads it.

    A question that fails is told and ends nothing. Returns whether all were asked, and whether all have an answer.
    """
    are_asked = are_answered = True
    for question in questions:
        if style != "json":
            say(f"? {question}")
        try:
            answered = answer(question)
        except ServiceProblem as problem:
            are_asked = False
            answered = {"error": str(problem)}
            complain(f"Error: {problem}")
        are_answered &= answered.get("outcome") == "answered"
        if style == "json":
            click.echo(json_line({"query": question, **answered}))
        else:
            say()
    return are_asked, are_answered


_NOTHING_MET: Final = "Covers 0% "
"""How the reason of a candidate begins that has nothing of the question."""


def refusal_lines(trace: Json) -> Iterator[str]:
    """What was nearest to a question that has no answer, and what to do."""
    if trace.get("outcome") != "refused":
        return
    found = [*trace.get("passed_over", ()), *trace.get("passed_over_chunks", ())]
    if found and not found[0]["reasoning"].startswith(_NOTHING_MET):
        yield f"Nearest: {_named(found[0])}. {found[0]['reasoning']}"
    else:
        yield "No document of this collection says anything about this question."
    yield "Ask in other words, ask another way (--flow), or add documents that say it."


def _named(near: Json) -> str:
    if "relation" in near:
        return f"({near['subject']}, {near['relation']}, {near['object']})"
    page = f", page {near['page_number']}" if near.get("page_number") else ""
    return f"{near.get('title') or near['chunk']}{page}"


PROMPT: Final = "? "
REMEMBERED: Final = 20
"""Turns that go with a question."""


@click.command()
@click.option(
    "--flow",
    default="graph-rag",
    show_default=True,
    type=click.Choice(["graph-rag", "document-rag", "extractive", "kgqa", "passages"]),
    help="How to answer, as in 'provgraph ask'.",
)
@narrowing_options
@collection_option
@format_option("text", "json")
@target_options()
def chat(target: Target, flow: str, style: str, **options: Any) -> None:
    """Ask one question after another; a follow-up may point back: "and when did she die?".

    Reads a question a line, also from a pipe. An empty line does nothing; Ctrl-D ends the conversation. With --format
    json each answer is a line of JSON.
    """
    body = chosen(options)
    history: list[dict[str, str]] = []
    with connect(target) as service:
        for question in _questions():
            asked = {**body, "query": question, "history": history}
            if answered := _answered(service, f"/api/v1/{flow}", asked, style):
                history = [*history, _turn(question, answered)][-REMEMBERED:]
            if style != "json":
                say()


def _questions() -> Iterator[str]:
    """The lines that are typed, without empty ones."""
    typed = sys.stdin.isatty()
    while True:
        if typed:
            click.echo(PROMPT, nl=False, err=True)
        line = sys.stdin.readline()
        if not line:
            if typed:
                say(err=True)
            return
        if question := line.strip():
            if not typed:
                say(f"{PROMPT}{question}", err=True)
            yield question


def _answered(service: Service, route: str, body: dict[str, Any], style: str) -> dict[str, Any] | None:
    """An answer that was printed; None where there was none, which is told and ends nothing."""
    try:
        if style == "json":
            answer: dict[str, Any] = service.json("POST", route, body)
            shown = {name: value for name, value in answer.items() if name != "explain"}
            click.echo(json_line({"query": body["query"], **shown}))
            return answer
        return stream_answer(service, body, steps=(), evidence=True, route=route)
    except ServiceProblem as problem:
        complain(f"Error: {problem}")
        return None


def _turn(question: str, answered: dict[str, Any]) -> dict[str, str]:
    short = answered.get("short_answer") or {}
    return {"question": answered.get("understood_as") or question, "answer": short.get("text", "")}
