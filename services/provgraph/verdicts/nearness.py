"""Whether a word stands near enough to the one that governs it in a claim to be meant with it."""

from __future__ import annotations

from typing import Final

from provgraph.verdicts.role_fillers import TRANSPARENT, fillers_of
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.units import Unit
from provgraph.verdicts.word_links import LIGHT_VERBS

VALUES: Final = ("date", "number", "ordinal")
_NEAR: Final = 3
_OWN_VOICE: Final = frozenset("we us our ours".split())


def is_near(at: int, governor: int, role: str, unit: Unit, sentence: SentenceWords) -> bool:
    """Whether it is the subject of the sentence, or a few steps away, no other name or value being nearer. Who is told
    of beside another name stands where that does."""
    told = sentence.parsed.tokens[at]
    place = told.head if role == "A" and told.relation == "appos" else at
    return _stands_near(place, governor, role, unit, sentence)


def _stands_near(at: int, governor: int, role: str, unit: Unit, sentence: SentenceWords) -> bool:
    token = sentence.parsed.tokens[at]
    below_noun = sentence.parsed.tokens[governor].relation in ("nmod", "nmod:poss", "obl")
    of_root = token.relation.startswith("nsubj") and sentence.parsed.tokens[token.head].head < 0
    if _has_others(at, governor, role, sentence):
        return False
    owned = [c.index for c in sentence.parsed.children[governor] if c.relation.startswith("nsubj")]
    named = [i for i in owned if sentence.parsed.tokens[i].pos != "PRON"]
    if role == "A" and of_root and named and at not in named:
        return False
    if role == "A" and of_root:
        root = sentence.parsed.tokens[token.head]
        return not below_noun or root.pos == "VERB" or root.lemma.lower() in TRANSPARENT
    holds = below_noun and sentence.parsed.tokens[governor].head == at
    if role == "A" and holds and token.lemma.lower() not in TRANSPARENT:
        return False  # the assistant of the director is not the director
    if _is_past_verb(at, governor, sentence):
        return False
    if (token.relation == "nmod:poss" and role in ("A", "P")) or _is_of_another(at, governor, role, sentence):
        return False
    steps = sentence.distance(at, governor)
    if token.text.lower() in _OWN_VOICE:
        return steps <= _NEAR
    if steps > _NEAR or unit.kind not in ("name", *VALUES):
        return steps <= _NEAR
    own = sentence.unit_at.get(at)
    between = [index for index in sentence.path(at, governor) if index not in (at, governor)]
    if unit.kind in VALUES and any(sentence.kind_at(index) == "name" for index in between):
        return False
    shared = set(sentence.coordinated(at))
    others = [
        u.head.index
        for i, u in enumerate(sentence.units)
        if u.kind == unit.kind and i != own and u.head.index not in shared
    ]
    return all(sentence.distance(other, governor) >= steps for other in others if other != governor)


def _has_others(at: int, governor: int, role: str, sentence: SentenceWords) -> bool:
    """Whether others fill the role, or own what is owned: who chairs a board does not chair its budget."""
    if role == "of":
        return any(c.relation == "nmod:poss" and c.index != at for c in sentence.parsed.children[governor])
    if role not in ("A", "P"):
        return False
    fill = {i for other, i in fillers_of(governor, sentence.parsed) if other == role}
    tokens = sentence.parsed.tokens
    if not fill or at in fill or any(tokens[i].pos not in ("NOUN", "PROPN", "ADJ") for i in fill):
        return False
    above = tokens[at].head  # "other lines of work"
    return not (above in fill and tokens[above].lemma.lower() in TRANSPARENT)


def _is_past_verb(at: int, governor: int, sentence: SentenceWords) -> bool:
    """Whether it belongs to a clause beside or around: "causes warts and may contribute to cancer"."""
    tokens, way = sentence.parsed.tokens, sentence.path(at, governor)
    if tokens[governor].lemma.lower() in LIGHT_VERBS:
        return False
    beside = any(
        tokens[each].relation in ("conj", "acl:relcl") and tokens[each].pos == "VERB" for each in way
    )
    return beside and any(tokens[each].pos == "VERB" for each in way if each != governor)


def _is_of_another(at: int, governor: int, role: str, sentence: SentenceWords) -> bool:
    """Whether a word fills a role of another verb than the governor, which has a subject of its own; one behind a
    preposition of a verb that has one, too."""
    tokens = sentence.parsed.tokens
    token = tokens[at]
    filled = token.relation.startswith(("nsubj", "obl", "obj")) and token.head != governor
    if not filled or not _has_subject(governor, sentence) or tokens[token.head].pos == "NOUN":
        return False
    if tokens[governor].relation.startswith("acl") and not token.relation.startswith("nsubj"):
        return False
    return role in ("A", "P") or (role.startswith("@") and _has_subject(token.head, sentence))


def _has_subject(index: int, sentence: SentenceWords) -> bool:
    return any(c.relation.startswith("nsubj") for c in sentence.parsed.children[index])
