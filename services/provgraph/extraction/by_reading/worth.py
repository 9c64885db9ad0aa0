"""Which propositions become facts, and in what words.

A fact has a name, a defined term or a value at both ends and a real predicate. What is denied, planned, alleged or
conditional is no fact, nor is what speaks of "it" or "the company" where the text does not tell which.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from provgraph.extraction.by_reading.asserted import is_asserted, is_same_name
from provgraph.extraction.by_reading.common_nouns import KINDS, LONGEST_TERM, clean, common_noun
from provgraph.extraction.by_reading.confidence import confidence, fits_well
from provgraph.extraction.by_reading.joined import (
    KNOWLEDGE,
    is_general,
    is_joined,
    is_knowledge,
)
from provgraph.extraction.by_reading.kinds import (
    is_office,
    is_role_word,
)
from provgraph.extraction.by_reading.names_in_text import is_common_noun, is_cut_off, is_whole_name
from provgraph.extraction.by_reading.open_predicates import with_name, with_value
from provgraph.extraction.by_reading.typed_names import TypedNames, stored
from provgraph.extraction.facts import Entity, Fact
from provgraph.extraction.facts import Value as StoredValue
from provgraph.extraction.stored_values import stored_value
from provgraph.rdf.terms import NamedNode
from provgraph.reading.entity_types import demonyms, type_of_name, type_of_noun
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.relations import vocabulary
from provgraph.reading.self_reference import WE
from provgraph.reading.values import Date, Quantity, Value

_LEAST: Final = 0.65
_LEAST_OPEN: Final = 0.8
_LEAST_STORED: Final = 0.6
_LEAST_TYPED: Final = 0.55
_NOT_STORED: Final = frozenset({"has-property", "has", "uses", "gender", "age"})
_FOUND: Final = frozenset({"discovered-by", "invented-by", "invented-on-date", "named-after"})
"""Relations that a thing without a name may have to one with a name."""
_LEGAL_FORMS: Final = frozenset(
    "Inc Incorporated Corp Corporation Co Company Companies Ltd Limited LLC LLP LP plc PLC AG GmbH SA NV SE Group "
    "Holding Holdings and &".split()
)
_AWARDING: Final = frozenset("award honour honor recipient winner laureate".split())
_DEGREES: Final = frozenset(
    "degree diploma doctorate bachelor master phd ph.d. b.a. m.a. mba m.b.a. m.d.".split()
)
_PRONOUNS: Final = frozenset("he she it they him her them his its their".split())
_POINTING: Final = frozenset(
    "its his her their our my your this that these those such another other each both".split()
)
_EMPTY: Final = frozenset(
    "example use time way thing part reason case result number amount activity factor".split()
)
_NOT_COUNTED: Final = _EMPTY | frozenset(
    {"", "year", "month", "day", "hour", "point", "option", "chance", "goal", "win"}
)
_LONGEST_FOUND: Final = 5
_NOISE: Final = re.compile(r"[|\t\n{}<>=\\]|\.{3}|\s[-–—]\s")
_PART: Final = re.compile(
    r"(?:Table|Figure|Fig|Section|Chapter|Appendix|Equation|Step|Example|Note|Item|Level|Part|Page|Exhibit)\b",
    re.I,
)
_APPOINTED: Final = frozenset("serve appoint elect name nominate crown promote vote".split())
_OPENING_QUOTES: Final = ('"', "“", "‘", "«")


def fact_of(proposition: Proposition, text: str, names: TypedNames) -> Fact | None:
    """The fact that a proposition of `text` is stored as; None where it is not worth storing."""
    proposition = _as_written(proposition, names)
    target = proposition.object
    if target is None or not _is_said(proposition, text) or not _is_subject(proposition, text, names):
        return None
    if not is_joined(proposition, target, text):
        return None
    subject = Entity(clean(proposition.subject.label), stored(names.type_of(proposition.subject.label)))
    found = _object(proposition, target, text, names)
    if found is None or found.label.casefold() == subject.label.casefold():
        return None
    if (
        isinstance(found, Entity)
        and subject.label.islower()
        and found.label.islower()
        and not (is_general(proposition) or proposition.relation in KINDS | KNOWLEDGE)
    ):
        return None
    if isinstance(found, Entity) and _is_no_office(proposition, found.label):
        return None
    if proposition.relation in ("position", "occupation") and _ends_an_office(proposition.subject, text):
        return None
    if proposition.canonical and not _fits(proposition, subject, found):
        return None
    kinds = (subject.type, found.type if isinstance(found, Entity) else "")
    sure = confidence(proposition, kinds, text, names.is_topic(subject.label))
    if sure < (_LEAST_TYPED if fits_well(proposition, kinds) else _LEAST_STORED):
        return None
    label, iri = _relation(proposition)
    return Fact(subject, label, found, sure, proposition.sentence.start, proposition.sentence.end, iri)


def _as_written(each: Proposition, names: TypedNames) -> Proposition:
    """With short names as the text has them, unless the longer name is plainly the same: "Karlsen" is "Ada Karlsen" and
    "Karlsen Group Ltd", and may not be "Karlsen Mexico Foods"."""
    subject = _unless_longer(each.subject, names)
    target = _unless_longer(each.object, names) if each.object else None
    if subject is each.subject and target is each.object:
        return each
    return replace(each, subject=subject, object=target)


def _unless_longer(argument: Argument, names: TypedNames) -> Argument:
    if argument.resolution is None or argument.resolution.reason != "short name":
        return argument
    if argument.label.endswith(" " + argument.text) or names.type_of(argument.label) == "Person":
        return argument
    rest = argument.label.removeprefix(argument.text).replace(",", " ").replace(".", " ").split()
    plainly = all(word in _LEGAL_FORMS for word in rest)
    return argument if plainly else replace(argument, resolution=None)


def _is_said(each: Proposition, text: str) -> bool:
    asserted = (
        each.polarity and each.modality == "asserted" and (each.canonical or each.certainty >= _LEAST_OPEN)
    )
    if not asserted or not each.stands_alone or each.certainty < _LEAST:
        return False
    if each.relation in _NOT_STORED and not (each.object and _counts(each, each.object.value)):
        return False
    if each.lemma in ("loss", "value") or (each.relation == "award-received" and not _is_award(each)):
        return False
    if each.relation == "graduated-from" and each.lemma != "graduate" and not _is_of_degree(each):
        return False
    return is_asserted(each, text) and (each.relation != "also-known-as" or is_same_name(each, text))


def _is_award(each: Proposition) -> bool:
    """Whether what was received or won is an award, by its name or its noun."""
    if each.derived or each.lemma in _AWARDING or each.object is None:
        return True
    name = each.object.label
    return "Award" in (type_of_name(name), type_of_noun(each.object.lemma)) or name.startswith("Order of ")


def _is_of_degree(each: Proposition) -> bool:
    """Whether it is a degree that was received from somebody, and no letter."""
    return each.derived or any(a.role == "object" and a.lemma.lower() in _DEGREES for a in each.arguments)


def _is_subject(each: Proposition, text: str, names: TypedNames) -> bool:
    """Whether it is of a name, or defines a term."""
    subject = each.subject
    if subject.is_named and _is_name(subject, text, names):
        return not _PART.match(subject.label)
    capital = each.tense in ("present", "") and subject.resolution is None and _is_capital_noun(subject, text)
    term = subject.kind == "concept" or capital
    if not term or each.derived or _NOISE.search(subject.text) or subject.lemma == "one":
        return False
    if is_general(each) or (each.relation in KNOWLEDGE and is_knowledge(each)):
        return True
    if each.relation in _FOUND:
        return len(subject.text.split()) <= _LONGEST_FOUND and subject.determiner in ("", "the")
    defines = each.relation in KINDS and each.main and subject.determiner in ("", "a", "an")
    return defines and len(subject.text.split()) <= LONGEST_TERM and subject.number != "plural"


def _is_capital_noun(argument: Argument, text: str) -> bool:
    """Whether it is a common noun that has its capital from the beginning of the sentence: "Lisinopril is …"."""
    return not argument.determiner and is_common_noun(argument, text)


def _is_name(argument: Argument, text: str, names: TypedNames) -> bool:
    if not is_whole_name(argument.label) or _NOISE.search(argument.label):
        return False
    topic = names.is_topic(argument.label) or text[: argument.span.start].endswith(_OPENING_QUOTES)
    if argument.resolution is not None:
        if not topic and " " not in argument.label and type_of_noun(argument.label.lower()):
            return False
        return _is_known(argument, text) and (topic or not is_office(argument.label))
    if is_cut_off(argument, text):
        return False
    return topic or not (is_office(argument.label) or is_common_noun(argument, text))


def _is_known(argument: Argument, text: str) -> bool:
    """Whether the text has the name that it stands for: the title of a document may be but the name of a file."""
    if argument.resolution is None or argument.resolution.written.text in demonyms():
        return True
    antecedent = argument.resolution.antecedent
    if antecedent is not None and antecedent.text.lower() not in _PRONOUNS and antecedent.text[:1].isupper():
        return True
    if argument.text.lower() in WE:
        return True
    person = argument.entity_type == "Person" and not any(map(str.isdigit, argument.label))
    return person or argument.label.casefold() in text.casefold()


def _object(each: Proposition, target: Argument, text: str, names: TypedNames) -> Entity | StoredValue | None:
    if target.kind == "value" and target.value is not None:
        value = stored_value(target.value, target.text)
        if _NOISE.search(target.text):
            return None
        return value if value.kind != "text" and _takes_value(each, target.value) else None
    if target.is_named:
        in_brackets = target.span == each.predicate
        as_office = each.relation == "position" and (in_brackets or is_office(target.label))
        if (
            (_is_before_its_noun(each, target) and not in_brackets)
            or not (as_office or _is_name(target, text, names))
            or not (each.canonical or with_name(each.relation))
        ):
            return None
        if each.relation == "is" and target.determiner in ("a", "an") and not each.derived:
            repeats = set(target.label.split()) <= set(each.subject.label.split())
            return None if repeats else Entity(clean(target.label), "")
        if each.relation == "is" or (_is_role(target.label) and each.relation != "position"):
            return None
        if each.relation == "also-known-as" and (target.of or target.determiner == "the"):
            return None
        return Entity(clean(target.label), stored(names.type_of(target.label)))
    if (
        target.kind != "concept"
        or target.lemma in _EMPTY
        or target.determiner in _POINTING
        or _NOISE.search(target.text)
    ):
        return None
    return common_noun(each, target, text)


def _is_before_its_noun(each: Proposition, target: Argument) -> bool:
    """ "Stuart" of "the last Stuart monarch", which is neither the land nor the people that a monarch is of."""
    if not each.canonical or not each.predicate.start <= target.span.start < each.predicate.end:
        return False
    types = vocabulary()[each.relation].range
    return bool(types) and "-" not in types and target.parsed_type not in types and target.resolution is None


def _is_no_office(each: Proposition, label: str) -> bool:
    """Whether somebody is said to serve as, or to be appointed, what is no role: "Group Operations"."""
    verb, _, rest = each.relation.partition(" ")
    named = each.relation == "position" or (verb in _APPOINTED and rest in ("", "as"))
    return named and label[:1].isupper() and not any(is_role_word(word) for word in label.split())


def _ends_an_office(subject: Argument, text: str) -> bool:
    """Whether it is the last word of one: "Senior Vice President and Controller (Principal Accounting Officer)"."""
    before = text[: subject.span.start].rstrip()
    return before.endswith((" and", "&")) and subject.resolution is None and is_role_word(subject.label)


def _is_role(label: str) -> bool:
    """Whether a name with capitals is only a role: "Attorney General", "Moderator Bishop"."""
    words = label.lower().split()
    return len(words) <= 3 and bool(words) and all(type_of_noun(word) == "Person" for word in words[-1:])


def _takes_value(each: Proposition, value: Value) -> bool:
    """A date or a number where the relation asks for one; of an open predicate, an amount of something."""
    if _counts(each, value):
        return True
    if each.canonical:
        asked = vocabulary()[each.relation].range
        return ("Date" in asked and isinstance(value, Date)) or (
            "Number" in asked and isinstance(value, Quantity) and value.unit != "%"
        )
    counted = isinstance(value, Quantity) and bool(value.unit or value.noun)
    return counted and with_value(each.relation)


def _counts(each: Proposition, value: Value | None) -> bool:
    """Whether it tells how many of a kind something has: "has 9,000 students", "consists of 107 turbines"."""
    counted = isinstance(value, Quantity) and not value.unit and value.noun not in _NOT_COUNTED
    return (
        counted and each.relation in ("has", "has-part") and isinstance(value, Quantity) and value.amount > 1
    )


def _fits(each: Proposition, subject: Entity, target: Entity | StoredValue) -> bool:
    """Whether the types that are known are those that the relation holds between."""
    relation = vocabulary()[each.relation]
    if not _is_of(subject.type, relation.domain) or subject.type in relation.never_of:
        return False
    if not isinstance(target, Entity) or target.type == "Concept":
        return True
    if target.type in relation.never_to:
        return False
    if relation.alike and subject.type and target.type and subject.type != target.type:
        return False
    return _is_of(target.type, relation.range)


def _is_of(kind: str, types: frozenset[str]) -> bool:
    return not kind or not types or "-" in types or kind in types


def _relation(each: Proposition) -> tuple[str, NamedNode | None]:
    if each.canonical:
        released = each.relation == "performer" and each.lemma == "release"
        relation = vocabulary()["record-label" if released else each.relation]
        return relation.label, NamedNode(relation.iri)
    if each.agentless:
        verb, _, preposition = each.relation.partition(" ")
        participle = each.predicate.text.split()[-1].lower()
        return f"be {participle} {preposition}".strip() if verb else each.relation, None
    return each.relation, None
