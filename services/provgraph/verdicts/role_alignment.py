"""The roles of a claim's statement against those of one of a text: who, whom, where, when, how much, and how meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.propositions import Span
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import Token
from provgraph.reading.values import Quantity, contains, excludes
from provgraph.verdicts.alignment import ANOTHER, ANOTHER_TIME, CORE, Alignment, Part
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.matching import Matcher
from provgraph.verdicts.outcomes import EXCLUDED, NOT_SAID, WHOLE, WIDER, Outcome, best
from provgraph.verdicts.restricting import tells_rule
from provgraph.verdicts.role_fillers import TRANSPARENT
from provgraph.verdicts.shares import of_another_share
from provgraph.verdicts.spans_of_time import is_span, met_span, met_within
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Statement, Thing
from provgraph.verdicts.within_things import compatible, is_date, nested
from provgraph.verdicts.words_related import kinship

PLACING: Final = ("rel:located-in", "rel:took-place-in")
_REGIONS: Final = frozenset(
    "north south east west northeast northwest southeast southwest centre center heart middle part district area "
    "suburb region side outskirts quarter edge shore bank city town village".split()
)
_ALLOWING: Final = frozenset("allow permit".split())
_BARRING: Final = frozenset("prohibit forbid ban bar disallow".split())
_JOINING: Final = frozenset("connect link join unite merge combine couple".split())
_DESCRIBING: Final = frozenset(
    ("rel:also-known-as", "rel:nationality", "rel:position", "rel:occupation", "know", "call")
)
_EMPTY_ADVERBS: Final = frozenset(
    "also too then thus however therefore additionally furthermore moreover".split()
)
_EVENT_RELATIONS: Final = frozenset(
    """director author composer screenwriter creator founded-by discovered-by invented-by designer builder publisher
    developer translator editor illustrator capital-of born-in-place died-in-place headquarters founded-in-place
    acquired-by mother father killed-by""".split()
)


def _stands_before(other: Thing, thing: Thing) -> bool:
    """Whether a noun that fills the place keeps what is of it out: what is by a pupil of Vermeer is not by him."""
    return (
        other.kind == "noun" and not is_date(thing) and thing.value is None and other.lemma not in TRANSPARENT
    )


def _is_either(one: str, other: str) -> bool:
    """Whether all is the one or the other: what is not allowed is prohibited."""
    return len({one, other} & _ALLOWING) == 1 and len({one, other} & _BARRING) == 1


_BUT_FOR: Final = frozenset(
    f"{mark}@{case}" for mark in ("", "~") for case in ("without", "unless", "except", "before", "until")
)
"""Roles by which what is denied is so in some case: "may not sublet without consent"."""
_UNTIL: Final = frozenset(("@until", "@till"))
_NOT_BINDING: Final = ("planned", "alleged", "hypothetical")
"""How what must be is not said: who plans to repair it need not."""


def _joined(role: str, other: str, statement: Statement) -> bool:
    """Whether one of two that are put together: what links Buda with Pest links Buda and Pest."""
    return role == "P" and statement.lemma in _JOINING and other.lstrip("~") in ("@with", "@to", "@and")


def _nothing(thing: Thing) -> tuple[Outcome, list[Part]]:
    return NOT_SAID, [_unsaid(case, each) for case, each in thing.restrictions if not case.startswith("+")]


def _is_met(part: Part) -> bool:
    return part.outcome.finding == "entailed"


def _inside(span: Span | None, tokens: Sequence[Token]) -> list[int]:
    """The tokens of a sentence that a span covers."""
    return [t.index for t in tokens if span is not None and span.start <= t.start < span.end]


def _same_words(part: Part) -> bool:
    return part.outcome.span is not None and part.outcome.span.text.casefold() == part.span.text.casefold()


def around(place: Thing, depth: int = 0) -> Iterator[Thing]:
    """What a place lies in: of "a hill in Graz" and "the north of Graz" Graz."""
    for case, thing in place.restrictions:
        if case in ("in", "at", "on", "within") or (case == "of" and place.lemma in _REGIONS):
            yield thing
            if depth < 2:
                yield from around(thing, depth + 1)


def _summed(thing: Thing, others: Sequence[Thing]) -> Outcome | None:
    """What follows for a number from parts of it: "two daughters and a son" are three children."""
    if not isinstance(thing.value, Quantity) or not thing.value.noun or len(others) < 2:
        return None
    parts = [thing.value.amount if isinstance(thing.value, Quantity) else Decimal(1) for thing in others]
    counted = all(isinstance(thing.value, Quantity) or thing.determiner in ("a", "an") for thing in others)
    nouns = {thing.value.noun if isinstance(thing.value, Quantity) else thing.lemma for thing in others}
    if (
        not counted
        or len(nouns) < 2
        or not all(wordnet.is_kind_of(noun, thing.value.noun, "n") for noun in nouns)
    ):
        return None
    amount = sum(parts, Decimal(0))
    whole = Quantity(amount, str(amount), noun=thing.value.noun, low=amount, high=amount)
    span = others[0].span
    if contains(thing.value, whole):
        return Outcome("entailed", span, "the sum of them", 0.95)
    return Outcome("contradicted", span, "another sum", 0.9) if excludes(thing.value, whole) else None


def _is_of_part(claimed: Statement, statement: Statement) -> bool:
    """Whether the claim is of a part of them, which what the text does not say of all leaves open."""
    own = [t.own_portion for _, t in claimed.things() if t.own_portion is not None]
    of_all = any(t.portion is not None and t.portion.least == 1 for _, t in statement.things())
    return any(each.least < 1 for each in own) and not of_all


def _unsaid(case: str, thing: Thing) -> Part:
    return Part(f"@{case}", thing.span, NOT_SAID, thing)


def _worth(found: tuple[Outcome, list[Part]]) -> float:
    outcome, parts = found
    return outcome.worth * 2 + sum(part.outcome.worth for part in parts) / (len(parts) or 1)


class RoleAligner:
    """Lays roles of a claim's statement on those of one of a text. `topics` are the names that the claim is about."""

    def __init__(self, text: TextMeaning, topics: frozenset[str]) -> None:
        self.text = text
        self.matcher = Matcher(text, topics)

    def lasts(self, claimed: Statement) -> bool:
        """Whether it may be so at several times: a state, not an event."""
        return claimed.lemma in word_set("lasting")

    def aligned(
        self, claimed: Statement, said: Statement, predicate: Outcome, slots: dict[str, str]
    ) -> Alignment:
        parts = [Part("predicate", claimed.words, self.asserted(claimed, said, predicate))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            outcome, narrowed = self.slot(slots.get(role, role), thing, said)
            if outcome.finding == "contradicted" and is_date(thing) and self.lasts(claimed):
                outcome = Outcome("not said", outcome.span, ANOTHER_TIME)
            parts.append(Part(role, thing.span, self._decided(claimed, said, role, outcome), thing))
            parts += narrowed
        parts += self.adverbs(claimed, said)
        parts = list(self.own_share(said, parts))
        return Alignment(claimed, tuple(self._strictly(claimed, said, parts)), self.text, said)

    def own_share(self, statement: Statement, parts: list[Part]) -> Iterator[Part]:
        """The parts, unmet where what met them is another's share: of "four to Ada and five to Ben" Ben has no four."""
        tokens = self.text.parsed[statement.sentence].tokens
        met = frozenset(i for part in parts if _is_met(part) for i in _inside(part.outcome.span, tokens))
        if not met:
            yield from parts
            return
        verb = next(iter(_inside(statement.words, tokens)), -1)
        others = of_another_share(self.text.parsed[statement.sentence], met, verb)
        for part in parts:
            apart = part.thing is not None and not others.isdisjoint(_inside(part.outcome.span, tokens))
            yield replace(part, outcome=NOT_SAID) if apart and _is_met(part) else part

    def _strictly(self, claimed: Statement, statement: Statement, parts: list[Part]) -> Iterator[Part]:
        """Of what is denied, or said of all, nothing follows for what is wider: not in Graz is not "not in Austria"."""
        strict = not (claimed.positive or statement.positive) or any(
            t.determiner in ("all", "every", "each") for _, t in claimed.things()
        )
        partly = claimed.positive != statement.positive and _is_of_part(claimed, statement)
        for part in parts:
            if partly and part.role == "predicate" and part.outcome.finding == "contradicted":
                yield replace(part, outcome=NOT_SAID)  # half of them did, and half did not
                continue
            wider = part.outcome.why in WIDER and part.thing is not None and not _same_words(part)
            yield replace(part, outcome=NOT_SAID) if strict and wider and _is_met(part) else part

    def asserted(self, claimed: Statement, said: Statement, predicate: Outcome) -> Outcome:
        """The predicate with its denial and its modality."""
        if said.modality != "asserted" and claimed.modality == "asserted":
            return Outcome("not said", said.words, f"the text says it as {said.modality}")
        if said.attributed and not claimed.attributed:
            return Outcome("not said", said.words, "the text says it in the name of others")
        if claimed.tense == "future" and said.tense == "past":
            return Outcome("not said", said.words, "the text tells what was, not what will be")
        if claimed.tense in ("past", "present") and said.tense == "future" and not claimed.duty:
            return Outcome("not said", said.words, "the text tells what will be, not what is or was")
        if claimed.tense == "past" and tells_rule(said):
            return Outcome(
                "not said", said.words, "the text says what is done as a rule, not that it was done"
            )
        if said.over and not (claimed.over or claimed.tense == "past"):
            return Outcome(
                "contradicted" if claimed.positive else "entailed", said.words, "it is so no longer", 0.85
            )
        if claimed.duty and not said.duty and said.modality in _NOT_BINDING:
            return Outcome("not said", said.words, f"the text says it as {said.modality}")
        either = claimed.positive or said.positive  # what must not be may not be
        if claimed.duty and said.duty and claimed.duty != said.duty and either:
            return Outcome(
                "not said", said.words, f"the text says what {said.duty} be, not what {claimed.duty}"
            )
        return self._by_polarity(claimed, said, predicate)

    def _by_polarity(self, claimed: Statement, said: Statement, predicate: Outcome) -> Outcome:
        if claimed.positive == said.positive:
            return predicate
        if predicate.finding == "contradicted":
            either = _is_either(claimed.lemma, said.lemma)
            return (
                Outcome("entailed", said.words, "what is not the one is the other", 0.93)
                if either
                else NOT_SAID
            )
        if any(role in _BUT_FOR and role not in claimed.slots for role in said.slots) and claimed.positive:
            return Outcome("not said", said.words, "the text denies it but for a case")
        return Outcome(
            "contradicted", said.words, "the text denies it" if claimed.positive else "the claim denies it"
        )

    def slot(self, role: str, thing: Thing, said: Statement) -> tuple[Outcome, list[Part]]:
        """The best of the things in that place, and what narrows it, each a part of its own."""
        others = list(self._candidates(role, thing, said))
        if is_span(thing):
            return met_span(thing, said, others), []
        if (within := met_within(thing, said, said.lemma in word_set("dwelling"))) is not None:
            return within, []
        if (summed := _summed(thing, others)) is not None:
            return summed, []
        return max(
            (self._narrowed(role, thing, each, said) for each in others), key=_worth, default=_nothing(thing)
        )

    def _narrowed(
        self, role: str, thing: Thing, other: Thing, statement: Statement
    ) -> tuple[Outcome, list[Part]]:
        is_whose = (
            thing.kind == "value" and other.kind == "name" and any(c == "of" for c, _ in thing.restrictions)
        )
        outcome = (  # "one of Ada Novak's parents" is not she
            NOT_SAID if is_whose else self._headed(role, thing, other, statement.lemma)
        )
        beside = [
            (r.lstrip("~@"), each) for r, each in statement.things() if r[0] in "@~" and each is not other
        ]
        own = [(case, each) for case, each in thing.restrictions if not case.startswith("+")]
        if outcome.finding == "not said":
            return outcome, [_unsaid(case, each) for case, each in own]
        if outcome.why == WHOLE:
            return outcome, [Part(f"@{case}", each.span, outcome, each) for case, each in own]
        return outcome, [
            Part(f"@{case}", each.span, self._restricted(case, each, other, beside), each)
            for case, each in own
        ]

    def _restricted(self, case: str, thing: Thing, said: Thing, beside: list[tuple[str, Thing]]) -> Outcome:
        """What narrows it; "the chair of the committee" may be just "chair" where the text speaks of the committee."""
        outcome = self.matcher.restriction(case, thing, said, beside)
        known = (
            thing.kind == "noun" and thing.determiner == "the" and not (thing.modifiers or thing.restrictions)
        )
        alone = not any(each in ("of", "for") for each, _ in said.restrictions)
        if (
            outcome.finding == "not said"
            and case == "of"
            and known
            and alone
            and thing.lemma in self.text.spoken_of
        ):
            return Outcome("entailed", said.span, "what the text speaks of", 0.85)
        return outcome

    def _headed(self, role: str, thing: Thing, other: Thing, lemma: str) -> Outcome:
        kind = role in ("C", "@as") or (role in ("A", "P") and lemma in _DESCRIBING and thing.kind != "name")
        outcome = (
            self.matcher.described(thing, other, False) if kind else self.matcher.compare(thing, other, False)
        )
        if outcome.why == EXCLUDED and not kind:
            return Outcome("not said", outcome.span, "another thing")
        return outcome

    def _candidates(self, role: str, thing: Thing, statement: Statement) -> Iterator[Thing]:
        if role == "P" and statement.lemma in PLACING:
            yield from (thing for place in statement.slots.get("P", []) for thing in around(place))
        for other_role, other in statement.things():
            if self._fits(role, other_role, thing, other) or _joined(role, other_role, statement):
                yield other
        if statement.lemma.startswith("rel:") and role in CORE:
            return
        if is_date(thing) or thing.value is not None or role.startswith("@"):
            yield from self._within(role, thing, statement)

    def _within(self, role: str, thing: Thing, statement: Statement) -> Iterator[Thing]:
        """What narrows the things of a statement, and may be the date, the value or the part with a preposition, which
        it does not have itself: who was claimed by a town and born in a village was not born in the town."""
        for other_role, each in statement.things():
            other = each if each.stands_for is None else each.stands_for
            kept_out = _stands_before(other, thing) and self._fits(role, other_role, thing, other)
            if kept_out or (other_role == "A" and is_date(thing)):
                continue
            for case, each in nested(other) if other.kind == "name" else other.restrictions:
                dated = (
                    is_date(thing) and is_date(each) and not case.startswith("+")
                )  # "the bridge, built in 1936"
                is_open = role.startswith("@") and role not in statement.slots
                behind = is_open and compatible(role[1:], case) and not is_date(each)
                if case and (dated or behind):
                    yield each

    def _fits(self, role: str, other_role: str, thing: Thing, other: Thing) -> bool:
        bare = other_role.lstrip("~")
        if role == other_role:
            return True
        if is_date(thing):
            return is_date(other) and (role not in _UNTIL or other_role.lstrip("~") in _UNTIL)
        if role in ("A", "P") or bare in ("A", "P"):
            return (role == "P" and bare in ("C", "R")) or (role in ("C", "R") and bare == "P")
        if role in ("C", "@as"):
            return bare in ("C", "@as")
        if role.startswith("@") and bare.startswith("@"):
            return compatible(role[1:], bare[1:])
        return (role == "R" and bare in ("@to", "@for")) or (bare == "R" and role in ("@to", "@for"))

    def _decided(self, claimed: Statement, statement: Statement, role: str, outcome: Outcome) -> Outcome:
        """Another name in the place of one value excludes it."""
        if outcome.finding != "different":
            return outcome
        beside = any(other.startswith(("@with", "~@with")) for other in (*statement.slots, *claimed.slots))
        shared = beside or len(claimed.slots[role]) > 1
        if (
            claimed.positive
            and statement.positive
            and not shared
            and not statement.leaves_unnamed(outcome.span, claimed.slots[role])
            and self._exclusive(claimed, role, statement)
        ):
            return Outcome("contradicted", outcome.span, ANOTHER, 0.85)
        return Outcome("not said", outcome.span, ANOTHER)

    def _exclusive(self, claimed: Statement, role: str, statement: Statement) -> bool:
        """Whether there is one value only: of the relation, or of an event that the text tells with time or place."""
        if claimed.lemma.startswith("rel:"):
            relation = claimed.lemma[4:]
            return role == "P" and (relation in _EVENT_RELATIONS or vocabulary()[relation].functional)
        if claimed.lemma in word_set("exclusive") and role in ("A", "@in", "@at", "@by"):
            return True
        return (
            role == "A"
            and "P" in claimed.slots
            and claimed.lemma not in word_set("lasting")
            and self._told(claimed, statement)
        )

    def _told(self, claimed: Statement, statement: Statement) -> bool:
        """Whether claim and text give the same named or dated circumstance: it is one event."""
        return any(
            self.slot(role, thing, statement)[0].finding == "entailed"
            for role, thing in claimed.things()
            if role.startswith("@") and (thing.names or is_date(thing))
        )

    def adverbs(self, claimed: Statement, said: Statement) -> Iterator[Part]:
        for token in claimed.adverbs:
            word = token.text.lower()
            if word in _EMPTY_ADVERBS:
                continue
            outcome = best(self._adverb(word, other) for other in said.adverbs)
            span = Span(token.start, token.end, token.text)
            yield Part("modifier", span, outcome)

    def _adverb(self, word: str, other: Token) -> Outcome:
        relation, span = kinship(word, other.text.lower()), Span(other.start, other.end, other.text)
        if relation in ("same", "entailed"):
            return Outcome("entailed", span, "the same")
        return Outcome("contradicted", span, f"“{other.text}”", 0.9) if relation == "excluded" else NOT_SAID

    def any_same(self, mine: list[Thing], theirs: list[Thing]) -> bool:
        named = [thing for thing in mine if thing.names]
        return any(
            self.matcher.compare(one, other, deep=False).finding == "entailed"
            for one in named
            for other in theirs
            if other.names
        )
