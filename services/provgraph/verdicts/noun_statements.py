"""What noun phrases state by themselves: a three-day festival lasts three days, a 40-page book has 40 pages, and the
annual meeting in February is held in February."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import is_office_noun, type_of_name
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import find_values, read_value
from provgraph.reading.values import Date, Quantity
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.statement_manner import FORMER
from provgraph.verdicts.things import DERIVED, Statement, Thing

_CHANGES: Final = frozenset("rise fall increase decrease grow shrink drop climb decline sink amount".split())
_WHERE: Final = frozenset(
    "behind near beside opposite above below under beneath in on at between outside inside".split()
)
_OUTSIDE: Final = frozenset(
    "founder co-founder cofounder member owner customer client patient student pupil graduate alumnus visitor guest "
    "supporter critic opponent rival fan friend ally patron sponsor shareholder victim supplier tenant reader".split()
)
"""Those who have to do with an organization, and need not work for it."""
_EVENTS: Final = frozenset(("noun.event", "noun.act", "noun.group"))


def compound_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "The three-day festival" as what lasts three days and has them; any other counted noun as what it has."""
    tokens = meaning.sentence.tokens
    for token in tokens:
        if (
            token.relation != "compound"
            or not 1 < token.index < token.head
            or tokens[token.index - 1].text != "-"
        ):
            continue
        number = tokens[token.index - 2]
        value = read_value(f"{number.text} {token.text}")
        if (
            number.pos != "NUM"
            or not isinstance(value, Quantity)
            or number.end != tokens[token.index - 1].start
        ):
            continue
        whole, lemma = meaning.thing(tokens[token.head]), token.lemma.lower()
        measured = _counted(number, token, value, meaning)
        for verb in ("have", *(("last",) if _is_time(lemma) else ())):
            yield Statement(
                verb, measured.span, {"A": [whole], "P": [measured]}, sentence=meaning.number,
                clause=DERIVED - token.index,
            )  # fmt: skip


def dated_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "The annual meeting in February" as what is held, and takes place, then."""
    for thing in meaning.things:
        if thing.kind != "noun" or not _EVENTS.intersection(wordnet.fields(thing.lemma, "n", 1)):
            continue
        for case, time in thing.restrictions:
            if case not in ("in", "on", "at") or not (isinstance(time.value, Date) or _is_time(time.lemma)):
                continue
            event = replace(
                thing,
                restrictions=[
                    restriction for restriction in thing.restrictions if restriction[1] is not time
                ],
            )
            for verb, role in (("hold", "P"), ("take place", "A")):
                yield Statement(
                    verb, thing.span, {role: [event], f"@{case}": [time]}, sentence=meaning.number,
                    clause=DERIVED - thing.token.index,
                )  # fmt: skip


def placed_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "The field behind the school" as what is there, "a deposit of 900 euros" as what is 900 euros."""
    for thing in meaning.things:
        for case, other in thing.restrictions if thing.kind == "noun" else ():
            rest = [restriction for restriction in thing.restrictions if restriction[1] is not other]
            bare = replace(thing, restrictions=rest, determiner="the")
            there = (
                case in _WHERE
                and other.value is None
                and not _is_time(other.lemma)
                and thing.determiner == "the"
            )
            amount = case == "of" and isinstance(other.value, Quantity) and bool(other.value.unit)
            if there or amount:
                slots = {"A": [bare], f"@{case}" if there else "C": [other]}
                yield Statement(
                    "be", thing.span, slots, sentence=meaning.number, clause=DERIVED - thing.token.index
                )


def changed_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "Sales rose to 1.9 billion" as what they were then; "one of the founders" as a founder."""
    for statement in meaning.statements:
        if statement.lemma in _CHANGES and statement.slots.get("A") and statement.clause >= 0:
            reached = _reached(statement.clause, meaning)
            times = {
                role: some for role, some in statement.slots.items() if role[0] == "@" and _has_date(some)
            }
            if reached is not None:
                slots = {**times, "A": statement.slots["A"], "C": [reached]}
                yield replace(statement, lemma="be", slots=slots, clause=DERIVED - statement.clause)
        for one in statement.slots.get("C", []) if statement.lemma == "be" and statement.positive else ():
            several = [each for case, each in one.restrictions if case == "of" and each.plural]
            if one.lemma == "one" and several:
                yield replace(statement, slots={**statement.slots, "C": several})


def titled_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "Mayor Lena Fors" as one who is mayor, "King Olaf" as a king; not of a former one."""
    for thing in meaning.things:
        tokens = [t for t in meaning.sentence.tokens if thing.span.start <= t.start < thing.span.end]
        if thing.kind != "name" or len(tokens) < 2 or not FORMER.isdisjoint(t.text.lower() for t in tokens):
            continue
        before = meaning.sentence.tokens[tokens[0].index - 1].text.lower() if tokens[0].index else ""
        title = tokens[0]
        if title.tag == "NNP" and before not in FORMER and _is_person(title.text.lower()):
            span = Span(title.start, title.end, title.text)
            name = Span(tokens[1].start, thing.span.end, meaning.text[tokens[1].start : thing.span.end])
            bare = replace(thing, span=name, names=[name.text], entity_type="Person")
            kind = Thing(title, span, span, title.text.lower(), "noun", None, "Person")
            yield Statement(
                "be", span, {"A": [bare], "C": [kind]}, sentence=meaning.number, clause=DERIVED - title.index
            )


