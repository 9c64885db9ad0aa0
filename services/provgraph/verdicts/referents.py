"""Who or what the names, pronouns and descriptions of a text stand for."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.coreference import Coreference
from provgraph.reading.document_titles import topic_title
from provgraph.reading.entity_types import gender_of_name, gender_of_noun, is_office_noun, type_of_noun
from provgraph.verdicts.antecedents import (
    MEN,
    NEUTER,
    PEOPLE,
    agrees,
    counted,
    given_name,
    institution_before,
    is_name_of_person,
    is_root_subject,
    is_somebody,
    joined_subject,
    latter_or_former,
    owned_by,
    subject_above,
    with_shared_surname,
)
from provgraph.verdicts.masking import bare_title
from provgraph.verdicts.names import part_of_name, same_name
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Thing

_THINGS: Final = frozenset("it its itself they them their we us our".split())
_RESOLVES: Final = frozenset("agree decide promise refuse decline intend plan offer resolve".split())
"""What is so where one says it of oneself."""
_IN_A_NAME: Final = (
    r"(?:[A-ZÀ-Þ0-9“\"][^\s:;]*|a|an|the|of|in|at|on|for|to|de|la|du|von|van|der|den|di|da|del|&)"
)
_NAMES_ONE: Final = re.compile(rf"{_IN_A_NAME}(?: {_IN_A_NAME})*")
"""A title of words in capitals, small ones between them."""
_HEADED: Final = re.compile(r"(?:the )?(\w+) (?:of|at|in|on|for|near|by) ", re.IGNORECASE)
_FIRM: Final = re.compile(
    r" (?:Ltd|Limited|Inc|Corp|Corporation|Co|Company|LLC|LLP|plc|PLC|GmbH|AG|SA|AB|NV|BV)\b"
)
_NO_NAMED_THINGS: Final = frozenset(
    "noun.attribute noun.state noun.feeling noun.motive noun.phenomenon noun.process noun.quantity noun.relation "
    "noun.time noun.body noun.cognition noun.food noun.substance noun.shape".split()
)
"""Sorts of nouns (WordNet's files) for what seldom has a name: "the fault" stands for no name."""
_NAMES_MORE: Final = re.compile(r" (?:and|or|versus|vs\.?) |, ")


def _tells_of_person(title: str) -> bool:
    """Whether it says behind a comma who somebody is: "Hanna Brixen, architect"."""
    words = re.findall(r"\b[a-z]+", title.partition(", ")[2])
    return any(wordnet.is_person(word) for word in words)


def _ends_with(name: str, noun: str) -> bool:
    return name.casefold().endswith(f" {noun}")


def _resolved_by_reading(meaning: TextMeaning) -> dict[int, str]:
    """What pronouns stand for as `reading` has it, by where they begin."""
    evidence = meaning.evidence
    found: dict[int, str] = {}
    coreference = Coreference(topic_title(bare_title(evidence), evidence.text))
    for sentence in meaning.meanings:
        for proposition in coreference.sentence(sentence.propositions):
            parts = (proposition.subject, proposition.object, *proposition.arguments)
            found |= {
                each.span.start: each.resolution.stands_for
                for each in parts
                if each is not None and each.resolution is not None
            }
    return found


class Referents:
    """Gives the things of a text the names that they stand for."""

    def __init__(self, meaning: TextMeaning) -> None:
        self._meaning = meaning
        self._title = self._topic(bare_title(meaning.evidence))
        self._full = self._full_names()
        self._person, self._object = "", ""
        self._other, self._type = "", ""
        self._noun: Thing | None = None
        self._people: set[str] = set()
        self._speakers: set[Thing] = set()
        self._nouns: dict[str, list[Thing]] = {}
        self._by_reading = _resolved_by_reading(meaning)

    def _topic(self, title: str) -> str:
        """The title where it names one thing, so that "it" may stand for that; empty for "Minutes of 4 May"."""
        if _NAMES_ONE.fullmatch(title) and not _NAMES_MORE.search(title):
            return title
        first = title.partition(", ")[0]
        if (
            " " in first
            and _NAMES_ONE.fullmatch(first)
            and (gender_of_name(first) or _tells_of_person(title))
        ):
            return first
        named = (t for meaning in self._meaning.meanings for t in meaning.things if t.kind == "name")
        return title if any(same_name(thing.words, title) for thing in named) else ""

    def _full_names(self) -> dict[str, int]:
        """The names of the text and of its title, each with where it first stands."""
        names = {self._title: -1} if self._title else {}
        for meaning in self._meaning.meanings:
            for thing in meaning.things:
                if thing.kind == "name":
                    names.setdefault(thing.words, thing.span.start)
                    if full := with_shared_surname(thing, meaning):
                        thing.names = [full, *thing.names]
                        names.setdefault(full, thing.span.start)
        return names

    def resolve(self) -> None:
        for meaning in self._meaning.meanings:
            for thing in meaning.things:
                self._name(thing, meaning)
                above = subject_above(thing.token, meaning) if thing.kind == "pronoun" else None
                if above is not None:
                    thing.stands_for, thing.open, thing.names = above, False, [*above.names]
                    self._speakers.add(thing)
                elif (of_two := latter_or_former(thing, meaning)) is not None:
                    thing.stands_for, thing.open, thing.names = of_two, False, [*of_two.names]
                elif thing.kind == "noun" and (introduced := self._introduced(thing)) is not None:
                    thing.stands_for = introduced
                elif thing.kind == "pronoun" and (noun := self._noun_before(thing, meaning)) is not None:
                    names = noun.names or noun.also  # "the head teacher, Roland Pryce, … he"
                    thing.stands_for, thing.open, thing.names = noun, False, [*names]
            self._identify(meaning)
            self._remember(meaning)
        for statement in self._meaning.statements:
            own = statement.attributed and not self._speakers.isdisjoint(statement.slots.get("A", []))
            if own and statement.modality == "hypothetical" and statement.lemma != "be":
                statement.modality, statement.tense = (
                    "asserted",
                    "future",
                )  # said that it would close the mill
            statement.attributed = statement.attributed and not (
                own and (statement.lemma in _RESOLVES or statement.tense == "future")
            )

    def _name(self, thing: Thing, meaning: SentenceMeaning) -> None:
        if thing.kind == "name":
            thing.names = list(dict.fromkeys([*thing.names, *self._longer(thing.words, thing)]))
        elif thing.kind == "pronoun":
            of_office = thing.token.text.lower() == "its" and is_office_noun(owned_by(thing.token, meaning))
            name = self._firm(thing) if of_office and not self._title else ""
            name = name or (institution_before(thing.token, meaning) if self._title_is_person else "")
            name = name or self._antecedent(thing.head.text.lower())
            self._refer(thing, name or self._by_reading.get(thing.token.start, ""))
        elif thing.kind == "noun" and (name := given_name(thing, meaning)):
            thing.names = [name]
        elif thing.kind == "noun" and self._is_definite(thing):
            self._refer(thing, self._described(thing))

    def _is_definite(self, thing: Thing) -> bool:
        """Whether it stands for what was named before, as "the film" does."""
        narrowed = thing.restrictions or thing.ordinals or any(m.text != "same" for m in thing.modifiers)
        return thing.determiner in ("the", "this", "its", "their") and not thing.plural and not narrowed

    def _introduced(self, thing: Thing) -> Thing | None:
        """What "the expedition" was first said to be, where the text told of one alone: "an expedition to Peru"."""
        known = self._nouns.setdefault(thing.lemma, [])
        before = [t for t in known if not t.plural and t.span.start < thing.span.start]
        known.append(thing)
        first = [t for t in before if t.determiner in ("a", "an")]
        if thing.names or not self._is_definite(thing) or thing.determiner not in ("the", "this"):
            return None
        rest = (t for t in before if t.determiner not in ("a", "an"))
        alone = len(first) == 1 and bool(first[0].restrictions or first[0].modifiers) and not first[0].names
        return first[0] if alone and all(map(self._is_definite, rest)) else None

    def _refer(self, thing: Thing, name: str) -> None:
        if name:
            thing.names = [name] if name == self._title else [name, *self._longer(name, thing)]
        else:
            thing.open = True

    def _antecedent(self, word: str) -> str:
        if word in PEOPLE:
            wanted = "male" if word in MEN else "female"
            near = [name for name in (self._person, self._title if self._title_is_person else "") if name]
            first = self._meaning.opening_name
            if (
                near
                and self._object
                and self._gender(near[0]) != wanted
                and self._gender(self._object) == wanted
            ):
                return self._object
            sure = (name for name in near if self._gender(name) == wanted)
            unsure = next((name for name in near if not self._gender(name)), "")
            return next(sure, unsure or (first if self._gender(first) == wanted else ""))
        if word in _THINGS:
            if word in NEUTER and self._title_is_person:
                return self._other
            return self._title if word in ("we", "us", "our") else (self._title or self._other)
        return ""

    def _gender(self, name: str) -> str:
        """As first names have it; of whom the text is about, as the first subject that stands for somebody has it."""
        known = gender_of_name(name)
        own = same_name(name, self._title) or (
            not self._title and same_name(name, self._meaning.opening_name)
        )
        return known or (self._gender_of_topic if own else "")

    @cached_property
    def _gender_of_topic(self) -> str:
        """By the first "he" or "she" that is a subject; of whom no title names, where no other person comes before."""
        for meaning in self._meaning.meanings:
            for thing in meaning.things:
                word = thing.token.text.lower()
                if thing.token.relation.startswith("nsubj") and word in ("he", "she"):
                    return "male" if word == "he" else "female"
                opening = self._meaning.opening_name
                other = thing.kind == "name" and is_name_of_person(thing) and not self._title
                if other and not (same_name(thing.words, opening) or part_of_name(thing.words, opening)):
                    return ""
        return ""

    def _noun_before(self, pronoun: Thing, meaning: SentenceMeaning) -> Thing | None:
        """The subject of the sentence before, where that is a noun that agrees and no other subject stands between; of
        "two of them" the nearest noun."""
        word, at = pronoun.head.text.lower(), pronoun.token.index
        joined = joined_subject(pronoun.token, meaning) if word == "it" else None
        if joined is not None and joined.lemma not in " ".join(pronoun.names).casefold():
            return joined  # "the field … and it" is the Tiber Oil Field
        if word == "them" and counted(pronoun, meaning):
            before = [
                t for t in meaning.things if t.kind in ("noun", "value") and t.plural and t.token.index < at
            ]
            return next((t for t in reversed(before) if t.token.relation != "nummod"), self._noun)
        subjects = [t for t in meaning.sentence.tokens[:at] if t.relation.startswith("nsubj")]
        if pronoun.token.relation == "obj":  # who does something to himself has another word for it
            subjects = [t for t in subjects if t.head != pronoun.token.head]
        if word in NEUTER:
            subjects = [t for t in subjects if not is_somebody(t)]
        if word == "its" and self._noun is not None and is_office_noun(owned_by(pronoun.token, meaning)):
            group = {"noun.group", "noun.location"}.intersection(wordnet.fields(self._noun.lemma, "n", 1))
            if not group and type_of_noun(self._noun.lemma) not in ("Organization", "Place", "Group"):
                return None  # "its director" is no claim's
        titled = self._title and not (word in NEUTER and self._title_is_person)
        if self._noun is None or titled or any(t.pos in ("NOUN", "PROPN", "ADJ") for t in subjects):
            return None
        person = type_of_noun(self._noun.lemma) == "Person"
        if word in PEOPLE:  # of a couple or a family neither is "she"
            one = (
                person
                and not self._noun.plural
                and "noun.group" not in wordnet.fields(self._noun.lemma, "n", 1)
            )
            return self._noun if one and agrees(self._noun.lemma, word) else None
        if word not in ("it", "its", "itself", "they", "them", "their"):
            return None
        plural = word.startswith("the")
        return self._noun if plural == self._noun.plural and (plural or not person) else None

    @cached_property
    def _title_is_person(self) -> bool:
        """Whether the title names somebody: by its first name, or as the text speaks of who has it."""
        if gender_of_name(self._title) or _tells_of_person(bare_title(self._meaning.evidence)):
            return True
        named = [
            thing for meaning in self._meaning.meanings for thing in meaning.things
            if same_name(thing.words, self._title) or part_of_name(thing.words, self._title)
        ]  # fmt: skip
        return bool(named) and self._title_may_be("Person")

    def _described(self, thing: Thing) -> str:
        """What "the company", "the film" stands for: the title, or what was said to be one."""
        if type_of_noun(thing.lemma) == "Person":
            return self._said_to_be(thing.lemma)
        kind = type_of_noun(thing.lemma)
        if not kind and self._title_is_person:
            return self._said_to_be(thing.lemma) or self._named_so(thing)
        other = self._other if not kind or self._type in ("", kind) else ""
        other = other if kind or not _NO_NAMED_THINGS.issuperset(wordnet.fields(thing.lemma, "n", 1)) else ""
        title = self._title if self._title_may_be(kind) and not self._title_is_else(thing.lemma) else ""
        return self._said_to_be(thing.lemma) or title or self._named_so(thing) or self._firm(thing) or other

    def _firm(self, thing: Thing) -> str:
        """The one name said before that is a firm's: "the company" is Harrow Timber Ltd."""
        firms = [name for name, at in self._full.items() if at < thing.span.start and _FIRM.search(name)]
        return firms[0] if thing.lemma in ("company", "firm", "its", "it") and len(firms) == 1 else ""

    def _named_so(self, thing: Thing) -> str:
        """The one name said before that ends with the noun: "the street" is Quay Street."""
        ends = [
            name for name, at in self._full.items() if at < thing.span.start and _ends_with(name, thing.lemma)
        ]
        return ends[0] if len(ends) == 1 else ""

    def _title_may_be(self, kind: str) -> bool:
        """Whether the text's title may name a thing of that type: "the laboratory" is no person."""
        named = [t for m in self._meaning.meanings for t in m.things if same_name(t.words, self._title)]
        types = {t.entity_type for t in named} | {
            type_of_noun(c.lemma) for t in named for _, c in self._meaning.said_of(t)
        }
        return not kind or not types - {""} or kind in types

    def _title_is_else(self, lemma: str) -> bool:
        """Whether the title begins with a noun of another field: "The Lighthouse at Skerrow" is no journal."""
        head = _HEADED.match(self._title)
        fields = wordnet.fields(head[1].casefold(), "n", 2) if head else ()
        others = wordnet.fields(lemma, "n", 2)
        return bool(fields) and bool(others) and set(fields).isdisjoint(others)

    def _said_to_be(self, lemma: str) -> str:
        for statement in self._meaning.statements:
            if statement.lemma == "be" and any(c.lemma == lemma for c in statement.slots.get("C", [])):
                for subject in statement.slots.get("A", []):
                    if subject.names:
                        return subject.names[0]
        return ""

    def _longer(self, name: str, thing: Thing) -> list[str]:
        """The full names said before of which a name is a part, where all of them are one."""
        if same_name(name, self._title):
            return []
        known = (full for full, at in self._full.items() if at < thing.span.start)
        found = [full for full in known if part_of_name(name, full)]
        if self._title and part_of_name(name, self._title):
            return [self._title]
        if self._meaning.opening_name in found:
            return [self._meaning.opening_name]
        if found and all(same_name(one, found[0]) for one in found):
            return [max(found, key=len)]
        return []

    def _identify(self, meaning: SentenceMeaning) -> None:
        """ "Brand is a play by …": the play is Brand, so that what follows is said of it."""
        for statement in meaning.statements:
            if statement.lemma != "be" or not statement.positive or len(statement.slots.get("A", [])) != 1:
                continue
            subject = statement.slots["A"][0]
            for complement in statement.slots.get("C", []):
                if complement is subject:
                    continue
                if complement.kind == "name" and subject.kind == "noun" and is_name_of_person(complement):
                    subject.also = list(dict.fromkeys([*subject.also, *complement.names]))
                if complement.kind in ("noun", "name"):
                    complement.also = list(dict.fromkeys([*complement.also, *subject.names]))
                    complement.open = complement.open or (subject.open and not complement.names)

    def _remember(self, meaning: SentenceMeaning) -> None:
        self._people.update(t.words for t in meaning.things if t.kind == "name" and t.entity_type == "Person")
        objects = {
            t.names[-1]
            for t in meaning.things
            if t.kind == "name" and t.names and t.token.relation == "obj" and is_name_of_person(t)
        }
        self._object = next(iter(objects)) if len(objects) == 1 else ""
        subjects = {t.text.lower() for t in meaning.sentence.tokens if t.relation.startswith("nsubj")}
        if self._object and not subjects & PEOPLE:
            self._person = self._object
        named = any(t.kind == "name" and is_root_subject(t, meaning) for t in meaning.things)
        self._noun = self._subject(meaning) or (None if named else self._noun)
        for statement in meaning.statements:
            if statement.clause < 0:
                continue
            for subject in statement.slots.get("A", []) or statement.slots.get("P", []):
                if subject.kind == "noun" and subject.also and statement.lemma == "be":
                    self._person = subject.also[-1]  # "The director is Mark Pope. He …"
                if subject.kind == "name" and subject.token.relation.startswith("nsubj"):
                    person = (
                        subject.entity_type == "Person"
                        or (not subject.entity_type and self._is_person(subject))
                        or any(map(gender_of_name, subject.names[1:]))
                        or not self._people.isdisjoint(subject.names)
                    )
                    if person:
                        self._person = subject.names[-1]
                    elif subject.entity_type != "Person":
                        self._other, self._type = subject.names[-1], subject.entity_type

    def _subject(self, meaning: SentenceMeaning) -> Thing | None:
        """The noun that a sentence begins with as its subject, or that its pronoun stands for."""
        for thing in meaning.things:
            if is_root_subject(thing, meaning):
                if thing.kind == "pronoun":
                    return thing.stands_for
                return thing if thing.kind == "noun" and not thing.names else None
        return None

    def _is_person(self, subject: Thing) -> bool:
        return any(
            type_of_noun(c.lemma) == "Person" or gender_of_noun(c.lemma)
            for _, c in self._meaning.said_of(subject)
        )
