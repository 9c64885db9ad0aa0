"""An answer with its proof, and the verdict on a claim, as values: sentences, the words that each cites, and steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from provgraph.client.evidence import Json, ProvedFact, QuotedSource, sources_of
from provgraph.client.notebook import answer_page, verdict_page
from provgraph.errors import Unavailable, error_of_kind


@dataclass(frozen=True)
class ClaimPart:
    """A part of a claim, `claim[start:end] == text`; `relation` is entailed, contradicted or not said, and `source` the
    words that say it."""

    text: str
    start: int
    end: int
    role: str
    relation: str
    why: str
    source: QuotedSource | None


@dataclass(frozen=True)
class EvidenceForClaim:
    """Words for or against a claim, why, and how surely (0 to 1)."""

    reason: str
    confidence: float
    source: QuotedSource


@dataclass(frozen=True)
class ProvedVerdict:
    """`label` is SUPPORTS, REFUTES or NOT ENOUGH INFO; `confidence` is how often verdicts like it are right, and
    `coverage` the share of the claim that documents entail, both 0 to 1. `missing` says what no document says."""

    claim: str
    label: str
    confidence: float
    coverage: float
    explanation: str
    elements: tuple[ClaimPart, ...]
    supporting: tuple[EvidenceForClaim, ...]
    opposing: tuple[EvidenceForClaim, ...]
    session: str
    missing: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.label}: {self.explanation}"

    def _repr_html_(self) -> str:
        return verdict_page(self)

    @staticmethod
    def of(claim: str, told: Json) -> ProvedVerdict:
        verdict = told["verdict"]
        return ProvedVerdict(
            claim=claim,
            label=verdict["label"],
            confidence=verdict["confidence"],
            coverage=verdict["coverage"],
            explanation=verdict["explanation"],
            elements=tuple(map(_part, verdict.get("elements", ()))),
            supporting=_evidence(verdict.get("for", ())),
            opposing=_evidence(verdict.get("against", ())),
            session=told.get("session", ""),
            missing=verdict.get("missing", ""),
            notes=tuple(verdict.get("notes", ())),
        )


def _part(told: Json) -> ClaimPart:
    return ClaimPart(
        text=told["element"],
        start=told["start"],
        end=told["end"],
        role=told["role"],
        relation=told["relation"],
        why=told["why"],
        source=QuotedSource.of(told["evidence"]) if told.get("evidence") else None,
    )


def _evidence(told: Iterable[Json]) -> tuple[EvidenceForClaim, ...]:
    return tuple(
        EvidenceForClaim(each["reason"], each["confidence"], QuotedSource.of(each["source"])) for each in told
    )


@dataclass(frozen=True)
class ProvedSentence:
    """A sentence of an answer, `answer.text[start:end] == text`, and what supports it.

    `origin` is quoted, derived or generated; `facts` are the IRIs of the facts that it cites in the trace.
    """

    text: str
    start: int
    end: int
    supported: bool
    origin: str
    sources: tuple[QuotedSource, ...]
    facts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class ProofStep:
    """One operation on the way to a short answer, the `earlier` steps whose values it used, and the words it read."""

    operation: str
    value: str
    explanation: str
    inputs: tuple[str, ...] = ()
    quotations: tuple[str, ...] = ()
    earlier: tuple[ProofStep, ...] = ()


@dataclass(frozen=True)
class AnswerProof:
    """Why the answer is what it is: the last step of the short answer's derivation, and the facts that were selected.

    `trace` is the whole trace as the service tells it.
    """

    step: ProofStep | None
    facts: tuple[ProvedFact, ...]
    trace: Json = field(repr=False)

    @staticmethod
    def of(trace: Json) -> AnswerProof:
        answer = trace.get("answer") or {}
        return AnswerProof(
            step=_last_step(answer.get("short_answer")),
            facts=tuple(map(ProvedFact.of, trace.get("selected", ()))),
            trace=trace,
        )


def _last_step(short: Json | None) -> ProofStep | None:
    if not short:
        return None
    told = {step["id"]: step for step in short["steps"]}

    def step(name: str) -> ProofStep:
        own = told[name]
        return ProofStep(
            operation=own["operation"],
            value=own["value"],
            explanation=own["explanation"],
            inputs=tuple(own.get("inputs", ())),
            quotations=tuple(own.get("quotations", ())),
            earlier=tuple(step(each) for each in own.get("earlier", ()) if each in told),
        )

    return step(short["derivation"]) if short["derivation"] in told else None


@dataclass(frozen=True)
class ProvedAnswer:
    """An answer. `outcome` is answered or refused; `short_answer` is None where nothing short is proved.

    `proof` is None where it was not asked for. In a notebook the answer shows itself with all that supports it.
    """

    question: str
    text: str
    outcome: str
    session: str
    short_answer: str | None
    sentences: tuple[ProvedSentence, ...]
    short_answer_kind: str = ""
    proof: AnswerProof | None = None
    verdict: ProvedVerdict | None = None
    model: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def sources(self) -> tuple[QuotedSource, ...]:
        """The words that the sentences cite, each once, in the order of their first citation."""
        return tuple(dict.fromkeys(source for sentence in self.sentences for source in sentence.sources))

    def _repr_html_(self) -> str:
        return answer_page(self)

    @staticmethod
    def of(question: str, told: Json, text: str | None = None) -> ProvedAnswer:
        """Of a whole reply; or of the last message of a stream, whose `text` came before."""
        whole = told["response"] if text is None else text
        short = told.get("short_answer") or {}
        return ProvedAnswer(
            question=question,
            text=whole,
            outcome=told.get("outcome", ""),
            session=told.get("session", ""),
            short_answer=short.get("text"),
            short_answer_kind=short.get("kind", ""),
            sentences=tuple(_sentence(whole, citation) for citation in told.get("citations") or ()),
            verdict=ProvedVerdict.of(question, told) if told.get("verdict") else None,
            model=told.get("model") or "",
            warnings=tuple(told.get("warnings") or ()),
        )

    def proved(self, trace: Json) -> ProvedAnswer:
        """The same with the proof that its trace holds."""
        return replace(self, proof=AnswerProof.of(trace), outcome=trace.get("outcome") or self.outcome)

    def with_context(self, pages: Mapping[str, str]) -> ProvedAnswer:
        """The same, its sources with what stands around them, from the texts of `pages` by IRI."""
        sentences = tuple(
            replace(sentence, sources=tuple(in_context(source, pages) for source in sentence.sources))
            for sentence in self.sentences
        )
        return replace(self, sentences=sentences)


def _sentence(text: str, told: Json) -> ProvedSentence:
    return ProvedSentence(
        text=text[told["start"] : told["end"]],
        start=told["start"],
        end=told["end"],
        supported=told["supported"],
        origin=told.get("origin", "quoted"),
        sources=sources_of(told.get("sources", ())),
        facts=tuple(told.get("edges", ())),
    )


CONTEXT_CHARACTERS = 160


def in_context(source: QuotedSource, pages: Mapping[str, str]) -> QuotedSource:
    """The source with the words around it, cut at spaces; as it is where its page is not among `pages`, or has been
    changed."""
    page = pages.get(source.page_iri, "")
    if page[source.start : source.end] != source.text:
        return source
    before = page[max(0, source.start - CONTEXT_CHARACTERS) : source.start]
    after = page[source.end : source.end + CONTEXT_CHARACTERS]
    if source.start > CONTEXT_CHARACTERS:
        before = "…" + before[before.find(" ") + 1 :]
    if source.end + CONTEXT_CHARACTERS < len(page):
        after = after[: after.rfind(" ") + 1] + "…"
    return replace(source, before=before, after=after)


@dataclass(frozen=True)
class StepEvent:
    """A step of the answer that is recorded: its name, its IRI, and its statements as terms in JSON."""

    step: str
    iri: str
    triples: tuple[Json, ...] = field(repr=False, default=())


@dataclass(frozen=True)
class TextEvent:
    """The next words of the answer."""

    text: str


@dataclass(frozen=True)
class AnswerEvent:
    """The end: the whole answer."""

    answer: ProvedAnswer


AskEvent = StepEvent | TextEvent | AnswerEvent


class AnswerStream:
    """The messages of one streamed answer, as events."""

    def __init__(self, question: str) -> None:
        self._question = question
        self._text: list[str] = []
        self.session = ""
        self.ended: ProvedAnswer | None = None

    def events(self, message: Mapping[str, Any]) -> Iterator[StepEvent | TextEvent]:
        """What one message tells. The last one sets `ended`. Raises the error with which an answer failed."""
        if message["message_type"] == "explain":
            iri = message["explain_id"]
            self.session = self.session or iri
            yield StepEvent(_step_name(iri), iri, tuple(message.get("explain_triples") or ()))
            return
        if words := message.get("response"):
            self._text.append(words)
            yield TextEvent(words)
        if failed := message.get("error"):
            raise error_of_kind(failed["type"], failed["message"])
        if message.get("end_of_session"):
            told = {**message, "session": self.session}
            self.ended = ProvedAnswer.of(self._question, told, "".join(self._text))

    def answer(self) -> ProvedAnswer:
        """The whole answer. Raises `Unavailable` where the stream broke off."""
        if self.ended is None:
            raise Unavailable("The service stopped before the answer was complete. Ask again.")
        return self.ended


def _step_name(iri: str) -> str:
    """`urn:trustgraph:prov:grounding:…` → grounding; the first steps are named `urn:trustgraph:session:…`."""
    parts = iri.split(":")
    return parts[3] if parts[2] == "prov" else parts[2]
