"""What a phrase names: the label of a thing, or a value."""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.extraction.facts import Value
from provgraph.extraction.model_free.anaphora import is_unclear_object, is_unclear_subject
from provgraph.extraction.model_free.definitions import name_within
from provgraph.extraction.model_free.entity_types import type_of_name
from provgraph.extraction.model_free.labels import clean_label
from provgraph.extraction.model_free.phrases import name_after_roles
from provgraph.extraction.model_free.referents import Referents
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.values import read_value
from provgraph.extraction.model_free.word_classes import EMPTY_NAMES

MAX_LABEL_WORDS = 10


@dataclass(frozen=True)
class Named:
    """What a phrase names: a label or a value, and whether it is a proper name.

    `resolved` says that the passage told what "the band" or "her work" stands for.
    """

    label: str
    value: Value | None = None
    proper: bool = False
    type: str = ""
    resolved: bool = False


class Naming:
    """Names the phrases of a passage; pronouns and surnames by the passage's `referents`."""

    def __init__(self, referents: Referents, verbatim: bool) -> None:
        self._referents = referents
        self._verbatim = verbatim

    def subject(self, sentence: Sentence, phrase: Phrase, relation: str) -> Named | None:
        """What the phrase names as the subject of `relation`; None where that is nothing to make a node of."""
        named = self._name(sentence, phrase, is_subject=True)
        if self._verbatim or named is None or named.proper:
            return named
        return None if is_unclear_subject(sentence, phrase, relation) and not named.resolved else named

    def object(self, sentence: Sentence, phrase: Phrase, relation: str) -> Named | None:
        """What the phrase names as the object of `relation`; None where that is nothing to make a node of."""
        named = self._name(sentence, phrase, is_subject=False)
        if self._verbatim or named is None or named.proper:
            return named
        return None if is_unclear_object(sentence, phrase, relation) else named

    def _name(self, sentence: Sentence, phrase: Phrase, is_subject: bool) -> Named | None:
        first = sentence.tags[phrase.start]
        if phrase.end - phrase.start == 1 and first in "OED":
            return self._pronoun(sentence.tokens[phrase.start].text)
        if self._verbatim:
            return self._verbatim_name(sentence, phrase)
        if is_subject and first == "S":
            return self._possession(sentence, phrase)
        phrase = _name_only(sentence, phrase)
        label = clean_label(sentence.words(phrase.start, phrase.end))
        if len(label.split()) > MAX_LABEL_WORDS:
            label = clean_label(sentence.words(phrase.start, phrase.head))
        if not label or len(label.split()) > MAX_LABEL_WORDS or _is_empty(label):
            return None
        value = read_value(label)
        if value is not None:
            return Named(label, value)
        known = self._known_thing(sentence, phrase)
        if known is not None:
            return known
        proper = sentence.tags[phrase.head - 1] == "P"
        if proper:
            label = self._referents.full_name(label)
        return Named(label, None, proper, type_of_name(label) if proper else "")

    def _verbatim_name(self, sentence: Sentence, phrase: Phrase) -> Named | None:
        label = " ".join(sentence.words(phrase.start, phrase.end).split())
        proper = sentence.tags[phrase.head - 1] == "P"
        return Named(label, read_value(label), proper, type_of_name(label) if proper else "")

    def _known_thing(self, sentence: Sentence, phrase: Phrase) -> Named | None:
        """The band: the one that the passage names; the band's name: that of the band."""
        length = phrase.end - phrase.start
        owned = length > 3 and sentence.tags[phrase.start + 2] == "A"
        if sentence.tokens[phrase.start].lower != "the" or not (length == 2 or owned):
            return None
        name = self._referents.resolve_class(sentence.tokens[phrase.start + 1].lower)
        if not name:
            return None
        if not owned:
            return Named(name, None, True, self._referents.type_of(name), resolved=True)
        rest = clean_label(sentence.words(phrase.start + 3, phrase.end))
        return Named(f"{name}'s {rest}", resolved=True) if rest else None

    def _pronoun(self, word: str) -> Named | None:
        if self._verbatim:
            return Named(word)
        name = self._referents.resolve(word)
        return Named(name, None, True, self._referents.type_of(name)) if name else None

    def _possession(self, sentence: Sentence, phrase: Phrase) -> Named | None:
        """Her work: "Marie Curie's work", if it is clear who she is; her husband Pierre: the name alone."""
        name = _name_only(sentence, phrase)
        if name.start != phrase.start:
            return self._name(sentence, name, is_subject=True)
        owner = self._referents.resolve(sentence.tokens[phrase.start].lower)
        rest = (
            clean_label(sentence.words(phrase.start + 1, phrase.end)) if phrase.end > phrase.start + 1 else ""
        )
        return (
            Named(f"{owner}'s {rest}", resolved=True)
            if owner and rest and len(rest.split()) <= MAX_LABEL_WORDS - 4
            else None
        )


def _name_only(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The physicist Marie Curie → Marie Curie."""
    if phrase.head != phrase.end:
        return phrase
    if "U" in sentence.tags[phrase.start : phrase.end]:
        return name_after_roles(sentence, phrase) if sentence.tags[phrase.end - 1] == "P" else phrase
    for index, chunk in enumerate(sentence.chunks):
        if chunk.start == phrase.start and chunk.end == phrase.end:
            return name_within(sentence, index) or phrase
    return phrase


def _is_empty(label: str) -> bool:
    return label.lower() in EMPTY_NAMES and not label.isupper()
