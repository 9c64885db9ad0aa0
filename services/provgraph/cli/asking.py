"""`provgraph ask` and `provgraph retrieve`."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource

from provgraph.catalogue.naming import read_name
from provgraph.cli.answering import answer_options, chosen, ranking_parameters, rerank_option
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.explanation import (
    STEP_LINES,
    difference_lines,
    evidence_lines,
    ranked_lines,
    step_name,
    without_ways,
)
from provgraph.cli.highlighting import colour_option, say_evidence, say_highlighted, wants_colour
from provgraph.cli.narrowing import narrowing_of, narrowing_options
from provgraph.cli.options import collection_option, echo_json, format_option, show, target_options
from provgraph.cli.questions import (
    NO_ANSWER,
    answer_each,
    read_questions,
    refusal_lines,
)
from provgraph.cli.research import research_options
from provgraph.cli.short_answers import AnswerText, say_short_answer
from provgraph.cli.terminal import say
from provgraph.cli.verdict_tables import element_lines
from provgraph.errors import Unavailable

EXTRACTIVE: Final = "/api/v1/extractive"
_TRACED: Final = "urn:trustgraph:prov:"
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


@click.command()
@click.argument("question", required=False)
@click.option(
    "--questions",
    "questions_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Answer each line of a file (- for stdin), one after another; with --format json a line of JSON each.",
)
@click.option("--fail-on-no-answer", is_flag=True, help="Exit with status 3 where a question has no answer.")
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
            _tell(["", *difference_lines(_difference(self.service, last["session"]))])
        if last.get("citations") and not self.needs_outcome:
            return last
        trace = self.service.json("GET", f"/api/v1/traces/{last['session']}")
        if not last.get("citations"):
            _tell(refusal_lines(trace))
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
                    _explain(service, session, explained, ways=evidence)
                shown.add(explained)
                continue
            answer.append(message.get("response") or "")
            if understood := message.get("understood_as"):
                _tell([f"Understood as: {understood}"])
            if evidence and (short := message.get("short_answer")):
                say_short_answer(service, session, short, colour=wants_colour(colour, sys.stdout))
                text.leave_out(short["text"])
            if route != EXTRACTIVE:
                text.add(answer[-1])
            elif highlights := message.get("highlights"):
                say_highlighted("".join(answer), highlights["mentions"], wants_colour(colour, sys.stdout))
            if message.get("end_of_session"):
                text.show()
                _finish(message, "".join(answer), evidence=evidence, colour=colour)
                return {**message, "session": session}
    raise Unavailable(f"The service stopped before the answer was complete. See 'provgraph trace {session}'.")


def _explain(service: Service, session: str, explain_id: str, *, ways: bool) -> None:
    """One step; with `ways` also how retrieval ranked and came to each edge."""
    step = step_name(explain_id)
    _tell([f"[{step}] {explain_id}"])
    if step in STEP_LINES:
        trace = service.json("GET", f"/api/v1/traces/{session}")
        _tell(STEP_LINES[step](trace if ways else without_ways(trace)))
    elif step == "answer":
        _tell([""])


def _finish(message: dict[str, Any], answer: str, *, evidence: bool, colour: bool | None) -> None:
    found = message.get("highlights")
    if answer and not found:
        say()
    for line in element_lines((message.get("verdict") or {}).get("elements", ())):
        say(line)
    _tell(f"warning: {warning}" for warning in message.get("warnings") or ())
    if error := message.get("error"):
        raise ServiceProblem(error["message"])
    if found and message.get("citations"):
        _tell([""])
        say_evidence(found, wants_colour(colour, sys.stderr))
    elif evidence and message.get("citations"):
        lines = evidence_lines(answer, _sentences(message, answer), is_shown=sys.stdout.isatty())
        _tell(["", *lines])


def _sentences(message: dict[str, Any], answer: str) -> list[dict[str, Any]]:
    """The citations of an answer without that of the short answer, which stands on the sentences behind it."""
    cited: list[dict[str, Any]] = message["citations"]
    short = (message.get("short_answer") or {}).get("text")
    first, *others = cited
    told = answer[first["start"] : first["end"]].rstrip(".")
    return others if others and told == short else cited


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        say(line, err=True)


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
    narrowing = narrowing_of(options)
    body = {"query": question, **options, **narrowing}
    with connect(target) as service:
        found = service.json("POST", "/api/v1/retrieve", body)
    _tell(f"warning: {warning}" for warning in found["warnings"])
    show(found, style, ranked_lines)
