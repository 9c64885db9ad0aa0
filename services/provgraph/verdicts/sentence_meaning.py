"""What a sentence says: statements about its things, with their roles.

Made of the clauses and relations that `reading` finds. A statement is a verb's, a copula's or an apposition's ("be"),
or a relation's of the vocabulary ("rel:director"); each keeps its denial and its modality.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Final

from provgraph.reading.clauses import Clause, ClauseReader
from provgraph.reading.entity_types import gender_of_name, is_office_noun
from provgraph.reading.nominals import NominalReader
from provgraph.reading.propositions import Argument, Proposition, Span
from provgraph.reading.relations import vocabulary
from provgraph.reading.sentence_reading import SentenceReader
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.values import Date
from provgraph.verdicts.denied_parts import denied_parts
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.statement_manner import FORMER, manner_of, says_only_duty
from provgraph.verdicts.things import DERIVED, SentenceThings, Statement, Thing, known_place

_BECOMES: Final = frozenset(
    "become remain serve work act appoint elect name crown make nominate know function".split()
)
_CALLED: Final = frozenset("call name know title rename dub entitle nickname".split())
_OF_SOME: Final = frozenset(("them", "whom", "which"))
"""Before an adverb that is said of some alone: "were injured, five of them seriously"."""
_IF: Final = frozenset("if unless provided providing supposing lest".split())
_EVENT_ENDINGS: Final = tuple("tion sion ment ance ence yal val ial ure ery age birth death ysis".split())
_SAID_ALREADY: Final = frozenset("instance-of is occupation position has-property has".split())


class SentenceMeaning(SentenceThings):
    """The things and statements of one parsed sentence of `text`."""

    def __init__(self, sentence: ParsedSentence, text: str, number: int = 0) -> None:
        self._reader = SentenceReader(sentence, text, vocabulary())
        super().__init__(sentence, self._reader.phrases)
        self.text, self.number = text, number
        self._by_start = {token.start: token for token in sentence.tokens}

    @cached_property
    def clauses(self) -> list[Clause]:
        return list(ClauseReader(self.phrases).clauses())

    @cached_property
    def propositions(self) -> list[Proposition]:
        return self._reader.propositions()

    @cached_property
    def statements(self) -> list[Statement]:
        results = [
            replace(s, **manner_of(clause, self.phrases))
            for clause in self.clauses
            if not says_only_duty(clause.head, self.sentence)
            for s in self._of_clause(clause)
        ]
        results += list(self._of_descriptions())
        results += list(self._of_events())
        results += list(self._of_propositions())
        results = [each for statement in results for each in self._but_so(statement)]
        tokens = self.sentence.tokens
        asked = bool(tokens) and tokens[-1].text == "?"
        if asked or any(token.text.lower() == "respectively" for token in tokens):
            return [replace(result, modality="possible") for result in results]
        return results

    @property
    def things(self) -> list[Thing]:
        """All things made so far, in the order of the sentence."""
        self.statements  # noqa: B018  (makes them)
        return [self._made_things[index] for index in sorted(self._made_things)]

    def _of_clause(self, clause: Clause) -> Iterator[Statement]:
        slots = {
            role: [self.thing(t) for t in tokens]
            for role, tokens in clause.roles.items()
            if tokens and role != "self"
        }
        if clause.passive and "A" not in slots:
            slots |= self._shared_agent(clause)
        words = self._words(clause)
        adverbs = tuple(
            c for c in self.phrases.children(clause.head)
            if c.relation == "advmod" and c.pos == "ADV" and clause.complement is None
            and self.sentence.tokens[c.index - 1].text.lower() not in _OF_SOME
        )  # fmt: skip
        attributed = clause.speaker is not None
        at = clause.head.index
        if clause.complement is not None:
            yield from self._of_copula(clause, slots, words, attributed)
            return
        loose = {f"~{role}": [self.thing(t) for t in tokens] for role, tokens in clause.loose.items()}
        slots = {**self._shared_date(clause), **self._date_above(clause), **slots}
        statement = Statement(
            clause.lemma, words, {**loose, **slots}, clause.polarity, self._modality(clause), attributed, self.number,
            at,
            adverbs, "A" not in slots,
        )  # fmt: skip
        yield statement
        yield from self._become(clause, {**loose, **slots}, words, attributed)

    def _but_so(self, statement: Statement) -> Iterator[Statement]:
        """ "Not elected chair but treasurer": what follows "but" is so; "hens, but no cockerels": it is not so."""
        if statement.positive:
            yield from denied_parts(statement, self.sentence, self.phrases, self.thing)
        elif (dates := self._until(statement)) and statement.tense == "past":
            slots = {role: some for role, some in statement.slots.items() if role != "@until"}
            yield replace(statement, slots={**slots, "@in": dates}, positive=True)
        for role, some in () if statement.positive else statement.slots.items():
            so = [thing for thing in some if self._follows_but(thing.token)]
            if so and len(so) < len(some):
                left = [thing for thing in some if thing not in so]
                yield replace(statement, slots={**statement.slots, role: left})
                yield replace(statement, slots={**statement.slots, role: so}, positive=True)
                return
        yield statement

    def _until(self, statement: Statement) -> list[Thing]:
        """When it was first so: "was not climbed until 1934"."""
        things = [t for t in statement.slots.get("@until", []) if isinstance(t.value, Date)]
        return [replace(t, value=replace(t.value, bound="")) for t in things if isinstance(t.value, Date)]

    def _follows_but(self, token: Token) -> bool:
        by = (c.text.lower() for c in self.phrases.children(token) if c.relation == "cc")
        return token.relation == "conj" and "but" in by

    def _modality(self, clause: Clause) -> str:
        """As the clause has it, or conditional where it hangs on an "if"."""
        if clause.modality != "asserted":
            return clause.modality
        if any(role.removeprefix("@") in _IF for role in (*clause.roles, *clause.loose)):
            return "conditional"  # "unless Spain objects", taken for a noun
        for child in self.phrases.children(clause.head):
            marks = [c.text.lower() for c in self.phrases.children(child) if c.relation == "mark"]
            if child.relation.startswith("advcl") and any(mark in _IF for mark in marks):
                return "conditional"
        return "asserted"

    def _shared_date(self, clause: Clause) -> dict[str, list[Thing]]:
        """The date before two joined verbs, of the second: "in 1978 a storm flooded the street and killed two"."""
        head, tokens = clause.head, self.sentence.tokens
        own = self.phrases.children(head)
        if head.relation != "conj" or any(
            c.relation.startswith(("nsubj", "obl", "advmod", "nmod:tmod")) for c in own
        ):
            return {}
        above = self.phrases.children(tokens[head.head])
        subject = next((c for c in above if c.relation.startswith("nsubj")), None)
        before = (
            c
            for c in above
            if c.relation.startswith("obl") and subject is not None and c.index < subject.index
        )
        things = ((self.phrases.case(c), self.thing(c)) for c in before)
        return {f"@{case}": [thing] for case, thing in things if isinstance(thing.value, Date)}

    def _date_above(self, clause: Clause) -> dict[str, list[Thing]]:
        """The date that a clause with "when" hangs on: "until 1999, when the bank bought it"."""
        head = clause.head
        begins = any(c.text.lower() == "when" for c in self.phrases.children(head))
        above = self.sentence.tokens[head.head] if head.head >= 0 else None
        if above is None or not begins or not head.relation.startswith("acl"):
            return {}
        date = self.thing(above)
        if not isinstance(date.value, Date):
            return {}
        return {"@in": [replace(date, value=replace(date.value, bound=""))]}

    def _shared_agent(self, clause: Clause) -> dict[str, list[Thing]]:
        """Of "written and directed by Novak" the one who wrote, where nothing stands between the verbs."""
        own = [
            c
            for c in self.phrases.children(clause.head)
            if c.relation in ("obl", "obl:agent", "obj", "advcl")
        ]
        if own:
            return {}
        waiting = [c for c in self.phrases.children(clause.head) if c.relation == "conj" and c.tag == "VBN"]
        for token in waiting:
            agents = [
                c for c in self.phrases.children(token)
                if c.relation == "obl:agent" or (c.relation.startswith("obl") and self.phrases.case(c) == "by")
            ]  # fmt: skip
            if agents:
                return {"A": [self.thing(t) for a in agents for t in self.phrases.conjuncts(a)]}
            waiting += [c for c in self.phrases.children(token) if c.relation == "conj" and c.tag == "VBN"]
        return {}

    def _of_events(self) -> Iterator[Statement]:
        """Nouns for what is done: "his portrayal of Brody", "the acquisition of Acme by Bolt"."""
        for token in self.sentence.tokens:
            if token.pos != "NOUN" or not token.lemma.lower().endswith(_EVENT_ENDINGS):
                continue
            thing = self.thing(token)
            holders = [self.thing(c) for c in self.phrases.children(token) if c.relation == "nmod:poss"]
            of = [each for case, each in thing.restrictions if case == "of" and each not in holders]
            doers = holders if of else []
            doers = doers or [each for case, each in thing.restrictions if case == "by"]
            done = of or holders
            if not done:
                continue
            rest = {f"@{case}": [each] for case, each in thing.restrictions if case not in ("of", "by")}
            yield Statement(
                thing.lemma, thing.head, {"A": doers or done, "P": done, **rest}, True, self._modality_of(thing),
                sentence=self.number, clause=DERIVED - token.index,
            )  # fmt: skip

    def _modality_of(self, thing: Thing) -> str:
        """Whether the noun says that it was so: "planned", "attempted", "rejected the …" do not."""
        words = {m.lemma.lower() for m in thing.modifiers} | {m.text.lower() for m in thing.modifiers}
        above = self.sentence.tokens[thing.token.head] if thing.token.head >= 0 else None
        governed = above is not None and above.lemma.lower() in word_set("withholding")
        denied = thing.determiner in ("no", "any")
        return "possible" if governed or denied or words & word_set("withholding") else "asserted"

    def _become(
        self, clause: Clause, slots: dict[str, list[Thing]], words: Span, attributed: bool
    ) -> Iterator[Statement]:
        if clause.lemma not in _BECOMES | _CALLED:
            return
        complements = [*slots.get("C", []), *slots.get("@as", [])]
        if clause.lemma in ("become", "remain"):
            complements += slots.get("P", [])
        subjects = slots.get("P", []) if clause.passive else slots.get("A", [])
        if not complements or not subjects:
            return
        rest = {role: some for role, some in slots.items() if role not in ("A", "P", "C", "@as")}
        attributed = attributed or (clause.lemma == "call" and not clause.passive)
        yield Statement(
            "be", words, {"A": subjects, "C": complements, **rest}, clause.polarity,
            "planned" if clause.lemma == "nominate" else self._modality(clause), attributed, self.number,
            clause.head.index,
        )  # fmt: skip

    def _of_copula(
        self, clause: Clause, slots: dict[str, list[Thing]], words: Span, attributed: bool
    ) -> Iterator[Statement]:
        head = clause.complement
        assert head is not None
        case = self.phrases.case(head)
        if head.pos == "ADV" and not case:
            case = "adverb"
        slots = {role: some for role, some in slots.items() if role != "C"}
        complements = [self.thing(conjunct) for conjunct in self.phrases.conjuncts(head)]
        adjectives = [c for c in self.phrases.children(head) if c.relation == "conj" and c.pos == "ADJ"]
        complements += [self.thing(adjective) for adjective in adjectives]
        role = f"@{case}" if case and case != "adverb" else "C"
        if role != "C":
            complements = complements + slots.pop(role, [])
        adverbs = tuple(
            c for c in self.phrases.children(head) if c.relation == "advmod" and c.index < head.index
            and c.text.lower() not in ("not", "n't", "never")
        )  # fmt: skip
        yield Statement(
            "be", words, {**slots, role: complements}, clause.polarity, self._modality(clause), attributed, self.number,
            head.index, adverbs if role != "C" else (),
        )  # fmt: skip

    def _words(self, clause: Clause) -> Span:
        if not clause.words:
            return self.phrases.span(clause.head, clause.head)
        return self.phrases.span(clause.words[0], clause.words[-1])

    def _of_descriptions(self) -> Iterator[Statement]:
        nominals = NominalReader(self.phrases, vocabulary())
        for description in nominals.descriptions():
            thing, noun = self.thing(description.thing), self.thing(description.noun)
            yield Statement(
                "be",
                noun.span,
                {"A": [thing], "C": [noun]},
                sentence=self.number,
                clause=-2 - description.noun.index,
            )
        for token in self.sentence.tokens:
            if token.relation == "appos" and self.phrases.is_name(token) and not self.phrases.value_at(token):
                above = self.sentence.tokens[token.head]
                office = self._office_before(token, above) if self.phrases.is_name(above) else None
                if office is not None:
                    yield Statement(
                        "be", self.thing(office).span, {"A": [self.thing(token)], "C": [self.thing(office)]},
                        sentence=self.number, clause=-2 - token.index,
                    )  # fmt: skip
                    continue
                both = (self.phrases.text_of(above).text, self.phrases.text_of(token).text)
                placed = any(known_place(name) for name in both) or self.phrases.type_of(token) == "Place"
                if self.phrases.is_name(above) and not placed and not self._is_listed(token):
                    one, other = self.thing(above), self.thing(token)
                    yield Statement(
                        "be",
                        other.span,
                        {"A": [one], "C": [other]},
                        sentence=self.number,
                        clause=-2 - token.index,
                    )

    def _office_before(self, name: Token, above: Token) -> Token | None:
        """Who is named behind an organization: of "an inspector of the Bureau, Tamsin Oake" the inspector."""
        noun = self.sentence.tokens[above.head] if above.relation == "nmod" and above.head >= 0 else above
        person, other = (bool(gender_of_name(self.phrases.text_of(token).text)) for token in (name, above))
        return noun if person and not other and noun.pos == "NOUN" and is_office_noun(noun.lemma) else None

    def _is_listed(self, name: Token) -> bool:
        """Whether it is one of several names in a row, each another's: "Ada Novak (chair), Ben Orr (secretary), …"."""
        above = self.sentence.tokens[name.head]
        others = [
            c for c in self.phrases.children(above) if c.relation == "appos" and self.phrases.is_name(c)
        ]
        both = [self.phrases.text_of(token).text for token in (above, name)]
        people = all(len(text.split()) > 1 and gender_of_name(text) for text in both)
        described = ")" in self.text[above.end : name.start]
        return described or len(others) > 1 or (people and both[0].split()[-1] != both[1].split()[-1])

    def _of_propositions(self) -> Iterator[Statement]:
        for proposition in self.propositions:
            if (
                proposition.canonical
                and proposition.object is not None
                and proposition.relation not in _SAID_ALREADY
            ):
                yield self._of_proposition(proposition, proposition.object)

    def _of_proposition(self, proposition: Proposition, target: Argument) -> Statement:
        slots: dict[str, list[Thing]] = {
            "A": [self._of_argument(proposition.subject)],
            "P": [self._of_argument(target)],
        }
        for argument in proposition.arguments:
            if (
                argument.role == "role"
                and argument.head.end <= proposition.predicate.end
                and argument.head.start >= proposition.predicate.start
            ):
                continue
            role = f"@{argument.preposition}" if argument.role not in ("role", "object") else "C"
            slots.setdefault(role, []).append(self._of_argument(argument))
        found = next((c for c in self.clauses if self._words(c) == proposition.predicate), None)
        clause = found.head.index if found is not None else None
        modality = (
            proposition.modality
            if found is None or proposition.modality != "asserted"
            else self._modality(found)
        )
        token = self._token_at(proposition.predicate.start)
        at = clause if clause is not None else -2 - token.index
        statement = Statement(
            f"rel:{proposition.relation}", proposition.predicate, slots, proposition.polarity, modality,
            proposition.attributed_to is not None, self.number, at, triggered_by=proposition.lemma,
            over=not FORMER.isdisjoint(proposition.predicate.text.lower().split()),
        )  # fmt: skip
        return replace(statement, **manner_of(found, self.phrases)) if found is not None else statement

    def _of_argument(self, argument: Argument) -> Thing:
        if (
            argument.kind == "value"
            and argument.head.end - argument.head.start > 0
            and argument.head == argument.span
        ):
            found = self._by_start.get(argument.head.start)
            if (
                found is None
                or not isinstance(argument.value, Date)
                or self.thing(found).value != argument.value
            ):
                return self._loose_value(argument)
        token = self._by_start.get(argument.head.start)
        return self.thing(token) if token is not None else self._loose_value(argument)

    def _loose_value(self, argument: Argument) -> Thing:
        token = self._token_at(argument.head.start)
        return Thing(
            token, argument.span, argument.head, argument.lemma, "value" if argument.value else "name", argument.value,
            argument.entity_type, names=[] if argument.value else [argument.text],
        )  # fmt: skip

    def _token_at(self, start: int) -> Token:
        return next((t for t in self.sentence.tokens if t.start <= start < t.end), self.sentence.tokens[0])
