"""Several questions at once: read from a file, from stdin or a pipe, and answered one after another."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.connection import ServiceProblem
from provgraph.cli.files import decoded
from provgraph.cli.terminal import complain, json_line, say
from provgraph.errors import InvalidInput

STDIN: Final = "-"
NO_ANSWER: Final = 3
"""The exit status of `--fail-on-no-answer`."""

Json = dict[str, Any]


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
        found = json.loads(line)
        question = found.get("query") or found.get("question")
    except (ValueError, RecursionError):
        question = None
    if not isinstance(question, str):
        raise InvalidInput(f'{place} is not a question. Write it as it is, or as {{"query": "…"}}.')
    return question


def read_questions(question: str | None, file: Path | None) -> list[str] | None:
    """All questions of `--questions FILE`, of `-`, or of a pipe where nothing else is asked; None for one question."""
    if file is not None and str(file) != STDIN:
        try:
            return list(questions_in(file.read_bytes(), str(file)))
        except OSError as error:
            raise InvalidInput(f"{file} cannot be read ({error.strerror}). Check the path.") from error
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


def refusal_lines(trace: Json) -> Iterator[str]:
    """What was nearest to a question that has no answer, and what to do."""
    if trace.get("outcome") != "refused":
        return
    found = [*trace.get("passed_over", ()), *trace.get("passed_over_chunks", ())]
    if found and found[0].get("concepts"):
        yield f"Nearest: {_named(found[0])}. {found[0]['reasoning']}"
    else:
        yield "No document of this collection says anything about this question."
    yield "Ask in other words, ask another way (--flow), or add documents that say it."


def _named(near: Json) -> str:
    if "relation" in near:
        return f"({near['subject']}, {near['relation']}, {near['object']})"
    page = f", page {near['page_number']}" if near.get("page_number") else ""
    return f"{near.get('title') or near['chunk']}{page}"
