"""A flow of the service as a system that is measured: asked, its answer read, its trace and its pages looked up."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from provgraph.evaluation.passages import PassageIds
from provgraph.evaluation.questions import Triple, known_label
from provgraph.evaluation.replies import (
    ANSWERED,
    FAILED,
    REFUSED,
    WITHOUT,
    Cited,
    ContextPassage,
    ReplySentence,
    SystemReply,
)
from provgraph.evaluation.service import Declined, EvaluatedService, Json
from provgraph.evaluation.wordings import QuestionWording

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
        begun = SystemReply(self.name, wording.question.id, wording.variant, wording.text)
        started = time.perf_counter()
        try:
            answer = self.service.ask(self.flow, body)
        except Declined as declined:
            return replace(begun, outcome=FAILED, problem=str(declined))
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        return self._read(replace(begun, milliseconds=milliseconds), answer, collection)

    def without(self, wording: QuestionWording, reply: SystemReply, collection: str) -> SystemReply | None:
        """The answer when what the reply cites is left out: its edges, or else its documents; None where nothing is
        cited. Raises `Declined` where the flow cannot leave anything out."""
        if not reply.cited:
            return None
        left_out = {"edges": list(reply.edges)} if reply.edges else {"documents": self._documents(reply)}
        body = {**self.options, "query": wording.text, "collection": collection, "without": left_out}
        begun = SystemReply(self.name, wording.question.id, WITHOUT, wording.text)
        return _said(begun, self.service.ask(self.flow, body))

    def _documents(self, reply: SystemReply) -> list[str]:
        return [self.ids.document(passage) for passage in dict.fromkeys(each.passage for each in reply.cited)]

    def _read(self, begun: SystemReply, answer: Json, collection: str) -> SystemReply:
        said = _said(begun, answer)
        verdict, citations = answer.get("verdict") or {}, answer.get("citations") or []
        trace = self._trace(said)
        return replace(
            said,
            sentences=tuple(self._sentence(each, collection) for each in citations),
            context=tuple(self._context(trace, verdict, citations)),
            facts=_facts(trace, verdict),
            edges=tuple(dict.fromkeys(edge for each in citations for edge in each.get("edges", ()))),
        )

    def _trace(self, said: SystemReply) -> Json:
        """Nothing for a flow without traces."""
        try:
            return self.service.trace(said.session) if said.session else {}
        except Declined:
            return {}

    def _sentence(self, citation: Json, collection: str) -> ReplySentence:
        return ReplySentence(
            citation["start"],
            citation["end"],
            bool(citation.get("supported")),
            tuple(self._cited(source, collection) for source in citation.get("sources", ())),
        )

    def _cited(self, source: Json, collection: str) -> Cited:
        start, end, text = source["start"], source["end"], source["text"]
        try:
            exact = self.service.page_text(collection, source["page"])[start:end] == text
        except Declined:
            exact = False
        return Cited(self.ids.passage(source["document"]), source["title"], text, start, end, exact)

    def _context(self, trace: Json, verdict: Json, citations: Sequence[Json]) -> Iterable[ContextPassage]:
        """What was selected, best first; then what is cited and was not selected by a name that the trace has."""
        seen = set()
        for document, text in (*_selected(trace), *_evidence(verdict), *_sources(citations)):
            passage = ContextPassage(self.ids.passage(document), text)
            if passage not in seen:
                seen.add(passage)
                yield passage


def _said(begun: SystemReply, answer: Json) -> SystemReply:
    """What the answer itself tells, without what is looked up of it."""
    text = str(answer.get("response") or "")
    label = (answer.get("verdict") or {}).get("label", "")
    return replace(
        begun,
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
    found = _LABEL_FIRST.match(text)
    return known_label(found[1]) if found else ""
