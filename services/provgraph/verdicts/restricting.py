"""What restricts what is said: "only" of the claim, where the evidence names something beside it, and a bound of the
evidence ("children over six") that the claim leaves out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.values import Quantity
from provgraph.verdicts.alignment import ANOTHER, Alignment
from provgraph.verdicts.claims import ONLY
from provgraph.verdicts.judgement import Element, Place
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.statement_manner import FORMER
from provgraph.verdicts.things import Statement, Thing
from provgraph.verdicts.words_related import kinship

_BUT_FOR: Final = re.compile(
    r"\b(every|all|each|no|nobody|none|nothing|everyone|everybody|everything|always|never)\b[^,.;:]{0,40}?"
    r"\b(but|except|save|apart from|other than|excluding)\b"
)
_EXCEPT_FOR: Final = re.compile(r"\b(?:except(?:ing)?|save|apart from|other than|unless)\b([^.;:]{1,200})")
_EVERY_OTHER: Final = re.compile(r"\bevery (second|other|third|fourth|fifth|two|three|four|five|six|ten)\b")
_BESIDES: Final = frozenset(
    "also other others including include various several besides additionally too".split()
)
_PAST: Final = frozenset(("was", "were", "had been", "became"))
BOUNDS: Final = frozenset("over under above below".split())
_SMALL: Final = frozenset(("NUM", "ADP", "DET", "ADV", "ADJ"))
_ALONE: Final = ONLY | frozenset("sole alone single exclusive".split())


def is_of_some(group: Alignment) -> bool:
    """Whether the text says of those over or under a number what the claim says of all of a kind."""
    if group.said is None:
        return False
    said, claimed = (_bounds(statement) for statement in (group.said, group.claimed))
    return bool(said) and not claimed


def is_over(group: Alignment) -> bool:
    """Whether the text says of a former one what the claim says of now."""
    if group.said is None or group.claimed.words.text.casefold() in _PAST:
        return False
    said = {m.text.casefold() for _, thing in group.said.things() for m in thing.modifiers}
    claimed = {m.text.casefold() for _, thing in group.claimed.things() for m in thing.modifiers}
    return bool(said & FORMER) and not claimed & FORMER


def is_but_for(claim: str, sentence: str) -> bool:
    """Whether a sentence takes something out of all or none that the claim does not: "nobody but the owner"."""
    taken = list(_BUT_FOR.finditer(sentence.casefold()))
    words = claim.casefold().split()
    return any(match[1] in words and match[2] not in claim.casefold() for match in taken)


def takes_out(sentence: str, words: str) -> bool:
    """Whether a sentence takes out of what it says what these words say: "no subcontractors except for cleaning"."""
    return any(words.casefold() in match[1] for match in _EXCEPT_FOR.finditer(sentence.casefold()))


def is_of_every_other(claim: str, sentence: str) -> bool:
    """Whether a sentence says of every second one what the claim says of every one."""
    spaced = set(_EVERY_OTHER.findall(sentence.casefold()))
    return bool(spaced) and spaced.isdisjoint(_EVERY_OTHER.findall(claim.casefold()))


def tells_rule(statement: Statement) -> bool:
    """Whether it tells what such a one does as a rule, not what somebody did: "the tenant pays"."""
    if (
        statement.tense != "present"
        or statement.lemma in word_set("lasting")
        or statement.lemma.startswith("rel:")
    ):
        return False
    doers = statement.slots.get("A", [])
    return bool(doers) and all(t.kind in ("noun", "adjective") and _is_somebody(t.lemma) for t in doers)


def _is_somebody(noun: str) -> bool:
    return not {"noun.person", "noun.group"}.isdisjoint(wordnet.fields(noun, "n", 1))


def _bounds(statement: Statement) -> list[str]:
    own = [role[1:] for role, some in statement.slots.items() for thing in some if _is_amount(thing)]
    inner = [case for _, thing in statement.things() for case, each in thing.restrictions if _is_amount(each)]
    return [case for case in (*own, *inner) if case in BOUNDS]


def _is_amount(thing: Thing) -> bool:
    return isinstance(thing.value, Quantity)


def only_outcome(groups: Sequence[Alignment], word: Token) -> Element:
    """The element for the claim's "only"."""
    for group in groups:
        if other := _instead(group):
            return _element(word, "contradicted", group, other.token, "the text names something else")
    for group in groups:
        if group.entailed and group.said is not None and group.text is not None:
            token = _besides(group)
            if token:
                return _element(word, "contradicted", group, token, "something else is named beside it")
            token = _alone(group)
            if token:
                return _element(word, "entailed", group, token, "nothing else, says the text")
    return Element(
        word.text, word.start, word.end, "only", "not said", None, "no text says that nothing else is so"
    )


