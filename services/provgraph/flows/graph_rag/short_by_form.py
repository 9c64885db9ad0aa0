"""A quoted answer in a language that no parser reads, begun with what its first sentence has of what is asked for."""

from __future__ import annotations

from dataclasses import replace

from provgraph.derivation.by_form import answer_by_form
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.derivation import AnswerKind, Derivation, SentenceInput
from provgraph.flows.runner.reading_passages import is_english
from provgraph.language.languages import language_of
from provgraph.provenance.trace import Origin, SessionOutcome


def with_short_answer(draft: DraftAnswer, question: str) -> DraftAnswer:
    """The same where it is a refusal, in English, or its first sentence has nothing of the kind that is asked for."""
    if not draft.sentences or draft.ending() is not SessionOutcome.ANSWERED or is_english(question):
        return draft
    first = draft.sentences[0]
    sentence = draft.text[first.start : first.end]
    short = answer_by_form(question, sentence, is_sure=language_of(sentence) == language_of(question))
    if short is None:
        return draft
    derivation = Derivation()
    why = f"What the sentence has of what is asked for, by its form: “{short.text}”."
    derivation.step("choose", [SentenceInput(1)], short.text, why)
    lead = f"{short.text}. "
    moved = tuple(
        replace(each, start=each.start + len(lead), end=each.end + len(lead)) for each in draft.sentences
    )
    own = AnswerSentence(0, len(lead) - 1, first.words, first.edges, first.chunks, origin=Origin.DERIVED)
    return replace(
        draft,
        text=lead + draft.text,
        sentences=(own, *moved),
        short_answer=derivation.short_answer(AnswerKind(short.kind), short.text),
    )
