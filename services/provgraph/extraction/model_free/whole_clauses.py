"""A clause as one fact in the words of the sentence, as open information extraction has it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.extraction.model_free.clauses import Clause
from provgraph.extraction.model_free.definitions import Draft
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.word_classes import REPORTING


@dataclass(frozen=True)
class ClauseWording:
    """How a clause is worded: `base` is its relation, `copular` says that only a form of be stands there."""

    base: str
    copular: bool
    certainty: float


def whole_clause(
    sentence: Sentence, clause: Clause, wording: ClauseWording, subject: Phrase
) -> Iterator[Draft]:
    """The clause as one fact: all that follows the verb is its object, leading adjuncts at the end."""
    first = clause.shared_from or clause.verb.end
    last = _end_of_whole(sentence, clause)
    relation = wording.base
    if (
        not clause.objects
        and clause.complement is None
        and clause.adjuncts
        and clause.adjuncts[0].preposition >= 0
    ):
        first = clause.adjuncts[0].members[0].start
        relation = " ".join(
            [relation, *(t.lower for t in sentence.tokens[clause.shared_from or clause.verb.end : first])]
        )
    parts = [sentence.words(first, last)] if last > first else []
    if clause.objects and clause.objects[0].start < clause.verb.start:
        parts.append(sentence.words(clause.objects[0].start, clause.objects[-1].end))
    for adjunct in clause.leading:
        start = adjunct.preposition if adjunct.preposition >= 0 else adjunct.members[0].start
        parts.append(sentence.words(start, adjunct.members[-1].end))
    if parts:
        yield Draft(subject, relation, " ".join(parts), wording.certainty)


def _end_of_whole(sentence: Sentence, clause: Clause) -> int:
    """The token after the last that belongs to the clause, with infinitives and reported clauses."""
    chunks, kinds = sentence.chunks, sentence.kinds
    position = clause.end
    reported = sentence.tokens[clause.verb.end - 1].lower in REPORTING
    while position < len(chunks):
        kind = kinds[position]
        if kind in ".:" or (kind in "vWQ" and not reported):
            break
        if kind in ",Uu" and not reported:
            break
        if kind == "Z" and sentence.tokens[chunks[position].start].lower != "that" and not reported:
            break
        position += 1
    while position > clause.end and kinds[position - 1] in ',"UuIzZ':
        position -= 1
    return chunks[position - 1].end if position else clause.verb.end