def _instead(group: Alignment) -> Thing | None:
    """What the text has in the place of which the claim says that nothing else is in it."""
    if group.said is None or not group.claimed.positive or not group.said.positive:
        return None
    subject = [p for p in group.parts if p.role == "A"]
    others = [p for p in group.parts if p.role not in ("A", "predicate", "modifier")]
    if not subject or any(p.outcome.finding != "entailed" for p in subject) or len(others) != 1:
        return None
    part = others[0]
    if part.outcome.finding == "entailed" or part.thing is None:
        return None
    if group.said.lemma == "be":
        return next((t for t in group.said.slots.get("C", []) if _is_other(part.thing, t)), None)
    if part.outcome.why == ANOTHER:
        return next((t for _, t in group.said.things() if t.span == part.outcome.span), None)
    return None


def _is_other(claimed: Thing, thing: Thing) -> bool:
    near = {kinship(claimed.lemma, thing.lemma), kinship(thing.lemma, claimed.lemma)}
    return thing.kind == "noun" and not near & {"same", "entailed"}


def _tokens(group: Alignment) -> Sequence[Token]:
    assert group.said is not None
    assert group.text is not None
    return group.text.parsed[group.said.sentence].tokens


def _besides(group: Alignment) -> Token | None:
    """A word for more, or another thing in a place of which the claim names one."""
    assert group.said is not None
    for token in _tokens(group):
        if token.text.lower() in _BESIDES:
            return token
    met = {part.outcome.span for part in group.parts if part.outcome.span is not None}
    for role, things in group.said.slots.items():
        if role != "A" and len(things) > 1 and any(thing.span in met for thing in things):
            return next((thing.token for thing in things if thing.span not in met), None)
    return None


def _alone(group: Alignment) -> Token | None:
    """The "only" of something that the statement is made of."""
    assert group.said is not None
    assert group.text is not None
    sentence, words = group.text.parsed[group.said.sentence], group.said.words
    met = {thing.token.index for _, thing in group.said.things()}
    met |= {t.index for t in sentence.tokens if words.start <= t.start and t.end <= words.end}
    return next((t for t in sentence.tokens if t.text.lower() in _ALONE and _is_of(t, sentence, met)), None)


def says_alone(sentence: ParsedSentence, met: Collection[int]) -> bool:
    """Whether a sentence says "only" of one of those of its words, by their places, that meet the claim."""
    return any(t.text.lower() in _ALONE and _is_of(t, sentence, met) for t in sentence.tokens)


def _is_of(only: Token, sentence: ParsedSentence, met: Collection[int]) -> bool:
    """Whether what "only" stands before, but for words that belong to it, is one of those, or the whole sentence."""
    above = only.head
    while above >= 0 and above not in met and sentence.tokens[above].pos in _SMALL:
        above = sentence.tokens[above].head
    return above in met or only.index in met or above < 0


def _element(word: Token, relation: str, group: Alignment, token: Token, why: str) -> Element:
    assert group.text is not None
    place = Place(group.text.evidence.id, token.start, token.end, token.text)
    return Element(word.text, word.start, word.end, "only", relation, place, why)  # type: ignore[arg-type]
