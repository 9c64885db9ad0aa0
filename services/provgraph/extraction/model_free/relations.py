"""From clauses to drafts of facts: the words of the relation, and which argument it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from provgraph.extraction.model_free.clauses import REPORTING, Adjunct, Clause
from provgraph.extraction.model_free.definitions import Draft
from provgraph.extraction.model_free.sentence import Phrase, Sentence

_EXPANDED = {
    "n't": "not",
    "n’t": "not",
    "ca": "can",
    "wo": "will",
    "'s": "is",
    "’s": "is",
    "'re": "are",
    "'ve": "have",
}
_CONDITIONAL = frozenset(("if", "unless", "whether", "lest"))
_DOUBTFUL = frozenset(["may", "might", "could", "would", "should", "can", "must"])
_MAX_ATTACHED = 8


@dataclass(frozen=True)
class Wording:
    """How a clause is worded: `base` is its relation, `copular` says that only a form of be stands there."""

    base: str
    copular: bool
    certainty: float


def clause_drafts(sentence: Sentence, clause: Clause, verbatim: bool) -> Iterator[Draft]:
    """The facts of one clause; none where it is conditional."""
    if clause.subordinate in _CONDITIONAL:
        return
    wording = _wording(sentence, clause, verbatim)
    for subject in clause.subjects:
        if verbatim:
            yield from _whole(sentence, clause, wording, subject)
            continue
        yield from _objects(sentence, clause, wording, subject)
        yield from _adjuncts(sentence, clause, wording, subject)


def _wording(sentence: Sentence, clause: Clause, verbatim: bool) -> Wording:
    verb = clause.verb
    tags = sentence.tags[verb.start : verb.end]
    tokens = sentence.tokens[verb.start : verb.end]
    words = [_EXPANDED.get(t.lower, t.lower) for t in tokens if verbatim or t.tag != "R"]
    if clause.prefix is not None:
        words = [t.lower for t in sentence.tokens[clause.prefix.start : clause.prefix.end]] + words
    if verb.kind == "l" and not verbatim:
        words.insert(0, "was")
    certainty = 0.8 if verb.kind == "v" else 0.7 if verb.kind == "l" else 0.5
    certainty -= 0.15 * bool(clause.subordinate) + 0.2 * any(word in _DOUBTFUL for word in words)
    certainty -= 0.05 * (clause.distance > 3) + 0.1 * (clause.distance > 12)
    return Wording(" ".join(words), not set(tags) - set("BbXRMH"), certainty)


def _objects(sentence: Sentence, clause: Clause, wording: Wording, subject: Phrase) -> Iterator[Draft]:
    for phrase in clause.objects:
        relation = wording.base
        if clause.complement is not None:
            relation += " " + sentence.words(clause.complement.start, clause.complement.end).lower()
        if wording.copular and sentence.tokens[phrase.start].lower in ("a", "an"):
            relation += " a"
        attached = phrase if len(clause.objects) > 1 else _attached(sentence, clause, phrase)
        yield Draft(subject, relation, attached, wording.certainty + 0.05 * wording.copular)


def _attached(sentence: Sentence, clause: Clause, phrase: Phrase) -> Phrase:
    """The object with the prepositional phrases that belong to it: "an opening under the house"."""
    end = phrase.end
    if sentence.tags[phrase.head - 1] != "N":
        return phrase
    for adjunct in clause.adjuncts:
        if adjunct.preposition != end or _is_date(sentence, adjunct):
            break
        longer = adjunct.members[-1].end
        if longer - phrase.start > _MAX_ATTACHED:
            break
        end = longer
    return Phrase(phrase.start, end, phrase.head)


def _is_date(sentence: Sentence, adjunct: Adjunct) -> bool:
    first = adjunct.members[0]
    return sentence.tags[first.start] == "Y"


def _adjuncts(sentence: Sentence, clause: Clause, wording: Wording, subject: Phrase) -> Iterator[Draft]:
    relation = _relation_to_adjuncts(sentence, clause, wording)
    for adjunct in clause.adjuncts:
        for member in adjunct.members:
            words = f"{relation} {_preposition(sentence, adjunct, member)}"
            yield Draft(subject, words, member, wording.certainty - 0.05)
    for adjunct in clause.leading:
        if _is_date(sentence, adjunct) or sentence.tags[adjunct.members[0].head - 1] == "P":
            for member in adjunct.members:
                words = f"{relation} {_preposition(sentence, adjunct, member)}"
                yield Draft(subject, words, member, wording.certainty - 0.1)


def _relation_to_adjuncts(sentence: Sentence, clause: Clause, wording: Wording) -> str:
    """Won + in; made + offer + on: a common noun as object stays in the relation, a name does not."""
    words = wording.base
    if clause.complement is not None:
        return words + " " + sentence.words(clause.complement.start, clause.complement.end).lower()
    if len(clause.objects) == 1:
        phrase = clause.objects[0]
        if sentence.tags[phrase.head - 1] == "N" and phrase.head - phrase.start <= 4:
            start = phrase.start + (sentence.tags[phrase.start] in "DS" and not wording.copular)
            return f"{words} {sentence.words(start, phrase.head).lower()}"
    return words


def _preposition(sentence: Sentence, adjunct: Adjunct, member: Phrase) -> str:
    if adjunct.preposition >= 0:
        words = sentence.tokens[adjunct.preposition : adjunct.members[0].start]
        return " ".join(token.lower for token in words if token.tag != "R")
    return "in" if sentence.words(member.start, member.end).isdigit() else "on"


def _whole(sentence: Sentence, clause: Clause, wording: Wording, subject: Phrase) -> Iterator[Draft]:
    """The clause as one fact: all that follows the verb is its object, leading adjuncts at the end."""
    first = clause.verb.end
    last = _end_of_whole(sentence, clause)
    relation = wording.base
    if not clause.objects and clause.complement is None and clause.adjuncts and clause.adjuncts[0].preposition >= 0:
        first = clause.adjuncts[0].members[0].start
        relation = " ".join([relation, *(t.lower for t in sentence.tokens[clause.verb.end : first])])
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
