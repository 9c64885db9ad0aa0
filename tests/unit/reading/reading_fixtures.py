"""The parser that comes with the package, loaded once, and propositions as one line each."""

from __future__ import annotations

from functools import cache

from provgraph.reading.parser import BuiltInParser
from provgraph.reading.propositions import Proposition
from provgraph.reading.questions import QuestionReading, read_question
from provgraph.reading.reader import read


@cache
def parser() -> BuiltInParser:
    return BuiltInParser()


def propositions(text: str, title: str = "") -> tuple[Proposition, ...]:
    return read(text, parser(), title).propositions


def said(text: str, title: str = "") -> set[str]:
    """subject | relation | object of each proposition that is affirmed and asserted."""
    kept = (p for p in propositions(text, title) if p.polarity and p.modality == "asserted")
    return {line(each) for each in kept}


def line(proposition: Proposition) -> str:
    target = proposition.object.label if proposition.object else "–"
    return f"{proposition.subject.label} | {proposition.relation} | {target}"


def question(text: str) -> QuestionReading:
    return read_question(text, parser())
