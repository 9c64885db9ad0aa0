"""What noun phrases say by themselves: appositions, titles before names, possessives, nouns for what is done.

"Ada Novak, the founder of Acme" and "Acme's founder Ada Novak" say of Ada Novak (`self`) that she is founder of Acme.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import gender_of_name, type_of_noun
from provgraph.reading.people_trees import GENDER_OF_OWNER, joined_name
from provgraph.reading.phrase_words import is_plural
from provgraph.reading.phrases import Phrases
from provgraph.reading.relations import Trigger, TriggerKind, Vocabulary
from provgraph.reading.syntax import Token

_LESSER: Final = frozenset("vice deputy assistant acting associate sub honorary would-be step".split())


@dataclass(frozen=True)
class Description:
    """A noun that is said of a thing."""

    thing: Token
    noun: Token


class NominalReader:
    """Reads the noun phrases of one sentence."""

    def __init__(self, phrases: Phrases, vocabulary: Vocabulary) -> None:
        self._phrases = phrases
        self._vocabulary = vocabulary

    def descriptions(self) -> Iterator[Description]:
        """Each noun in apposition to a name, or before it as a title."""
        for token in self._phrases.sentence.tokens:
            if token.pos not in ("NOUN", "PROPN", "PRON"):
                continue
            for child in self._phrases.children(token):
                yield from self._of_pair(token, child)

    def _of_pair(self, token: Token, child: Token) -> Iterator[Description]:
        name = self._phrases.is_name(token) or token.pos == "PRON"
        if (
            child.relation == "appos"
            and not self._is_aside(child)
            and not self._phrases.value_at(child)
            and not self._phrases.case(child)
        ):
            if name and not self._phrases.is_name(child) and child.pos == "NOUN":
                for noun in self._phrases.conjuncts(child):
                    yield Description(token, noun)
            elif not name and self._phrases.named(token).index != token.index:
                for thing in self._called(token):
                    yield Description(thing, token)
                if not self._phrases.is_name(child):
                    yield Description(self._phrases.named(token), child)
        elif name and child.relation == "compound" and self._is_title(child, token):
            yield Description(token, child)

    def _called(self, noun: Token) -> list[Token]:
        """The names that a noun tells of: of "the painters Ada Berg and Olof Lind" both, of "his wife Isobel and their
        daughters" Isobel."""
        name = self._phrases.named(noun)
        others = self._phrases.conjuncts(name) if is_plural(noun) else [name]
        return [thing for thing in others if thing is name or self._phrases.is_name(thing)]

    def _is_aside(self, child: Token) -> bool:
        """Whether it stands in brackets: "line frequency (American English)" says nothing of what it is."""
        before = self._phrases.text[: self._phrases.extent(child)[0].start].rstrip()
        return before.endswith(("(", "[", "(/", "/"))

    def _is_title(self, child: Token, name: Token) -> bool:
        return child.pos == "NOUN" and child.text[:1].islower() and child.index < name.index

    def roles(self, noun: Token, thing: Token | None = None) -> dict[str, list[Token]]:
        """The roles of a noun: "of" (also its possessor, and a name before a title), "by" and "@PREP"."""
        roles: dict[str, list[Token]] = {}
        titled = thing is not None and noun.relation == "compound" and noun.head == thing.index
        for holder in [noun, thing] if titled and thing is not None else [noun]:
            for child in self._phrases.children(holder):
                self._add(child, noun, thing, roles)
        if thing is not None:
            roles["self"] = [thing]
            if "of" not in roles and (holders := self._who_have(noun)):
                roles["of"] = holders
        return roles

    def _who_have(self, noun: Token) -> list[Token]:
        """Who has what the noun says something is: of "the couple had a son, Robert" the couple."""
        tokens = self._phrases.sentence.tokens
        while noun.relation == "conj" and noun.head >= 0:
            noun = tokens[noun.head]
        verb = tokens[noun.head] if noun.relation == "obj" else None
        if verb is None or verb.lemma.casefold() != "have":
            return []
        subjects = (c for c in self._phrases.children(verb) if c.relation == "nsubj")
        return [each for subject in subjects for each in self._phrases.conjuncts(subject)]

    def _owner(self, pronoun: Token, noun: Token) -> Token:
        """Whose it is: of "Ole Falk and his wife Ingrid" the wife is Falk's."""
        first = joined_name(noun, pronoun, self._phrases.sentence)
        if first is None or noun.relation != "conj":
            return pronoun
        name = self._phrases.named(first)
        gender = gender_of_name(name.text if name is first else self._phrases.text_of(name).text)
        agrees = gender in ("", GENDER_OF_OWNER[pronoun.text.casefold()])
        return name if agrees and self._phrases.is_name(name) else pronoun

    def _add(self, child: Token, noun: Token, thing: Token | None, roles: dict[str, list[Token]]) -> None:
        if (thing is not None and child.index == thing.index) or child.index == noun.index:
            return
        if child.relation == "nmod:poss":
            owners = [self._owner(each, noun) for each in self._phrases.conjuncts(child)]
            roles.setdefault("of", []).extend(owners)
            roles.setdefault("possessor", []).extend(owners)
        elif child.relation in ("nmod", "obl"):
            case = self._phrases.case(child)
            if case == "to" and wordnet.is_kind_of(noun.lemma.casefold(), "relative", "n"):
                case = "of"  # "father to the actress"
            name = "of" if case == "of" else f"@{case}"
            roles.setdefault(name, []).extend(self._phrases.conjuncts(child))
            if case == "of":
                self._nested(child, roles)
        elif (
            child.relation == "compound"
            and child.index < noun.index
            and self._is_holder(child)
            and not any(self._phrases.case(c) == "of" for c in self._phrases.children(noun))
        ):
            roles.setdefault("of", []).append(child)

    def _is_holder(self, child: Token) -> bool:
        """ "Acme" of "Acme director Ada Novak", not "Film" of "Film director Ada Novak"."""
        return (
            self._phrases.is_name(child)
            and (child.index > 0 or bool(child.entity))
            and not type_of_noun(child.lemma)
        )

    def _nested(self, token: Token, roles: dict[str, list[Token]]) -> None:
        """Phrases that a parser hung on the complement: "the discovery of radium by Curie in 1898"."""
        for child in self._phrases.children(token):
            case = self._phrases.case(child)
            if child.relation == "nmod" and case and case != "of":
                roles.setdefault(f"@{case}", []).extend(self._phrases.conjuncts(child))

    def triggers(self, kind: TriggerKind, noun: Token) -> tuple[Trigger, ...]:
        """Those of the noun with the words before it ("prime minister"), else of the noun alone."""
        lemma = noun.lemma.lower()
        before = [
            c.lemma.lower()
            for c in self._phrases.children(noun)
            if c.index < noun.index and c.relation in ("compound", "amod")
        ]
        for start in range(len(before)):
            found = self._vocabulary.find(kind, " ".join([*before[start:], lemma]))
            if found:
                return found
        if set(before) & _LESSER:
            return ()
        return self._vocabulary.find(kind, lemma)

    def events(self) -> Iterator[tuple[Token, dict[str, list[Token]]]]:
        """Nouns for what is done, with their roles: "the discovery of radium by Marie Curie"."""
        for token in self._phrases.sentence.tokens:
            if token.pos == "NOUN" and self.triggers("event", token):
                roles = self.roles(token)
                if "possessor" in roles and len(roles["of"]) > len(roles["possessor"]):
                    roles["by"] = roles["possessor"]
                    roles["of"] = [t for t in roles["of"] if t not in roles["possessor"]]
                roles.setdefault("by", []).extend(roles.get("@by", []))
                yield token, roles
