"""What is measured: a flow of the service, asked, its answer read, its trace and its pages looked up; and the baseline
that stands beside every flow: plain passage RAG, without a graph and without provenance.

The baseline takes the best passages by BM25 (Robertson and Zaragoza 2009), as the service ranks them; then, without a
model, the sentence among them that has most of the question, and with one, a single prompt.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from provgraph.evaluation.judging import Prompting
from provgraph.evaluation.passages import PassageIds
from provgraph.evaluation.questions import (
    NOT_ENOUGH_INFO,
    PASSAGE_RAG,
    REFUTES,
    SUPPORTS,
    Triple,
    known_label,
)
from provgraph.evaluation.replies import (
    ANSWERED,
    FAILED,
    REFUSED,
    WITHOUT,
    CitedWords,
    ContextPassage,
    Declined,
    EvaluatedService,
    Json,
    ReplySentence,
    SystemReply,
)
from provgraph.evaluation.wordings import QuestionWording, says_unknown
from provgraph.language.overlap import ENOUGH
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms, terms

_LABEL_FIRST: Final = re.compile(r"\A\W*(SUPPORTS|REFUTES|NOT ENOUGH INFO(?:RMATION)?)\b")


@dataclass(frozen=True)
class FlowSystem:
    """`flow` is asked with `options` beside the question, as members of its request."""

    service: EvaluatedService
    flow: str
    options: Mapping[str, Any]
    ids: PassageIds

    @property
    def name(self) -> str:
        return self.flow

    def reply(self, wording: QuestionWording, collection: str) -> SystemReply:
        """The answer, measured in time, with what its trace says of it. A question that the service declines comes back
        as failed; raises `Unavailable` when the service is gone."""
        body = {**self.options, "query": wording.text, "collection": collection}
        system_reply = SystemReply(self.name, wording.question.id, wording.variant, wording.text)
        started = time.perf_counter()
        try:
            answer = self.service.ask(self.flow, body)
        except Declined as declined:
            return replace(system_reply, outcome=FAILED, problem=str(declined))
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        return self._read(replace(system_reply, milliseconds=milliseconds), answer, collection)

    def without(self, wording: QuestionWording, reply: SystemReply, collection: str) -> SystemReply | None:
        """The answer when what the reply cites is left out: its edges, or else its documents; None where nothing is
        cited. Raises `Declined` where the flow cannot leave anything out."""
        if not reply.cited:
            return None
        left_out = {"edges": list(reply.edges)} if reply.edges else {"documents": self._documents(reply)}
        body = {**self.options, "query": wording.text, "collection": collection, "without": left_out}
        system_reply = SystemReply(self.name, wording.question.id, WITHOUT, wording.text)
        return _with_answer(system_reply, self.service.ask(self.flow, body))

    def _documents(self, reply: SystemReply) -> list[str]:
        return [
            self.ids.document(passage) for passage in dict.fromkeys(words.passage for words in reply.cited)
        ]

    def _read(self, reply: SystemReply, answer: Json, collection: str) -> SystemReply:
        system_reply = _with_answer(reply, answer)
        verdict, citations = answer.get("verdict") or {}, answer.get("citations") or []
        trace = self._trace(system_reply)
        return replace(
            system_reply,
            sentences=tuple(self._sentence(citation, collection) for citation in citations),
            context=tuple(self._context(trace, verdict, citations)),
            facts=_facts(trace, verdict),
            edges=tuple(dict.fromkeys(edge for citation in citations for edge in citation.get("edges", ()))),
        )

    def _trace(self, reply: SystemReply) -> Json:
        """Nothing for a flow without traces."""
        try:
            return self.service.trace(reply.session) if reply.session else {}
        except Declined:
            return {}

    def _sentence(self, citation: Json, collection: str) -> ReplySentence:
        return ReplySentence(
            citation["start"],
            citation["end"],
            bool(citation.get("supported")),
            tuple(self._cited(source, collection) for source in citation.get("sources", ())),
        )

    def _cited(self, source: Json, collection: str) -> CitedWords:
        start, end, text = source["start"], source["end"], source["text"]
        try:
            exact = self.service.page_text(collection, source["page"])[start:end] == text
        except Declined:
            exact = False
        return CitedWords(self.ids.passage(source["document"]), source["title"], text, start, end, exact)

    def _context(self, trace: Json, verdict: Json, citations: Sequence[Json]) -> Iterable[ContextPassage]:
        """What was selected, best first; then what is cited and was not selected by a name that the trace has."""
        seen = set()
        for document, text in (*_selected(trace), *_evidence(verdict), *_sources(citations)):
            passage = ContextPassage(self.ids.passage(document), text)
            if passage not in seen:
                seen.add(passage)
                yield passage


def _with_answer(reply: SystemReply, answer: Json) -> SystemReply:
    """What the answer itself tells, without what is looked up of it."""
    text = str(answer.get("response") or "")
    label = (answer.get("verdict") or {}).get("label", "")
    return replace(
        reply,
        text=text,
        outcome=REFUSED if answer.get("outcome") == REFUSED else ANSWERED,
        label=known_label(label) or _label_first(text),
        session=str(answer.get("session") or ""),
    )


def _selected(trace: Json) -> Iterable[tuple[str, str]]:
    chosen = [*(trace.get("selected") or ()), *(trace.get("selected_chunks") or ())]
    for each in sorted(chosen, key=lambda each: -float(each.get("score") or 0.0)):
        if "chunk" in each:
            yield str(each["chunk"]).partition("/chunk/")[0], ""
        for source in each.get("sources", ()):
            yield source["document"], source["text"]


def _evidence(verdict: Json) -> Iterable[tuple[str, str]]:
    for each in (*verdict.get("for", ()), *verdict.get("against", ())):
        yield each["source"]["document"], each["source"]["text"]


def _sources(citations: Sequence[Json]) -> Iterable[tuple[str, str]]:
    for citation in citations:
        for source in citation.get("sources", ()):
            yield source["document"], source["text"]


def _facts(trace: Json, verdict: Json) -> tuple[Triple, ...] | None:
    """The edges behind an answer; None for a flow that answers without any."""
    told = [*(trace.get("selected") or ())]
    told += [
        fact
        for side in ("for", "against")
        for each in verdict.get(side, ())
        for fact in each.get("facts", ())
    ]
    if not told and not trace.get("edge_count"):
        return None
    return tuple(dict.fromkeys((each["subject"], each["relation"], each["object"]) for each in told))


def _label_first(text: str) -> str:
    match = _LABEL_FIRST.match(text)
    return known_label(match[1]) if match else ""


PASSAGES: Final = 4
"""As many as the flow `verify` reads, and what fits any model."""

_REFUSAL: Final = "No answer found."
_NEGATIVE: Final = re.compile(
    r"(?<!\w)(?:not|no|never|none|nobody|without|neither|cannot)(?!\w)|n['’]t(?!\w)", re.IGNORECASE
)


@dataclass(frozen=True)
class PassageRag:
    """`prompting` is the model, where there is one; `ids` names the passages as the data set does."""

    service: EvaluatedService
    ids: PassageIds
    prompting: Prompting | None = None
    name: str = PASSAGE_RAG

    def reply(self, wording: QuestionWording, collection: str) -> SystemReply:
        """The answer, with the passages that were read as its context; it cites nothing."""
        system_reply = SystemReply(self.name, wording.question.id, wording.variant, wording.text)
        started = time.perf_counter()
        try:
            found = self.service.retrieve(
                {"query": wording.text, "collection": collection, "method": "bm25", "limit": PASSAGES}
            )
            chunks = found.get("chunks", [])[:PASSAGES]
            text, label = self._answer(wording, chunks)
        except Declined as declined:
            return replace(system_reply, outcome=FAILED, problem=str(declined))
        return replace(
            system_reply,
            text=text,
            label=label,
            outcome=REFUSED if says_unknown(text) and not label else system_reply.outcome,
            context=tuple(
                ContextPassage(self.ids.passage(chunk["document"]), chunk["text"]) for chunk in chunks
            ),
            milliseconds=round((time.perf_counter() - started) * 1000, 1),
        )

    def without(self, wording: QuestionWording, reply: SystemReply, collection: str) -> SystemReply | None:
        """Nothing is cited, so nothing can be left out."""

    def _answer(self, wording: QuestionWording, chunks: Sequence[Json]) -> tuple[str, str]:
        claim = bool(wording.question.label)
        if self.prompting:
            text = self.prompting.answer(wording.text, chunks, claim)
            first = text.partition("\n")[0].strip(" .:*")
            return text, known_label(first) if claim else ""
        share, sentence = best_sentence(wording.text, chunks)
        if claim:
            return sentence or _REFUSAL, label_by_words(wording.text, share, sentence)
        return sentence or _REFUSAL, ""


def best_sentence(question: str, chunks: Sequence[Json]) -> tuple[float, str]:
    """The sentence that has the largest share of the question's content terms, the first of the best; nothing where
    none has any."""
    asked = content_terms(question)
    best = (0.0, "")
    for chunk in chunks:
        for start, end in sentence_spans(chunk["text"]):
            sentence = chunk["text"][start:end]
            share = len(asked.keys() & set(terms(sentence))) / max(len(asked), 1)
            if share > best[0]:
                best = share, sentence
    return best


def label_by_words(claim: str, share: float, sentence: str) -> str:
    """NOT ENOUGH INFO below 0.6 of the claim's words; else SUPPORTS, or REFUTES where one of the two is a denial and
    the other is not."""
    if share < ENOUGH:
        return NOT_ENOUGH_INFO
    denials = [bool(_NEGATIVE.search(text)) for text in (claim, sentence)]
    return REFUTES if denials[0] != denials[1] else SUPPORTS
