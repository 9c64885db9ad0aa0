"""One sentence's propositions, before anything is resolved across sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from provgraph.reading.addresses import addresses, may_contain
from provgraph.reading.clauses import Clause, ClauseReader
from provgraph.reading.descriptions import DescriptionReader
from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.life_dates import LifeDate, life_dates
from provgraph.reading.matching import RelationMatch, RelationMatcher, Roles, other_arguments
from provgraph.reading.nominals import NominalReader
from provgraph.reading.people_trees import with_one_of_several
from provgraph.reading.phrase_words import is_plural
from provgraph.reading.phrases import Phrases
from provgraph.reading.proposition_making import (
    AUTHORITY,
    PredicateWords,
    PropositionMaker,
    PropositionManner,
)
from provgraph.reading.propositions import Argument, Proposition, Span
from provgraph.reading.relations import Trigger, Vocabulary
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import find_values
from provgraph.reading.values import Date, Quantity

_CHANGES: Final = frozenset(
    "become remain serve appoint elect name crown act make reelect nominate proclaim bear".split()
)
_BESIDE: Final = PropositionManner(derived=True, main=False)
"""The manner of what a phrase says beside the sentence's own verbs."""


class SentenceReader:
    """Reads one parsed sentence of `text`."""

    def __init__(
        self,
        sentence: ParsedSentence,
        text: str,
        vocabulary: Vocabulary,
        asking: bool = False,
        title: str = "",
    ) -> None:
        values = find_values(text, sentence.start, sentence.end)
        sentence = with_one_of_several(sentence)
        self.phrases = Phrases(sentence, text, values, asking, title)
        self._sentence = sentence
        self._vocabulary = vocabulary
        self._matcher = RelationMatcher(self.phrases, vocabulary)
        self._nominals = NominalReader(self.phrases, vocabulary)
        self._maker = PropositionMaker(self.phrases)
        self._descriptions = DescriptionReader(self._matcher, self._nominals, self._maker)

    def propositions(self) -> list[Proposition]:
        """In the order of the sentence's verbs, then what its phrases say; none twice."""
        results: dict[tuple[object, ...], Proposition] = {}
        for proposition in self._all():
            key = (
                proposition.relation,
                proposition.subject.head,
                proposition.object.text if proposition.object else None,
            )
            if key not in results:
                results[key] = proposition
        return list(results.values())

    def _all(self) -> Iterator[Proposition]:
        for clause in ClauseReader(self.phrases).clauses():
            yield from self._of_clause(clause)
        for description in self._nominals.descriptions():
            yield from self._descriptions.described(description.thing, description.noun, _BESIDE)
        for noun, roles in self._nominals.events():
            yield from self._of_event(noun, roles)
        for life in life_dates(self.phrases):
            yield self._of_life(life)
        yield from self._of_places()

    # clauses

    def _of_clause(self, clause: Clause) -> Iterator[Proposition]:
        speaker = self.phrases.argument(clause.speaker, "other") if clause.speaker else None
        manner = PropositionManner(
            clause.polarity,
            clause.modality,
            speaker,
            clause.tense,
            clause.main,
            0.75 if clause.inherited else AUTHORITY,
        )
        if clause.complement is not None:
            yield from self._of_copula(clause, clause.complement, manner)
            return
        triggers = [*self._vocabulary.find("verb", clause.lemma), *self._counted(clause)]
        had = list(self._had(clause, manner))
        if had:
            yield from had
            return
        matches = self._matcher.matches(triggers, clause.roles, clause.loose)
        for match in matches:
            yield self._maker.of_match(match, clause.roles, self._predicate(clause), manner)
        propositions = list(self._of_complement(clause, manner))
        yield from propositions
        if not self._covers(clause, matches) and not propositions and not self._has_somebody(clause):
            yield from self._open(clause, manner)

    def _has_somebody(self, clause: Clause) -> bool:
        """Whether somebody who is named is had, as a son is: what he is to them is said by the noun."""
        had = clause.roles.get("P", []) if clause.lemma == "have" else []
        return bool(had) and all(
            type_of_noun(noun.lemma) == "Person" and self.phrases.named(noun) is not noun for noun in had
        )

    def _counted(self, clause: Clause) -> Iterator[Trigger]:
        """ "Has 30 employees", "how many employees does it have": what the number counts. Who is employed is an
        employee, whatever the noun: "we employ 4,310 people"; those of one place are not all of them."""
        for token in clause.roles.get("P", []) if clause.lemma in ("have", "employ") else ():
            value = self.phrases.value_at(token)
            if isinstance(value, Quantity) or self.phrases.open_type(token) == "Number":
                is_staff = clause.lemma == "employ" and "@in" not in clause.roles
                counted = "employee" if is_staff else token.lemma.lower()
                yield from self._vocabulary.find("count", counted)

    def _had(self, clause: Clause, manner: PropositionManner) -> Iterator[Proposition]:
        """ "Has a population of 30,000": the object names the relation."""
        for noun in clause.roles.get("P", []) if clause.lemma == "have" else ():
            roles = {**self._nominals.roles(noun)}
            roles["@of"], roles["of"] = roles.get("of", []), clause.roles.get("A", [])
            rest = {name: tokens for name, tokens in clause.roles.items() if name != "P"}
            for match in self._matcher.matches(self._nominals.triggers("event", noun), roles, {}):
                yield self._maker.of_match(match, rest, self._predicate(clause), manner)

    def _covers(self, clause: Clause, matches: list[RelationMatch]) -> bool:
        """Whether the relations found say all that the verb says of its subject and object."""
        if not matches:
            return False
        core = {t.index for role in ("A", "P") for t in clause.roles.get(role, [])}
        if "A" in clause.roles and "P" in clause.roles:
            pairs = [{m.subject.index, m.object.index} for m in matches]
            return any(pair <= core for pair in pairs)
        return True

    def _of_complement(self, clause: Clause, manner: PropositionManner) -> Iterator[Proposition]:
        """Became president of France; was elected mayor: the noun says of the subject what an apposition would."""
        done_to = clause.passive or clause.lemma not in ("become", "remain", "serve", "act")
        role = "P" if "P" in clause.roles and done_to else "A"
        for thing in clause.roles.get(role, []):
            for noun in [*clause.roles.get("C", []), *clause.roles.get("@as", [])]:
                becomes = clause.lemma in ("become", "remain") or type_of_noun(noun.lemma) == "Person"
                if noun.pos == "NOUN" and clause.lemma in _CHANGES and becomes:
                    yield from self._descriptions.described(thing, noun, manner, clause.roles)

    def _open(self, clause: Clause, manner: PropositionManner) -> Iterator[Proposition]:
        """The clause under its own verb, where no relation of the vocabulary says it."""
        agents, patients = clause.roles.get("A", []), clause.roles.get("P", [])
        agentless = not agents
        subjects, targets, relation = agents or patients, patients if agents else [], clause.lemma
        if not subjects or clause.lemma == "be" or (clause.governs and not (agents and patients)):
            return
        if not targets:
            case, targets = self._first_oblique(clause)
            relation = f"{clause.lemma} {case.removeprefix('@')}".strip()
        for subject in subjects:
            for target in targets:
                if target.index != subject.index:
                    yield self._open_proposition(clause, manner, (subject, target), relation, agentless)
            if not targets:
                yield self._open_proposition(clause, manner, (subject, None), relation, agentless)

    def _first_oblique(self, clause: Clause) -> tuple[str, list[Token]]:
        for name, tokens in clause.roles.items():
            value = self.phrases.value_at(tokens[0])
            if (name == "C" or (name.startswith("@") and name != "@")) and not isinstance(value, Date):
                return ("" if name == "C" else name), tokens
        return "", []

    def _open_proposition(
        self,
        clause: Clause,
        manner: PropositionManner,
        pair: tuple[Token, Token | None],
        relation: str,
        agentless: bool,
    ) -> Proposition:
        subject, target = pair
        used = {subject.index, target.index if target is not None else -1}
        one = self.phrases.argument(subject, "subject")
        other = self.phrases.argument(target, "object") if target is not None else None
        return self._maker.made(
            relation, PredicateWords(self._predicate(clause), clause.lemma, False, agentless), (one, other),
            other_arguments(self.phrases, clause.roles, used), replace(manner, certainty=manner.certainty - 0.1),
        )  # fmt: skip

    # copulas

    def _of_copula(
        self, clause: Clause, complement: Token, manner: PropositionManner
    ) -> Iterator[Proposition]:
        for subject in clause.roles.get("A", []):
            if self._is_measure_noun(subject, complement):
                yield from self._of_measure(subject, complement, clause, manner)
                continue
            group = self.phrases.conjuncts(complement)
            person = any(type_of_noun(token.lemma) == "Person" for token in group)
            for token in group:
                yield from self._said(subject, token, clause, replace(manner, person=person))

    def _is_measure_noun(self, subject: Token, complement: Token) -> bool:
        """ "The population of Graz is 300,000": the subject names the relation."""
        measure = (
            self.phrases.value_at(complement) is not None or self.phrases.open_type(complement) is not None
        )
        return measure and bool(self._nominals.triggers("event", subject))

    def _of_measure(
        self, noun: Token, value: Token, clause: Clause, manner: PropositionManner
    ) -> Iterator[Proposition]:
        roles = {**self._nominals.roles(noun), "@of": [value], "@in": [value], "@on": [value]}
        for match in self._matcher.matches(self._nominals.triggers("event", noun), roles, {}):
            yield self._maker.of_match(match, clause.roles, self._predicate(clause), manner)

    def _said(
        self, subject: Token, complement: Token, clause: Clause, manner: PropositionManner
    ) -> Iterator[Proposition]:
        if (kind := self._one_of(complement)) is not None:
            yield from self._descriptions.one_of(subject, kind, manner, clause.roles)
            return
        case = self.phrases.case(complement)
        degree = bool(self._vocabulary.find("adj", complement.lemma.lower()))
        if complement.pos == "ADV" and not degree:
            return
        if complement.pos in ("ADJ", "ADV") and not self.phrases.is_name(complement):
            yield from self._of_adjective(subject, complement, clause, manner)
        elif case:
            yield from self._of_place_or_time(subject, complement, case, clause, manner)
        elif self._is_inverted(subject, complement):
            yield from self._descriptions.described(complement, subject, manner, clause.roles)
        else:
            yield from self._descriptions.described(subject, complement, manner, clause.roles)

    def _one_of(self, complement: Token) -> Token | None:
        """The noun of "one of the nine municipalities"."""
        if complement.text.lower() != "one":
            return None
        plurals = (c for c in self.phrases.children(complement) if c.relation == "nmod" and c.pos == "NOUN")
        return next((c for c in plurals if self.phrases.case(c) == "of" and is_plural(c)), None)

    def _is_inverted(self, subject: Token, complement: Token) -> bool:
        """ "The capital of Austria is Vienna"; "who is the founder"."""
        if self.phrases.open_type(complement) is not None and self.phrases.open_type(subject) is None:
            return True
        if self.phrases.value_at(complement) is not None:
            return False
        return (
            self.phrases.is_name(complement) and not self.phrases.is_name(subject) and subject.pos == "NOUN"
        )

    def _of_adjective(
        self, subject: Token, adjective: Token, clause: Clause, manner: PropositionManner
    ) -> Iterator[Proposition]:
        roles = {**clause.roles, "self": [subject]}
        how = [c for c in self.phrases.children(adjective) if c.text.lower() == "how"]
        if how:
            roles["measure"] = how
        matches = self._matcher.matches(self._vocabulary.find("adj", adjective.lemma.lower()), roles, {})
        for match in matches:
            yield self._maker.of_match(match, clause.roles, self._predicate(clause), manner)
        nation = self._descriptions.nation(adjective)
        if nation is None and matches:
            return
        relation = "nationality" if nation else "has-property"
        one, other = self.phrases.argument(subject, "subject"), self.phrases.argument(adjective, "object")
        rest = other_arguments(self.phrases, clause.roles, {subject.index})
        yield self._maker.made(
            relation, PredicateWords(self._predicate(clause)), (one, nation or other), rest, manner
        )

    def _of_place_or_time(
        self, subject: Token, complement: Token, case: str, clause: Clause, manner: PropositionManner
    ) -> Iterator[Proposition]:
        other = self.phrases.argument(complement, "object", case)
        is_place = case in ("in", "at", "on", "near", "within") and other.kind != "value"
        named = (
            other.entity_type == "Place"
            or (other.kind == "entity" and not other.entity_type)
            or other.kind == "open"
        )
        relation = "located-in" if is_place and named else f"be {case}"
        if case == "from" and other.entity_type in ("Place", ""):
            relation = "origin"
        one = self.phrases.argument(subject, "subject")
        canonical = relation in ("located-in", "origin")
        rest = other_arguments(self.phrases, clause.roles, {subject.index, complement.index})
        words = PredicateWords(self._predicate(clause), "be", canonical)
        yield self._maker.made(relation, words, (one, other), rest, manner)

    # descriptions

    def described_phrases(self) -> Iterator[Proposition]:
        """What phrases without a name say of what they stand for: "the director of Red Sand" of that director."""
        for token in self._sentence.tokens:
            if token.pos != "NOUN" or self.phrases.named(token).index != token.index:
                continue
            roles = {**self._nominals.roles(token), "self": [token]}
            for match in self._matcher.matches(self._nominals.triggers("noun", token), roles, {}):
                yield self._maker.of_match(match, roles, self.phrases.text_of(token), _BESIDE)

    def _of_event(self, noun: Token, roles: Roles) -> Iterator[Proposition]:
        manner = PropositionManner(derived=True, main=False, certainty=0.75)
        for match in self._matcher.matches(self._nominals.triggers("event", noun), roles, {}):
            yield self._maker.of_match(match, roles, self.phrases.text_of(noun), manner)

    def _of_life(self, life: LifeDate) -> Proposition:
        one = self.phrases.argument(life.name, "subject")
        span = Span(life.start, life.end, self.phrases.text[life.start : life.end])
        noun = span.text.rpartition(" ")[2] if span.text.islower() else ""
        other = Argument(
            "object", span.text, span, span, "value" if life.value else "concept" if noun else "entity",
            lemma=noun, value=life.value, determiner="a" if noun else "",
        )  # fmt: skip
        proposition = self._maker.made(life.relation, PredicateWords(span), (one, other), (), _BESIDE)
        return replace(proposition, attachment=1.0)  # by the brackets, whatever the tree

    def _of_places(self) -> Iterator[Proposition]:
        """ "Graz, Austria": the second contains the first, by the tree or as an address that ends in a known place."""
        for address in addresses(self._places(), self.phrases.text):
            for part, whole in pairwise(address):
                span = Span(
                    part.span.start, whole.span.end, self.phrases.text[part.span.start : whole.span.end]
                )
                yield replace(
                    self._of_address(part, whole, span), attachment=1.0
                )  # by commas, whatever the tree
        for token in self._sentence.tokens:
            if token.relation != "appos" or token.head < 0 or not self.phrases.is_name(token):
                continue
            above = self._sentence.tokens[token.head]
            both = [self.phrases.argument(each, "other") for each in (above, token)]
            comma = self.phrases.text[: both[1].span.start].rstrip().endswith(",")
            if comma and all(map(_is_place, both)) and may_contain(both[1], both[0]):
                yield self._of_address(both[0], both[1], self.phrases.span(above, token))

    def _of_address(self, part: Argument, whole: Argument, span: Span) -> Proposition:
        ends = (replace(part, role="subject"), replace(whole, role="object"))
        return self._maker.made("located-in", PredicateWords(span), ends, (), _BESIDE)

    def _places(self) -> list[Argument]:
        """The names that the parser takes for places, in the order of the text, each once."""
        names = (t for t in self._sentence.tokens if t.pos == "PROPN" and self.phrases.is_name(t))
        arguments = (self.phrases.argument(name, "other") for name in names)
        return list({argument.span.start: argument for argument in arguments if _is_place(argument)}.values())

    def _predicate(self, clause: Clause) -> Span:
        words = clause.words
        return (
            self.phrases.span(words[0], words[-1]) if words else self.phrases.span(clause.head, clause.head)
        )


def _is_place(argument: Argument) -> bool:
    return argument.kind == "entity" and argument.entity_type == "Place"
