"""The claim's statements against those of an evidence text, role by role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import gender_of_name, gender_of_noun, type_of_noun
from provgraph.reading.happening import happens_to_subject, stands_for_owner
from provgraph.reading.propositions import Span
from provgraph.reading.relations import vocabulary
from provgraph.reading.values import Quantity
from provgraph.verdicts.alignment import ANOTHER, CORE, OPPOSITE, Alignment, Part
from provgraph.verdicts.converses import roles
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.outcomes import Outcome, best
from provgraph.verdicts.role_alignment import PLACING, RoleAligner, around
from provgraph.verdicts.things import DERIVED, Statement, Thing
from provgraph.verdicts.within_things import is_date
from provgraph.verdicts.word_links import way_of
from provgraph.verdicts.words_related import kinship

_EVERY: Final = frozenset("all every each most".split())
_LIGHT: Final = frozenset("have do make take get give be go come".split())


def _opposed(one: str, other: str) -> bool:
    """Whether two words for one relation tell its two directions: "rose to" and "fell to"."""
    return bool(one and other) and kinship(one, other, verbs=True) == "excluded"


def _in_main_sense(one: str, other: str) -> bool:
    """Whether what the verb `other` says first of all in WordNet is what `one` says, or a kind of it."""
    return wordnet.same(one, other, "v", within=1) or wordnet.is_kind_of(other, one, "v", within=1, steps=1)


def _genders(words: Span) -> Iterator[str]:
    """ "male" and "female" for the nouns among some words that are said of men or of women alone."""
    for word in words.text.lower().split():
        if gender := gender_of_noun(word):
            yield gender


def _other_slots(claimed: Statement, statement: Statement, text: str) -> dict[str, str]:
    """Where the text has what the claim has in another place: what was published came out, where they are treated as a
    rule is who treats them, and what was paid for by the firm the firm paid for."""
    if "A" not in claimed.slots and "P" not in statement.slots and " " in statement.lemma:
        return {"P": "A"}
    passive = (
        "P" in statement.slots
        and "A" in statement.slots
        and "P" not in claimed.slots
        and "@for" not in statement.slots
    )
    if passive and "@for" in claimed.slots and text[statement.words.end :].lstrip().startswith("for by "):
        return {"@for": "P"}
    by_rule = statement.tense == "present" and statement.agentless and "P" in statement.slots
    if by_rule and any(type_of_noun(t.lemma) == "Organization" for t in statement.slots.get("@at", [])):
        return {"A": "@at"}
    return {}


class Aligner(RoleAligner):
    """Lays statements of a claim on those of one text."""

    def best(self, claimed: Statement) -> Alignment:
        """The alignment that says most about the statement."""
        alignments = [
            alignment for statement in self.text.statements for alignment in self._pair(claimed, statement)
        ]
        return max(alignments, key=lambda alignment: alignment.score, default=Alignment(claimed, ()))

    def _pair(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        if claimed.lemma == "be":
            yield from self._be(claimed, statement)
            return
        if statement.lemma == "be" and claimed.positive:
            yield from self._agent_noun(claimed, statement)
        if (
            (turned := roles(claimed.lemma, statement.lemma)) is not None
            and claimed.positive
            and statement.positive
        ):
            met = Outcome("entailed", statement.words, "the same from the other side", 0.95)
            places = {
                role: next((r for r in sorted(other) if r in statement.slots), min(other))
                for role, other in turned.items()
            }
            if self._is_for_by(statement):
                places = {role: "P" if place == "@for" else place for role, place in places.items()}
            yield self.aligned(claimed, statement, met, places)
        predicate = self._predicate(claimed, statement)
        if predicate is None:
            return
        outcome, swapped = predicate
        if not self._of_that_gender(claimed, statement, swapped):
            return
        slots = {"A": "P", "P": "A"} if swapped else self._other_slots(claimed, statement)
        yield self.aligned(claimed, statement, outcome, slots)
        if not swapped and outcome.finding == "entailed":
            yield from self._reversed(claimed, statement)
            yield from self._exchanged(claimed, statement)

    def _other_slots(self, claimed: Statement, statement: Statement) -> dict[str, str]:
        """Roles of the claim that the text fills elsewhere; who does a thing to another is not to whom it happens."""
        happens = happens_to_subject(claimed.lemma) or happens_to_subject(statement.lemma)
        without = "A" in claimed.slots and not any(role in claimed.slots for role in ("P", "C", "R"))
        if happens and without and self._has_object(statement):
            return {"A": "P"}
        return _other_slots(claimed, statement, self.text.evidence.text)

    def _has_object(self, statement: Statement) -> bool:
        """Whether it tells to whom or what it happens, which is neither how much nor stands for the subject."""
        sentence = self.text.parsed[statement.sentence]
        objects = [t for t in statement.slots.get("P", []) if not _is_measure(t)]
        return bool(objects) and not all(stands_for_owner(t.token, sentence) for t in objects)

    def _is_for_by(self, statement: Statement) -> bool:
        """Whether its passive has a "for" before who does it: "was paid for by the firm"."""
        return self.text.evidence.text[statement.words.end :].lstrip().startswith("for by ")

    # predicates

    def _of_that_gender(self, claimed: Statement, statement: Statement, swapped: bool) -> bool:
        """Whether a noun for men or women alone follows for who is meant: an uncle has nephews and nieces."""
        theirs = set() if swapped else set(_genders(statement.words))
        outside = [
            t for role, t in claimed.things()
            if role in CORE and not claimed.words.start <= t.span.start < claimed.words.end
        ]  # fmt: skip
        known = {gender_of_name(name) for t in outside for name in t.names}
        return all(gender in theirs | known for gender in _genders(claimed.words))

    def _predicate(self, claimed: Statement, statement: Statement) -> tuple[Outcome, bool] | None:
        one, other = claimed.lemma, statement.lemma
        if one.startswith("rel:") != other.startswith("rel:"):
            return None
        if one.startswith("rel:"):
            relations = self._relations(one[4:], other[4:], statement)
            turned = relations is not None and _opposed(claimed.triggered_by, statement.triggered_by)
            return (
                (Outcome("contradicted", statement.words, "the opposite", 0.9), False)
                if turned
                else relations
            )
        if one == other.removeprefix("co-"):
            return Outcome("entailed", statement.words, "the same verb"), False
        if one in _LIGHT or other in _LIGHT:
            return None
        relation = kinship(one, other, verbs=True)
        if relation in ("same", "entailed"):
            return Outcome("entailed", statement.words, "follows from the verb", 0.92), False
        if relation == "excluded":
            return Outcome("contradicted", statement.words, f"“{other}” {OPPOSITE}", 0.9), False
        if way_of(one, "VERB", other, "VERB") in ("alike", "narrower") and _in_main_sense(one, other):
            return Outcome("entailed", statement.words, "follows from the verb", 0.9), False
        return None

    def _relations(self, one: str, other: str, statement: Statement) -> tuple[Outcome, bool] | None:
        words = vocabulary()
        met = Outcome("entailed", statement.words, "the same relation", 0.98)
        if one in words.implied(other):
            return met, False
        inverse = words.inverse_of(other)
        if inverse and one in words.implied(inverse):
            return met, True
        if other in words[one].excludes:
            return Outcome("contradicted", statement.words, "excludes it", 0.9), False
        return None

    def _reversed(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        """Who did it and to whom, the other way round."""
        if not (
            claimed.slots.get("A")
            and claimed.slots.get("P")
            and statement.slots.get("A")
            and statement.slots.get("P")
        ):
            return
        lemma = claimed.lemma
        symmetric = (
            vocabulary()[lemma[4:]].symmetric if lemma.startswith("rel:") else lemma in word_set("symmetric")
        )
        met = Outcome("entailed", statement.words, "the same verb")
        turned = self.aligned(claimed, statement, met, {"A": "P", "P": "A"})
        if symmetric:
            yield turned
        elif turned.entailed and claimed.positive and all(_is_named(t) for t in self._core(claimed)):
            roles = Outcome("contradicted", statement.words, "the other way round", 0.9)
            parts = (Part("predicate", claimed.words, roles), *turned.parts[1:])
            yield Alignment(claimed, parts, self.text, statement)

    def _exchanged(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        """Who did it to whom, where one of the two stands behind a preposition: "sold … to"."""
        if not claimed.positive or claimed.lemma in word_set("symmetric"):
            return
        for role, thing in _obliques(claimed):
            theirs = [each for other, each in _obliques(statement) if other.lstrip("~") == role.lstrip("~")]
            subjects, doers = claimed.slots.get("A", []), statement.slots.get("A", [])
            if not thing.names or not self.any_same(subjects, theirs) or not self.any_same([thing], doers):
                continue
            met = Outcome("entailed", statement.words, "the same verb")
            rest = [Part("P", t.span, self.slot("P", t, statement)[0], t) for t in claimed.slots.get("P", [])]
            if all(part.outcome.finding == "entailed" for part in rest):
                roles = Outcome("contradicted", statement.words, "the other way round", 0.9)
                own = [Part("A", t.span, met, t) for t in subjects]
                yield Alignment(
                    claimed, (Part("predicate", claimed.words, roles), *own, *rest), self.text, statement
                )

    def _core(self, claimed: Statement) -> list[Thing]:
        return [*claimed.slots["A"], *claimed.slots["P"]]

    # being

    def _be(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        if statement.lemma == "be":
            met = Outcome("entailed", statement.words, "said of it")
            if self._about(claimed, statement):
                yield self._aligned_be(claimed, statement, met)
            elif claimed.positive and statement.positive:
                yield from self._reversed_be(claimed, statement)
        elif not statement.lemma.startswith("rel:"):
            yield from self._doer(claimed, statement)
        elif statement.lemma in PLACING and any(r.startswith("@") for r in claimed.slots):
            yield self._placed(claimed, statement)

    def _about(self, claimed: Statement, statement: Statement) -> bool:
        return any(
            self.matcher.compare(one, other, deep=False).finding == "entailed"
            for one in claimed.slots.get("A", [])
            for other in statement.slots.get("A", [])
        )

    def _reversed_be(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        """The text says the other way round who is what to whom: father of, counsel to."""
        for thing in claimed.slots.get("C", []):
            for other in statement.slots.get("C", []):
                if thing.lemma != other.lemma or thing.lemma in word_set("symmetric"):
                    continue
                theirs = [each for _, each in [*other.restrictions, *_obliques(statement)]]
                mine = [each for _, each in [*thing.restrictions, *_obliques(claimed)]]
                subjects, others = claimed.slots.get("A", []), statement.slots.get("A", [])
                if self.any_same(subjects, theirs) and self.any_same(mine, others):
                    roles = Outcome("contradicted", statement.words, "the other way round", 0.9)
                    met = Outcome("entailed", other.span, "the same word")
                    parts = [Part("predicate", claimed.words, roles), Part("C", thing.span, met, thing)]
                    parts += [Part("A", subject.span, met, subject) for subject in subjects]
                    yield Alignment(claimed, tuple(parts), self.text, statement)

    def _aligned_be(self, claimed: Statement, statement: Statement, met: Outcome) -> Alignment:
        parts = [Part("predicate", claimed.words, self.asserted(claimed, statement, met))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            outcome, narrowed = self.slot(role, thing, statement)
            if role.startswith("@") and "C" in claimed.slots and outcome.finding in ("not said", "different"):
                outcome = best([outcome, *(
                    self.matcher.restriction(role[1:], thing, other) for other in statement.slots.get("C", [])
                )])  # fmt: skip
            derived = statement.clause <= DERIVED and outcome.finding == "contradicted"
            if outcome.finding == "different" or derived:  # what it rose to once may not be what it is
                outcome = Outcome("not said", outcome.span, ANOTHER)
            parts += [Part(role, thing.span, outcome, thing), *narrowed]
        parts += self.adverbs(claimed, statement)
        return Alignment(claimed, tuple(self.own_share(statement, parts)), self.text, statement)

    def _doer(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        """Who writes is a writer."""
        for thing in claimed.slots.get("C", []):
            if (
                not thing.lemma.endswith(("er", "or", "ist"))
                or kinship(thing.lemma, statement.lemma) != "entailed"
            ):
                continue
            if (
                thing.restrictions
                or thing.modifiers
                or not statement.slots.get("A")
                or statement.lemma in _LIGHT
            ):
                continue
            met = Outcome("entailed", statement.words, "who does it is one", 0.85)
            parts = [Part("predicate", claimed.words, self.asserted(claimed, statement, met))]
            parts += [
                Part("A", one.span, self.slot("A", one, statement)[0], one)
                for one in claimed.slots.get("A", [])
            ]
            parts.append(Part("C", thing.span, met, thing))
            yield Alignment(claimed, tuple(parts), self.text, statement)

    def _agent_noun(self, claimed: Statement, statement: Statement) -> Iterator[Alignment]:
        """A writer writes."""
        subjects = claimed.slots.get("A", [])
        if not subjects or claimed.lemma in _LIGHT:
            return
        doers, kinds = statement.slots.get("A", []), statement.slots.get("C", [])
        if kinds and all(thing.kind == "name" for thing in kinds):  # "her teacher was Richard Berg"
            statement = replace(statement, slots={**statement.slots, "A": kinds, "C": doers})
        for other in statement.slots.get("C", []):
            agent = (
                other.lemma.endswith(("er", "or", "ist"))
                and kinship(claimed.lemma, other.lemma) == "entailed"
            )
            if not agent or other.ordinals:
                continue
            met = Outcome("entailed", other.span, "who is one does it", 0.85)
            parts = [Part("predicate", claimed.words, self.asserted(claimed, statement, met))]
            parts += [Part("A", one.span, self.slot("A", one, statement)[0], one) for one in subjects]
            for role, thing in claimed.things():
                if role != "A" and not role.startswith("~"):
                    case = "of" if role == "P" else role.lstrip("@")
                    outcome = self.matcher.restriction(case, thing, other)
                    if thing.determiner in _EVERY:
                        outcome = Outcome("not said", outcome.span)
                    parts.append(Part(role, thing.span, outcome, thing))
            yield Alignment(claimed, tuple(parts), self.text, statement)

    def _placed(self, claimed: Statement, statement: Statement) -> Alignment:
        met = Outcome("entailed", statement.words, "where it is")
        parts = [Part("predicate", claimed.words, self.asserted(claimed, statement, met))]
        for role, thing in claimed.things():
            if role.startswith("~"):
                continue
            slot = "A" if role == "A" else "P"
            others = statement.slots.get(slot, [])
            wider = [thing for other in others for thing in around(other)] if slot == "P" else []
            outcome = best(self.matcher.compare(thing, other) for other in (*others, *wider))
            if outcome.finding == "different":
                apart = slot == "P" and self.matcher.known_apart(thing, outcome.span)
                outcome = Outcome("contradicted" if apart else "not said", outcome.span, "another place", 0.8)
            parts.append(Part(role, thing.span, outcome, thing))
        return Alignment(claimed, tuple(parts), self.text, statement)


def _obliques(statement: Statement) -> list[tuple[str, Thing]]:
    return [(role, each) for role, each in statement.things() if role.lstrip("~").startswith("@")]


def _is_measure(thing: Thing) -> bool:
    return is_date(thing) or (isinstance(thing.value, Quantity) and not thing.value.noun)


def _is_named(thing: Thing) -> bool:
    return bool(thing.names)
