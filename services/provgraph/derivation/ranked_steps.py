"""A ranked candidate as a derivation: the step that leads to its passage, where another passage says a good part of the
question, and the step that chooses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.derivation.answer_labels import in_full, with_its_name
from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.cues import has_word_of, relation_cues
from provgraph.derivation.evidence import Support
from provgraph.derivation.features import LinkedPassages, words_met
from provgraph.derivation.kind_fit import country_in
from provgraph.derivation.names import holds
from provgraph.derivation.ranked import RankedAnswer
from provgraph.derivation.result import CONNECT, AnswerKind, Derived, Step
from provgraph.language import wordnet
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.values import Date, Quantity

ADDS: Final = 0.2
"""What share of the question a linked passage has to add to be told as a step."""


def ranked_derivation(
    best: RankedAnswer, probability: float, asked: Asking, retrieved: LinkedPassages
) -> Derived:
    """The candidate with its steps and how likely it is right."""
    steps = list(_leading(best, retrieved))
    passage = best.candidate.passage
    label = with_its_name(asked, best.candidate, best.label)
    if asked.kind == "Person" and best.candidate.entity_type == "Person":
        alike = (p for p in retrieved.passages if p.title == passage.title or p.document == passage.document)
        label = in_full(in_full(label, *alike), *retrieved.passages)
    if asked.noun == "country" and label.endswith(
        (f" of {best.candidate.label}", f", {best.candidate.label}")
    ):
        label = best.candidate.label
    label = (asked.noun == "country" and country_in(label)) or label
    sentence = passage.sentence_at(best.candidate.span.start)
    why = f"Of what the sentences found name, it best fits what is asked (probability {probability:.2f})."
    used = (0,) if steps else ()
    steps.append(Step("choose", label, why, (Support(passage, sentence, best.candidate.span),), used))
    kind = _kind(best.candidate)
    if asked.kind == "Date" and kind in ("entity", "number"):
        kind = "span"  # "September", "after nine minutes"
    return Derived(label, kind, tuple(steps), probability)


def _leading(best: RankedAnswer, retrieved: LinkedPassages) -> Iterator[Step]:
    """The step to the passage of the answer, where another passage says a good part of the question and names it."""
    passage = best.candidate.passage
    added, linked = retrieved.chains[passage.key]
    if linked is None or added < ADDS or not linked.parsed:
        return
    words = retrieved.said[linked.key] - retrieved.said[passage.key]
    texts = {s: linked.text[s.start : s.end] for s in linked.parsed}
    if linked.document == passage.document:
        about = _names_beside(best, retrieved.asked)
    else:
        about = [name for name in (passage.title, best.label, *retrieved.asked.names) if len(name) > 3]
    is_named = (
        linked.document != passage.document and bool(linked.title) and holds(passage.text, linked.title)
    )
    met = {
        s: sum(w.weight for w in words if w in words_met((w,), text) or _tells_relative(w.lemma, s))
        for s, text in texts.items()
        if is_named or any(holds(text, name) for name in about)
    }
    sentence = max(met, key=met.__getitem__, default=None)
    if sentence is None or not met[sentence]:
        return
    span = Span(sentence.start, sentence.end, linked.text[sentence.start : sentence.end])
    value = passage.title or linked.title
    yield Step(
        CONNECT, value, f"It is spoken of with {linked.title or value}.", (Support(linked, span, span),)
    )


def _tells_relative(noun: str, sentence: ParsedSentence) -> bool:
    """Whether a sentence tells who somebody's relative is: by "married", who the husband is."""
    return wordnet.is_kind_of(noun, "relative", "n") and has_word_of(
        relation_cues(noun), {token.lemma.casefold() for token in sentence.tokens}
    )


def _names_beside(best: RankedAnswer, asked: Asking) -> list[str]:
    """The names in the sentence of an answer that neither it nor the question has: within one document a sentence only
    leads to another where it tells who such a one is."""
    own = best.candidate
    within = (
        mention.name
        for mention in own.passage.reading.mentions
        if any(own.sentence.start <= span.start < own.sentence.end for span in mention.spans)
    )
    known = (best.label, own.passage.title, *asked.names)
    return [name for name in within if not any(holds(each, name) or holds(name, each) for each in known)]


def _kind(candidate: AnswerCandidate) -> AnswerKind:
    if isinstance(candidate.value, Date):
        return "date"
    if isinstance(candidate.value, Quantity):
        return "number"
    return "entity" if candidate.label[:1].isupper() else "span"
