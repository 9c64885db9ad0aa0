"""What a noun says of a thing: "Ada Novak, the Polish founder of Acme", "Red Sand is a 1999 film".

Relations of the vocabulary, then an office, an occupation or a kind, a nationality, the year of a work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.reading.entity_types import demonyms, type_of_noun
from provgraph.reading.matching import RelationMatcher, Roles, other_arguments
from provgraph.reading.nominals import NominalReader
from provgraph.reading.proposition_making import PredicateWords, PropositionMaker, PropositionManner
from provgraph.reading.propositions import Argument, Proposition, Resolution
from provgraph.reading.syntax import Token
from provgraph.reading.values import Date

_OFFICES: Final = frozenset(
    "leads chief-executive mayor governor president prime-minister monarch minister".split()
)
_BESIDE_KIND: Final = frozenset({"located-in", "works-for", "part-of"})
"""Relations beside which a noun also says what the thing is: "a town in Ohio", "a physicist at Harvard"."""
_NATIONAL: Final = frozenset({"Person", "Organization", "Work", "Group"})


class DescriptionReader:
    """Reads what the nouns of one sentence say."""

    def __init__(self, matcher: RelationMatcher, nominals: NominalReader, maker: PropositionMaker) -> None:
        self._phrases = matcher.phrases
        self._sentence = matcher.phrases.sentence
        self._matcher = matcher
        self._nominals = nominals
        self._maker = maker

    def described(
        self, thing: Token, noun: Token, manner: PropositionManner, clause_roles: Roles | None = None
    ) -> Iterator[Proposition]:
        """What a noun says of a thing: relations of the vocabulary, office, occupation or kind, nationality."""
        roles = self._nominals.roles(noun, thing)
        merged = {**(clause_roles or {}), **roles}
        matches = self._matcher.matches(self._nominals.triggers("noun", noun), merged, {})
        predicate = self._phrases.text_of(noun)
        role = self._phrases.argument(noun, "role", named=False)
        for match in matches:
            yield self._maker.of_match(match, merged, predicate, manner, (role,))
        yield from self._nationality(thing, noun, manner)
        yield from self._release_year(thing, noun, manner)
        offices = [m for m in matches if m.relation.id in _OFFICES]
        if offices or not matches or all(m.relation.id in _BESIDE_KIND for m in matches):
            yield self._kind(thing, noun, manner, merged, bool(offices))

    def one_of(
        self, thing: Token, noun: Token, manner: PropositionManner, clause_roles: Roles
    ) -> Iterator[Proposition]:
        """What "one of the nine municipalities in Lara" says: a municipality, in Lara."""
        roles = {**clause_roles, **self._nominals.roles(noun, thing)}
        predicate = self._phrases.text_of(noun)
        for match in self._matcher.matches(self._nominals.triggers("noun", noun), roles, {}):
            yield self._maker.of_match(match, roles, predicate, manner)
        before = [
            c.text for c in self._phrases.children(noun) if c.relation == "compound" and c.text.islower()
        ]
        kind = replace(
            self._phrases.argument(noun, "object", named=False),
            text=" ".join([*before, noun.lemma.lower()]),
            kind="concept",
            value=None,
            determiner="a",
            number="singular",
        )
        one = self._phrases.argument(thing, "subject")
        relation = self._kind_relation(noun, kind, office=False)
        yield self._maker.made(relation, PredicateWords(predicate), (one, kind), (), manner)

    def _kind(
        self, thing: Token, noun: Token, manner: PropositionManner, roles: Roles, office: bool
    ) -> Proposition:
        one = self._phrases.argument(thing, "subject")
        other = self._without_nation(self._phrases.argument(noun, "object", named=False))
        between = self._phrases.text[other.span.end : one.span.start].strip(" \"'“‘`")
        if (
            other.determiner == "the"
            and one.kind == "entity"
            and other.span.end < one.span.start
            and not between
        ):
            other = replace(
                other, determiner="a"
            )  # "the painter Olof Brandt" points to no painter named before
        used = {thing.index, noun.index}
        rest = other_arguments(
            self._phrases, {k: v for k, v in roles.items() if k not in ("possessor", "C", "P", "of")}, used
        )
        predicate = self._phrases.text_of(noun)
        relation = self._kind_relation(noun, other, office)
        if relation == "instance-of" and manner.person and one.kind != "concept":
            relation = "occupation"
        if relation == "occupation" and one.entity_type not in ("Person", "Group", "Organization", ""):
            relation = "instance-of"
        return self._maker.made(relation, PredicateWords(predicate), (one, other), rest, manner)

    def _without_nation(self, argument: Argument) -> Argument:
        """ "Polish physicist" as physicist: the nationality is said by itself."""
        words = argument.text.split(" ")
        if argument.kind == "concept" and len(words) > 1 and re.fullmatch(r"[12]\d{3}", words[0]):
            words = words[1:]
            argument = replace(argument, text=" ".join(words))
        for size in (2, 1):
            national = len(words) > size and " ".join(words[:size]) in demonyms()
            if argument.kind == "concept" and national and words[size].islower():
                return replace(argument, text=" ".join(words[size:]))
        return argument

    def _kind_relation(self, noun: Token, other: Argument, office: bool) -> str:
        if office:
            return "position"
        if other.kind in ("entity", "value") or other.determiner not in ("a", "an", "", "one", "another"):
            return "is"
        return "occupation" if type_of_noun(noun.lemma) == "Person" else "instance-of"

    def _release_year(self, thing: Token, noun: Token, manner: PropositionManner) -> Iterator[Proposition]:
        """ "Red Sand is a 1999 film"."""
        if type_of_noun(noun.lemma) != "Work":
            return
        for child in self._phrases.children(noun):
            value = self._phrases.value_at(child)
            if child.index < noun.index and isinstance(value, Date) and value.precision == "year":
                one, other = self._phrases.argument(thing, "subject"), self._phrases.argument(child, "object")
                words = PredicateWords(self._phrases.text_of(noun))
                yield self._maker.made("release-date", words, (one, other), (), manner)

    def _nationality(self, thing: Token, noun: Token, manner: PropositionManner) -> Iterator[Proposition]:
        for child in self._phrases.children(noun):
            for word in [child, *self._phrases.children(child)]:
                nation = self.nation(word)
                if (
                    nation
                    and child.relation in ("amod", "compound")
                    and type_of_noun(noun.lemma) in _NATIONAL
                ):
                    one = self._phrases.argument(thing, "subject")
                    yield self._maker.made(
                        "nationality", PredicateWords(nation.span), (one, nation), (), manner
                    )

    def nation(self, word: Token) -> Argument | None:
        """The country that "Polish" or "South Korean" is of."""
        before = self._sentence.tokens[word.index - 1] if word.index else word
        for first in (before, word):
            span = self._phrases.span(first, word)
            place = demonyms().get(span.text)
            if place is not None:
                resolution = Resolution(span, place, f"{span.text}: of {place}")
                head = self._phrases.span(word, word)
                return Argument(
                    "object", span.text, span, head, "entity", entity_type="Place", resolution=resolution
                )
        return None
