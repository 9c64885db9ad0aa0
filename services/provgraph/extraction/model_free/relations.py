"""From clauses to drafts of facts: the words of the relation, and which argument it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from provgraph.extraction.model_free.clauses import Clause
from provgraph.extraction.model_free.definitions import Draft
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.subjects import Adjunct
from provgraph.extraction.model_free.values import read_value
from provgraph.extraction.model_free.whole_clauses import ClauseWording, whole_clause
from provgraph.extraction.model_free.word_classes import (
    ADVERBIAL,
    ATTACHING,
    BETWEEN,
    COMPLETING,
    CONDITIONAL,
    DOUBTFUL,
    NEITHER,
    REPORTING,
    SELF_SUFFICIENT,
    TIME_AND_PLACE,
)

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
_IS = {"is": "has", "are": "has", "was": "had", "were": "had"}
_FULL_DATE = 10
_MAX_ATTACHED = 8
_MAX_DEFINING = 10
MAX_RELATION_WORDS = 8


def clause_drafts(sentence: Sentence, clause: Clause, verbatim: bool) -> Iterator[Draft]:
    """The facts of one clause; none where it is conditional."""
    if clause.subordinate in CONDITIONAL or (clause.verb.kind == "g" and not verbatim):
        return
    if any(token.lower in NEITHER for token in sentence.tokens):
        return
    wording = _wording(sentence, clause, verbatim)
    for subject in clause.subjects:
        if verbatim:
            yield from whole_clause(sentence, clause, wording, subject)
            continue
        of_subject = replace(wording, certainty=wording.certainty - _vagueness(sentence, subject))
        yield from _objects(sentence, clause, of_subject, subject)
        yield from _adjuncts(sentence, clause, of_subject, subject)


def _vagueness(sentence: Sentence, subject: Phrase) -> float:
    """What a subject that is no name takes from the confidence: "a pump" more than "the pump"."""
    if "P" in sentence.tags[subject.start : subject.end] or sentence.tags[subject.start] == "O":
        return 0.0
    return 0.15 if sentence.tokens[subject.start].lower in ("a", "an", "some", "one") else 0.05


def _wording(sentence: Sentence, clause: Clause, verbatim: bool) -> ClauseWording:
    verb = clause.verb
    tags = sentence.tags[verb.start : verb.end]
    start = verb.start
    while verbatim and start and sentence.tags[start - 1] == "R":
        start -= 1
    tokens = sentence.tokens[start : verb.end]
    words = [_wording_of(t.lower, verbatim) for t in tokens if verbatim or t.tag != "R"]
    if clause.prefix is not None:
        words = [t.lower for t in sentence.tokens[clause.prefix.start : clause.prefix.end]] + words
    if verb.kind == "l" and not verbatim:
        words.insert(0, "was")
    certainty = 0.8 if verb.kind == "v" else 0.7 if verb.kind == "l" else 0.5
    certainty -= 0.15 * bool(clause.subordinate) + 0.2 * any(word in DOUBTFUL for word in words)
    certainty -= 0.05 * (clause.distance > 3) + 0.1 * (clause.distance > 12)
    return ClauseWording(" ".join(words), tags.rstrip("XR")[-1:] in ("B", "b"), certainty)


def _wording_of(word: str, verbatim: bool) -> str:
    """A contraction in full; in the text's own words only where it stands for a form of be or have."""
    return word if verbatim and not word.startswith(("'", "’")) else _EXPANDED.get(word, word)


def _objects(sentence: Sentence, clause: Clause, wording: ClauseWording, subject: Phrase) -> Iterator[Draft]:
    for phrase in clause.objects:
        if phrase is not clause.objects[0] and wording.copular and sentence.tags[phrase.start] == "S":
            continue
        relation = wording.base
        if clause.complement is not None:
            relation += " " + sentence.words(clause.complement.start, clause.complement.end).lower()
        bare = sentence.tags[phrase.start] != "D"
        if wording.copular and _indefinite(sentence, clause.objects[0] if bare else phrase):
            relation += " a"
        owner = _owner(sentence, subject) if wording.base in _IS else None
        if owner is not None and not _indefinite(sentence, phrase):
            rest = sentence.words(owner.end + 1, subject.end).lower()
            yield Draft(owner, f"{_IS[wording.base]} {rest}", phrase, wording.certainty)
            continue
        attached = phrase if len(clause.objects) > 1 else _attached(sentence, clause, phrase)
        yield Draft(subject, relation, attached, wording.certainty + 0.05 * wording.copular)


def _owner(sentence: Sentence, subject: Phrase) -> Phrase | None:
    """France, in "France's capital is Paris"."""
    tags = sentence.tags[subject.start : subject.end]
    mark = tags.rfind("A")
    if mark < 1 or len(tags) - mark > 4 or tags[mark - 1] != "P" or "o" in tags:
        return None
    return Phrase(subject.start, subject.start + mark, subject.start + mark)


def _indefinite(sentence: Sentence, phrase: Phrase) -> bool:
    return sentence.tokens[phrase.start].lower in ("a", "an")


def _attached(sentence: Sentence, clause: Clause, phrase: Phrase) -> Phrase:
    """The object with the prepositional phrases that belong to it: "an opening under the house"."""
    end = phrase.end
    defining = sentence.tokens[clause.verb.end - 1].tag == "B"
    if sentence.tags[phrase.head - 1] != "N":
        return phrase
    for adjunct in clause.adjuncts:
        if adjunct.preposition != end or sentence.is_date(adjunct.members[0]):
            break
        preposition = sentence.tokens[adjunct.preposition].lower
        if preposition not in ATTACHING and not (defining and preposition == "by"):
            break
        if sentence.tokens[adjunct.members[0].head - 1].lower in ADVERBIAL:
            break
        longer = adjunct.members[-1].end
        if longer - phrase.start > (_MAX_DEFINING if defining else _MAX_ATTACHED):
            break
        end = longer
    return Phrase(phrase.start, end, phrase.head)


