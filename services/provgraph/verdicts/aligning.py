"""The claim's statements against those of an evidence text, role by role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.entity_types import gender_of_name, gender_of_noun
from provgraph.reading.propositions import Span
from provgraph.reading.relations import vocabulary
from provgraph.reading.syntax import Token
from provgraph.verdicts.converses import roles
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.matching import Matcher, compatible, is_date, nested
from provgraph.verdicts.outcomes import EXCLUDED, NOT_SAID, UNNAMED, WHOLE, WIDER, Outcome, best
from provgraph.verdicts.shares import of_another_share
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Statement, Thing
from provgraph.verdicts.words_related import kinship

_LIGHT: Final = frozenset("have do make take get give be go come".split())
_DESCRIBING: Final = frozenset(
    ("rel:also-known-as", "rel:nationality", "rel:position", "rel:occupation", "know", "call")
)
ANOTHER: Final = "the text names another"
_CORE: Final = ("A", "P", "C", "R")
_EVENT_RELATIONS: Final = frozenset(
    """director author composer screenwriter creator founded-by discovered-by invented-by designer builder publisher
    developer translator editor illustrator capital-of born-in-place died-in-place headquarters founded-in-place
    acquired-by mother father killed-by""".split()
)


@dataclass(frozen=True)
class Part:
    """One part of a claim's statement: its `role`, the claim's words, and what the evidence says of it."""

    role: str
    span: Span
    outcome: Outcome
    thing: Thing | None = None


@dataclass(frozen=True)
class Alignment:
    """A statement of the claim laid on one of the evidence. `statement` is None where none fits."""

    claimed: Statement
    parts: tuple[Part, ...]
    text: TextMeaning | None = None
    said: Statement | None = None

    @property
    def entailed(self) -> bool:
        met = bool(self.parts) and all(part.outcome.finding == "entailed" for part in self.parts)
        return met and (not self._unnamed or self._specific)

    @property
    def _unnamed(self) -> bool:
        """Whether the text leaves open what it speaks of."""
        return any(part.outcome.why == UNNAMED for part in self.parts)

    @property
    def _specific(self) -> bool:
        """Whether another name or a value shows that it speaks of the same."""
        others = [p for p in self.parts if p.thing is not None and p.outcome.why != UNNAMED]
        return any(
            p.outcome.finding == "entailed" and p.thing is not None
            and (p.thing.kind == "name" or (is_date(p.thing) and p.thing.value.precision == "day"))  # type: ignore[union-attr]
            for p in others
        )  # fmt: skip

    @property
    def contradicted(self) -> bool:
        """One part is excluded, all others that say what it is about are met."""
        bad = [part for part in self.parts if part.outcome.finding == "contradicted"]
        if not bad or (self._unnamed and not self._specific):
            return False
        rest = [p for p in self.parts if p.outcome.finding != "contradicted" and _identifies(p)]
        met = all(part.outcome.finding == "entailed" for part in rest)
        alike = len(bad) == 1 or all(part.role == "C" for part in bad)
        return met and alike and any(part.thing is not None for part in rest)

    @property
    def weight(self) -> float:
        result = 1.0
        for part in self.parts:
            result *= part.outcome.weight if part.outcome.finding == "entailed" else 1.0
        return result

    @property
    def score(self) -> float:
        met = sum(part.outcome.finding == "entailed" for part in self.parts)
        share = met / len(self.parts) if self.parts else 0.0
        return (4.0 if self.entailed else 3.0 if self.contradicted else 0.0) + share + self.weight / 10


def _opposed(one: str, other: str) -> bool:
    """Whether two words for one relation tell its two directions: "rose to" and "fell to"."""
    return bool(one and other) and kinship(one, other, verbs=True) == "excluded"


def _genders(words: Span) -> Iterator[str]:
    """ "male" and "female" for the nouns among some words that are said of men or of women alone."""
    for word in words.text.lower().split():
        if gender := gender_of_noun(word):
            yield gender


def _nothing(thing: Thing) -> tuple[Outcome, list[Part]]:
    return NOT_SAID, [_unsaid(case, each) for case, each in thing.restrictions if not case.startswith("+")]


def _is_met(part: Part) -> bool:
    return part.outcome.finding == "entailed"


def _inside(span: Span | None, tokens: Sequence[Token]) -> list[int]:
    """The tokens of a sentence that a span covers."""
    return [t.index for t in tokens if span is not None and span.start <= t.start < span.end]


def _same_words(part: Part) -> bool:
    return part.outcome.span is not None and part.outcome.span.text.casefold() == part.span.text.casefold()


def _unsaid(case: str, thing: Thing) -> Part:
    return Part(f"@{case}", thing.span, NOT_SAID, thing)


def _worth(found: tuple[Outcome, list[Part]]) -> float:
    outcome, parts = found
    return outcome.worth * 2 + sum(part.outcome.worth for part in parts) / (len(parts) or 1)


def _identifies(part: Part) -> bool:
    return part.role in (*_CORE, "predicate")


class Aligner:
    """Lays statements of a claim on those of one text. `topics` are the names that the claim is about."""

    def __init__(self, text: TextMeaning, topics: frozenset[str]) -> None:
        self._text = text
        self._matcher = Matcher(text, topics)

    def best(self, claimed: Statement) -> Alignment:
        """The alignment that says most about the statement."""
        found = [each for said in self._text.statements for each in self._pair(claimed, said)]
        return max(found, key=lambda each: each.score, default=Alignment(claimed, ()))

    def _pair(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        if claimed.lemma == "be":
            yield from self._be(claimed, said)
            return
        if said.lemma == "be" and claimed.positive:
            yield from self._agent_noun(claimed, said)
        if (turned := roles(claimed.lemma, said.lemma)) is not None and claimed.positive and said.positive:
            met = Outcome("entailed", said.words, "the same from the other side", 0.95)
            yield self._aligned(claimed, said, met, {role: min(other) for role, other in turned.items()})
        predicate = self._predicate(claimed, said)
        if predicate is None:
            return
        outcome, swapped = predicate
        if not self._of_that_gender(claimed, said, swapped):
            return
        slots = {"A": "P", "P": "A"} if swapped else {}
        yield self._aligned(claimed, said, outcome, slots)
        if not swapped and outcome.finding == "entailed":
            yield from self._reversed(claimed, said)
            yield from self._exchanged(claimed, said)

    # predicates

    def _of_that_gender(self, claimed: Statement, said: Statement, swapped: bool) -> bool:
        """Whether a noun for men or women alone follows for who is meant: an uncle has nephews and nieces."""
        theirs = set() if swapped else set(_genders(said.words))
        outside = [
            t for role, t in claimed.things()
            if role in _CORE and not claimed.words.start <= t.span.start < claimed.words.end
        ]  # fmt: skip
        known = {gender_of_name(name) for t in outside for name in t.names}
        return all(gender in theirs | known for gender in _genders(claimed.words))

    def _predicate(self, claimed: Statement, said: Statement) -> tuple[Outcome, bool] | None:
        one, other = claimed.lemma, said.lemma
        if one.startswith("rel:") != other.startswith("rel:"):
            return None
        if one.startswith("rel:"):
            found = self._relations(one[4:], other[4:], said)
            turned = found is not None and _opposed(claimed.triggered_by, said.triggered_by)
            return (Outcome("contradicted", said.words, "the opposite", 0.9), False) if turned else found
        if one == other.removeprefix("co-"):
            return Outcome("entailed", said.words, "the same verb"), False
        if one in _LIGHT or other in _LIGHT:
            return None
        relation = kinship(one, other, verbs=True)
        if relation in ("same", "entailed"):
            return Outcome("entailed", said.words, "follows from the verb", 0.92), False
        if relation == "excluded":
            return Outcome("contradicted", said.words, f"“{other}” excludes “{one}”", 0.9), False
        return None

    def _relations(self, one: str, other: str, said: Statement) -> tuple[Outcome, bool] | None:
        words = vocabulary()
        met = Outcome("entailed", said.words, "the same relation", 0.98)
        if one in words.implied(other):
            return met, False
        inverse = words.inverse_of(other)
        if inverse and one in words.implied(inverse):
            return met, True
        if other in words[one].excludes:
            return Outcome("contradicted", said.words, "excludes it", 0.9), False
        return None

    def _lasts(self, claimed: Statement) -> bool:
        """Whether it may be so at several times: a state, not an event."""
        return claimed.lemma in word_set("lasting")

    # slots

    def _aligned(
        self, claimed: Statement, said: Statement, predicate: Outcome, slots: dict[str, str]
    ) -> Alignment:
        parts = [Part("predicate", claimed.words, self._asserted(claimed, said, predicate))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            outcome, narrowed = self._slot(slots.get(role, role), thing, said)
            if outcome.finding == "contradicted" and is_date(thing) and self._lasts(claimed):
                outcome = Outcome("not said", outcome.span, "said of another time")
            parts.append(Part(role, thing.span, self._decided(claimed, said, role, outcome), thing))
            parts += narrowed
        parts += self._adverbs(claimed, said)
        parts = list(self._own_share(said, parts))
        return Alignment(claimed, tuple(self._strictly(claimed, said, parts)), self._text, said)

    def _own_share(self, said: Statement, parts: list[Part]) -> Iterator[Part]:
        """The parts, unmet where what met them is another's share: of "four to Ada and five to Ben" Ben has no four."""
        tokens = self._text.parsed[said.sentence].tokens
        met = frozenset(i for part in parts if _is_met(part) for i in _inside(part.outcome.span, tokens))
        verb = next(iter(_inside(said.words, tokens)), -1)
        others = of_another_share(self._text.parsed[said.sentence], met, verb)
        for part in parts:
            apart = part.thing is not None and not others.isdisjoint(_inside(part.outcome.span, tokens))
            yield replace(part, outcome=NOT_SAID) if apart and _is_met(part) else part

    def _strictly(self, claimed: Statement, said: Statement, parts: list[Part]) -> Iterator[Part]:
        """Of what is denied, or said of all, nothing follows for what is wider: not in Graz is not "not in Austria"."""
        strict = not (claimed.positive or said.positive) or any(
            t.determiner in ("all", "every", "each") for _, t in claimed.things()
        )
        for part in parts:
            wider = part.outcome.why in WIDER and part.thing is not None and not _same_words(part)
            yield replace(part, outcome=NOT_SAID) if strict and wider and _is_met(part) else part

    def _asserted(self, claimed: Statement, said: Statement, predicate: Outcome) -> Outcome:
        """The predicate with its denial and its modality."""
        if said.modality != "asserted" and claimed.modality == "asserted":
            return Outcome("not said", said.words, f"the text says it as {said.modality}")
        if said.attributed and not claimed.attributed:
            return Outcome("not said", said.words, "the text says it in the name of others")
        if said.over and not (claimed.over or claimed.past):
            return Outcome(
                "contradicted" if claimed.positive else "entailed", said.words, "it is so no longer", 0.85
            )
        if claimed.duty and said.duty and claimed.duty != said.duty:
            return Outcome(
                "not said", said.words, f"the text says what {said.duty} be, not what {claimed.duty}"
            )
        if claimed.positive == said.positive:
            return predicate
        if predicate.finding == "contradicted":
            return NOT_SAID
        return Outcome(
            "contradicted", said.words, "the text denies it" if claimed.positive else "the claim denies it"
        )

    def _slot(self, role: str, thing: Thing, said: Statement) -> tuple[Outcome, list[Part]]:
        """The best of the things in that place, and what narrows it, each a part of its own."""
        found = [self._narrowed(role, thing, other, said) for other in self._candidates(role, thing, said)]
        return max(found, key=_worth, default=_nothing(thing))

    def _narrowed(self, role: str, thing: Thing, other: Thing, said: Statement) -> tuple[Outcome, list[Part]]:
        outcome = self._headed(role, thing, other, said.lemma)
        beside = [(r.lstrip("~@"), each) for r, each in said.things() if r[0] in "@~" and each is not other]
        own = [(case, each) for case, each in thing.restrictions if not case.startswith("+")]
        if outcome.finding == "not said":
            return outcome, [_unsaid(case, each) for case, each in own]
        if outcome.why == WHOLE:
            return outcome, [Part(f"@{case}", each.span, outcome, each) for case, each in own]
        return outcome, [
            Part(f"@{case}", each.span, self._matcher.restriction(case, each, other, beside), each)
            for case, each in own
        ]

    def _headed(self, role: str, thing: Thing, other: Thing, lemma: str) -> Outcome:
        kind = role in ("C", "@as") or (role in ("A", "P") and lemma in _DESCRIBING and thing.kind != "name")
        outcome = (
            self._matcher.described(thing, other, False)
            if kind
            else self._matcher.compare(thing, other, False)
        )
        if outcome.why == EXCLUDED and not kind:
            return Outcome("not said", outcome.span, "another thing")
        return outcome

    def _candidates(self, role: str, thing: Thing, said: Statement) -> Iterator[Thing]:
        for other_role, other in said.things():
            if self._fits(role, other_role, thing, other):
                yield other
        if said.lemma.startswith("rel:") and role in _CORE:
            return
        if is_date(thing) or thing.value is not None or role.startswith("@"):
            for other_role, other in said.things():
                if other_role == "A" and is_date(thing):
                    continue
                for case, each in nested(other) if other.kind == "name" else other.restrictions:
                    if not case:
                        continue
                    if (is_date(thing) and is_date(each)) or (
                        role.startswith("@") and compatible(role[1:], case) and not is_date(each)
                    ):
                        yield each

    def _fits(self, role: str, other_role: str, thing: Thing, other: Thing) -> bool:
        bare = other_role.lstrip("~")
        if role == other_role:
            return True
        if is_date(thing):
            return is_date(other)
        if role in ("A", "P") or bare in ("A", "P"):
            return (role == "P" and bare in ("C", "R")) or (role in ("C", "R") and bare == "P")
        if role in ("C", "@as"):
            return bare in ("C", "@as")
        if role.startswith("@") and bare.startswith("@"):
            return compatible(role[1:], bare[1:])
        return role == "R" and bare in ("@to", "@for")

    def _decided(self, claimed: Statement, said: Statement, role: str, outcome: Outcome) -> Outcome:
        """Another name in the place of one value excludes it."""
        if outcome.finding != "different":
            return outcome
        shared = (
            any(other.startswith(("@with", "~@with")) for other in said.slots) or len(claimed.slots[role]) > 1
        )
        if claimed.positive and said.positive and not shared and self._exclusive(claimed, role, said):
            return Outcome("contradicted", outcome.span, ANOTHER, 0.85)
        return Outcome("not said", outcome.span, ANOTHER)

    def _exclusive(self, claimed: Statement, role: str, said: Statement) -> bool:
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
            and self._told(claimed, said)
        )

    def _told(self, claimed: Statement, said: Statement) -> bool:
        """Whether claim and text give the same named or dated circumstance: it is one event."""
        return any(
            self._slot(role, thing, said)[0].finding == "entailed"
            for role, thing in claimed.things()
            if role.startswith("@") and (thing.names or is_date(thing))
        )

    def _adverbs(self, claimed: Statement, said: Statement) -> Iterator[Part]:
        for token in claimed.adverbs:
            word = token.text.lower()
            if word in _EMPTY_ADVERBS:
                continue
            outcome = best(self._adverb(word, other.text.lower(), said) for other in said.adverbs)
            span = Span(token.start, token.end, token.text)
            yield Part("modifier", span, outcome)

    def _adverb(self, word: str, other: str, said: Statement) -> Outcome:
        relation = kinship(word, other)
        if relation in ("same", "entailed"):
            return Outcome("entailed", said.words, "the same")
        return Outcome("contradicted", said.words, f"“{other}”", 0.9) if relation == "excluded" else NOT_SAID

    def _reversed(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        """Who did it and to whom, the other way round."""
        if not (
            claimed.slots.get("A") and claimed.slots.get("P") and said.slots.get("A") and said.slots.get("P")
        ):
            return
        lemma = claimed.lemma
        symmetric = (
            vocabulary()[lemma[4:]].symmetric if lemma.startswith("rel:") else lemma in word_set("symmetric")
        )
        met = Outcome("entailed", said.words, "the same verb")
        turned = self._aligned(claimed, said, met, {"A": "P", "P": "A"})
        if symmetric:
            yield turned
        elif turned.entailed and claimed.positive and all(_is_named(t) for t in self._core(claimed)):
            roles = Outcome("contradicted", said.words, "the other way round", 0.9)
            parts = (Part("predicate", claimed.words, roles), *turned.parts[1:])
            yield Alignment(claimed, parts, self._text, said)

    def _exchanged(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        """Who did it to whom, where one of the two stands behind a preposition: "sold … to"."""
        if not claimed.positive or claimed.lemma in word_set("symmetric"):
            return
        for role, thing in _obliques(claimed):
            theirs = [each for other, each in _obliques(said) if other.lstrip("~") == role.lstrip("~")]
            subjects, doers = claimed.slots.get("A", []), said.slots.get("A", [])
            if not thing.names or not self._any_same(subjects, theirs) or not self._any_same([thing], doers):
                continue
            met = Outcome("entailed", said.words, "the same verb")
            rest = [Part("P", t.span, self._slot("P", t, said)[0], t) for t in claimed.slots.get("P", [])]
            if all(part.outcome.finding == "entailed" for part in rest):
                roles = Outcome("contradicted", said.words, "the other way round", 0.9)
                own = [Part("A", t.span, met, t) for t in subjects]
                yield Alignment(
                    claimed, (Part("predicate", claimed.words, roles), *own, *rest), self._text, said
                )

    def _core(self, claimed: Statement) -> list[Thing]:
        return [*claimed.slots["A"], *claimed.slots["P"]]

    # being

    def _be(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        if said.lemma == "be":
            met = Outcome("entailed", said.words, "said of it")
            if self._about(claimed, said):
                yield self._aligned_be(claimed, said, met)
            elif claimed.positive and said.positive:
                yield from self._reversed_be(claimed, said)
        elif not said.lemma.startswith("rel:"):
            yield from self._doer(claimed, said)
        elif said.lemma in ("rel:located-in", "rel:took-place-in") and any(
            r.startswith("@") for r in claimed.slots
        ):
            yield self._placed(claimed, said)

    def _about(self, claimed: Statement, said: Statement) -> bool:
        return any(
            self._matcher.compare(one, other, deep=False).finding == "entailed"
            for one in claimed.slots.get("A", [])
            for other in said.slots.get("A", [])
        )

    def _reversed_be(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        """The text says the other way round who is what to whom: father of, counsel to."""
        for thing in claimed.slots.get("C", []):
            for other in said.slots.get("C", []):
                if thing.lemma != other.lemma or thing.lemma in word_set("symmetric"):
                    continue
                theirs = [each for _, each in [*other.restrictions, *_obliques(said)]]
                mine = [each for _, each in [*thing.restrictions, *_obliques(claimed)]]
                subjects, others = claimed.slots.get("A", []), said.slots.get("A", [])
                if self._any_same(subjects, theirs) and self._any_same(mine, others):
                    roles = Outcome("contradicted", said.words, "the other way round", 0.9)
                    met = Outcome("entailed", other.span, "the same word")
                    parts = [Part("predicate", claimed.words, roles), Part("C", thing.span, met, thing)]
                    parts += [Part("A", each.span, met, each) for each in subjects]
                    yield Alignment(claimed, tuple(parts), self._text, said)

    def _any_same(self, mine: list[Thing], theirs: list[Thing]) -> bool:
        named = [each for each in mine if each.names]
        return any(
            self._matcher.compare(one, other, deep=False).finding == "entailed"
            for one in named
            for other in theirs
            if other.names
        )

    def _aligned_be(self, claimed: Statement, said: Statement, met: Outcome) -> Alignment:
        parts = [Part("predicate", claimed.words, self._asserted(claimed, said, met))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            outcome, narrowed = self._slot(role, thing, said)
            if role.startswith("@") and outcome.finding in ("not said", "different"):
                outcome = best([outcome, *(
                    self._matcher.restriction(role[1:], thing, other) for other in said.slots.get("C", [])
                )])  # fmt: skip
            if outcome.finding == "different":
                outcome = Outcome("not said", outcome.span, ANOTHER)
            parts += [Part(role, thing.span, outcome, thing), *narrowed]
        parts += self._adverbs(claimed, said)
        return Alignment(claimed, tuple(parts), self._text, said)

    def _doer(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        """Who writes is a writer."""
        for thing in claimed.slots.get("C", []):
            if (
                not thing.lemma.endswith(("er", "or", "ist"))
                or kinship(thing.lemma, said.lemma) != "entailed"
            ):
                continue
            if thing.restrictions or thing.modifiers or not said.slots.get("A") or said.lemma in _LIGHT:
                continue
            met = Outcome("entailed", said.words, "who does it is one", 0.85)
            parts = [Part("predicate", claimed.words, self._asserted(claimed, said, met))]
            parts += [
                Part("A", one.span, self._slot("A", one, said)[0], one) for one in claimed.slots.get("A", [])
            ]
            parts.append(Part("C", thing.span, met, thing))
            yield Alignment(claimed, tuple(parts), self._text, said)

    def _agent_noun(self, claimed: Statement, said: Statement) -> Iterator[Alignment]:
        """A writer writes."""
        subjects = claimed.slots.get("A", [])
        if not subjects or claimed.lemma in _LIGHT:
            return
        for other in said.slots.get("C", []):
            agent = (
                other.lemma.endswith(("er", "or", "ist"))
                and kinship(claimed.lemma, other.lemma) == "entailed"
            )
            if not agent or other.ordinals:
                continue
            met = Outcome("entailed", other.span, "who is one does it", 0.85)
            parts = [Part("predicate", claimed.words, self._asserted(claimed, said, met))]
            parts += [Part("A", one.span, self._slot("A", one, said)[0], one) for one in subjects]
            for role, thing in claimed.things():
                if role != "A" and not role.startswith("~"):
                    case = "of" if role == "P" else role.lstrip("@")
                    parts.append(Part(role, thing.span, self._matcher.restriction(case, thing, other), thing))
            yield Alignment(claimed, tuple(parts), self._text, said)

    def _placed(self, claimed: Statement, said: Statement) -> Alignment:
        met = Outcome("entailed", said.words, "where it is")
        parts = [Part("predicate", claimed.words, self._asserted(claimed, said, met))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            slot = "A" if role == "A" else "P"
            outcome = best(self._matcher.compare(thing, other) for other in said.slots.get(slot, []))
            if outcome.finding == "different":
                apart = slot == "P" and self._matcher.known_apart(thing, outcome.span)
                outcome = Outcome("contradicted" if apart else "not said", outcome.span, "another place", 0.8)
            parts.append(Part(role, thing.span, outcome, thing))
        return Alignment(claimed, tuple(parts), self._text, said)


def _obliques(statement: Statement) -> list[tuple[str, Thing]]:
    return [(role, each) for role, each in statement.things() if role.lstrip("~").startswith("@")]


def _is_named(thing: Thing) -> bool:
    return bool(thing.names)


_EMPTY_ADVERBS: Final = frozenset(
    "also too then thus however therefore additionally furthermore moreover".split()
)
