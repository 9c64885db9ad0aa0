"""`provgraph ask` and `provgraph retrieve`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import click

from provgraph.cli.answering import answer_options, asked
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.explanation import STEP_LINES, evidence_lines, ranked_lines, step_name
from provgraph.cli.options import collection_option, echo_json, format_option, target_options
from provgraph.cli.terminal import harmless, say
from provgraph.errors import Unavailable

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
@click.argument("question")
@click.option("-x", "--explain", is_flag=True, help="Show each step of the answer on stderr as it happens.")
@answer_options
@collection_option
@format_option("text", "json")
@target_options()
def ask(target: Target, question: str, explain: bool, collection: str, style: str, **options: Any) -> None:
    """Answer QUESTION from the documents of a collection.

    The answer goes to stdout, the explanation to stderr.
    """
    body = asked(question, collection, options)
    with connect(target) as service:
        if style == "json":
            answer = service.json("POST", "/api/v1/graph-rag", body)
            echo_json(answer if explain else {key: answer[key] for key in answer if key != "explain"})
        else:
            stream_answer(service, body, steps=STEPS if explain else (), evidence=True)


def stream_answer(service: Service, body: dict[str, Any], *, steps: Collection[str], evidence: bool) -> None:
    """Print the answer as it comes; on stderr the named `steps` before it, and after it its `evidence`.

    Raises `ServiceProblem` when the session fails.
    """
    said: list[str] = []
    session = ""
    told: set[str] = set()
    for _, message in service.events("POST", "/api/v1/graph-rag", body):
        if message["message_type"] == "explain":
            session = session or message["explain_id"]
            explained = message["explain_id"]
            if step_name(explained) in steps and explained not in told:  # the answer is told twice
                _explain(service, session, explained)
            told.add(explained)
            continue
        _write(message.get("response") or "", said)
        if message.get("end_of_session"):
            _finish(message, "".join(said), evidence=evidence)
            return
    raise Unavailable(f"The service stopped before the answer was complete. See 'provgraph trace {session}'.")


def _explain(service: Service, session: str, explain_id: str) -> None:
    step = step_name(explain_id)
    _tell([f"[{step}] {explain_id}"])
    if step in STEP_LINES:
        _tell(STEP_LINES[step](service.json("GET", f"/api/v1/traces/{session}")))
    elif step == "answer":
        _tell([""])


def _write(text: str, said: list[str]) -> None:
    said.append(text)
    click.echo(harmless(text), nl=False)


def _finish(message: dict[str, Any], answer: str, *, evidence: bool) -> None:
    if answer:
        say()
    _tell(f"warning: {warning}" for warning in message.get("warnings") or ())
    if error := message.get("error"):
        raise ServiceProblem(error["message"])
    if evidence and message.get("citations"):
        _tell(["", *evidence_lines(answer, message["citations"])])


def _tell(lines: Iterable[str]) -> None:
    for line in lines:
        say(line, err=True)


@click.command()
@click.argument("question")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1), help="Rows of each kind.")
@click.option("--method", default="", help="How candidates are ranked; graph if none is named.")
@click.option(
    "--set", "given", multiple=True, metavar="NAME=NUMBER", help="A parameter of the method; may be repeated."
)
@click.option(
    "--rerank",
    default="none",
    show_default=True,
    type=click.Choice(["none", "model", "cross-encoder"]),
    help="Who scores what was found a second time.",
)
@collection_option
@format_option("text", "json")
@target_options()
def retrieve(target: Target, question: str, given: Sequence[str], style: str, **options: str | int) -> None:
    """Show the edges, chunks and documents that QUESTION leads to, ranked; no answer, no trace.

    Methods: graph, bm25, term-frequency, topic-star, breadth-first, pagerank, propagation, vector, hybrid,
    fusion. What each does, and its
    parameters: docs/cli.md.
    """
    body = {"query": question, "parameters": dict(map(_parameter, given)), **options}
    with connect(target) as service:
        found = service.json("POST", "/api/v1/retrieve", body)
    _tell(f"warning: {warning}" for warning in found["warnings"])
    if style == "json":
        echo_json(found)
        return
    for line in ranked_lines(found):
        say(line)


def _parameter(given: str) -> tuple[str, float]:
    name, _, number = given.partition("=")
    try:
        return name.strip(), float(number)
    except ValueError as error:
        raise click.BadParameter(
            f"{given!r} is not NAME=NUMBER, as in k1=1.5.", param_hint="--set"
        ) from error
