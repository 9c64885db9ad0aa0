"""The common nouns that facts have as objects: what a thing is, where it lies, what somebody studied."""

from __future__ import annotations

import re
from typing import Final

from provgraph.extraction.by_reading.joined import KNOWLEDGE, is_general, is_knowledge, says_what_it_is
from provgraph.extraction.by_reading.kinds import is_empty_kind, may_be, shares_its_head, sums_up
from provgraph.extraction.by_reading.names_in_text import is_whole_name
from provgraph.extraction.facts import Entity
from provgraph.reading.entity_types import type_of_name, type_of_noun
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import vocabulary

KINDS: Final = frozenset({"instance-of", "occupation", "position", "is"})
LONGEST_TERM: Final = 5
_OF_CONCEPTS: Final = KINDS | frozenset(
    "cause-of-death position-played plays-instrument award-received field-of-work studied material used-for religion "
    "genre language symptom-of".split()
)
"""Relations that may hold of a thing and a common noun; others hold between names, or a name and a value."""
_OF_ACTIVITIES: Final = frozenset("play teach coach sell manufacture export".split())
"""Open predicates that tell something of a name and a common noun: "plays goalkeeper"."""
_BESIDE_PLACE: Final = frozenset("neighboring neighbouring nearby adjacent former outside".split())
"""Words before a place that say that something else lies there."""
_LONGEST_KIND: Final = 8
_UNFINISHED: Final = re.compile(
    r"\b(?:between|such as|including|rather than|as well as|along with)\b.*$", re.I
)
_OPENING: Final = re.compile(
    r"^(?:[a-z]+ly|also|even|still|now|just|only|then|not only|both|either)\s+(?:an?\s+|the\s+)?"
)
_MEASURED: Final = re.compile(
    r"^(?:\d|one |two |three |four |five |six |seven |eight |nine |ten |several |many |some |most )"
    r"|\b(?:miles?|km|kilomet\w+)\b",
    re.I,
)
_BROKEN: Final = re.compile(r"^[^()]*\)|\([^()]*$|[”“]|,\s+(?:an?|the)\s|^(?:then|now|thus|and|or|to|as)\b")
_QUOTES: Final = "\"“”'‘’`"


def common_noun(each: Proposition, target: Argument, text: str) -> Entity | None:
    """A common noun; of "the village of Graz" the name that follows."""
    if is_general(each) or (each.relation in KNOWLEDGE and is_knowledge(each)):
        return Entity(clean(target.text), "")
    if not each.canonical:
        plain = not target.determiner and target.number != "plural" and " " not in target.text
        return Entity(clean(target.text), "") if plain and each.relation in _OF_ACTIVITIES else None
    if each.relation not in _OF_CONCEPTS:
        place = (
            target.of
            and not _BESIDE_PLACE & set(target.modifiers)
            and "Place" in vocabulary()[each.relation].range
            and type_of_noun(target.lemma) == "Place"
        )
        return Entity(clean(target.of), "Place") if place and is_whole_name(target.of) else None
    label = _with_place(each, target, text)
    if (
        not label
        or _BROKEN.search(label)
        or _MEASURED.search(label)
        or len(label.split()) > _LONGEST_KIND
        or label.count('"') % 2
    ):
        return None
    if each.relation in KINDS and not (
        says_what_it_is(each, target, text) and _is_kind(each, target) and _suits(each, target, text)
    ):
        return None
    if each.relation not in KINDS and (len(label.split()) > LONGEST_TERM or target.determiner == "the"):
        return None
    return Entity(label, "Concept" if each.relation in KINDS else "")


def _is_kind(each: Proposition, target: Argument) -> bool:
    """Whether a noun says what a thing is: it has an article, or is the name of a trade or a kind."""
    whole = target.of[:1].isupper() or (bool(target.of) and target.of != target.determiner)
    if each.relation == "is" and not (whole or each.argument("place") or target.determiner in ("a", "an")):
        return False
    known = bool(type_of_noun(target.lemma))
    own = type_of_name(each.subject.label)
    if each.derived and known and own and own != type_of_noun(target.lemma):
        return False
    if each.relation == "occupation" and type_of_noun(target.lemma) not in ("Person", ""):
        return False
    if target.head.text.istitle() and not known:
        return False
    return known or target.determiner in ("a", "an") or (target.determiner == "the" and bool(target.of))


def _suits(each: Proposition, target: Argument, text: str) -> bool:
    """Whether the subject can be of that kind, and the kind says something by itself."""
    subject = each.subject
    if subject.kind == "concept" and subject.resolution is None:
        return True
    if is_empty_kind(each.relation, target) or shares_its_head(each, target, text):
        return False
    if target.number == "plural" and subject.number == "singular" and not target.lemma.endswith("s"):
        return False
    aside = each.derived and subject.number == "plural" and target.determiner in ("", "a", "an")
    title = target.span.end <= subject.span.start
    if aside and target.number != "plural" and (title or type_of_noun(target.lemma) != "Organization"):
        return False
    loose = each.derived or subject.kind == "pronoun"
    if loose and sums_up(target.lemma):
        return False
    kind = type_of_name(subject.label) or (subject.entity_type if loose else "")
    return may_be(kind, target.lemma, strict=loose)


def _with_place(each: Proposition, target: Argument, text: str) -> str:
    """ "Largest city" with the "in Austria" that follows it."""
    place = each.argument("place") or each.argument("organisation")
    if (
        each.relation != "is"
        or place is None
        or not target.head.end <= place.span.start <= target.span.end + 30
    ):
        return clean(_OPENING.sub("", _UNFINISHED.sub("", target.text)))
    start = (
        target.span.end - len(target.text)
        if text[: target.span.end].endswith(target.text)
        else target.span.start
    )
    return clean(" ".join(text[start : place.span.end].split()))


def clean(label: str) -> str:
    return " ".join(label.split()).strip(_QUOTES + " ,;:.-–").removesuffix("'s").removesuffix("’s") or label
