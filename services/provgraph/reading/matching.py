"""From roles to relations: which relation of the vocabulary a word says, between which arguments.

A trigger fits where both roles are filled by arguments that the relation's domain and range allow; where several fit
the same two words, the one that the types speak for is taken, and none where nothing decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.entity_types import type_of_label, type_of_name, type_of_noun
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Argument, Role
from provgraph.reading.relations import Relation, Trigger, Vocabulary
from provgraph.reading.syntax import Token
from provgraph.reading.values import Date, Quantity

Roles = Mapping[str, list[Token]]
_TIME_CASES: Final = frozenset(
    "@in @on @at @ @during @around @by @before @after @since @from @until @about @circa @between @throughout".split()
)
_PLACE_CASES: Final = frozenset("@in @at @near @on @outside @from".split())
_MOST: Final = 8
_PLACES_OR_BODIES: Final = frozenset({"Place", "Organization"})
_ROLE_OF_CASE: Final[dict[str, Role]] = {
    "in": "place", "at": "place", "near": "place", "on": "place", "within": "place", "inside": "place",
    "from": "source", "out of": "source", "to": "destination", "into": "destination", "toward": "destination",
    "towards": "destination", "onto": "destination", "with": "companion", "using": "instrument", "by": "instrument",
    "via": "instrument", "through": "instrument", "for": "beneficiary", "because of": "cause", "due to": "cause",
    "about": "topic", "regarding": "topic", "as": "role", "of": "of", "like": "manner", "during": "time",
    "after": "time", "before": "time", "since": "time", "until": "time", "per": "other",
}  # fmt: skip


@dataclass(frozen=True)
class RelationMatch:
    """A relation that holds between two words of the sentence; `strength` counts what speaks for it."""

    relation: Relation
    trigger: Trigger
    subject: Token
    object: Token
    strength: float
    loose: bool = False


_PEOPLE: Final = frozenset(("Person",))
_LEAST: Final = -0.1
_LEAST_OF_KIN: Final = -0.5
"""How well both ends of a relation must fit it; whoever is a daughter is a person, whatever the name looks like;
a partner may be one of a firm."""


@dataclass(frozen=True)
class RelationMatcher:
    """Finds relations among the roles of a clause or a noun."""

    phrases: Phrases
    vocabulary: Vocabulary

    def matches(self, triggers: Iterable[Trigger], roles: Roles, loose: Roles) -> list[RelationMatch]:
        """The relations that hold, one for each pair of words, in the order of the sentence."""
        best: dict[tuple[int, int], list[RelationMatch]] = {}
        for match in self._candidates(triggers, roles, loose):
            low, high = sorted((match.subject.index, match.object.index))
            best.setdefault((low, high), []).append(match)
        return [match for group in best.values() for match in self._decide(group)]

    def _decide(self, group: list[RelationMatch]) -> list[RelationMatch]:
        """The strongest; none where several relations are equally possible and nothing speaks for one."""
        group.sort(key=lambda match: -match.strength)
        best = group[0]
        rivals = [m for m in group[1:] if m.relation.id != best.relation.id and m.strength == best.strength]
        return [] if rivals and best.strength <= 0 else [best]

    def _candidates(self, triggers: Iterable[Trigger], roles: Roles, loose: Roles) -> Iterator[RelationMatch]:
        for trigger in triggers:
            relation = self.vocabulary[trigger.relation]
            froms, from_loose = self._tokens(trigger.subject, roles, loose)
            tos, to_loose = self._tokens(trigger.object, roles, loose)
            if relation.symmetric and not tos and len(froms) == 2:
                froms, tos = froms[:1], froms[1:]
            for subject in froms[:_MOST]:
                for target in tos[:_MOST]:
                    match = self._match(trigger, relation, subject, target, from_loose or to_loose)
                    if match is not None:
                        yield match

    def _match(
        self, trigger: Trigger, relation: Relation, subject: Token, target: Token, loose: bool
    ) -> RelationMatch | None:
        if subject.index == target.index:
            return None
        one, other = self._fit(subject, relation.domain), self._fit(target, relation.range)
        if relation.named and type_of_name(self.phrases.text_of(target).text) not in relation.range:
            return None
        if relation.id == "occupation" and self.phrases.is_name(target):
            return None  # an office, which is a position
        if one is None or other is None or (relation.alike and not self._are_alike(subject, target)):
            return None
        strength = one + other - (0.5 if loose else 0) - (0.5 if relation.open else 0)
        is_kinship = relation.domain == relation.range == _PEOPLE and relation.id != "spouse"
        least = _LEAST_OF_KIN if is_kinship else _LEAST
        if one + other < least:
            return None
        return RelationMatch(relation, trigger, subject, target, strength, loose)

    def _are_alike(self, one: Token, other: Token) -> bool:
        """Whether neither or both are places, as far as their types are known."""
        types = {self.phrases.type_of(self.phrases.named(token)) for token in (one, other)} - {"", "Work"}
        return len(types) < 2 or "Place" not in types

    def _tokens(self, names: tuple[str, ...], roles: Roles, loose: Roles) -> tuple[list[Token], bool]:
        tokens = [token for name in names for token in self._role(name, roles)]
        if tokens or not any(name.startswith("@") for name in names):
            return tokens, False
        return [token for name in names for token in self._role(name, loose)], True

    def _role(self, name: str, roles: Roles) -> list[Token]:
        if name == "I":
            return [] if "P" in roles else list(roles.get("A", ()))
        if name == "@time":
            return [
                t for case, some in roles.items() if case in _TIME_CASES for t in some if self._is_date(t)
            ]
        if name == "@place":
            return [
                t for case, some in roles.items() if case in _PLACE_CASES for t in some if self._is_place(t)
            ]
        return list(roles.get(name, ()))

    def _is_date(self, token: Token) -> bool:
        return isinstance(self.phrases.value_at(token), Date) or self.phrases.open_type(token) == "Date"

    def _is_place(self, token: Token) -> bool:
        return (
            self.phrases.value_at(token) is None
            and self.phrases.type_of(self.phrases.named(token)) == "Place"
        )

    def _fit(self, token: Token, types: frozenset[str]) -> float | None:
        """How well a word fits the types: None for not at all, 0 where its type is not known, 1 where it fits."""
        asked = self.phrases.open_type(token)
        if asked is not None:
            return self._fit_open(token, asked, types)
        value = self.phrases.value_at(token)
        if isinstance(value, Date):
            return 1.0 if "Date" in types else None
        if isinstance(value, Quantity):
            return self._fit_quantity(token, value, types)
        if types and types <= {"Date", "Number"}:
            return None
        kind = self.phrases.type_of(self.phrases.named(token), token)
        if "Role" in types:
            return 1.0 if self._is_role(token, kind) else None
        if not types:
            return 0.2
        if not kind or token.pos == "PRON":
            return self._fit_unknown(token, types)
        return self._fit_type(token, kind, types)

    def _is_role(self, token: Token, kind: str) -> bool:
        """A noun for people, or a name that is one: "as Chief Executive Officer"."""
        if not self.phrases.is_name(token):
            return kind == "Person"
        return not token.entity and type_of_noun(token.lemma.lower()) == "Person"

    def _fit_open(self, token: Token, asked: str, types: frozenset[str]) -> float | None:
        """As `_fit`, for what a question asks."""
        if asked == "Manner":
            return 0.5 if "Number" in types else None
        if asked in ("Date", "Number", "Reason"):
            counted = asked == "Number" and (
                not types or self.phrases.type_of_counted(token) in types or "-" in types
            )
            return 1.0 if asked in types else 0.6 if counted else None
        if types and types <= {"Date", "Number"}:
            return 0.3 if not asked and token.text.lower() == "what" else None
        if not asked or not types:
            return 0.2
        person = asked == "Person" and types & {"Organization", "Group"}
        return 1.0 if asked in types or person else 0.1 if "-" in types or "Concept" in types else None

    def _fit_unknown(self, token: Token, types: frozenset[str]) -> float | None:
        """A name or a pronoun may be anything; a common noun whose type is not known is no person and no place."""
        if token.pos == "PRON":
            thing = token.text.lower() in ("it", "its")
            return None if (thing and types <= {"Person", "Group"}) else 0.1
        if self.phrases.is_name(self.phrases.named(token)):
            return 0.0
        if "Concept" in types:
            return 0.5
        return 0.0 if types & {"-", "Work", "Event"} else None

    def _fit_type(self, token: Token, kind: str, types: frozenset[str]) -> float | None:
        if kind in types or (kind == "Group" and types & {"Person", "Organization", "Place"}):
            return 1.0
        if "Concept" in types and not self.phrases.is_name(token):
            return 0.5
        if "-" in types:
            return 0.0
        named = self.phrases.named(token)
        weak = self.phrases.is_name(named) and kind == type_of_label(named.entity)
        if not weak or types <= {"Concept", "Date", "Number"}:
            return None
        near = kind in _PLACES_OR_BODIES and types & _PLACES_OR_BODIES
        return -0.2 if near else -0.4

    def _fit_quantity(self, token: Token, value: Quantity, types: frozenset[str]) -> float | None:
        if "Number" in types:
            return 1.0
        kind = self.phrases.type_of(token)
        return (0.5 if not types or kind in types or "-" in types else None) if value.noun else None


def other_arguments(phrases: Phrases, roles: Roles, used: set[int]) -> tuple[Argument, ...]:
    """The arguments of a clause that are neither subject nor object, each in the role its preposition gives it."""
    free = (
        (name, tokens)
        for name, tokens in roles.items()
        if name not in ("A", "self") and not any(token.index in used for token in tokens)
    )
    return tuple(
        _placed(phrases.argument(token, "other", name.removeprefix("@")), name)
        for name, tokens in free
        for token in tokens
    )


def _placed(argument: Argument, name: str) -> Argument:
    role = role_of(argument, name)
    return argument if role == argument.role else replace(argument, role=role)


def role_of(argument: Argument, name: str) -> Role:
    """The role of the complement of a preposition ("@in"), or of another role of a clause."""
    case = name.removeprefix("@")
    if isinstance(argument.value, Date):
        return "time"
    if isinstance(argument.value, Quantity) and argument.value.unit in (
        "years",
        "days",
        "weeks",
        "months",
        "h",
        "min",
        "s",
    ):
        return "duration"
    if not name.startswith("@"):
        return {"R": "beneficiary", "C": "role", "P": "object", "measure": "quantity", "of": "of"}.get(
            name, "other"
        )  # type: ignore[return-value]
    role = _ROLE_OF_CASE.get(case, "other")
    if role == "place" and argument.entity_type in ("Organization",):
        return "organisation"
    if role == "companion" and argument.entity_type not in ("Person", "Organization", "Group"):
        return "instrument"
    return role
