"""The baseline that stands beside every flow: plain passage RAG, without a graph and without provenance.

The best passages by BM25 (Robertson and Zaragoza 2009), as the service ranks them; then, without a model, the sentence
among them that has most of the question, and with one, a single prompt.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.evaluation.passages import PassageIds
from provgraph.evaluation.prompting import Prompting
from provgraph.evaluation.questions import NOT_ENOUGH_INFO, PASSAGE_RAG, REFUTES, SUPPORTS, known_label
from provgraph.evaluation.replies import FAILED, REFUSED, ContextPassage, SystemReply
from provgraph.evaluation.service import Declined, EvaluatedService, Json
from provgraph.evaluation.wording import says_unknown
from provgraph.evaluation.wordings import QuestionWording
from provgraph.language.overlap import ENOUGH
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms, terms

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
        begun = SystemReply(self.name, wording.question.id, wording.variant, wording.text)
        started = time.perf_counter()
        try:
            found = self.service.retrieve(
                {"query": wording.text, "collection": collection, "method": "bm25", "limit": PASSAGES}
            )
            chunks = found.get("chunks", [])[:PASSAGES]
            text, label = self._answer(wording, chunks)
        except Declined as declined:
            return replace(begun, outcome=FAILED, problem=str(declined))
        return replace(
            begun,
            text=text,
            label=label,
            outcome=REFUSED if says_unknown(text) and not label else begun.outcome,
            context=tuple(
                ContextPassage(self.ids.passage(each["document"]), each["text"]) for each in chunks
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
