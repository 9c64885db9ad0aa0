"""A verdict → the text of its answer: the label first, for programs; then the words for and against, each quoted."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.flows.fact_verification.judgement import Argument, Judged
from provgraph.provenance.verification_trace import Stance

_LEAD = {Stance.FOR: "For: ", Stance.AGAINST: "Against: "}


@dataclass(frozen=True)
class Line:
    """`text[start:end]` of an answer, and the arguments behind it, by index; with a stance, one argument's words."""

    start: int
    end: int
    arguments: tuple[int, ...]
    stance: Stance | None = None


@dataclass(frozen=True)
class Worded:
    text: str
    lines: tuple[Line, ...]


def worded(judged: Judged) -> Worded:
    """ "REFUTES: the evidence says Afghanistan where the claim says Iraq." and a line for each argument."""
    text = f"{judged.judgement.label}: {judged.explanation}"
    if not judged.arguments:
        return Worded(text, ())
    lines = [Line(0, len(text), tuple(range(len(judged.arguments))))]
    for index, argument in enumerate(judged.arguments):
        lead, quoted = _LEAD[argument.stance], _quoted(argument)
        start = len(text) + 1
        text += f"\n{lead}{quoted}"
        lines.append(Line(start, start + len(lead) + len(quoted), (index,), argument.stance))
    return Worded(text, tuple(lines))


def _quoted(argument: Argument) -> str:
    return f"“{' '.join(argument.words.text.split())}”"
