"""The clause that a question asks about, and the clauses of passages that say the same of the same thing.

Voice makes no difference: who does something and what it is done to are matched, not the order of words. Nouns are the
same where their lemmas are and nothing that narrows the one is missing from the other; a pronoun is what the sentence
before is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from provgraph.derivation.affinity import related
from provgraph.derivation.events_asked import is_changed
from provgraph.derivation.evidence import ReadPassage, Support, support_at
from provgraph.derivation.names import holds, words_of
from provgraph.language import wordnet
from provgraph.reading.clauses import Clause, ClauseReader
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Span
from provgraph.reading.question_trees import as_statement
from provgraph.reading.relations import vocabulary
from provgraph.reading.sentence_reading import SentenceReader
from provgraph.reading.syntax import ParsedSentence, Parser, Token

_SAYS: Final = 0.75
_AT_PRESENT: Final = re.compile(
    r" (?:today|now|nowadays|currently|at present|at the moment)(?=[ ?]|$)|(?<= from) originally(?=[ ?]|$)",
    re.I,
)
_OPEN: Final = frozenset("who whom whose what which when where how why".split())
_PRONOUNS: Final = frozenset("it they he she this these them him her".split())
_NARROWING: Final = ("amod", "compound", "nmod:poss", "flat", "nummod")
_ENDS: Final = ("A", "P")
_MOST: Final = 6


def without_present(question: str) -> str:
    """The question without words that only say that it is asked of now."""
    return _AT_PRESENT.sub("", question)


_MONTH_OR_MAY: Final = re.compile(r"\A\s*May\b")
"""What the parser takes for a month where it begins a question."""
_STATE: Final = re.compile(
    r"\A.{0,300}?\b(?:when|days?|weekdays?|months?|hours|long|time) (?P<be>is|are) (?P<thing>(?:the|a|an) .{1,300}?) "
    r"(?P<state>open|closed|shut|due|payable|available)[\s?]*\Z",
    re.IGNORECASE,
)
"""A question for the time of a state, which the parser takes for a noun behind its subject."""


@dataclass(frozen=True, eq=False)
class ReadClause:
    """A clause of a sentence of a passage."""

    passage: ReadPassage
    sentence: ParsedSentence
    phrases: Phrases
    clause: Clause

    @property
    def predicate(self) -> str:
        """The lemma of its verb, or of what its subject is said to be."""
        head = self.clause.complement
        return head.lemma.casefold() if head is not None else self.clause.lemma.casefold()

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """The lemmas of all words of its sentence."""
        return frozenset(token.lemma.casefold() for token in self.sentence.tokens)

    def text(self, start: int, end: int) -> str:
        return self.passage.text[start:end]

    def support(self, start: int, end: int) -> Support:
        """The sentence as what proves an answer with these characters."""
        return support_at(self.passage, Span(start, end, self.text(start, end)))

    @cached_property
    def before(self) -> ParsedSentence | None:
        """The sentence before it in its paragraph."""
        earlier = [each for each in self.passage.parsed if each.end <= self.sentence.start]
        if not earlier or "\n\n" in self.passage.text[earlier[-1].end : self.sentence.start]:
            return None
        return earlier[-1]


@dataclass(frozen=True)
class AskedClause:
    """What a question asks about: a predicate, and who does it or what it is done to by role ("A", "P")."""

    text: str
    phrases: Phrases
    clause: Clause
    predicate: str

    @cached_property
    def ends(self) -> dict[str, list[Token]]:
        """The known ends, by role."""
        known = {role: [t for t in self.clause.roles.get(role, []) if _is_known(t)] for role in _ENDS}
        return {role: tokens for role, tokens in known.items() if tokens}

    @cached_property
    def beside(self) -> list[Token]:
        """The nouns that stand with prepositions and ask nothing."""
        nouns = (t for role, tokens in self.clause.roles.items() if role.startswith("@") for t in tokens)
        return [t for t in nouns if t.pos in ("NOUN", "PROPN") and not self._asks(t)]

    def _asks(self, token: Token) -> bool:
        return any(child.text.casefold() in _OPEN for child in self.phrases.children(token))


def asked_clause(text: str, parser: Parser) -> AskedClause | None:
    """The main clause of a question, of "has to repair" the one that is to be done; None where it has none."""
    question = _MONTH_OR_MAY.sub("Can", without_present(text))
    text = _STATE.sub(r"\g<thing> \g<be> \g<state>", question)
    parsed = parser.parse(text, [(0, len(text.rstrip()))])
    if not parsed:
        return None
    phrases = SentenceReader(as_statement(parsed[0]), text, vocabulary(), asking=True).phrases
    clauses = list(ClauseReader(phrases).clauses())
    main = next((clause for clause in clauses if clause.main), None)
    if main is None:
        return None
    below = (c for c in clauses if c.head.relation == "xcomp" and c.head.head == main.head.index)
    clause = next(below, main) if main.lemma in ("have", "need", "allow") else main
    head = clause.complement
    return AskedClause(
        question, phrases, clause, (head.lemma if head is not None else clause.lemma).casefold()
    )


def clauses_of(passages: Sequence[ReadPassage], wanted: Set[str] = frozenset()) -> Iterator[ReadClause]:
    """The clauses of the first passages, of sentences that have, or whose sentence before has, a wanted lemma."""
    for passage in passages[:_MOST]:
        had = False
        for sentence in passage.parsed:
            has = not wanted or any(token.lemma.casefold() in wanted for token in sentence.tokens)
            if has or had:
                phrases = SentenceReader(sentence, passage.text, vocabulary()).phrases
                for clause in ClauseReader(phrases).clauses():
                    yield ReadClause(passage, phrases.sentence, phrases, clause)
            had = has


def clauses_saying(asked: AskedClause, passages: Sequence[ReadPassage]) -> list[ReadClause]:
    """The clauses with the predicate of a question and all of its known ends."""
    wanted = {t.lemma.casefold() for tokens in asked.ends.values() for t in tokens}
    return [
        read
        for read in clauses_of(passages, wanted)
        if says_predicate(asked.predicate, read.predicate)
        and has_ends(asked, read)
        and says_beside(asked, read)
    ]


def says_predicate(asked: str, said: str) -> bool:
    """Whether two predicates say one thing: "start", "begin"; no opposite, and no other event ("rebuild")."""
    first, second = asked.split()[0], said.split()[0]
    if asked == said or (first == second and " " not in said):
        return True
    if is_changed(first, second) or second in wordnet.opposites(first, "v"):
        return False
    return related(first, "v", second, "v") >= _SAYS


def has_ends(asked: AskedClause, read: ReadClause) -> bool:
    """Whether a clause has the known ends of a question's, in their roles; who does what happens of itself may be what
    it is done to: "the gate is closed", "the gate closes"."""
    roles = read.clause.roles
    only = [role for role in _ENDS if roles.get(role)]
    for role, tokens in asked.ends.items():
        others = roles.get(role) or (roles[only[0]] if len(only) == 1 and len(asked.ends) == 1 else [])
        if not any(is_same_noun(token, asked.phrases, other, read) for token in tokens for other in others):
            return False
    return bool(asked.ends)


def says_beside(asked: AskedClause, read: ReadClause) -> bool:
    """Whether a sentence, the one before it or the title has the nouns that stand beside."""
    start = read.before.start if read.before else read.sentence.start
    text = f"{read.passage.title} {read.text(start, read.sentence.end)}"
    lemmas = read.lemmas | ({t.lemma.casefold() for t in read.before.tokens} if read.before else set())
    return all(t.lemma.casefold() in lemmas or holds(text, t.text) for t in asked.beside)


def is_same_noun(token: Token, phrases: Phrases, other: Token, read: ReadClause) -> bool:
    """Whether a phrase of a clause is what a phrase of a question names."""
    if other.text.casefold() in _PRONOUNS:
        return any(_is_one(token, phrases, subject, read, read.before) for subject in _subjects(read.before))
    return _is_one(token, phrases, other, read, read.sentence)


def _is_one(
    token: Token, phrases: Phrases, other: Token, read: ReadClause, sentence: ParsedSentence | None
) -> bool:
    if sentence is None or token.lemma.casefold() != other.lemma.casefold():
        return False
    asked, said = narrowing(phrases.sentence, token), narrowing(sentence, other)
    missing = asked - said
    is_short = token.pos == "PROPN" and missing <= frozenset(words_of(read.passage.title))
    return not missing or (not said and (is_short or missing <= _words_before(read)))


def narrowing(sentence: ParsedSentence, noun: Token) -> frozenset[str]:
    """The lemmas of the words before a noun that say which it is."""
    below = (c for c in sentence.children[noun.index] if c.relation in _NARROWING)
    return frozenset(
        t.lemma.casefold()
        for c in below
        for t in sentence.subtree(c)
        if t.pos in ("NOUN", "PROPN", "ADJ", "NUM")
    )


def _words_before(read: ReadClause) -> frozenset[str]:
    earlier = [each for each in read.passage.parsed if each.end <= read.sentence.start][-2:]
    return frozenset(t.lemma.casefold() for each in earlier for t in each.tokens)


def _subjects(sentence: ParsedSentence | None) -> list[Token]:
    tokens = sentence.tokens if sentence is not None else ()
    return [t for t in tokens if t.relation.startswith("nsubj") and t.pos in ("NOUN", "PROPN")]


def _is_known(token: Token) -> bool:
    return token.text.casefold() not in _OPEN and token.pos in ("NOUN", "PROPN", "ADJ")