def _adjuncts(sentence: Sentence, clause: Clause, wording: ClauseWording, subject: Phrase) -> Iterator[Draft]:
    if wording.copular and len(clause.objects) > 1:
        return
    if clause.objects and sentence.tags[clause.objects[0].start] == "O":
        return
    if (
        not clause.objects
        and clause.verb.kind == "v"
        and sentence.tokens[clause.verb.end - 1].lower in REPORTING
    ):
        return
    for position, adjunct in enumerate(clause.adjuncts):
        if position and not _belongs_to_verb(sentence, clause.adjuncts[position - 1], adjunct):
            continue
        less = replace(wording, certainty=wording.certainty - 0.05)
        if position == 1:
            less = _with_first_adjunct(sentence, clause, less)
        yield from _adjunct(sentence, clause, less, (subject, adjunct))
    for adjunct in clause.leading:
        in_time_or_place = (
            adjunct.preposition < 0 or sentence.tokens[adjunct.preposition].lower in TIME_AND_PLACE
        )
        in_time_or_place &= sentence.tokens[adjunct.preposition].lower not in ("by", "from")
        named = in_time_or_place and sentence.tags[adjunct.members[0].head - 1] == "P"
        if named or sentence.is_date(adjunct.members[0]):
            less = replace(wording, certainty=wording.certainty - 0.1)
            if clause.adjuncts:
                less = _with_first_adjunct(sentence, clause, less)
            yield from _adjunct(sentence, clause, less, (subject, adjunct))


def _with_first_adjunct(sentence: Sentence, clause: Clause, wording: ClauseWording) -> ClauseWording:
    """Moved to Paris (in 1780), served as mayor (until 1980): a verb that says little without where to or as what."""
    first = clause.adjuncts[0]
    if clause.objects or first.preposition < 0 or len(first.members) > 1:
        return wording
    member = first.members[0]
    verb = sentence.tokens[clause.verb.end - 1]
    named = verb.tag in "Vv" and sentence.tags[member.head - 1] == "P" and verb.lower not in SELF_SUFFICIENT
    if not named and sentence.tokens[first.preposition].lower not in COMPLETING:
        return wording
    start = member.start + (sentence.tags[member.start] in "DS")
    words = _lowered(sentence, start, member.end)
    longer = f"{wording.base} {_preposition(sentence, first, member)} {words}"
    return replace(wording, base=longer) if len(longer.split()) < MAX_RELATION_WORDS else wording


def _belongs_to_verb(sentence: Sentence, previous: Adjunct, adjunct: Adjunct) -> bool:
    """Whether a later argument is surely the verb's: a date, or a place after a name or a date."""
    if sentence.is_date(adjunct.members[0]):
        return True
    heads = sentence.tags[previous.members[0].head - 1] + sentence.tags[adjunct.members[0].head - 1]
    return heads in ("PP", "YP") and sentence.tokens[adjunct.preposition].lower in ("in", "at", "on")


def _adjunct(
    sentence: Sentence, clause: Clause, wording: ClauseWording, ends: tuple[Phrase, Adjunct]
) -> Iterator[Draft]:
    subject, adjunct = ends
    for member in adjunct.members:
        preposition = _preposition(sentence, adjunct, member)
        if preposition in BETWEEN:
            continue
        relation = _relation_to_adjunct(sentence, clause, wording, preposition)
        if relation and sentence.tokens[member.head - 1].lower not in ADVERBIAL:
            yield Draft(subject, relation, member, wording.certainty)


def _relation_to_adjunct(sentence: Sentence, clause: Clause, wording: ClauseWording, preposition: str) -> str:
    """Won in; made offer on; replaced Nero with. Empty where it would say what the sentence does not."""
    words = wording.base
    if clause.complement is not None:
        words += " " + sentence.words(clause.complement.start, clause.complement.end).lower()
    if not clause.objects or clause.objects[0].start < clause.verb.start:
        return f"{words} {preposition}"
    phrase, last = clause.objects[0], clause.objects[-1]
    if sentence.tokens[phrase.head - 1].lower == "one":
        return ""
    start = phrase.start + (sentence.tags[phrase.start] in "DS" and not wording.copular)
    whole = _lowered(sentence, start, last.end)
    if len(whole.split()) + len(words.split()) < MAX_RELATION_WORDS:
        return f"{words} {whole} {preposition}"
    if len(clause.objects) > 1 or phrase.end > phrase.head or "P" in sentence.tags[start : phrase.end]:
        return ""
    if phrase.head - start > 4:
        start = phrase.head - 1
    return f"{words} {_lowered(sentence, start, phrase.head)} {preposition}"


def _lowered(sentence: Sentence, start: int, end: int) -> str:
    """The words of a relation, in small letters where none of them is a name."""
    words = sentence.words(start, end)
    return words if "P" in sentence.tags[start:end] else words.lower()


def _preposition(sentence: Sentence, adjunct: Adjunct, member: Phrase) -> str:
    if adjunct.preposition >= 0:
        words = sentence.tokens[adjunct.preposition : adjunct.members[0].start]
        preposition = " ".join(token.lower for token in words if token.tag != "R")
        return "until" if preposition == "to" and sentence.is_date(adjunct.members[0]) else preposition
    found = read_value(sentence.words(member.start, member.end))
    return "on" if found and len(found.lexical) == _FULL_DATE else "in"
