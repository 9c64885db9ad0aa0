"""Who does what a clause says, or has it done to them: its voice and its subject, filled in from the clause above.

Subjects of relative clauses, of coordinated verbs, of participles and of infinitives stand elsewhere in the tree.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from provgraph.reading.phrases import Phrases
from provgraph.reading.syntax import ParsedSentence, Token

_BELOW: Final = frozenset({"nmod", "appos", "obl", "conj"})
FOR_DOING: Final = frozenset(
    "thank praise criticise criticize blame fine honour honor congratulate commend condemn reward punish credit arrest "
    "jail imprison sentence convict charge accuse suspect acquit prosecute sue dismiss sack suspend prevent stop deter "
    "discourage dissuade ban bar prohibit exclude".split()
)
DOING_MARKS: Final = frozenset(("for", "of", "with", "from"))
"""Verbs whose object is who does what follows, and what it follows: "thanked Ada for repairing the gate"."""
RELATIVE_WORDS: Final = frozenset("who whom which that whose where when".split())
"""What a relative clause begins with."""


class ClauseSubjects:
    """Finds the subjects of one sentence's clauses."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._sentence: ParsedSentence = phrases.sentence

    @cached_property
    def copulas(self) -> dict[int, Token]:
        """The copula of each predicate that has one, by the predicate's index."""
        return {token.head: token for token in self._sentence.tokens if token.relation == "cop"}

    def subject(self, head: Token) -> Token | None:
        """The subject of a clause that has none of its own, from the clause above."""
        own = next((c for c in self._phrases.children(head) if c.relation.startswith("nsubj")), None)
        if own is not None:
            return self.antecedent(own, head)
        if head.head < 0:
            return None
        above = self._sentence.tokens[head.head]
        if head.relation == "acl" or (head.relation == "acl:relcl" and not self._has_own_role(head)):
            return self._modified(head, above) if head.tag != "VB" and not self.is_infinitive(head) else None
        if head.relation == "xcomp":
            return self._controller(above)
        if head.relation == "advcl" and above.lemma.lower() in FOR_DOING and self._is_reason(head):
            return self._controller(above)
        if head.relation in ("conj", "parataxis") or (head.relation == "advcl" and self._is_free(head)):
            return self.subject(above)
        return None

    def is_passive(self, head: Token) -> bool:
        """Whether its subject is what is done to: also of participles without a helping verb."""
        children = self._phrases.children(head)
        if head.text.lower() == "born" or any(
            c.relation in ("nsubj:pass", "aux:pass", "obl:agent") for c in children
        ):
            return True
        participle = (
            head.tag == "VBN"
            or (head.tag == "VBD" and head.relation == "acl")
            or (not head.tag and head.text.lower().endswith(("ed", "en", "born")))
        )
        has_aux = any(c.relation in ("aux", "nsubj") for c in children)
        if not participle or has_aux:
            return False
        if head.relation == "conj":
            return self.is_passive(self._sentence.tokens[head.head])
        return head.relation in ("acl", "advcl", "amod", "xcomp", "root", "appos", "parataxis", "dep")

    def antecedent(self, child: Token, head: Token) -> Token | None:
        """What a relative pronoun stands for; other words stand for themselves."""
        if child.text.lower() not in RELATIVE_WORDS or child.pos not in ("PRON", "DET", "ADV", "SCONJ"):
            return child
        above = self._relative_head(head)
        return self._modified(self._clause_top(head), above) if above is not None else child

    def _modified(self, clause: Token, noun: Token) -> Token:
        """What a clause after a noun says something of. A clause hung on a name without a comma ("a hotel in Graz that
        opened"), or a participle after a comma on a name inside a phrase ("a hotel in Graz, located"), is of the noun
        above."""
        first = self._sentence.edges(clause)[0]
        comma = self._sentence.tokens[first - 1].text in (",", "(", "–", "-") if first else False
        climbs = comma if clause.relation == "acl" else not comma
        top = noun
        while (
            climbs and self._phrases.is_name(top) and top.relation.split(":")[0] in _BELOW and top.head >= 0
        ):
            top = self._sentence.tokens[top.head]
        if top.pos == "VERB":
            subject = self.subject(top)
            return noun if subject is None else subject
        return self._described(top if top.pos in ("NOUN", "PROPN") else noun)

    def _described(self, noun: Token) -> Token:
        """Of "Novak was a botanist who …" and "Novak, a botanist who …" Novak."""
        if self._phrases.is_name(noun) or noun.pos == "PRON":
            return noun
        if noun.index in self.copulas and self._phrases.determiner(noun) in ("a", "an", "the"):
            subject = self.subject(noun)
            return noun if subject is None else subject
        if (
            noun.relation == "appos"
            and noun.head >= 0
            and self._phrases.is_name(self._sentence.tokens[noun.head])
        ):
            return self._sentence.tokens[noun.head]
        return self._phrases.named(noun)

    def _clause_top(self, head: Token) -> Token:
        """The first of coordinated verbs."""
        while head.relation == "conj" and head.head >= 0:
            head = self._sentence.tokens[head.head]
        return head

    def _relative_head(self, head: Token) -> Token | None:
        """The noun that a relative clause says something of, also for the second verb of the clause."""
        head = self._clause_top(head)
        return (
            self._sentence.tokens[head.head] if head.relation.startswith("acl") and head.head >= 0 else None
        )

    def _is_free(self, head: Token) -> bool:
        """Whether an adverbial clause without subject shares that of the clause above; "as outlined in" does not."""
        marks = {c.text.lower() for c in self._phrases.children(head) if c.relation == "mark"}
        return not self._is_finite(head) and not marks & {"as", "than"}

    def _is_reason(self, head: Token) -> bool:
        marks = {c.text.lower() for c in self._phrases.children(head) if c.relation in ("mark", "case")}
        return head.tag == "VBG" and not marks.isdisjoint(DOING_MARKS)

    def _has_own_role(self, head: Token) -> bool:
        return any(c.text.lower() in RELATIVE_WORDS for c in self._phrases.children(head))

    def is_infinitive(self, head: Token) -> bool:
        """ "To open", also behind a noun: "the first to open"."""
        return any(c.relation == "mark" and c.text.lower() == "to" for c in self._phrases.children(head))

    def _is_finite(self, head: Token) -> bool:
        return head.tag in ("VBD", "VBZ", "VBP") or (
            any(
                c.relation == "mark" and c.text.lower() in ("when", "while", "because", "that")
                for c in self._phrases.children(head)
            )
            and head.tag not in ("VBG", "VBN")
        )

    def _controller(self, above: Token) -> Token | None:
        objects = [c for c in self._phrases.children(above) if c.relation in ("obj", "iobj")]
        return objects[0] if objects else self.subject(above)
