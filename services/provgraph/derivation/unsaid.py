"""What a candidate's sentence leaves unsaid of its question, and what that leaves of its chance to be right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.derivation.affinity import part_of, related, stems
from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.cues import has_word_of, relation_cues
from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.features import LinkedPassages, words_met
from provgraph.derivation.names import holds, words_of
from provgraph.derivation.ranked import AnswerRanking, RankedAnswer
from provgraph.derivation.result import Derived, Probable, Step
from provgraph.language import wordnet
from provgraph.language.polarity import denies
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.values import Date

_FEW_WORDS: Final = 2
_ALL_OF_FEW: Final = 0.65
"""A question of so few words and without a name is only answered by a sentence that says nearly all of them, or
that is surely read as the answer."""
_SURELY_READ: Final = 0.9
_HALF, _ALL = 0.5, 0.99
"""Or by one that says half of them and is read as the answer, where its passage says the rest."""
_UNSAID: Final = 0.6
"""What is left of the chance of an answer whose sentence has no word of the relation that is asked for."""
_SPEAKS, _SAYS_SO = 0.5, 0.75
_LIGHT: Final = frozenset("be have do make get take become come go happen occur".split())
_UNSPOKEN: Final = 0.5
"""What is left of it for each name of the question that nothing found speaks of beside the answer."""


def kept_chance(
    asked: Asking, best: RankedAnswer, ranking: AnswerRanking, retrieved: LinkedPassages, said: float = 0.0
) -> float:
    """What is left of the chance of the first for what its sentence does not say of the question, of which it says at
    least the share `said`."""
    kept = _UNSPOKEN ** len(_names_unspoken(asked, best, retrieved))
    is_told = says_verb(asked, best.candidate, is_verb=True)
    if not asked.dimensions and not (is_told or ranking.says_relation(best.candidate)):
        kept *= 0.0 if ranking.asks_event else _UNSAID
    if _asks_who_did(asked) and not is_told and best.measured["read"] < _HALF:
        kept *= _UNSAID * _UNSAID
    if wordnet.is_kind_of(asked.noun, "relative", "n") and not _says_relative(asked.noun, best.candidate):
        return 0.0
    if asked.kind == "Date" and not says_verb(asked, best.candidate):
        kept *= _UNSAID if isinstance(best.candidate.value, Date) else 0.0
    if asked.noun and not _is_told_around(best) and _has_only_the_noun(asked, best.candidate):
        kept *= _UNSAID * _UNSAID
    if not asked.names and len(asked.words) <= _FEW_WORDS and not _is_said_of_few(best, said):
        kept = 0.0
    return kept


def _asks_who_did(asked: Asking) -> bool:
    verbs = {word.lemma for word in asked.words if word.part == "v"} - _LIGHT
    is_who_or_what = asked.kind == "Person" or asked.text.casefold().startswith("what ")
    return is_who_or_what and asked.role == "subject" and asked.governor in verbs


def _says_relative(noun: str, candidate: AnswerCandidate) -> bool:
    """Whether its sentence has a word for the relative who is asked for: a husband is told by "married" as well."""
    tokens = candidate.sentence.tokens
    return has_word_of(relation_cues(noun), {token.lemma.casefold() for token in tokens}) or any(
        related(noun, "n", token.lemma.casefold(), part) >= _SPEAKS
        for token in tokens
        if (part := part_of(token))
    )


def _is_told_around(best: RankedAnswer) -> bool:
    """Whether the passage of a name says the rest of what is asked: "The auditors are Crane Bishop."."""
    return best.candidate.label[:1].isupper() and best.measured["covered together"] >= _ALL


def says_verb(asked: Asking, candidate: AnswerCandidate, *, is_verb: bool = False) -> bool:
    """Whether its sentence has a word for what the question asks the time of, or a verb with the same particle ("turns
    off", to "switch off"); where that is no verb, whether it need not be one."""
    verb = next((w for w in asked.words if w.lemma == asked.governor and w.part == "v"), None)
    if verb is None or verb.lemma in _LIGHT:
        return not is_verb or (verb is not None and _has_verb(candidate, verb.lemma))
    said = set(asked.text.casefold().rstrip("?").split())
    least = _SAYS_SO if is_verb else _SPEAKS
    return any(
        (token.relation == "compound:prt" and token.text.casefold() in said)
        or ((part := part_of(token)) and related(verb.lemma, "v", token.lemma.casefold(), part) >= least)
        for token in candidate.sentence.tokens
        if token.lemma.casefold() not in _LIGHT
    )


def _has_verb(candidate: AnswerCandidate, lemma: str) -> bool:
    return any(token.pos == "VERB" and token.lemma.casefold() == lemma for token in candidate.sentence.tokens)


def says_of_it(found: Derived, asked: Asking, question: ParsedSentence) -> bool:
    """Whether the sentence of an answer, with the one before it and its title, has anything that the question asks
    about, or a word that may stand for it: "killed fourteen people" says nothing of a fire."""
    ending = found.ending
    known = (asked.noun, asked.counted, asked.governor)
    told = [w for w in asked.words if w.part in ("n", "v") and w.lemma not in known]
    nouns = [word for w in told for word in (w.lemma, w.text)] if any(w.part == "n" for w in told) else []
    if not ending or len(found.steps) > 1:
        return True
    return any(
        _compares_as_asked(support, question)
        and _lacks_as_asked(support, question)
        and (not nouns or bool(_names_met(support, asked.names)) or _has_any(support, nouns))
        for support in ending
    )


def _names_met(support: Support, names: Sequence[str]) -> list[str]:
    return [name for name in names if holds(f"{support.passage.title}. {support.sentence.text}", name)]


def _has_any(support: Support, nouns: Sequence[str]) -> bool:
    passage, start = support.passage, support.sentence.start
    at = next((i for i, each in enumerate(passage.parsed) if each.start <= start < each.end), 0)
    tokens = [token for each in passage.parsed[max(at - 1, 0) : at + 1] for token in each.tokens]
    if any(token.text.casefold() in _STANDING and token.start >= start for token in tokens):
        return True
    if not {word.casefold() for token in tokens for word in (token.text, token.lemma)}.isdisjoint(nouns):
        return True
    said = {(token.lemma.casefold(), part) for token in tokens if (part := part_of(token))}
    said |= {(word.casefold(), "n") for word in words_of(passage.title)}
    return any(related(noun, "n", word, part) for noun in nouns for word, part in said)


def _compares_as_asked(support: Support, question: ParsedSentence) -> bool:
    """Whether a sentence says of something that it is older, where that is what is asked of several."""
    asked = [t for t in question.tokens if t.tag in ("JJR", "JJS") and t.pos == "ADJ" and t.head < 0]
    first = next(iter(question.tokens), None)
    if first is None or first.text.casefold() != "which" or not asked:
        return True
    sentence = support.parsed
    lemmas = {t.lemma.casefold() for t in sentence.tokens if t.pos == "ADJ"} if sentence else set()
    return any(related(t.lemma.casefold(), "a", lemma, "a") for t in asked for lemma in lemmas)


def _lacks_as_asked(support: Support, question: ParsedSentence) -> bool:
    """Whether a sentence has the noun that the question has behind "without", or a word that denies something."""
    without = [
        t.lemma.casefold() for t in question.tokens
        if any(c.text.casefold() == "without" for c in question.children[t.index])
    ]  # fmt: skip
    said = set(terms(support.sentence.text)) if without else set()
    return (
        not without
        or denies(support.sentence.text)
        or any(not stems(word).isdisjoint(said) for word in without)
    )


_STANDING: Final = frozenset("it its they them their this these those he him his she her here there".split())


def _has_only_the_noun(asked: Asking, candidate: AnswerCandidate) -> bool:
    """Whether its sentence has of the question's words only the noun that is asked for, and no pronoun or name that
    may stand for one of them."""
    sentence = candidate.sentence
    text = candidate.passage.text[sentence.start : sentence.end]
    nouns = tuple(word for word in asked.words if word.lemma == asked.noun)
    others = tuple(word for word in asked.words if word.lemma != asked.noun)
    span = candidate.span
    is_alone = not any(
        token.pos in ("PRON", "PROPN") and not span.start <= token.start < span.end
        for token in sentence.tokens
    )
    return bool(others) and is_alone and bool(words_met(nouns, text)) and not words_met(others, text)


def _is_said_of_few(best: RankedAnswer, said: float) -> bool:
    cover, read = max(best.measured["cover"], said), best.measured["read"]
    is_of_topic = cover >= _HALF and best.measured["covered together"] >= _ALL and read >= _HALF
    return cover >= _ALL_OF_FEW or read >= _SURELY_READ or is_of_topic


def _names_unspoken(asked: Asking, best: RankedAnswer, retrieved: LinkedPassages) -> list[str]:
    """The full names of the question that no passage of the answer's document has, none that is linked with it, and
    none that names the answer."""
    own = best.candidate.passage
    linked = {own.key, *(link.key for link in retrieved.links[own.key])}
    beside = [
        f"{passage.title}. {passage.text}"
        for passage in retrieved.passages
        if passage.key in linked or passage.document == own.document or holds(passage.text, best.label)
    ]
    said = [set(words_of(text)) for text in beside]
    full = (name for name in asked.names if len(words_of(name)) > 1)
    return [name for name in full if not any(words.issuperset(words_of(name)) for words in said)]


_LEFT_OPEN: Final = re.compile(
    r"\b(?:(?:is|are|was|were|remains?|remained) (?:still |as yet )?(?:not (?:yet )?(?:known|clear|certain|recorded)"
    r"|unknown|unclear|uncertain|unrecorded)|(?:no one|nobody) knows|(?:has|have|had) not (?:yet )?been "
    r"(?:established|determined|decided|announced|published))\b",
    re.IGNORECASE,
)


def left_open(text: str, passages: Sequence[ReadPassage]) -> Probable | None:
    """The sentence that says of all that a question asks that it is not known: "The cause of the fire is unknown.";
    None where no sentence does."""
    asked = [word for word in words_of(text) if word not in FUNCTION_WORDS]
    for passage in passages if len(asked) > 1 else ():
        for sentence in passage.reading.sentences:
            said = stems(sentence.text) if _LEFT_OPEN.search(sentence.text) else frozenset()
            if said and all(not stems(word).isdisjoint(said) for word in asked):
                support = Support(passage, sentence, sentence)
                step = Step("choose", "", "It says that this is not known.", (support,))
                return Probable((step,), _SURELY_READ)
    return None
