"""What a number counts, where its sentence tells it of something else: "the fourth of seven children" says how many her
parents had, "an avalanche killed fourteen people" not how many live there.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.affinity import part_of, related
from provgraph.derivation.asking import Asking
from provgraph.derivation.evidence import Support
from provgraph.derivation.number_fit import counts_another
from provgraph.derivation.result import Derived
from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token

_ONE_OF: Final = re.compile(
    r"\b(?:\w+(?:st|nd|rd|th)|first|second|third|eldest|oldest|youngest|middle|one|last|penultimate) of "
    r"(?:the |his |her |its |their )?$",
    re.IGNORECASE,
)
_FAMILY: Final = frozenset("child son daughter sibling brother sister offspring".split())
_WITH: Final = frozenset(
    "be have do get take include contain comprise total reach number count employ hold make become remain exceed "
    "rise fall grow stand add bring draw keep show list give find leave need see know".split()
)
"""Verbs that tell how many there are of something, whatever is asked of them."""
_PART_OF: Final = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty|some|most|all|half|none) "
    r"of (?:the |its |their |his |her |our )?(?:[\w-]+['’]s? )?$",
    re.IGNORECASE,
)
_ARGUMENTS: Final = ("obj", "nsubj", "nsubj:pass")
_SAYS: Final = 0.5
_MEASURES: Final = frozenset("noun.time noun.quantity noun.tops noun.event".split())
"""Fields of nouns that only measure: "three times", "two pairs"."""


def is_counted_as_asked(found: Derived, asked: Asking, question: ParsedSentence) -> bool:
    """Whether a number may count what is asked, by what its sentence has it with."""
    ending = found.ending
    if not asked.counted or not ending or found.steps[-1].operation == "subtract":
        return True
    return any(
        not _is_among_siblings(support, asked.counted)
        and not _is_of_other_event(support, question)
        and not _is_whole(support, question)
        and not _is_of_other_noun(support, asked.counted)
        for support in ending
    )


def _is_among_siblings(support: Support, counted: str) -> bool:
    """Whether children are counted of whom somebody is one, who is no parent of theirs."""
    before = support.passage.text[support.sentence.start : support.words.start]
    return counted in _FAMILY and _ONE_OF.search(before) is not None


def _is_whole(support: Support, question: ParsedSentence) -> bool:
    """Whether a number is only what there were in all, of which another number tells for how many the verb is said: of
    "destroyed eleven of the fourteen boats" not fourteen."""
    verbs = {t.lemma.casefold() for t in question.tokens if t.pos == "VERB"} - _WITH
    before = support.passage.text[support.sentence.start : support.words.start]
    return bool(verbs) and _PART_OF.search(before) is not None


def _is_of_other_event(support: Support, question: ParsedSentence) -> bool:
    """Whether what is counted does something else, or something else is done to it, than the question says."""
    asked = {t.lemma.casefold() for t in question.tokens if t.pos == "VERB"} - _WITH
    sentence, counted = _counted_in(support)
    if sentence is None or counted is None or not asked:
        return False
    verb = sentence.tokens[counted.head] if counted.relation in _ARGUMENTS and counted.head >= 0 else None
    if verb is None or verb.pos != "VERB" or verb.lemma.casefold() in _WITH:
        return False
    return not any(_says(token, each) for token in sentence.tokens if token is not counted for each in asked)


def _is_of_other_noun(support: Support, asked: str) -> bool:
    """Whether the number stands before a noun of another field than what is counted, and no verb tells of that: eight
    ships are no employees, while "14 people died" tells how many deaths there were."""
    sentence, counted = _counted_in(support)
    if sentence is None or counted is None or counted.pos != "NOUN":
        return False
    noun = counted.lemma.casefold()
    is_group = asked in ("person", "people") and wordnet.is_kind_of(noun, "social group", "n")
    return (
        counts_another(noun, asked)
        and _MEASURES.isdisjoint(wordnet.fields(noun, "n", 1))
        and not any(
            not is_group and token.pos == "VERB" and related(asked, "n", token.lemma.casefold(), "v") >= _SAYS
            for token in sentence.tokens
        )
    )


def _counted_in(support: Support) -> tuple[ParsedSentence | None, Token | None]:
    """The sentence of a number, and the noun that it stands before, or itself where it stands alone."""
    sentence, own = support.parsed, support.token
    if sentence is None or own is None:
        return None, None
    return sentence, sentence.tokens[own.head] if own.relation == "nummod" and own.head >= 0 else own


def _says(token: Token, verb: str) -> bool:
    part, lemma = part_of(token), token.lemma.casefold()
    if lemma in _WITH:
        return False
    return bool(part) and (
        related(verb, "v", lemma, part) >= _SAYS
        or (part == "v" and wordnet.is_kind_of(lemma, verb, "v", 2, 2))
    )
