"""What a judge is given, what it answers, whoever judges, and the text that says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from provgraph.catalogue.sources import Words
from provgraph.derivation.evidence import Support
from provgraph.derivation.result import Derived
from provgraph.derivation.tables.claimed_values import ClaimedValue, Stand
from provgraph.flows.fact_verification.local_graph import ClaimGraph, RankedFact
from provgraph.flows.runner.events import ClaimElement
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.provenance.trace import Origin
from provgraph.provenance.verification_trace import ClaimJudgement, Stance
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class CellVerdict:
    """A value of the claim, the answer of a table to the question for it, and how that stands to the value."""

    claimed: ClaimedValue
    answer: Derived
    stand: Stand

    @property
    def supports(self) -> Sequence[Support]:
        """The cells of the last step that reads some, with their rows."""
        return next((step.supports for step in reversed(self.answer.steps) if step.supports), ())

    @property
    def rows(self) -> Sequence[Support]:
        """One cell of each of their rows."""
        return tuple(
            {(support.passage.key, support.sentence.start): support for support in self.supports}.values()
        )


@dataclass(frozen=True)
class Material:
    """A claim, the passages retrieved for it, the local graph of their facts, what a table says of it, and by document
    the words by which that names what it is about."""

    claim: str
    passages: Sequence[RetrievedPassage]
    graph: ClaimGraph
    cells: CellVerdict | None = None
    heads: Mapping[NamedNode, frozenset[str]] = field(default_factory=dict)

    def facts_of(self, words: Words) -> list[tuple[int, RankedFact]]:
        """The facts that are read from a sentence, with their indexes in the local graph."""
        return [
            (index, each)
            for index, each in enumerate(self.graph.facts)
            if any(_meet(words, own) for own in each.fact.words)
        ]


@dataclass(frozen=True)
class VerdictArgument:
    """Words that speak for or against the claim, in the passage of that index: why, and how surely (0…1)."""

    stance: Stance
    passage: int
    words: Words
    reason: str
    confidence: float


@dataclass(frozen=True)
class JudgedClaim:
    """A verdict, the arguments that decided it first; `explanation` is one sentence without its label, whose words
    rules derived or a model generated. `missing` says what no document says, in words."""

    judgement: ClaimJudgement
    explanation: str
    arguments: tuple[VerdictArgument, ...] = ()
    notes: tuple[str, ...] = ()
    origin: Origin = Origin.DERIVED
    elements: tuple[ClaimElement, ...] = ()
    missing: str = ""


class ClaimJudge(Protocol):
    """Judges a claim by the material, and by nothing else. Does not fail because a model does."""

    async def judged(self, run: Run, material: Material) -> JudgedClaim: ...


def _meet(one: Words, other: Words) -> bool:
    return one.page == other.page and one.start < other.end and other.start < one.end


# the text of a verdict: the label first, for programs; then the words for and against, each quoted

_LEAD = {Stance.FOR: "For: ", Stance.AGAINST: "Against: "}


@dataclass(frozen=True)
class EvidenceLine:
    """`text[start:end]` of an answer, and the arguments behind it, by index; with a stance, one argument's words."""

    start: int
    end: int
    arguments: tuple[int, ...]
    stance: Stance | None = None


@dataclass(frozen=True)
class VerdictText:
    text: str
    lines: tuple[EvidenceLine, ...]


def verdict_text(judged: JudgedClaim) -> VerdictText:
    """ "REFUTES: the evidence says Afghanistan where the claim says Iraq." and a line for each argument."""
    text = f"{judged.judgement.label}: {judged.explanation}"
    if not judged.arguments:
        return VerdictText(text, ())
    lines = [EvidenceLine(0, len(text), tuple(range(len(judged.arguments))))]
    for index, argument in enumerate(judged.arguments):
        lead, quoted = _LEAD[argument.stance], _quoted(argument)
        start = len(text) + 1
        text += f"\n{lead}{quoted}"
        lines.append(EvidenceLine(start, start + len(lead) + len(quoted), (index,), argument.stance))
    return VerdictText(text, tuple(lines))


def _quoted(argument: VerdictArgument) -> str:
    return f"“{' '.join(argument.words.text.split())}”"
