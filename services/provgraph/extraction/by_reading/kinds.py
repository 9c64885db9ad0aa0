"""Which kinds a noun may say a thing to be: a person is no company, and no place is an act.

What a noun means is WordNet's: the field of its first meaning ("noun.person", "noun.act").
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import is_office_noun, type_of_name, type_of_noun
from provgraph.reading.parser.lemmas import lemma
from provgraph.reading.propositions import Argument, Proposition

_FIELDS_OF: Final = {
    "Person": frozenset({"noun.person"}),
    "Organization": frozenset({"noun.group", "noun.person"}),
    "Place": frozenset({"noun.location", "noun.object", "noun.artifact", "noun.group"}),
    "Event": frozenset({"noun.event", "noun.act", "noun.phenomenon", "noun.group"}),
}
_TYPES: Final = {"noun.person": "Person", "noun.location": "Place"}
_ABSTRACT: Final = frozenset(
    "noun.act noun.attribute noun.cognition noun.feeling noun.motive noun.quantity noun.relation noun.state noun.time "
    "noun.shape noun.event noun.possession noun.process".split()
)
"""Fields of nouns that sum up a clause, where they follow a comma: "she left, a decision that …"."""
_RELATIVE: Final = frozenset(
    "party candidate supporter proponent advocate exponent personality figure character fan "
    "friend example title name moment day market".split()
)
"""Nouns that tell nothing of a thing without what they are of."""
_OF_ONE: Final = frozenset("party name candidate moment day supporter fan".split())
_OF_TEXT: Final = frozenset(
    "caption heading symbol ticker section item term word phrase label acronym abbreviation".split()
)
"""What words are, and not what they stand for: “under the symbol “PEP31””."""
_NO_TRADE: Final = frozenset(
    """aunt boy brother child cousin daughter father girl husband kid lady man mother nephew niece sister son uncle wife
    woman person people victim visitor inhabitant relative partner player member twin men women children guest resident
    citizen individual adult widow widower heir spouse parent sibling orphan bachelor candidate nominee guy
    gentleman passenger tourist migrant""".split()
)
"""Nouns for people that name no occupation."""
_OFFICES: Final = frozenset(
    "minister secretary leader governor director head ambassador president chairman commissioner deputy member mayor "
    "speaker chancellor premier".split()
)
_HEADS: Final = frozenset({"noun.person", "noun.group"})
"""Fields of nouns that others are often coordinated before: "a film and television producer"."""
_COORDINATED: Final = re.compile(
    r"(?:, [\w -]+?)*,? (?:and|or|&) ((?:[a-z][\w-]*)(?: [a-z][\w-]*){0,4})", re.UNICODE
)
_ORDINAL: Final = re.compile(r"^\d+(?:st|nd|rd|th)\s")
_AFTER_NOUN: Final = re.compile(
    r"\b(?:of|in|for|with|that|which|who|from|to|on|at|by|was|is|are|were|has|had|\w+ed)\b.*"
)


def type_of_kind(noun: str) -> str:
    """The type of what a common noun (its lemma) is said of: by the list of `entity_types`, else by its meaning."""
    fields = wordnet.fields(noun.lower(), "n", 3)
    return type_of_noun(noun) or (_TYPES.get(fields[0], "") if len(fields) == 1 else "")


def may_be(kind: str, noun: str, strict: bool) -> bool:
    """Whether a thing of a type may be what a noun says; `strict` where only a comma joins them."""
    listed = type_of_noun(noun)
    if not kind or kind == listed or kind not in _FIELDS_OF:
        return True
    if listed:
        return not strict and not {kind, listed} >= {"Person"}
    field = _field(noun)
    if not field or (kind == "Person" and "noun.person" in wordnet.fields(noun, "n", 3)):
        return True
    return field in _FIELDS_OF[kind] or (not strict and kind != "Person" and field != "noun.person")


def is_thing(noun: str) -> bool:
    """Whether a noun is for something built, for a group or a place: "hall", "council"."""
    return _field(noun) in ("noun.artifact", "noun.group", "noun.location")


def is_abstract(noun: str) -> bool:
    """Whether a noun is for what is done, said or thought: "agreement", "funding"."""
    return _field(noun) in _ABSTRACT | {"noun.communication"}


def sums_up(noun: str) -> bool:
    """Whether it is a noun for what was done or how it is ("an act", "a decision"), of which no list says more."""
    return not type_of_noun(noun) and _field(noun) in _ABSTRACT


def is_empty_kind(relation: str, target: Argument) -> bool:
    """Whether it says nothing: "is a party" without of what, "has occupation daughter"."""
    if relation == "occupation" and target.lemma in _NO_TRADE:
        return True
    if target.lemma in _OF_TEXT and not target.of:
        return True
    return target.lemma in _RELATIVE and not target.of and (" " not in target.text or target.lemma in _OF_ONE)


def shares_its_head(proposition: Proposition, target: Argument, text: str) -> bool:
    """Whether it is only the first part of the noun: "a global beverage and snack company" is no beverage."""
    if target.determiner not in ("a", "an", "the"):
        return False
    match = _COORDINATED.match(text[target.span.end : proposition.sentence.end])
    if match is None:
        return False
    words = _AFTER_NOUN.sub("", match[1]).split()
    if not words or words[0] in ("a", "an", "the", "was", "is", "has"):
        return False
    last = lemma(words[-1], "NN", "NOUN")
    return (
        _field(last) in _HEADS
        and _field(target.lemma) not in _HEADS | {""}
        and not type_of_noun(target.lemma)
    )


def is_office(label: str) -> bool:
    """Whether a name is only that of a role: "Assistant Controller", "Executive Vice President"."""
    if type_of_name(label):
        return False
    head, of, _ = label.partition(" of ")
    if of and head.split()[-1].lower() in _OFFICES:
        return True
    words = _ORDINAL.sub("", label.lower()).split()
    if (
        not words
        or len(words) > 5
        or not all(wordnet.known(w, "n") or wordnet.known(w, "a") or w in ("of", "and") for w in words)
    ):
        return False
    return (len(words) > 1 or label[:1].isdigit()) and _field(words[-1]) == "noun.person"


def is_role_word(word: str) -> bool:
    """Whether a word of a name is one for people: "President", "Vice-Chair", "Minister"."""
    lower = word.lower().strip(",.")
    return any(map(is_office_noun, (lower, lower.rpartition("-")[2])))


def _field(noun: str) -> str:
    return next(iter(wordnet.fields(noun.lower(), "n", 1)), "")
