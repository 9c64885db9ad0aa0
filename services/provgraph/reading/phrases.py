"""Noun phrases of a sentence as arguments: kind, type, what is asked by them, and the words that narrow them.

Which words belong to a phrase is in `phrase_words`. Knows no relations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from provgraph.reading.entity_types import type_of_label, type_of_name, type_of_noun
from provgraph.reading.phrase_words import PhraseWords, is_plural
from provgraph.reading.propositions import Argument, ArgumentKind, Role, Span
from provgraph.reading.syntax import Token
from provgraph.reading.values import Date, Value

_PERSONAL: Final = frozenset(
    "i me my mine you your yours he him his she her hers it its they them their theirs we us our ours himself herself "
    "itself themselves this that these those one ones another other others each both former latter there".split()
)
_QUANTIFIERS: Final = frozenset(
    "some most many all several few any more much less enough such what which who whose".split()
)
_NOBODY: Final = frozenset("nobody nothing none no neither".split())
_ASKED: Final = {
    "who": "Person", "whom": "Person", "whose": "Person", "where": "Place", "when": "Date", "why": "Reason",
    "how": "Manner", "what": "", "which": "",
}  # fmt: skip
_TIME_NOUNS: Final = frozenset("year date day month decade century time birthday season era".split())


@dataclass(frozen=True)
class Phrases(PhraseWords):
    """The noun phrases of one sentence as arguments."""

    def argument(self, token: Token, role: Role, preposition: str = "", named: bool = True) -> Argument:
        """The phrase whose head is `token` as an argument; with `named`, a description that has a name is the name."""
        key = (role, token.index, named, preposition)
        if key not in self._cache:
            self._cache[key] = self._argument(token, named, role, preposition)
        found: Argument = self._cache[key]
        return found

    def _argument(self, token: Token, named: bool, role: Role, preposition: str) -> Argument:
        """As `argument`. All but role and preposition is worked out once for a word: the same word fills several."""
        key = ("filled by", token.index, named)
        if key not in self._cache:
            self._cache[key] = self._filled_by(self.named(token) if named else token, token)
        fill: Callable[..., Argument] = self._cache[key]
        return fill(role, preposition=preposition)

    def _filled_by(self, token: Token, described: Token) -> Callable[..., Argument]:
        value = self.value_at(token)
        kind = self._kind(token, value)
        span = self.text_of(token) if value is None or self._count(token) else self._value_span(token)
        return partial(
            Argument,
            text=" ".join(span.text.split()),
            span=span if isinstance(value, Date) else self.span(*self.extent(token)),
            head=self.span(token, token),
            kind=kind,
            lemma=token.text if kind == "entity" else token.lemma.lower(),
            entity_type=self.type_of(token, described),
            value=value,
            modifiers=self.modifiers(token),
            determiner=self.determiner(token),
            number="plural" if is_plural(token) else "singular",
            of=self._of(token),
            parsed_type=type_of_label(token.entity),
        )

    def _value_span(self, token: Token) -> Span:
        for value in self.values:
            if value.start <= token.start < value.end:
                return Span(value.start, value.end, self.text[value.start : value.end])
        return self.span(token, token)

    def _kind(self, token: Token, value: Value | None) -> ArgumentKind:
        lower = token.text.lower()
        if self.open_type(token) is not None:
            return "open"
        if token.pos in ("PRON", "DET") and (lower in _PERSONAL or lower in _NOBODY):
            return "pronoun" if lower in _PERSONAL else "concept"
        if lower in _QUANTIFIERS and token.pos != "PROPN":
            return "pronoun"
        if value is not None:
            return "value"
        return "entity" if self.is_name(token) else "concept"

    def type_of(self, token: Token, described: Token | None = None) -> str:
        """The type that noun, name, or label gives; empty for values and where nothing is safe."""
        key = ("type", token.index, described.index if described is not None else -1)
        if key not in self._cache:
            self._cache[key] = self._type_of(token, described)
        found: str = self._cache[key]
        return found

    def _type_of(self, token: Token, described: Token | None) -> str:
        if (asked := self.open_type(token)) is not None:
            return asked
        if self.value_at(token):
            return ""
        if described is not None and described is not token and (kind := type_of_noun(described.lemma)):
            return kind
        if not self.is_name(token):
            return type_of_noun(token.lemma)
        if token.index in self.quoted:
            return self._said_type(token) or "Work"
        name = self.text_of(token).text
        kind = type_of_label(token.entity)
        if kind == "Person" and name.isupper() and " " not in name:
            kind = ""  # an abbreviation: "BERT"
        return type_of_name(name) or self._said_type(token) or kind

    def _said_type(self, token: Token) -> str:
        """The type of a noun in apposition or before the name: "the film Red Sand", "Ada Novak, a botanist"."""
        above = self.sentence.tokens[token.head] if token.relation == "nsubj" else None
        if above is not None and above.pos == "NOUN" and not self.is_name(above):
            copula = any(child.relation == "cop" for child in self.children(above))
            if copula and (kind := type_of_noun(above.lemma)):
                return kind
        for child in self.children(token):
            said = child.relation in ("appos", "compound") and not self.is_name(child) and child.pos == "NOUN"
            if said and (kind := type_of_noun(child.lemma)):
                return kind
        return ""

    def open_type(self, token: Token) -> str | None:
        """What a question asks by this phrase: a type, "Date", "Number", "Reason", "Manner", "" for anything, or None
        where the phrase asks nothing."""
        if not self.asking:
            return None
        lower = token.text.lower()
        if lower in _ASKED and token.pos in ("PRON", "DET", "SCONJ", "ADV", "X", "NOUN", "ADP"):
            return _ASKED[lower]
        for child in self.children(token):
            word = child.text.lower()
            if word in ("many", "much") and any(c.text.lower() == "how" for c in self.children(child)):
                return "Number"
            if (
                child.index < token.index
                and word in ("what", "which")
                and child.relation in ("det", "nsubj", "dep")
            ):
                return "Date" if token.lemma.lower() in _TIME_NOUNS else type_of_noun(token.lemma)
        return None

    def type_of_counted(self, token: Token) -> str:
        """The type of what "how many" counts."""
        return type_of_noun(token.lemma)

    def modifiers(self, token: Token) -> tuple[str, ...]:
        """The words that narrow the head, lower-case, in order; articles, names' parts and numbers left out."""
        if self.is_name(token):
            return ()
        words: list[str] = []
        for child in self.children(token):
            if child.index < token.index and child.relation in (
                "amod",
                "compound",
                "advmod",
                "nmod:npmod",
                "obl:npmod",
            ):
                words += [
                    token.text.lower() for token in self.sentence.subtree(child) if token.pos != "PUNCT"
                ]
        return tuple(words)

    def determiner(self, token: Token) -> str:
        for child in self.children(token):
            if child.relation in ("det", "det:predet", "nmod:poss") and child.index < token.index:
                return child.text.lower()
        return ""

    def _of(self, token: Token) -> str:
        found = next(iter(self.complements(token)), None)
        return self.text_of(self.named(found)).text if found else ""

    def complements(self, token: Token) -> Iterator[Token]:
        """Possessors and complements of "of"."""
        for child in self.children(token):
            if child.relation == "nmod:poss" or (
                child.relation in ("nmod", "obl") and self.case(child) == "of"
            ):
                yield child
