"""What a text says: propositions with their arguments, each with its exact characters. Values only, no rules.

All spans are characters of the text that was read, end exclusive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from provgraph.reading.values import Value

Role = Literal[
    "subject", "object", "place", "source", "destination", "time", "duration", "quantity", "instrument",
    "beneficiary", "cause", "topic", "role", "organisation", "manner", "purpose", "companion", "of", "other",
]  # fmt: skip
ArgumentKind = Literal["entity", "value", "clause", "concept", "pronoun", "open"]
Modality = Literal[
    "asserted", "possible", "planned", "alleged", "conditional", "hypothetical", "asked", "commanded"
]
Tense = Literal["past", "present", "future", ""]

ENTITY_TYPES = ("Person", "Organization", "Place", "Work", "Event", "Group", "Award", "Concept")
"""The types of entities, as `rdf.entity_classes` names them, "Group" for peoples and nationalities, "Award"."""


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end]` of the text that was read."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a pronoun, a description or a short name stands for.

    `antecedent` is where the full name stands in the text, None where it is the document's title; `reason` says in
    one phrase why: "he: the last man named as a subject", "last name", "abbreviation".
    """

    written: Span
    stands_for: str
    reason: str
    antecedent: Span | None = None


@dataclass(frozen=True, slots=True)
class Argument:
    """One thing that a proposition is about.

    `text` is the phrase without its article, relative clauses and appositions; `span` its characters, article
    included; `head` the word that decides. `kind` is "entity" for a proper name, "concept" for a phrase of common
    nouns ("a botanist", "the treaty"), "value", "clause", "pronoun" for one that was not resolved, and "open" for what
    a question asks ("who", "which film"). `entity_type` is one of `ENTITY_TYPES` or empty; of an open argument it may
    also be "Date", "Number" or "Reason". `modifiers` are the lower-case words that narrow the head ("junior",
    "first", "only", "most"), nouns before it included; `determiner` is "the", "a", "no", "all", "some", "every", a
    possessive or empty. `number` is "singular", "plural" or empty. `of` is the complement of the head's first
    "of"-phrase or possessor ("the mayor of Graz" → Graz). `variable` joins open arguments of one question.
    `parsed_type` is what the parser alone takes the name for.
    """

    role: Role
    text: str
    span: Span
    head: Span
    kind: ArgumentKind
    lemma: str = ""
    entity_type: str = ""
    value: Value | None = None
    modifiers: tuple[str, ...] = ()
    determiner: str = ""
    number: str = ""
    of: str = ""
    preposition: str = ""
    resolution: Resolution | None = None
    variable: str = ""
    parsed_type: str = ""

    @property
    def label(self) -> str:
        """The name it goes by: what it was resolved to, or its own words."""
        return self.resolution.stands_for if self.resolution else self.text

    @property
    def is_named(self) -> bool:
        """Whether it is an entity with a name of its own, or resolved to one."""
        return self.kind == "entity" or self.resolution is not None


@dataclass(frozen=True, slots=True)
class Proposition:
    """One thing that a sentence says.

    `relation` is the id of a canonical relation where `canonical` ("born-in-place"), else lemmas of the verb, with the
    preposition that leads to the object ("walk through"). `predicate` is the words as written. `subject` and `object`
    are in the relation's direction: passive and active give the same. `arguments` are all others, `polarity` is False
    for a denial. `attributed_to` is who says so, where the sentence does ("according to X"). `certainty` is in (0, 1]:
    how safe the reading is, not how true; `attachment`, in [0, 1], is how probable the parser holds the way through the
    tree from subject to object. `stands_alone` is False where the subject or the object is a pronoun or a
    description that was not resolved. `derived` says that it follows from a phrase (apposition, possessive,
    parenthesis), not from the sentence's own verb. `main` is the clause of the sentence's main verb. `lemma` is the
    word that says it. With `agentless` an open proposition's subject is the one to whom it is done: "the ships were
    moored at Graz" is `ships | moor at | Graz`, agentless.
    """

    relation: str
    canonical: bool
    predicate: Span
    subject: Argument
    object: Argument | None
    sentence: Span
    arguments: tuple[Argument, ...] = ()
    polarity: bool = True
    modality: Modality = "asserted"
    attributed_to: Argument | None = None
    tense: Tense = ""
    certainty: float = 0.8
    derived: bool = False
    main: bool = True
    stands_alone: bool = True
    lemma: str = ""
    agentless: bool = False
    attachment: float = 1.0

    def argument(self, role: Role) -> Argument | None:
        """Its first argument of that role."""
        if role == "subject":
            return self.subject
        if role == "object":
            return self.object
        return next((argument for argument in self.arguments if argument.role == role), None)

    def __str__(self) -> str:
        """One line for people: subject | relation | object, with the rest in brackets."""
        rest = [f"{argument.role}: {argument.label}" for argument in self.arguments]
        rest += [] if self.polarity else ["denied"]
        rest += [] if self.modality == "asserted" else [self.modality]
        rest += [f"says {self.attributed_to.label}"] if self.attributed_to else []
        target = self.object.label if self.object else "–"
        return f"{self.subject.label} | {self.relation} | {target}" + (
            f" [{'; '.join(rest)}]" if rest else ""
        )


@dataclass(frozen=True, slots=True)
class Mention:
    """A thing that the text names, and all places where it stands, pronouns and descriptions included; `gender` is
    "male" or "female" where a first name, a pronoun or what somebody is to another tells it."""

    name: str
    entity_type: str
    spans: tuple[Span, ...]
    gender: str = ""


@dataclass(frozen=True)
class TextReading:
    """What a text says. `failures` counts the sentences that could not be read, by the error's name."""

    sentences: tuple[Span, ...]
    propositions: tuple[Proposition, ...]
    mentions: tuple[Mention, ...] = ()
    failures: Mapping[str, int] = field(default_factory=Counter)

    def of_sentence(self, sentence: Span) -> tuple[Proposition, ...]:
        return tuple(proposition for proposition in self.propositions if proposition.sentence == sentence)

    def type_of(self, name: str) -> str:
        """The type of what the text names so, empty where it is not known."""
        mention = self._by_name.get(name)
        return mention.entity_type if mention is not None else ""

    def gender_of(self, name: str) -> str:
        """Whether somebody is "male" or "female"; empty where the text does not tell."""
        mention = self._by_name.get(name)
        return mention.gender if mention is not None else ""

    @cached_property
    def _by_name(self) -> dict[str, Mention]:
        return {mention.name: mention for mention in reversed(self.mentions)}
