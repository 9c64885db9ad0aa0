"""Whether two phrases have one head: the same name, or a noun from which the claim's follows."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from provgraph.reading.entity_types import gender_of_name, type_of_name
from provgraph.reading.propositions import Span
from provgraph.verdicts.lexicon import kinds, phrase, places
from provgraph.verdicts.masking import bare_title
from provgraph.verdicts.names import different_names, part_of_name, same_name
from provgraph.verdicts.outcomes import EXCLUDED, NOT_SAID, UNNAMED, Outcome
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Thing, known_place
from provgraph.verdicts.words_related import kinship

_ANYTHING: Final = frozenset(
    "person someone somebody people individual thing something one human being".split()
)
_LANDS: Final = frozenset("country nation place region state area location land territory".split())


class HeadMatcher:
    """Compares the heads of phrases with those of one evidence text. `topics` are the names that the claim is about;
    `identity` says that a thing goes by all its names, and not only by the words in its place."""

    def __init__(self, text: TextMeaning, topics: frozenset[str] = frozenset()) -> None:
        self._text = text
        self._topics = topics
        self.identity = True

    def heads(self, claimed: Thing, said: Thing) -> Outcome:
        if claimed.names and claimed.kind in ("name", "pronoun"):
            return self._names(claimed, said, claimed.names)
        if claimed.kind == "pronoun":
            return Outcome("entailed", said.span, "a pronoun", 0.6)
        if claimed.also or claimed.names:
            return self._names(claimed, said, [*claimed.also, *claimed.names])
        return self._nouns(claimed, said)

    def _names(self, claimed: Thing, thing: Thing, mine: list[str]) -> Outcome:
        if (met := self._same_names(claimed, thing, mine)) is not None:
            return met
        if self._within(mine[0], thing):
            return Outcome("entailed", thing.span, "a place within it", 0.95)
        if (
            thing.open
            and self._may_be(claimed, thing)
            and set(mine) & self._topics
            and not self._comes_later(mine, thing)
        ):
            return Outcome("entailed", thing.span, UNNAMED, 0.7)
        if claimed.kind == "name" and thing.kind in ("noun", "adjective") and not thing.names:
            return self._name_as_word(claimed, thing)
        if thing.names and self._apart(mine, thing):
            return Outcome("different", thing.span, "another one")
        return NOT_SAID

    def _same_names(self, claimed: Thing, thing: Thing, mine: list[str]) -> Outcome | None:
        called = self._text.called(thing) if self.identity else thing.names
        pairs = [(one, other) for one in mine for other in called]
        if any(same_name(one, other) for one, other in pairs):
            return Outcome("entailed", thing.span, "the same name", 1.0 if thing.kind == "name" else 0.95)
        for one, other in pairs:
            if not (_of_person(claimed, one) and _of_person(thing, other)):
                continue
            if part_of_name(one, other) and self._unique(one, other):
                return Outcome("entailed", thing.span, "a part of the full name", 0.95)
            if part_of_name(other, one) and thing.kind == "name" and self._unique(other, one):
                return Outcome("entailed", thing.span, "a part of the name", 0.93)
        return None

    def _comes_later(self, mine: list[str], thing: Thing) -> bool:
        """Whether the text names it behind the pronoun alone, which no pronoun stands for."""
        text, at = self._text.evidence.text, thing.span.start
        return any(name in text[at:] for name in mine) and not any(name in text[:at] for name in mine)

    def _may_be(self, claimed: Thing, thing: Thing) -> bool:
        """Whether a subject without antecedent may be what the claim is about."""
        word = thing.token.text.lower()
        if not thing.token.relation.startswith("nsubj") or word in (
            "that",
            "this",
            "these",
            "those",
            "which",
            "who",
        ):
            return False
        person = claimed.entity_type or type_of_name(claimed.words)
        if word in ("he", "she"):
            clashes = gender_of_name(claimed.words) == ("female" if word == "he" else "male")
            return person in ("Person", "") and not clashes
        return not (word == "it" and person == "Person")

    def _name_as_word(self, claimed: Thing, thing: Thing) -> Outcome:
        """ "Grand Slam" or "American" written as common words."""
        if claimed.words.casefold() == thing.words.casefold():
            return Outcome("entailed", thing.span, "the same words")
        return NOT_SAID

    def _unique(self, short: str, full: str) -> bool:
        """Whether nobody else in the text has that part of a name, or the text is about who is meant."""
        if same_name(full, bare_title(self._text.evidence)):
            return True
        return not self._text.has_somebody_else(short, full)

    def _within(self, name: str, thing: Thing) -> bool:
        outer = phrase(name)
        inner = [phrase(name) for name in (*thing.names, thing.head.text)]
        if any(each and places().includes(outer, each) for each in inner if each):
            return True
        return any(
            same_name(name, container.words)
            for statement in self._text.statements
            if statement.lemma == "rel:located-in" and statement.positive
            for place in statement.slots["A"]
            if set(place.names) & set(thing.names)
            for container in statement.slots["P"]
        )

    def _apart(self, mine: list[str], thing: Thing) -> bool:
        one, other = phrase(mine[0]), phrase(thing.names[0])
        known = [each for each in (one, other) if each in places().chains]
        if len(known) == 2:
            return places().apart(one, other)
        if any(places().is_wide(each) for each in known):
            return False
        return all(
            different_names(one_of_mine, theirs)
            for one_of_mine in mine
            for theirs in self._text.called(thing)
        )

    def known_apart(self, claimed: Thing, said: Span | None) -> bool:
        """Whether both are places of the list, neither in the other."""
        return said is not None and places().apart(phrase(claimed.words), phrase(said.text))

    def _nouns(self, claimed: Thing, thing: Thing) -> Outcome:
        findings = [self._noun_pair(claimed, thing)]
        if findings[0].finding == "entailed":
            return findings[0]
        if thing.kind in ("name", "pronoun") or thing.names:
            for statement, description in self._text.said_of(thing):
                if statement.positive and description is not thing:
                    outcome = self._noun_pair(claimed, description)
                    if outcome.finding == "entailed":
                        return Outcome("entailed", description.span, "said of it elsewhere", 0.95)
            if self._is_named_so(claimed, thing):
                return Outcome("entailed", thing.span, "the noun of its name", 0.93)
            if thing.kind == "name" and self._of_type(claimed, thing):
                return Outcome("entailed", thing.span, f"{thing.words} is one", 0.9)
        return findings[0]

    def _is_named_so(self, claimed: Thing, thing: Thing) -> bool:
        """Whether "the museum" is the one thing of the text whose name ends so: "The Clockwork Museum in Tarn"."""
        is_named = thing.kind in ("name", "pronoun") and thing.entity_type != "Person"
        if not is_named or claimed.determiner not in ("the", "this"):
            return False
        every = (t for meaning in self._text.meanings for t in meaning.things if t.kind == "name")
        named = [name for t in every for name in t.names if _is_headed(name, claimed.lemma)]
        own = next((name for name in thing.names if _is_headed(name, claimed.lemma)), "")
        return bool(own) and all(
            same_name(name, own) or part_of_name(name, own) or name in own for name in named
        )

    def _of_type(self, claimed: Thing, thing: Thing) -> bool:
        if claimed.lemma in _ANYTHING:
            return thing.entity_type in ("Person", "") or claimed.lemma in ("thing", "something", "one")
        is_place = thing.entity_type == "Place" or any(
            phrase(name) in places().chains for name in thing.names
        )
        return claimed.lemma in _LANDS and is_place

    def _noun_pair(self, claimed: Thing, thing: Thing) -> Outcome:
        relations = {kinship(one, other) for one in phrases_of(claimed) for other in phrases_of(thing)}
        if "same" in relations or claimed.lemma == thing.lemma:
            return Outcome("entailed", thing.span, "the same word")
        if "entailed" in relations:
            return Outcome("entailed", thing.span, "follows from the word", 0.93)
        if "excluded" in relations and claimed.kind == thing.kind and not _may_be_both(claimed, thing):
            return Outcome("contradicted", thing.span, EXCLUDED, 0.9)
        return NOT_SAID


_MEN: Final = frozenset("father son brother uncle nephew grandfather husband".split())
_WOMEN: Final = frozenset("mother daughter sister aunt niece grandmother wife".split())


def _may_be_both(one: Thing, other: Thing) -> bool:
    """Whether somebody may be both, to different people: a wife of one may be the mother of another, and one of "the
    brothers" is a father."""
    if not any({one.lemma, other.lemma} <= kin for kin in (_MEN, _WOMEN)):
        return False
    owners = [
        [name for _, each in thing.restrictions for name in each.names]
        or [each.words for _, each in thing.restrictions]
        for thing in (one, other)
    ]
    return any(owners) and not any(same_name(a, b) for a in owners[0] for b in owners[1])


def _is_headed(name: str, noun: str) -> bool:
    """Whether a noun is the last word of a name, before where or of what it is."""
    head = _BEHIND_NAME.split(name, maxsplit=1)[0].split()
    return len(head) > 1 and head[-1].casefold() == noun


_BEHIND_NAME: Final = re.compile(r",| (?:of|in|at|on|for|near|by|and) |[:(–—]")


def _of_person(thing: Thing, name: str) -> bool:
    """Whether the name may be a person's, of whom a part of it may be used."""
    typed = thing.entity_type in ("Person", "") or " " not in name
    return typed and _may_name_person(name)


@lru_cache(maxsize=16_384)
def _may_name_person(name: str) -> bool:
    return type_of_name(name) in ("Person", "") and not known_place(name)


def phrases_of(thing: Thing) -> list[str]:
    """The head with the words before it that make one kind with it ("television series"), then the head alone."""
    words = [modifier.text.lower() for modifier in thing.modifiers if modifier.index < thing.token.index]
    for start in range(len(words)):
        compound = " ".join([*words[start:], thing.lemma])
        if phrase(compound) in kinds().places:
            return [compound, thing.lemma]
    return [thing.lemma]
