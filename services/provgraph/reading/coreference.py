"""Who is meant: pronouns, descriptions, short names and abbreviations, resolved in their document where it is safe.

Candidates agree in number, gender and type; among several the subject of the clause or sentence before is taken, then
what the document is about. Where nothing decides, the argument stays what it was and the proposition does not stand
alone. Method: salience and agreement filters as in Lappin & Leass (1994), without weights: the first that is safe.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from provgraph.reading.document_entities import DocumentEntity, agrees, is_called, is_short_for
from provgraph.reading.document_titles import plain_title
from provgraph.reading.entity_types import gender_of_name, gender_of_noun, type_of_name, type_of_noun
from provgraph.reading.propositions import Argument, Mention, Proposition, Resolution
from provgraph.reading.self_reference import WE, SelfReference

_HE: Final = frozenset("he him his himself".split())
_SHE: Final = frozenset("she her hers herself".split())
_IT: Final = frozenset("it its itself".split())
_THEY: Final = frozenset("they them their theirs themselves".split())
_DEFINITE: Final = frozenset("the this that".split())
_KINDS: Final = frozenset({"instance-of", "occupation", "is", "position"})
_NEAR: Final = 2
_MALE_KIN: Final = frozenset("brother son father husband".split())
_MARRIED: Final = frozenset("spouse husband wife".split())
_GENERIC: Final = frozenset(
    "company firm corporation business city town village organisation organization".split()
)
_FEMALE_KIN: Final = frozenset("sister daughter mother wife".split())


class Coreference:
    """Resolves the propositions of one document, sentence by sentence, in order."""

    def __init__(self, title: str = "", own: SelfReference | None = None) -> None:
        """`own` is the organisation that speaks as "we"."""
        self._entities: dict[str, DocumentEntity] = {}
        self._aliases: dict[str, DocumentEntity] = {}
        self._sentence = 0
        self._subjects: list[DocumentEntity] = []
        self._last_subjects: list[DocumentEntity] = []
        self._here: list[tuple[int, DocumentEntity]] = []
        name = plain_title(title)
        self._topic = self._new(name) if name else None
        if self._topic is not None:
            self._topic.topic = True
        self._meant_here: list[DocumentEntity] = []
        self._couple: tuple[DocumentEntity, DocumentEntity] | None = None
        self._own = own
        if own is not None:
            self._aliases.update((term, self._speaking(own.name)) for term in own.terms)

    def sentence(self, propositions: Sequence[Proposition]) -> list[Proposition]:
        """The propositions of the next sentence with what they stand for."""
        self._sentence += 1
        self._last_subjects, self._subjects, self._here = self._subjects or self._last_subjects, [], []
        for argument in sorted(_arguments(propositions), key=lambda argument: argument.span.start):
            if argument.kind == "entity":
                self._mention(argument)
        for proposition in propositions:
            self._learn(self._resolved(proposition) if proposition.relation in _MARRIED else proposition)
        propositions = [each for proposition in propositions for each in self._of_both(proposition)]
        in_order = sorted(propositions, key=lambda p: (p.derived, not p.main))
        resolved = [self._resolved(proposition) for proposition in in_order]
        results = [p for p in resolved if p.object is None or p.object.label != p.subject.label]
        for result in results:
            self._learn(result)
        for entity in self._meant_here:
            entity.last = self._sentence
        self._meant_here.clear()
        return results

    def mentions(self) -> tuple[Mention, ...]:
        entities = {id(entity): entity for entity in self._entities.values() if entity.spans}.values()
        return tuple(Mention(e.name, e.type, tuple(dict.fromkeys(e.spans)), e.gender) for e in entities)

    # what is known

    def _new(self, name: str) -> DocumentEntity:
        entity = DocumentEntity(name, type_of_name(name), gender_of_name(name), last=self._sentence)
        entity.strong = bool(entity.type) and not entity.gender
        self._entities[name] = entity
        return entity

    def _mention(self, argument: Argument) -> None:
        entity = self._known(argument.text) or self._new(argument.text)
        entity.spans.append(argument.span)
        entity.last = self._sentence
        entity.plural = entity.plural or (argument.number == "plural" and argument.text == entity.name)
        self._type(entity, argument.entity_type)
        self._here.append((argument.span.start, entity))

    def _type(self, entity: DocumentEntity, kind: str, strong: bool = False) -> None:
        if kind and (not entity.type or (strong and not entity.strong)):
            entity.type = kind
        entity.strong = entity.strong or (strong and bool(kind))

    def _known(self, name: str) -> DocumentEntity | None:
        """The entity that goes by the name: its own, an abbreviation, the last name of one person only."""
        entity = self._entities.get(name) or self._aliases.get(name)
        if entity is not None:
            return entity
        near = list(
            {
                id(document_entity): document_entity
                for document_entity in self._entities.values()
                if is_short_for(name, document_entity)
            }.values()
        )
        if len(near) == 1:
            return near[0]
        topic = self._topic
        return topic if topic is not None and topic in near and topic.type == "Person" else None

    def _learn_gender(self, proposition: Proposition) -> None:
        """A brother is male, a wife female, and whose wife she is, male."""
        kin, both = proposition.relation, (proposition.subject, proposition.object)
        married, relative = (self._entities.get(each.label) if each is not None else None for each in both)
        if relative is not None and kin in _MALE_KIN | _FEMALE_KIN:
            self._type(relative, "Person")
            relative.gender = relative.gender or ("male" if kin in _MALE_KIN else "female")
        if married is not None and kin in ("wife", "husband"):
            married.gender = married.gender or ("male" if kin == "wife" else "female")

    def _learn(self, proposition: Proposition) -> None:
        self._learn_gender(proposition)
        subject = self._entities.get(proposition.subject.label)
        if subject is None or not proposition.polarity:
            return
        target = proposition.object
        if proposition.relation in _MARRIED and target is not None and target.label in self._entities:
            self._couple = subject, self._entities[target.label]
        if proposition.relation in _KINDS and target is not None and target.kind == "concept":
            subject.nouns.add(target.lemma)
            subject.gender = subject.gender or gender_of_noun(target.lemma)
            self._type(
                subject,
                "Person" if proposition.relation == "occupation" else type_of_noun(target.lemma),
                True,
            )
        elif proposition.relation == "also-known-as" and target is not None:
            self._aliases.setdefault(target.text, subject)
            if target.text != subject.name and self._entities.get(target.text, subject).spans == [
                target.span
            ]:
                self._entities[target.text] = subject
        elif proposition.canonical:
            self._type(subject, proposition.subject.entity_type)
        ends = [each for each in (proposition.subject, target) if each is not None]
        first = min(ends, key=lambda each: each.span.start)  # of "He was the third child of Jens" him
        about = self._entities.get(first.label)
        if not proposition.derived and about is not None and about not in self._subjects:
            self._subjects.append(about)

    # resolving

    def _resolved(self, proposition: Proposition) -> Proposition:
        others = {
            a.text for a in (proposition.subject, proposition.object) if a is not None and a.kind == "entity"
        }
        subject = self._argument(proposition.subject, others)
        target = (
            self._argument(proposition.object, others | {subject.label})
            if proposition.object is not None
            else None
        )
        rest = tuple(self._argument(argument, others) for argument in proposition.arguments)
        speaker = (
            self._argument(proposition.attributed_to, set())
            if proposition.attributed_to is not None
            else None
        )
        alone = _stands_alone(subject) and (target is None or _stands_alone(target))
        parts = (proposition.subject, proposition.object, proposition.attributed_to, *proposition.arguments)
        same = all(one is other for one, other in zip(parts, (subject, target, speaker, *rest), strict=True))
        if same and alone == proposition.stands_alone:
            return proposition
        return replace(
            proposition,
            subject=subject,
            object=target,
            arguments=rest,
            attributed_to=speaker,
            stands_alone=alone,
        )

    def _of_both(self, proposition: Proposition) -> list[Proposition]:
        """What is said of a couple as said of each: "the couple had a son"."""
        couple, subject, target = self._couple, proposition.subject, proposition.object
        if couple is None or self._sentence - max(each.last for each in couple) > _NEAR:
            return [proposition]
        if self._is_couple(subject):
            return [replace(proposition, subject=one) for one in self._each_of(couple, subject)]
        if target is not None and self._is_couple(target):
            return [replace(proposition, object=one) for one in self._each_of(couple, target)]
        return [proposition]

    def _each_of(self, couple: Sequence[DocumentEntity], argument: Argument) -> list[Argument]:
        return [self._as_meant(argument, each, f"{argument.text}: a couple") for each in couple]

    def _is_couple(self, argument: Argument) -> bool:
        if argument.kind == "pronoun" and argument.text.lower() in _THEY:
            return self._of_pronoun(argument, set())[0] is None
        return argument.kind == "concept" and argument.determiner == "the" and argument.lemma == "couple"

    def _argument(self, argument: Argument, others: set[str]) -> Argument:
        if argument.resolution is not None:
            return argument
        entity, reason = self._meant(argument, others)
        if entity is None or entity.name == argument.text:
            known = self._entities.get(argument.text)
            return (
                replace(argument, entity_type=known.type)
                if known and known.type and known.strong and known.type != argument.entity_type
                else argument
            )
        return self._as_meant(argument, entity, reason)

    def _as_meant(self, argument: Argument, entity: DocumentEntity, reason: str) -> Argument:
        """An argument that stands for an entity."""
        entity.spans.append(argument.span)
        self._meant_here.append(entity)
        antecedent = entity.spans[0] if entity.spans and entity.spans[0] != argument.span else None
        if self._own is not None and argument.text.lower() in WE:
            antecedent = self._own.span
        resolution = Resolution(argument.span, entity.name, reason, antecedent)
        return replace(argument, resolution=resolution, entity_type=entity.type or argument.entity_type)

    def _meant(self, argument: Argument, others: set[str]) -> tuple[DocumentEntity | None, str]:
        if argument.kind == "pronoun":
            return self._of_pronoun(argument, others)
        if argument.kind == "entity":
            entity = self._known(argument.text)
            return (
                (entity, "short name")
                if entity is not None and entity.name not in others - {argument.text}
                else (None, "")
            )
        if argument.kind == "concept" and argument.determiner in _DEFINITE and not argument.of:
            return self._of_description(argument, others)
        return None, ""

    def _speaking(self, name: str) -> DocumentEntity:
        """The organisation of that name, known from the first sentence on."""
        entity = self._entities.get(name) or self._new(name)
        self._type(entity, "Organization", strong=True)
        return entity

    def _of_pronoun(self, argument: Argument, others: set[str]) -> tuple[DocumentEntity | None, str]:
        word = argument.text.lower()
        if word in WE:
            own = self._own if self._own is not None and self._own.holds_at(argument.span.start) else None
            return (self._speaking(own.name), f"{word}: {own.reason}") if own is not None else (None, "")
        gender = "male" if word in _HE else "female" if word in _SHE else "thing" if word in _IT else ""
        if not gender and word not in _THEY:
            return None, ""
        entity, reason = self._best(
            [e for e in self._candidates(argument) if e.name not in others and agrees(e, gender)]
        )
        if entity is not None and gender in ("male", "female"):
            entity.gender = entity.gender or gender
        return entity, f"{word}: {reason}"

    def _candidates(self, argument: Argument) -> list[DocumentEntity]:
        """The entities named before it, those of this sentence first, the latest first."""
        here = [entity for start, entity in reversed(self._here) if start < argument.span.start]
        before = sorted(
            (e for e in self._entities.values() if 0 < self._sentence - e.last <= _NEAR or e.topic),
            key=lambda e: -e.last,
        )
        return list({id(e): e for e in [*here, *before]}.values())

    def _best(self, candidates: Sequence[DocumentEntity]) -> tuple[DocumentEntity | None, str]:
        if len(candidates) == 1:
            return candidates[0], "the only one named before that agrees"
        subjects = [e for e in self._last_subjects if e in candidates]
        current = [e for e in self._subjects if e in candidates]
        for group, reason in (
            (current, "the subject of the sentence"),
            (subjects, "the subject of the sentence before"),
        ):
            if len(group) == 1:
                return group[0], reason
        if (
            self._topic in candidates
            and self._topic is not None
            and (self._topic in subjects or not subjects)
        ):
            return self._topic, "what the document is about"
        here = [e for e in candidates if e.last == self._sentence and not e.topic]
        if not current and len(here) == 1:
            return here[0], "the only one named in the sentence that agrees"
        return None, ""

    def _of_description(self, argument: Argument, others: set[str]) -> tuple[DocumentEntity | None, str]:
        """The film, the company: the one of which that noun was said."""
        if argument.number == "plural" or argument.modifiers:
            return None, ""
        reason = f"the only {argument.lemma} named before"
        before = [
            e
            for e in self._entities.values()
            if e.name not in others and (e.topic or (e.spans and e.spans[0].start < argument.span.start))
        ]
        entities = [e for e in before if is_called(e, argument.lemma)]
        if len(entities) == 1:
            return entities[0], reason
        topic = self._topic
        if topic is not None and topic in entities:
            return topic, "what the document is about"
        kind = type_of_noun(argument.lemma)
        of_kind = [e for e in before if e.type == kind]
        if (
            argument.lemma in _GENERIC
            and not entities
            and len(of_kind) == 1
            and self._sentence - of_kind[0].last <= _NEAR
        ):
            return of_kind[0], f"the only {kind.lower()} named before"
        if (
            not entities
            and topic is not None
            and kind in ("Organization", "Work")
            and topic.type == kind
            and not topic.nouns
        ):
            return topic, "what the document is about"
        return None, ""


def _arguments(propositions: Sequence[Proposition]) -> Iterator[Argument]:
    for proposition in propositions:
        yield from (
            a
            for a in (
                proposition.subject,
                proposition.object,
                *proposition.arguments,
                proposition.attributed_to,
            )
            if a is not None
        )


def _stands_alone(argument: Argument) -> bool:
    if argument.resolution is not None or argument.kind in ("entity", "value"):
        return True
    if argument.kind in ("pronoun", "open"):
        return False
    return argument.determiner in ("a", "an", "", "all", "every", "no", "some", "most") or bool(argument.of)
