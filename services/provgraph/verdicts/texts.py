"""What one evidence text says: its statements, and who its names, pronouns and descriptions stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.reading.entity_types import gender_of_name, gender_of_noun, type_of_noun
from provgraph.reading.reader import FAILURES
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.lives import life_statements
from provgraph.verdicts.masking import bare_title, parse_masked, titles_of
from provgraph.verdicts.names import name_words, part_of_name, same_name
from provgraph.verdicts.sentence_words import SentenceWords, sentence_words
from provgraph.verdicts.things import SentenceMeaning, Statement, Thing

_PEOPLE: Final = frozenset("he she him her his hers himself herself who".split())
_MEN: Final = frozenset("he him his himself".split())
_THINGS: Final = frozenset("it its itself they them their we us our".split())
_MAX_WORDS: Final = 120
_IN_A_NAME: Final = (
    r"(?:[A-ZÀ-Þ0-9“\"][^\s:;]*|a|an|the|of|in|at|on|for|to|de|la|du|von|van|der|den|di|da|del|&)"
)
_NAMES_ONE: Final = re.compile(rf"{_IN_A_NAME}(?: {_IN_A_NAME})*")
"""A title of words in capitals, small ones between them."""
_NAMES_MORE: Final = re.compile(r" (?:and|or|versus|vs\.?) |, ")
_SOUNDS: Final = re.compile(
    r"-LSB-.{0,120}?-RSB-|\[[^\[\]]{0,80}[ˈːɪəʊɛɔɑʃθð][^\[\]]{0,80}\]|(?<=\s)/[^/\s]*[ˈːɪəʊɛɔɑʃθð][^/]*/"
)
"""How a name is pronounced, which no parser can read."""


@dataclass
class TextMeaning:
    """`meanings` of the sentences that could be read, `statements` of all, `names` that the text has in full."""

    evidence: EvidenceText
    parsed: Sequence[ParsedSentence]
    meanings: list[SentenceMeaning] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)

    @cached_property
    def descriptions(self) -> dict[str, list[tuple[str, Statement, Thing]]]:
        """By the last word of a name: what is said of it with "be"."""
        table: dict[str, list[tuple[str, Statement, Thing]]] = {}
        for statement in self.statements:
            if statement.lemma == "be" and statement.modality == "asserted":
                for subject in statement.slots.get("A", []):
                    for name in (*subject.names, *subject.also):
                        for complement in statement.slots.get("C", []):
                            table.setdefault(_key(name), []).append((name, statement, complement))
        return table

    @cached_property
    def aliases(self) -> dict[tuple[str, ...], list[str]]:
        """Other names of what has a name, where the text says "known as", "officially" or the like."""
        table: dict[tuple[str, ...], list[str]] = {}
        for statement in self.statements:
            if statement.lemma in ("be", "rel:also-known-as") and statement.positive:
                others = [*statement.slots.get("C", []), *statement.slots.get("P", [])]
                for one in statement.slots.get("A", []):
                    for other in others:
                        if one.names and other.kind == "name":
                            table.setdefault(name_words(one.names[0]), []).append(other.words)
                            table.setdefault(name_words(other.words), []).extend(one.names)
        return table

    @cached_property
    def words_of_sentences(self) -> list[SentenceWords]:
        """The sentences as words, each with who its pronouns and descriptions stand for."""
        things = {each.number: each.things for each in self.meanings}
        return [
            sentence_words(number, parsed, self.evidence.text, things.get(number, []))
            for number, parsed in enumerate(self.parsed)
        ]

    def called(self, thing: Thing) -> list[str]:
        """All that a thing goes by: its names, what is said to be it, and the aliases of both."""
        names = [*thing.names, *thing.also]
        return list(dict.fromkeys([*names, *(a for n in names for a in self.aliases.get(name_words(n), ()))]))

    def said_of(self, thing: Thing) -> Iterator[tuple[Statement, Thing]]:
        for name in self.called(thing):
            for other, statement, complement in self.descriptions.get(_key(name), ()):
                if same_name(name, other):
                    yield statement, complement


def _key(name: str) -> str:
    words = [word for word in name_words(name) if word not in ("jr", "sr", "junior", "senior")]
    return words[-1] if words else name


def _is_name_of_person(thing: Thing) -> bool:
    return thing.entity_type == "Person" or (not thing.entity_type and bool(gender_of_name(thing.words)))


def text_meaning(evidence: EvidenceText, parser: Parser, names: Sequence[str] = ()) -> TextMeaning:
    """Reads an evidence text; sentences that cannot be read are left out. `names` are titles that may stand in it."""
    spans = list(sentence_spans(evidence.text) if evidence.sentences is None else evidence.sentences)
    title = bare_title(evidence)
    plain = _SOUNDS.sub(lambda match: " " * len(match.group()), evidence.text)
    parsed = parse_masked(plain, spans, parser, [*names, title, *titles_of(evidence.text)])
    meaning = TextMeaning(evidence, parsed)
    for number, sentence in enumerate(parsed):
        if len(sentence.tokens) > _MAX_WORDS:
            continue
        try:
            each = SentenceMeaning(sentence, evidence.text, number)
            meaning.statements += [*each.statements, *life_statements(each)]
            meaning.meanings.append(each)
        except FAILURES:
            continue
    _Referents(meaning).resolve()
    return meaning


class _Referents:
    """Gives the things of a text the names that they stand for."""

    def __init__(self, meaning: TextMeaning) -> None:
        self._meaning = meaning
        self._title = self._topic(bare_title(meaning.evidence))
        self._full = self._full_names()
        self._person, self._object = "", ""
        self._other, self._type = "", ""

    def _topic(self, title: str) -> str:
        """The title where it names one thing, so that "it" may stand for that; empty for "Minutes of 4 May"."""
        if _NAMES_ONE.fullmatch(title) and not _NAMES_MORE.search(title):
            return title
        named = (t for each in self._meaning.meanings for t in each.things if t.kind == "name")
        return title if any(same_name(thing.words, title) for thing in named) else ""

    def _full_names(self) -> list[str]:
        names = [self._title] if self._title else []
        for each in self._meaning.meanings:
            names += [thing.words for thing in each.things if thing.kind == "name"]
        return list(dict.fromkeys(names))

    def resolve(self) -> None:
        for each in self._meaning.meanings:
            for thing in each.things:
                self._name(thing)
            self._identify(each)
            self._remember(each)

    def _name(self, thing: Thing) -> None:
        if thing.kind == "name":
            thing.names = list(dict.fromkeys([*thing.names, *self._longer(thing.words)]))
        elif thing.kind == "pronoun":
            self._refer(thing, self._antecedent(thing.head.text.lower()))
        elif thing.kind == "noun" and self._is_definite(thing):
            self._refer(thing, self._described(thing))

    def _is_definite(self, thing: Thing) -> bool:
        """Whether it stands for what was named before, as "the film" does."""
        narrowed = thing.restrictions or thing.ordinals or thing.modifiers
        return thing.determiner in ("the", "this", "its", "their") and not thing.plural and not narrowed

    def _refer(self, thing: Thing, name: str) -> None:
        if name:
            thing.names = [name] if name == self._title else [name, *self._longer(name)]
        else:
            thing.open = True

    def _antecedent(self, word: str) -> str:
        if word in _PEOPLE:
            wanted = "male" if word in _MEN else "female"
            near = [name for name in (self._person, self._title if self._title_is_person else "") if name]
            if (
                near
                and self._object
                and not gender_of_name(near[0])
                and gender_of_name(self._object) == wanted
            ):
                return self._object
            return next((name for name in near if gender_of_name(name) in ("", wanted)), "")
        if word in _THINGS:
            return self._title if word in ("we", "us", "our") else (self._title or self._other)
        return ""

    @cached_property
    def _title_is_person(self) -> bool:
        """Whether the title names somebody: by its first name, or as the text speaks of who has it."""
        if gender_of_name(self._title):
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
        other = self._other if not kind or self._type in ("", kind) else ""
        return self._said_to_be(thing.lemma) or (self._title if self._title_may_be(kind) else "") or other

    def _title_may_be(self, kind: str) -> bool:
        """Whether the text's title may name a thing of that type: "the laboratory" is no person."""
        named = [t for m in self._meaning.meanings for t in m.things if same_name(t.words, self._title)]
        types = {t.entity_type for t in named} | {
            type_of_noun(c.lemma) for t in named for _, c in self._meaning.said_of(t)
        }
        return not kind or not types - {""} or kind in types

    def _said_to_be(self, lemma: str) -> str:
        for statement in self._meaning.statements:
            if statement.lemma == "be" and any(c.lemma == lemma for c in statement.slots.get("C", [])):
                for subject in statement.slots.get("A", []):
                    if subject.names:
                        return subject.names[0]
        return ""

    def _longer(self, name: str) -> list[str]:
        """The full names of which a name is a part, where all of them are one."""
        if same_name(name, self._title):
            return []
        found = [full for full in self._full if part_of_name(name, full)]
        if self._title and part_of_name(name, self._title):
            return [self._title]
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
                if complement.kind in ("noun", "name") and complement is not subject:
                    complement.also = list(dict.fromkeys([*complement.also, *subject.names]))
                    complement.open = complement.open or (subject.open and not complement.names)

    def _remember(self, meaning: SentenceMeaning) -> None:
        objects = {
            t.names[-1]
            for t in meaning.things
            if t.kind == "name" and t.names and t.token.relation == "obj" and _is_name_of_person(t)
        }
        self._object = next(iter(objects)) if len(objects) == 1 else ""
        subjects = {t.text.lower() for t in meaning.sentence.tokens if t.relation.startswith("nsubj")}
        if self._object and not subjects & _PEOPLE:
            self._person = self._object
        for statement in meaning.statements:
            if statement.clause < 0:
                continue
            for subject in statement.slots.get("A", []) or statement.slots.get("P", []):
                if subject.kind == "name" and subject.token.relation.startswith("nsubj"):
                    person = subject.entity_type == "Person" or (
                        not subject.entity_type and self._is_person(subject)
                    )
                    if person:
                        self._person = subject.names[-1]
                    elif subject.entity_type != "Person":
                        self._other, self._type = subject.names[-1], subject.entity_type

    def _is_person(self, subject: Thing) -> bool:
        return any(
            type_of_noun(c.lemma) == "Person" or gender_of_noun(c.lemma)
            for _, c in self._meaning.said_of(subject)
        )