def elliptic_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """What the clause before says, of another: "water is included, but electricity is not"."""
    sentence = meaning.sentence
    for helper in sentence.tokens:
        children = sentence.children[helper.index]
        subject = next((c for c in children if c.relation == "nsubj"), None)
        bare = all(c.relation in ("nsubj", "cc", "punct", "advmod") for c in children)
        if helper.relation != "conj" or helper.lemma.lower() not in ("be", "do", "have", "will") or not bare:
            continue
        last = helper.index + 1 + any(c.index > helper.index and c.relation == "advmod" for c in children)
        ends = all(token.pos == "PUNCT" for token in sentence.tokens[last:])
        if subject is None or not ends:
            continue
        denied = any(c.text.lower() in ("not", "n't", "n’t") for c in children)
        for statement in [s for s in meaning.statements if s.clause == helper.head]:
            role = next((r for r, t in statement.things() if t.token.relation.startswith("nsubj")), "")
            if role and statement.positive == denied:
                slots = {**statement.slots, role: [meaning.thing(subject)]}
                yield replace(statement, slots=slots, positive=not denied, clause=DERIVED - helper.index)


def employed_statements(meaning: SentenceMeaning) -> Iterator[Statement]:
    """ "An inspector of the Bureau, Tamsin Oake" as who works for it; "its former forester" as who did."""
    for statement in meaning.statements:
        if statement.lemma != "be" or not statement.positive or statement.modality != "asserted":
            continue
        for thing in statement.slots.get("C", []):
            if thing.kind != "noun" or thing.lemma in _OUTSIDE or not is_office_noun(thing.lemma):
                continue
            for case, firm in thing.restrictions:
                group = firm.entity_type == "Organization" or type_of_name(firm.words) == "Organization"
                if case in ("of", "at", "for", "with") and (group or firm.token.text.lower() == "its"):
                    former = any(m.text.lower() in FORMER for m in thing.modifiers)
                    yield Statement(
                        "work", thing.span, {"A": statement.slots["A"], "@for": [firm]}, sentence=meaning.number,
                        clause=DERIVED - thing.token.index, over=former or statement.over, tense=statement.tense,
                    )  # fmt: skip


def _is_person(word: str) -> bool:
    return wordnet.known(word, "n") and wordnet.is_person(word)


def _reached(verb: int, meaning: SentenceMeaning) -> Thing | None:
    """The amount that something came to: what stands behind "to" in the words after the verb."""
    tokens = meaning.sentence.tokens
    for before, number in pairwise(tokens[verb + 1 :]):
        if before.text in (",", ";") or before.pos == "VERB":
            return None
        if before.text.lower() == "to" and (number.pos in ("NUM", "SYM") or number.text[:1].isdigit()):
            value = next(iter(find_values(meaning.text, number.start, meaning.sentence.end)), None)
            if value is None or not isinstance(value.value, Quantity):
                return None
            span = Span(value.start, value.end, meaning.text[value.start : value.end])
            return Thing(number, span, span, number.lemma.lower(), "value", value.value)
    return None


def _has_date(things: list[Thing]) -> bool:
    return any(isinstance(thing.value, Date) for thing in things)


def _counted(number: Token, noun: Token, value: Quantity, meaning: SentenceMeaning) -> Thing:
    span = Span(number.start, noun.end, meaning.text[number.start : noun.end])
    head = Span(noun.start, noun.end, noun.text)
    counted = value if value.unit else replace(value, noun=noun.lemma.lower())
    return Thing(noun, span, head, noun.lemma.lower(), "value", counted, plural=True)


def _is_time(lemma: str) -> bool:
    return "noun.time" in wordnet.fields(lemma, "n", 1)
