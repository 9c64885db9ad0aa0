"""What a sentence speaks of: things, and statements about them, each with its roles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from provgraph.reading.entity_types import demonyms
from provgraph.reading.phrase_words import is_excepted
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Argument, Span
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.values import Ordinal, Value
from provgraph.verdicts.lexicon import phrase, places, word_set
from provgraph.verdicts.portions import Portion, portion

_EXCEPT: Final = re.compile(
    r"(?:\b(?:but|and|,|or) not|\b(?:rather|other) than|\bexcept(?:ing)?(?: for)?|\binstead of|\bunlike|\bwithout"
    r"|\bas opposed to)"
    r"(?: (?:the|a|an|his|her|its|their|any))?(?: \S+)?$"
)
_NO_MODIFIERS: Final = frozenset(
    "not n't never also only solely exclusively merely just currently actually simply where when".split()
)
DERIVED: Final = -1000
"""From here down a clause's number says that the statement is no clause's: a claim need not say it so."""


@dataclass(eq=False)
class Thing:
    """A noun phrase, name or value. `names` are what it goes by in its text, `also` the names of what is said to
    be it ("Brand is a play": the play is Brand); `open` says that it is a pronoun or description for which nothing was
    found, `stands_for` the noun that a pronoun stands for, `designation` is the number behind a noun, "4" of "level 4",
    `portion` how much of it is spoken of, `own_portion` the same where it stands in a claim.
    `restrictions` are the complements that narrow it, by
    preposition, `inner` those inside its name."""

    token: Token
    span: Span
    head: Span
    lemma: str
    kind: str
    value: Value | None = None
    entity_type: str = ""
    modifiers: tuple[Token, ...] = ()
    ordinals: tuple[int, ...] = ()
    determiner: str = ""
    plural: bool = False
    restrictions: list[tuple[str, Thing]] = field(default_factory=list)
    inner: list[tuple[str, Thing]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    open: bool = False
    denied: bool = False
    stands_for: Thing | None = None
    designation: str = ""
    portion: Portion | None = None
    own_portion: Portion | None = None

    @property
    def words(self) -> str:
        return self.span.text


@dataclass(eq=False)
class Statement:
    """`lemma` of `slots`; `words` are those that say it. `duty` is "must" or "may" where it says what must or may be.
    `tense` is as `Clause` has it, `over` one that is said to be so no more."""

    lemma: str
    words: Span
    slots: dict[str, list[Thing]]
    positive: bool = True
    modality: str = "asserted"
    attributed: bool = False
    sentence: int = 0
    clause: int = -1
    adverbs: tuple[Token, ...] = ()
    agentless: bool = False
    triggered_by: str = ""
    duty: str = ""
    tense: str = ""
    over: bool = False

    def things(self) -> Iterator[tuple[str, Thing]]:
        for role, some in self.slots.items():
            for thing in some:
                yield role, thing

    def leaves_unnamed(self, span: Span | None, claimed: Sequence[Thing]) -> bool:
        """Whether those characters are a pronoun of it, or "the landlord" where the claim has names: somebody else may
        be meant than was thought."""
        unnamed = ("PRON", "NOUN") if all(thing.kind == "name" for thing in claimed) else ("PRON",)
        return any(thing.span == span and thing.token.pos in unnamed for _, thing in self.things())


class SentenceThings:
    """The phrases of one parsed sentence as things."""

    def __init__(self, sentence: ParsedSentence, phrases: Phrases) -> None:
        self.sentence, self.phrases = sentence, phrases
        self._made_things: dict[int, Thing] = {}

    def thing(self, token: Token) -> Thing:
        """The phrase whose head is `token`; one object for each token."""
        known = self._made_things.get(token.index)
        if known is None:
            known = self._made_things[token.index] = self._made(token)
            self._restrict(known)
        return known

    def _made(self, token: Token) -> Thing:
        argument = self.phrases.argument(token, "other", named=False)
        if token.text.lower() == "one" and argument.determiner == "no":
            argument = replace(argument, kind="concept", lemma="nobody", value=None, determiner="")
        kind = {"entity": "name", "concept": "noun"}.get(argument.kind, argument.kind)
        if token.pos == "ADJ" and kind != "name":
            kind = "adjective"
        modifiers = self._modifiers(token, kind)
        names = [argument.text] if kind == "name" else []
        return Thing(
            token, self._value_span(argument) if kind == "value" else argument.span, argument.head,
            argument.lemma.lower(),
            kind, argument.value, argument.entity_type, modifiers, self._ordinals(modifiers), argument.determiner,
            argument.number == "plural", names=names, denied=self._is_denied(token),
            designation=self._designation(token) if argument.value is None else "",
            portion=portion(token, self.sentence), own_portion=portion(token, self.sentence, claimed=True),
        )  # fmt: skip

    def _designation(self, token: Token) -> str:
        behind = (
            c for c in self.phrases.children(token) if c.relation == "nummod" and c.index == token.index + 1
        )
        return next((c.text for c in behind if c.text.isdigit()), "")

    def _is_denied(self, token: Token) -> bool:
        """Whether it is set against the others: "but not X", "rather than X", "except X"."""
        if self._is_set_against(self.phrases.extent(token)[0]):
            return True
        if token.relation == "conj" and token.head >= 0:
            if is_excepted(token, self.sentence):
                return True
            above = self.sentence.tokens[token.head]
            return above.pos in ("NOUN", "PROPN") and above.index < token.index and self._is_denied(above)
        return False

    def _is_set_against(self, first: Token) -> bool:
        """Whether such words stand before it: "yellow instead of grey legs"."""
        before = self.sentence.tokens[max(0, first.index - 3) : first.index + 1]
        return bool(_EXCEPT.search(" ".join(token.text.lower() for token in before)))

    def _value_span(self, argument: Argument) -> Span:
        return argument.span if argument.span.end > argument.span.start else argument.head

    def _modifiers(self, token: Token, kind: str) -> tuple[Token, ...]:
        tokens: list[Token] = []
        for child in self.phrases.children(token):
            inside = child.relation in (
                "amod",
                "compound",
                "advmod",
                "nmod:npmod",
                "obl:npmod",
                "nummod",
                "appos:mod",
            )
            after = child.index > token.index and child.relation in ("amod", "advmod")
            if (
                not inside
                or (kind == "name" and self._named_part(token, child))
                or self._is_set_against(child)
            ):
                continue
            if child.index < token.index or after:
                tokens += [
                    c for c in self.sentence.subtree(child)
                    if c.pos not in ("PUNCT", "CCONJ", "DET", "ADP", "PRON")
                    and (c.relation == "amod" or c.text.lower() not in _NO_MODIFIERS)
                ]  # fmt: skip
        return tuple(tokens)

    def _named_part(self, token: Token, child: Token) -> bool:
        first, last = self.phrases.extent(token)
        return first.index <= child.index <= last.index

    def _ordinals(self, modifiers: tuple[Token, ...]) -> tuple[int, ...]:
        spans = {(m.start, m.end) for m in modifiers}
        return tuple(
            v.value.rank
            for v in self.phrases.values
            if isinstance(v.value, Ordinal) and any(v.start <= a < v.end for a, _ in spans)
        )

    def _restrict(self, thing: Thing) -> None:
        for child in self.phrases.children(thing.token):
            if child.relation in ("nmod", "obl", "nmod:poss", "nmod:tmod", "obl:tmod"):
                first, last = self.phrases.extent(thing.token)
                inside = thing.kind == "name" and first.index <= child.index <= last.index
                case = "of" if child.relation == "nmod:poss" else self.phrases.case(child)
                for conjunct in self.phrases.conjuncts(child):
                    (thing.inner if inside else thing.restrictions).append((case, self.thing(conjunct)))
            elif child.relation == "acl" and child.tag in ("VBN", "VBG") and thing.kind != "name":
                for token in self.phrases.children(child):
                    if token.relation.startswith("obl") and self.phrases.case(token):
                        thing.restrictions.append((f"+{self.phrases.case(token)}", self.thing(token)))
            elif child.relation == "appos" and self.phrases.value_at(child):
                thing.restrictions.append(("", self.thing(child)))


def demonym_place(word: str) -> str:
    """The place that an adjective belongs to, empty for other words."""
    return demonyms().get(word, "") or demonyms().get(word[:1].upper() + word[1:], "")


def known_place(name: str) -> bool:
    """Whether it is in the list of places."""
    return phrase(name) in places().chains


def is_deciding(word: str) -> bool:
    return word in word_set("deciding") or word[:-2].isdigit()
