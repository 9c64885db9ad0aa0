"""Whether a thing of the claim is the thing that the evidence speaks of, and of the kind that it says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import are_other_rates, read_value
from provgraph.reading.values import Date, Quantity, Value, are_other_limits, contains, excludes
from provgraph.verdicts.heads import HeadMatcher, phrases_of
from provgraph.verdicts.lexicon import phrase, places
from provgraph.verdicts.masking import bare_title
from provgraph.verdicts.names import name_words, same_name
from provgraph.verdicts.outcomes import EXCLUDED, NOT_SAID, WHOLE, Outcome, all_of, best
from provgraph.verdicts.portions import met_portion, met_share
from provgraph.verdicts.things import Thing, demonym_place, is_deciding
from provgraph.verdicts.within_things import compatible, is_date, is_whole, narrowing_words, nested
from provgraph.verdicts.words_related import kinship

_NOT_REALLY: Final = frozenset(
    "vice deputy assistant acting associate honorary would-be alleged fictional proposed planned potential possible "
    "aspiring fake false unofficial candidate non mock prospective".split()
)
_ALL: Final = frozenset("all every each both".split())
_BOUNDS: Final = frozenset(
    "more less fewer least most than about approximately around roughly over under nearly almost up some exactly just "
    "at".split()
)
"""Words that a quantity has read already."""
MORE: Final = frozenset("other more further additional another extra".split())
_EMPTY_MODIFIERS: Final = frozenset("certain particular specific own such so-called very".split())


class Matcher(HeadMatcher):
    """Compares things of the claim with those of one evidence text."""

    def compare(self, claimed: Thing, said: Thing, deep: bool = True) -> Outcome:
        """What `said` means for `claimed`, with the claim's modifiers, quantifier and, if `deep`, complements."""
        if said.stands_for is not None:
            return replace(self.compare(claimed, said.stands_for, deep), span=said.span)
        if claimed.designation != said.designation and claimed.designation:
            return NOT_SAID
        if (said.denied and not claimed.denied) or any(
            each.denied and each.lemma == claimed.lemma for _, each in said.restrictions
        ):
            return NOT_SAID
        if is_whole(claimed, said):
            return Outcome("entailed", said.span, WHOLE)
        if claimed.determiner in _ALL and claimed.value is None and isinstance(said.value, Quantity):
            return NOT_SAID
        if claimed.value is not None or said.value is not None:
            return self._values(claimed, said)
        outcome = self.heads(claimed, said)
        if outcome.finding != "entailed":
            return outcome
        share = met_share(claimed.head.text, said.head.text)
        if share != "entailed":
            return Outcome(share, said.span, f"“{said.head.text}”, not “{claimed.head.text}”")
        parts = [outcome, *self._modifiers(claimed, said), self._quantifier(claimed, said)]
        if deep:
            own = [(case, each) for case, each in claimed.restrictions if not case.startswith("+")]
            parts += [self.restriction(case, each, said) for case, each in own]
        return all_of(parts)

    def described(self, claimed: Thing, said: Thing, deep: bool = True) -> Outcome:
        """The same for what something is said to be: a description is met by its words, not by whose it is."""
        bare = [
            replace(thing, also=[], names=thing.names if thing.kind == "name" else [])
            for thing in (claimed, said)
        ]
        self.identity = False
        try:
            return best([self.compare(bare[0], bare[1], deep), self._by_core(bare[0], bare[1], deep)])
        finally:
            self.identity = True

    def _by_core(self, claimed: Thing, thing: Thing, deep: bool) -> Outcome:
        """Titles and demonyms written as names: "Prime Minister of Italy" for "Prime Minister of a country"."""
        if demonym_place(claimed.words):
            return self._nation(
                claimed.token, thing, [(kinship(claimed.words, m.text), m) for m in thing.modifiers]
            )
        if "name" not in (claimed.kind, thing.kind):
            return NOT_SAID
        one, other = (
            re.split(r" (?:of|for|to|in) ", thing.words, maxsplit=1)[0].casefold()
            for thing in (claimed, thing)
        )
        if one != other or (
            thing.kind == "name" and claimed.kind == "name" and not claimed.inner + claimed.restrictions
        ):
            return NOT_SAID
        met = Outcome("entailed", thing.span, "the same title", 0.95)
        narrower = replace(thing, restrictions=[*thing.inner, *thing.restrictions])
        parts = [self.restriction(case, each, narrower) for case, each in claimed.inner]
        if deep:
            parts += [self.restriction(case, each, narrower) for case, each in claimed.restrictions]
        return all_of([met, *parts])

    # values

    def _values(self, claimed: Thing, thing: Thing) -> Outcome:
        if claimed.value is None or thing.value is None:
            return self._counted(claimed, thing)
        if isinstance(claimed.value, Quantity) and isinstance(thing.value, Quantity):
            return self._quantities(claimed, thing, claimed.value, thing.value)
        verdict = contains(claimed.value, thing.value)
        return self._of_verdict(verdict, bool(excludes(claimed.value, thing.value)), thing)

    def _of_verdict(self, verdict: bool | None, apart: bool, thing: Thing) -> Outcome:
        if verdict:
            return Outcome("entailed", thing.span, "the same value or within it")
        return Outcome("contradicted", thing.span, "another value") if apart else NOT_SAID

    def _quantities(self, claimed: Thing, thing: Thing, one: Quantity, other: Quantity) -> Outcome:
        if not other.noun and not self._of_that_kind(one, thing):
            return NOT_SAID
        if _more(thing) and not _more(claimed):
            return NOT_SAID
        if one.noun and other.noun:
            nouns = kinship(one.noun, other.noun)
            if nouns not in ("same", "entailed"):
                return NOT_SAID
            other = replace(other, noun=one.noun)
        outcome = self._of_verdict(
            contains(one, other), bool(excludes(one, other)) or are_other_limits(one, other), thing
        )
        if are_other_rates(claimed.words, thing.words):  # £95 an hour, £95 a day
            same = outcome.finding == "entailed" and one.exact and other.exact
            return replace(outcome, finding="contradicted", why="another value") if same else NOT_SAID
        if outcome.finding == "entailed":
            return all_of([outcome, *self._modifiers(claimed, thing)])
        if outcome.finding == "contradicted":
            rest = all_of([Outcome("entailed"), *self._modifiers(claimed, thing)])
            return outcome if rest.finding == "entailed" else NOT_SAID
        return outcome

    def _of_that_kind(self, one: Quantity, thing: Thing) -> bool:
        """Whether "two of them" are of what the claim counts."""
        whole = next(
            (each for case, each in thing.restrictions if case == "of" and each.kind == "pronoun"), None
        )
        if not one.noun or whole is None:
            return True
        known = whole.stands_for
        return known is not None and kinship(one.noun, known.lemma) in ("same", "entailed")

    def _counted(self, claimed: Thing, thing: Thing) -> Outcome:
        """ "novels" is said by "three novels", "a year" by "one year"."""
        if claimed.determiner in ("a", "an") and not claimed.plural and _is_one(thing.value, claimed.lemma):
            return all_of(
                [Outcome("entailed", thing.span, "the same value"), *self._modifiers(claimed, thing)]
            )
        if isinstance(thing.value, Quantity) and thing.value.noun and claimed.kind == "noun":
            outcome = self.heads(claimed, thing)
            return all_of([outcome, *self._modifiers(claimed, thing)])
        if isinstance(claimed.value, Quantity) and claimed.value.amount == 1 and claimed.kind == "value":
            outcome = self.heads(claimed, thing)
            return (
                all_of([outcome, *self._modifiers(claimed, thing)])
                if outcome.finding == "entailed"
                else NOT_SAID
            )
        return NOT_SAID

    # what narrows a thing

    def _modifiers(self, claimed: Thing, thing: Thing) -> Iterator[Outcome]:
        covered = set(phrases_of(thing)[0].split())
        mine = {modifier.lemma.lower() for modifier in claimed.modifiers}
        for token in thing.modifiers:
            word = token.text.lower()
            if word in _NOT_REALLY and token.lemma.lower() not in mine and word not in claimed.words.lower():
                yield Outcome("not said", thing.span, f"only a “{token.text} {thing.head.text}”")
        if claimed.ordinals or thing.ordinals:
            yield self._ordinals(claimed, thing)
        yield from self._dated(claimed, thing)
        for token in claimed.modifiers:
            if (
                token.pos in ("NUM", "SYM", "PART")
                or self._is_ordinal(token)
                or token.lemma.lower() in covered
            ):
                continue
            if claimed.own_portion is not None and token.text in claimed.own_portion.words.split():
                continue
            if token.text.lower() in _EMPTY_MODIFIERS or (
                claimed.value is not None and token.text.lower() in _BOUNDS
            ):
                continue
            yield self._modifier(token, thing)

    def _ordinals(self, claimed: Thing, thing: Thing) -> Outcome:
        if not claimed.ordinals:
            best_of_all = (
                any(modifier.tag == "JJS" for modifier in claimed.modifiers) and 1 not in thing.ordinals
            )
            return Outcome(
                "contradicted" if best_of_all else "entailed", thing.span, "not the first" * best_of_all
            )
        if not thing.ordinals:
            mine = {
                modifier.text.lower()
                for modifier in claimed.modifiers
                if modifier.tag == "JJS" or modifier.text.endswith("est")
            }
            theirs = {modifier.text.lower() for modifier in thing.modifiers}
            apart = 1 not in claimed.ordinals and mine and mine <= theirs
            return Outcome("contradicted", thing.span, "the first of all") if apart else NOT_SAID
        same = set(claimed.ordinals) == set(thing.ordinals)
        return Outcome(
            "entailed" if same else "contradicted", thing.span, "" if same else "another place in the order"
        )

    def _is_ordinal(self, token: Token) -> bool:
        return token.text[:1].isdigit() or token.text.lower() in _ORDINAL_WORDS

    def _modifier(self, token: Token, thing: Thing) -> Outcome:
        if self._in_name(token, thing):
            return Outcome("entailed", thing.span, "a word of its name", 0.95)
        pool = list(narrowing_words(thing))
        relations = [(kinship(token.lemma, other.lemma), other) for other in pool]
        relations += [(kinship(token.text, other.text), other) for other in pool]
        for relation, _ in relations:
            if relation in ("same", "entailed"):
                return Outcome("entailed", thing.span, "", 1.0 if relation == "same" else 0.95)
        if demonym_place(token.text):
            return self._nation(token, thing, relations)
        for relation, other in relations:
            if relation == "excluded" and other in thing.modifiers:
                return Outcome("contradicted", thing.span, f"“{other.text}”, not “{token.text}”", 0.9)
        if not is_deciding(token.text.lower()) and self._said_elsewhere(token, thing):
            return Outcome("entailed", thing.span, "said of it elsewhere", 0.9)
        return Outcome("not said", thing.span, f"nothing says “{token.text}”")

    def _in_name(self, token: Token, thing: Thing) -> bool:
        """ "Chiang Rai airport" for "Chiang Rai International Airport"."""
        if is_deciding(token.text.lower()) or demonym_place(token.text):
            return False
        own = name_words(token.text)[:1]
        return bool(own) and any(own[0] in name_words(name) for name in self._text.called(thing))

    def _nation(self, token: Token, said: Thing, relations: Sequence[tuple[str, Token]]) -> Outcome:
        place = phrase(token.text)
        if any(relation in ("same", "entailed") for relation, _ in relations):
            return Outcome("entailed", said.span, "the same or a part of it", 0.97)
        for case, thing in nested(said):
            if case in ("in", "from", "of", "at") and thing.names and self._is_in(place, thing):
                return Outcome("entailed", thing.span, "the place belongs to it", 0.95)
        if self._said_elsewhere(token, said):
            return Outcome("entailed", said.span, "said of it elsewhere", 0.93)
        apart = [o for r, o in relations if r == "excluded" and demonym_place(o.text)]
        if apart and not any(r in ("same", "entailed") for r, _ in relations):
            return Outcome("contradicted", said.span, f"“{apart[0].text}”, not “{token.text}”", 0.9)
        return Outcome("not said", said.span, f"nothing says “{token.text}”")

    def _is_in(self, place: tuple[str, ...], thing: Thing) -> bool:
        return any(
            places().includes(place, phrase(part))
            for name in thing.names
            for part in (
                name,
                re.sub(r"^(?:North|South|East|West|Central|Northern|Southern|Eastern|Western) ", "", name),
            )
        )

    def _said_elsewhere(self, token: Token, thing: Thing) -> bool:
        for statement, description in self._text.said_of(thing):
            if statement.positive and description is not thing:
                for other in (description.token, *narrowing_words(description)):
                    if kinship(token.lemma, other.lemma) in ("same", "entailed"):
                        return True
        return False

    def _quantifier(self, claimed: Thing, thing: Thing) -> Outcome:
        mine, theirs = claimed.own_portion, thing.portion
        if mine is not None and theirs is None and thing.kind == "name" and not thing.plural:
            return Outcome("entailed", thing.span)
        is_one = thing.determiner in ("a", "an") and not thing.plural
        finding = met_portion(mine, theirs, claimed.determiner, claimed.plural, said_of_one=is_one)
        words = [share.words if share is not None else "" for share in (theirs, mine)]
        return Outcome(
            finding, thing.span, f"“{words[0]}”, not “{words[1]}”" if all(words) else "not how many"
        )

    def restriction(
        self, case: str, claimed: Thing, said: Thing, beside: Sequence[tuple[str, Thing]] = ()
    ) -> Outcome:
        """Whether what the evidence speaks of is narrowed as the claim says: "of Norway", "in 1990".

        `beside` are the other phrases of its clause, on which a parser may have hung what narrows it.
        """
        outcomes = []
        for other_case, other in (*nested(said), *beside):
            owned = (
                claimed.token.relation == "nmod:poss" and other_case == "for"
            )  # a choir has no plan for a choir
            if (compatible(case, other_case) and not owned) or (is_date(claimed) and is_date(other)):
                outcomes.append(_not_a_kind(self.compare(claimed, other)))
        if is_date(claimed):
            outcomes += [self._values(claimed, year) for year in self._years(said)]
        outcomes += self._narrowed_elsewhere(case, claimed, said)
        if case in ("of", "in", "from", "at"):
            outcomes += [self._as_adjective(claimed, token, said) for token in said.modifiers]
        if case in _WHERE and self._is_title(claimed) and said.determiner and not _held(said):
            outcomes.append(Outcome("entailed", said.span, "what the text is about", 0.9))
        outcome = best(outcomes)
        return (
            self._elsewhere(claimed, said)
            if outcome.finding in ("not said", "different") and case in _WHERE
            else outcome
        )

    def _narrowed_elsewhere(self, case: str, claimed: Thing, thing: Thing) -> Iterator[Outcome]:
        """The same complement in another description of what has a name."""
        if not thing.names or claimed.kind == "value":
            return
        for statement, description in self._text.said_of(thing):
            if statement.positive and description is not thing:
                for other_case, other in description.restrictions:
                    if compatible(case, other_case):
                        outcome = self.compare(claimed, other, deep=False)
                        if outcome.finding == "entailed":
                            yield outcome

    def _is_title(self, claimed: Thing) -> bool:
        title = bare_title(self._text.evidence)
        return bool(title) and any(same_name(name, title) for name in claimed.names)

    def _elsewhere(self, claimed: Thing, thing: Thing) -> Outcome:
        """A place that lies apart from the claim's, in the same place of the phrase."""
        if not claimed.names or phrase(claimed.names[0]) not in places().chains:
            return NOT_SAID
        others = [
            (each.words, each.span) for case, each in thing.restrictions if case in _WHERE and each.names
        ]
        others += [(place, thing.span) for m in thing.modifiers if (place := demonym_place(m.text))]
        others = [(name, span) for name, span in others if phrase(name) in places().chains]
        if others and all(places().apart(phrase(claimed.names[0]), phrase(name)) for name, _ in others):
            return Outcome("contradicted", others[0][1], "another place", 0.85)
        return NOT_SAID

    def _dated(self, claimed: Thing, thing: Thing) -> Iterator[Outcome]:
        """The year before the claim's noun: "a 2010 film"."""
        for year in self._years(claimed):
            dates = [*self._years(thing), *(each for _, each in thing.restrictions if is_date(each))]
            yield best(self._values(year, date) for date in dates)

    def _years(self, thing: Thing) -> Iterator[Thing]:
        """The year before a noun: "a 1930 comedy"."""
        for token in thing.modifiers:
            value = read_value(token.text) if token.text.isdigit() else None
            if isinstance(value, Date):
                yield replace(thing, value=value, restrictions=[], modifiers=())

    def _as_adjective(self, claimed: Thing, token: Token, thing: Thing) -> Outcome:
        """ "of Poland" is said by "Polish"; "of physics" by "physics teacher"."""
        if claimed.names:
            place = demonym_place(token.text)
            inside = bool(place) and places().includes(phrase(claimed.names[0]), phrase(place))
            same = any(same_name(name, token.text) for name in claimed.names)
            return Outcome("entailed", thing.span, "", 0.93) if inside or same else NOT_SAID
        same = kinship(claimed.lemma, token.lemma) in ("same", "entailed")
        return Outcome("entailed", thing.span, "", 0.95) if same and not claimed.modifiers else NOT_SAID


_ORDINAL_WORDS: Final = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth last".split()
)


def _held(thing: Thing) -> bool:
    """Whether the text says of which it is: "the seasons of another series"."""
    return thing.determiner in ("a", "an", "no") or any(
        case == "of" and each.kind == "name" for case, each in (*thing.restrictions, *thing.inner)
    )


def _not_a_kind(outcome: Outcome) -> Outcome:
    """Another kind of thing beside something excludes nothing."""
    return NOT_SAID if outcome.why == EXCLUDED else outcome


_WHERE: Final = frozenset("in of from at".split())


def _is_one(value: Value | None, unit: str) -> bool:
    one = isinstance(value, Quantity) and value.amount == 1 and value.exact
    return one and unit in (value.unit, value.unit[:-1])  # type: ignore[union-attr]


def _more(thing: Thing) -> bool:
    """Whether it tells a number beside others: "five other members"."""
    return any(modifier.text.lower() in MORE for modifier in thing.modifiers)
