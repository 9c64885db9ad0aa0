"""What he, she, it or "the company" stands for, where the passage leaves no doubt."""

from __future__ import annotations

import re

from provgraph.extraction.model_free.entity_types import type_of_name, type_of_noun
from provgraph.extraction.model_free.word_classes import UNIQUE

_PERSONAL = {"he": "m", "him": "m", "his": "m", "himself": "m", "she": "f", "her": "f", "herself": "f"}
_THING = frozenset(("it", "its", "itself"))
_TOPIC = re.compile(r"[^\W\d_][\w.'’&-]*(?: [\w.'’&-]+){0,5}\Z")


class Referents:
    """Follows the names of a passage, sentence by sentence; the title is the topic if it is like a name."""

    def __init__(self, title: str) -> None:
        topic, _, kind = (part.strip(" )") for part in title.partition("("))
        self._topic = (
            topic if _TOPIC.match(topic) and all(w[0].isupper() for w in topic.split() if len(w) > 3) else ""
        )
        self._topic_ends = {
            word.lower() for word in (self._topic.split() or [""])[:: max(self._topic.count(" "), 1)]
        }
        self._types: dict[str, str] = {}
        self._genders: dict[str, str] = {}
        self._named: list[str] = []
        self._classes: dict[str, list[str]] = {}
        if self._topic and kind:
            self._classes[kind.split()[-1].lower()] = [self._topic]
        self._previous = self._topic
        self._previous_names: list[str] = []
        self._subject = ""
        self._names: list[str] = []

    @property
    def topic(self) -> str:
        """The title as a name, or ""."""
        return self._topic

    def next_sentence(self) -> None:
        """What was the current sentence becomes the one before."""
        self._previous = self._subject or self._previous
        self._previous_names = self._names or self._previous_names
        self._subject, self._names = "", []

    def mention(self, label: str, kind: str, is_subject: bool) -> None:
        """A name was read in the current sentence."""
        if kind:
            self._types[label] = kind
        if label not in self._named:
            self._named.append(label)
        if label not in self._names:
            self._names.append(label)
        if is_subject and not self._subject:
            self._subject = label

    def classify(self, label: str, noun: str) -> None:
        """`label` was said to be a `noun`."""
        labels = self._classes.setdefault(noun, [])
        if label not in labels:
            labels.append(label)

    def resolve(self, pronoun: str) -> str:
        """The one name that `pronoun` can stand for, or ""."""
        word = pronoun.lower()
        if word in _PERSONAL:
            return self._person(_PERSONAL[word])
        return self._thing() if word in _THING else ""

    def resolve_class(self, noun: str) -> str:
        """The only thing that was said to be a `noun`, or the topic where it is part of its name, or ""."""
        labels = self._classes.get(noun.lower(), [])
        if not labels and self._topic and (noun.lower() in self._topic_ends or self._is_only(noun)):
            return self._topic
        return labels[0] if len(labels) == 1 else ""

    def _is_only(self, noun: str) -> bool:
        """Whether the topic is of the type that the noun is of, and nothing else that was named is."""
        kind = type_of_noun(noun)
        named = [label for label in self._named if self.type_of(label) == kind]
        apart = bool(kind) and noun.lower() not in UNIQUE
        return apart and self.type_of(self._topic) == kind and named in ([], [self._topic])

    def full_name(self, label: str) -> str:
        """Curie → Marie Curie, where she is the only person of that surname in the passage, or its topic."""
        if " " in label:
            return label
        fuller = {name for name in [self._topic, *self._named] if name.endswith(" " + label)}
        only = fuller.pop() if len(fuller) == 1 else label
        return only if only == label or self.type_of(only) == "Person" or self._maybe_person(only) else label

    def type_of(self, label: str) -> str:
        return self._types.get(label) or type_of_name(label)

    def _person(self, gender: str) -> str:
        if self._subject and self.type_of(self._subject) == "" and self._subject != self._topic:
            return ""
        candidates = [label for label in self._persons() if self._genders.get(label, gender) == gender]
        if self._topic in candidates and (self._previous == self._topic or len(candidates) == 1):
            found = self._topic
        elif len(candidates) == 1 and not self._strangers():
            found = candidates[0]
        else:
            return ""
        self._genders[found] = gender
        if not self._subject:
            self._subject = found
        return found

    def _persons(self) -> list[str]:
        labels = (
            [self._topic, *self._named] if self._topic and self._topic not in self._named else self._named
        )
        return [label for label in labels if self.type_of(label) == "Person" or self._maybe_person(label)]

    def _strangers(self) -> bool:
        """Whether names were read that may be other persons."""
        return any(not self.type_of(n) and 2 <= len(n.split()) <= 4 and n != self._topic for n in self._named)

    def _maybe_person(self, label: str) -> bool:
        """The topic, if nothing speaks against its being a person."""
        return label == self._topic and not self.type_of(label) and 2 <= len(label.split()) <= 4

    def _thing(self) -> str:
        if self._names and self._subject:
            return self._subject if self._is_thing(self._subject) and len(self._names) == 1 else ""
        things = [label for label in self._previous_names if self.type_of(label) != "Person"]
        alone = self._previous == self._topic or things in ([self._previous], [])
        if not self._previous or not self._is_thing(self._previous) or not alone:
            return ""
        self._subject = self._previous
        return self._previous

    def _is_thing(self, label: str) -> bool:
        return label[0].isupper() and self.type_of(label) not in ("", "Person")
