"""A sentence's clauses in its own words: subject, verb with what belongs to it, and all that follows.

This is the form of open information extraction (Banko et al., IJCAI 2007): articles, pronouns and adverbs stay, nothing
is resolved. What stands before the subject ("In 1898, …") follows the rest. Clauses that a comma sets apart are clauses
of their own; a condition stays with what it limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.clauses import Clause, ClauseReader
from provgraph.reading.phrases import Phrases
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import find_values

_HELPERS: Final = frozenset({"aux", "aux:pass", "cop", "advmod", "neg", "compound:prt"})
_OPENING: Final = frozenset({"obl", "obl:tmod", "obl:npmod", "nmod", "nmod:tmod"})
_APART: Final = frozenset({"nsubj", "nsubj:pass", "parataxis", "punct", "cc", "discourse", "vocative", "dep"})
_DESCRIBING: Final = frozenset({"acl", "acl:relcl", "advcl"})
_OF_SUBJECT: Final = frozenset(
    {"nsubj", "nsubj:pass", "cop", "aux", "punct", "case", "acl:relcl", "advcl", "parataxis"}
)
_RELATIVE: Final = frozenset("which that who what where when whose".split())
CONDITIONS: Final = frozenset("if unless except provided until whether once".split())
"""Words that open a condition."""
_SETS_APART: Final = frozenset({",", ";", "(", "–", "—", "--", "-LRB-"})
_STOPS: Final = frozenset(".,;:!?–—") | {"--", "``", "(", "-LRB-"}
_OPENED_BY: Final = {"''": "``", '"': '"', "”": "“", ")": "(", "-RRB-": "-LRB-"}
_SIGNS: Final = frozenset({*_OPENED_BY, *_OPENED_BY.values()})
_OWN, _SHARED, _BESIDE = 0.8, 0.7, 0.5


@dataclass(frozen=True)
class WordedClause:
    """`object` is what follows the verb, `opening` what stands before the subject; one of them may be empty.

    `subject_at` is where the head of the subject begins. `certainty` is in (0, 1]: how sure it is that a reader of the
    sentence would say the same.
    """

    subject: str
    relation: str
    object: str
    opening: str
    subject_at: int
    certainty: float


def worded_clauses(sentence: ParsedSentence, text: str) -> list[WordedClause]:
    """The clauses of a parsed sentence that have a subject and something after their verb, in order, each once."""
    return list(dict.fromkeys(_SentenceWords(sentence, text).clauses()))


class _SentenceWords:
    """One sentence; the words of a part are given by their indices."""

    def __init__(self, sentence: ParsedSentence, text: str) -> None:
        self._sentence = sentence
        self._tokens = sentence.tokens
        self._text = text
        self._phrases = Phrases(sentence, text, find_values(text, sentence.start, sentence.end))

    def clauses(self) -> Iterator[WordedClause]:
        for clause in ClauseReader(self._phrases).clauses():
            subject = next(iter(clause.roles.get("P" if clause.passive else "A", ())), None)
            if subject is None or subject.index == clause.head.index or self._is_told_above(clause.head):
                continue
            if self._is_condition(clause.head):
                continue
            if subject.text.lower() in _RELATIVE and subject.pos != "NOUN":
                continue
            worded = self._worded(clause, subject)
            if worded is not None:
                yield worded
        yield from self._kinds()

    def _kinds(self) -> Iterator[WordedClause]:
        """ "Ada Novak, a botanist": what stands beside a name says what it is."""
        for token in self._tokens:
            above = self._tokens[token.head]
            if token.relation != "appos" or self._phrases.is_name(above) == self._phrases.is_name(token):
                continue
            name, kind = (above, token) if self._phrases.is_name(above) else (token, above)
            own = [index for index in self._subject(name, kind) if name is token or index < token.index]
            described = [index for index in self._below(kind) if kind is token or index < token.index]
            if own and described and kind.pos == "NOUN":
                words = self._words(described)
                yield WordedClause(self._words(own), "is", words, "", name.start, _BESIDE)

    def _worded(self, clause: Clause, subject: Token) -> WordedClause | None:
        verb = self._verb(clause)
        opening = self._opening(clause.head, verb[0])
        helper = self._shared_helper(clause.head, verb[0])
        lower = self._lower_verb(clause.head)
        if lower is not None and lower.index > verb[-1]:
            verb = [*range(verb[0], lower.index + 1)]
        whole = clause if lower is None else replace(clause, head=lower, complement=None)
        behind = self._behind(whole, verb[-1]) or self._said_before(clause.head, verb[0])
        if subject.index in behind:
            return None
        linked = len(behind) > 1 and behind[0] == verb[-1] + 1
        if linked and self._tokens[behind[0]].relation in ("case", "mark"):
            verb, behind = [*verb, behind[0]], behind[1:]
        who = self._words(self._subject(subject, clause.head))
        if not behind and len(verb) > 1:  # "was closed" has nothing behind it
            verb, behind = verb[:-1], verb[-1:]
        relation, target, before = helper + self._words(verb), self._words(behind), self._words(opening)
        certainty = _SHARED if clause.inherited else _OWN
        if not who or not (target or before):
            return None
        return WordedClause(who, relation, target, before, subject.start, certainty)

    def _verb(self, clause: Clause) -> list[int]:
        """The verb with its helping words and adverbs, as far as they stand together."""
        is_copula = clause.complement is not None and bool(clause.words)
        last = (clause.words[-1] if is_copula else clause.head).index
        near = {child.index for child in self._children(clause.head.index) if child.relation in _HELPERS}
        near |= {word.index for word in clause.words}
        near |= {c.index for c in self._children(clause.head.index) if _is_infinitive_mark(c)}
        first = end = last
        while first - 1 in near:
            first -= 1
        while end + 1 in near and not is_copula:
            end += 1
        return list(range(first, end + 1))

    def _lower_verb(self, head: Token) -> Token | None:
        """The verb of "wants to open", "began to build", where nothing stands between."""
        token = None
        while True:
            below = [
                c
                for c in self._children(head.index)
                if c.relation == "xcomp" and c.pos == "VERB" and self._is_told_above(c)
            ]
            if not below:
                return token
            token = head = below[0]

    def _is_told_above(self, head: Token) -> bool:
        """Whether a verb is told as a part of the one above: "open" of "wants to open"."""
        if head.relation != "xcomp" or head.head < 0 or head.pos != "VERB" or head.index < head.head:
            return False
        between = self._tokens[head.head + 1 : head.index]
        return len(between) <= 2 and all(
            t.text.lower() in ("to", "be", "been", "not") or t.pos == "ADV" for t in between
        )

    def _said_before(self, head: Token, first: int) -> list[int]:
        """What was said, before who said it: "The mill is old, Ada Quist said"."""
        for child in self._children(head.index):
            if child.relation in ("ccomp", "parataxis") and child.index < first:
                return self._below(child)
        if head.relation != "parataxis" or head.head < 0:
            return []
        own = {*self._below(head)}
        return [i for i in self._below(self._tokens[head.head]) if i not in own and i < first]

    def _shared_helper(self, head: Token, first: int) -> str:
        """The "has" of "has built": of two coordinated participles the second one has it too."""
        above = self._tokens[head.head] if head.relation == "conj" and head.head >= 0 else head
        regular = head.tag == "VBD" and above.tag == "VBN" and head.text.endswith("ed")
        alike = head.tag in ("VBN", "VB", "VBG") and above.tag == head.tag
        if above is head or first != head.index or not (alike or regular):
            return ""
        has_object = any(c.relation == "obj" for c in self._children(head.index))
        shared = ("aux",) if has_object else ("aux", "aux:pass")
        helpers = [c.text for c in self._children(above.index) if c.relation in shared]
        return "".join(f"{helper} " for helper in helpers)

    def _behind(self, clause: Clause, last: int) -> list[int]:
        """What is below the verb and follows it, up to the next coordinated clause."""
        indices: set[int] = set()
        if clause.complement is not None and clause.complement.index > last:
            indices.add(clause.complement.index)
        for child in self._children(clause.head.index):
            if child.relation == "conj" and child.pos in ("VERB", "AUX") and child.index > last:
                break
            if child.relation not in _APART and not (child.relation == "advcl" and self._is_apart(child)):
                indices |= {index for index in self._below(child) if index > last}
        described = [
            t for t in self._tokens if t.index in indices and t.relation in _DESCRIBING and self._is_apart(t)
        ]
        for token in described:
            indices.difference_update(self._below(token))
        return sorted(indices)

    def _opening(self, head: Token, first: int) -> list[int]:
        """The phrases that stand before the subject, and the conditions."""
        return [
            index
            for child in self._children(head.index)
            if child.index < first
            and (child.relation in _OPENING or (child.relation == "advcl" and self._is_condition(child)))
            for index in self._below(child)
        ]

    def _subject(self, subject: Token, head: Token) -> list[int]:
        """The subject's phrase, without the clauses that describe it."""
        left_out = {
            index
            for child in self._children(subject.index)
            if child.relation in _OF_SUBJECT or head.index in self._below(child) or self._is_relative(child)
            for index in self._below(child)
        }
        own = [index for index in self._below(subject) if index not in left_out]
        return list(range(own[0], own[-1] + 1)) if own else []

    def _is_relative(self, phrase: Token) -> bool:
        """Whether a phrase before its noun stands for a noun of another clause: "of whom nine", "whose sons"."""
        words = {self._tokens[index].text.lower() for index in self._below(phrase)}
        return bool(words & _RELATIVE) and phrase.relation in ("nmod", "nmod:poss", "obl")

    def _is_apart(self, clause: Token) -> bool:
        """Whether a clause is set apart by a sign, and is no condition."""
        first = self._sentence.edges(clause)[0]
        return first > 0 and self._tokens[first - 1].text in _SETS_APART and not self._is_condition(clause)

    def _is_condition(self, clause: Token) -> bool:
        return any(
            c.relation == "mark" and c.text.lower() in CONDITIONS for c in self._children(clause.index)
        )

    def _children(self, index: int) -> tuple[Token, ...]:
        return self._sentence.children[index]

    def _below(self, token: Token) -> list[int]:
        return [each.index for each in self._sentence.subtree(token)]

    def _words(self, indices: Iterable[int]) -> str:
        """The characters of some words, in the order given, without stops at the ends."""
        left: list[int] = []
        for index in indices:
            if not (left and self._tokens[index].text in _STOPS and self._tokens[left[-1]].text in _STOPS):
                left.append(index)
        while left and self._tokens[left[-1]].text in _STOPS:
            left.pop()
        while left and self._tokens[left[0]].text in _STOPS - {"``", "("}:
            left.pop(0)
        if left and self._is_open(left):
            left.append(left[-1] + 1)
        words = ""
        for at, index in enumerate(left):
            token = self._tokens[index]
            joined = at and left[at - 1] == index - 1
            words += self._text[self._tokens[index - 1].end : token.end] if joined else f" {token.text}"
        return " ".join(words.split())

    def _is_open(self, indices: list[int]) -> bool:
        """Whether the sign right behind some words closes what one of them opens."""
        behind = self._tokens[indices[-1] + 1 : indices[-1] + 2]
        opener = _OPENED_BY.get(behind[0].text) if behind else None
        signs = [text for index in indices if (text := self._tokens[index].text) in _SIGNS]
        closed = 0 if behind and opener == behind[0].text else signs.count(behind[0].text) if behind else 0
        return opener is not None and (signs.count(opener) - closed) % 2 == 1


def _is_infinitive_mark(token: Token) -> bool:
    return token.relation == "mark" and token.text.lower() == "to"
