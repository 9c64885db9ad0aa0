"""`provgraph chat`: questions one after another, each understood from those before it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from provgraph.cli.asking import stream_answer
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.narrowing import narrowing_of, narrowing_options
from provgraph.cli.options import collection_option, format_option, target_options
from provgraph.cli.terminal import complain, json_line, say

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
    body = {**narrowing_of(options), "collection": options["collection"]}
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
