"""How sure it is that a reader of the sentence would call a stored fact true.

It starts at the certainty of the construction, and falls with what the parser doubts on the way from subject to object,
with a name that stands for another, and with a type that only the parser tells against the relation.
"""

from __future__ import annotations

from typing import Final

from provgraph.extraction.by_reading.asserted import is_adjacent
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import Relation, TriggerKind, vocabulary
from provgraph.reading.values import Date

_MOST: Final = 0.95
_LEAST: Final = 0.05
_BY_TREE: Final = 0.5
_BY_TYPES: Final = 0.25
"""How much the parser's doubt weighs, as an exponent: less where types speak for the relation."""
_TRIGGERS: Final[tuple[TriggerKind, ...]] = ("noun", "verb")
_HE_OR_SHE: Final = frozenset("he she him her his".split())
_RESOLVED: Final = 0.05
_DOUBTED: Final = 0.4
_FOUNDING: Final = frozenset({"found", "co-found"})
"""Verbs of which the object is no person, whatever the parser takes its name for."""
_WORKS: Final = frozenset({"Work", "Event"})


def confidence(proposition: Proposition, kinds: tuple[str, str], text: str, topic: bool = False) -> float:
    """In steps of 0.05; `kinds` are the types of subject and object as far as `text` proves them, `topic` says that the
    document is called like the subject."""
    attachment = 1.0 if is_adjacent(proposition, text) else proposition.attachment
    sure = proposition.certainty * attachment ** (_BY_TYPES if fits_well(proposition, kinds) else _BY_TREE)
    sure -= _RESOLVED * sum(
        _is_resolved(a) for a in (proposition.subject, proposition.object) if a is not None
    )
    if proposition.canonical and not (topic and kinds[0] != "Person"):
        sure -= _DOUBTED * _is_doubtful(proposition, kinds, text)
    return float(round(round(min(max(sure, _LEAST), _MOST) * 20) / 20, 2))


def _is_resolved(argument: Argument) -> bool:
    """Whether it is a pronoun or a description that stands for a name."""
    return argument.resolution is not None and argument.kind in ("pronoun", "concept")


def fits_well(proposition: Proposition, kinds: tuple[str, str]) -> bool:
    """Whether the types of both are proved and are those of the relation, so that the words have few other ways to
    stand to each other."""
    if not proposition.canonical or proposition.object is None:
        return False
    relation = vocabulary()[proposition.relation]
    dated = isinstance(proposition.object.value, Date) and "Date" in relation.range
    return kinds[0] in relation.domain and (dated or kinds[1] in relation.range)


def _is_doubtful(proposition: Proposition, kinds: tuple[str, str], text: str) -> bool:
    """Whether the parser's own class is one that the relation cannot hold of, nothing tells a work to be one, or the
    word says something else of things of other types, as "parent" does of companies."""
    relation = vocabulary()[proposition.relation]
    if (
        relation.domain
        and relation.domain <= _WORKS
        and not (kinds[0] or _is_quoted(proposition.subject, text))
    ):
        another = proposition.subject.resolution is not None or (
            bool(proposition.subject.determiner) and " " not in proposition.subject.text
        )
        return another or proposition.subject.parsed_type in ("Person", "Place")
    if proposition.subject.text.lower() in _HE_OR_SHE and kinds[0] != "Person":
        return True
    founded = proposition.lemma in _FOUNDING and proposition.subject.resolution is None
    if _is_never(proposition.subject, kinds[0], relation.never_of) and not founded:
        return True
    if proposition.object is not None and _is_never(proposition.object, kinds[1], relation.never_to):
        return True
    return not any(kinds) and _has_rival(proposition, relation)


def _is_never(argument: Argument, proved: str, types: frozenset[str]) -> bool:
    return not proved and argument.entity_type in types


def _is_quoted(argument: Argument, text: str) -> bool:
    span = argument.resolution.antecedent if argument.resolution else argument.span
    return span is not None and text[max(0, span.start - 1) : span.start] in ('"', "“", "‘", "«", "*", "_")


def _has_rival(proposition: Proposition, relation: Relation) -> bool:
    """Whether its word says another relation of the same roles between things of wholly other types."""
    triggers = [t for kind in _TRIGGERS for t in vocabulary().find(kind, proposition.lemma)]
    own = {(t.kind, t.subject, t.object) for t in triggers if t.relation == relation.id}
    others = {t.relation for t in triggers if (t.kind, t.subject, t.object) in own} - {relation.id}
    domains = [vocabulary()[other].domain for other in others]
    return bool(relation.domain) and any(domain and domain.isdisjoint(relation.domain) for domain in domains)
