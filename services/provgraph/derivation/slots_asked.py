"""Who or what has a part in what a clause tells, by its roles: "delivered by the firm Krones" tells who delivered, and
"belongs to the city" who owns.

A clause answers where its predicate is that of the question, or tells the same from the other side with exchanged roles
(`verdicts.converses`), and all that the question names has its role there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from anyio import to_thread

from provgraph.derivation.clauses_asked import (
    AskedClause,
    ReadClause,
    asked_clause,
    clauses_of,
    is_same_noun,
    says_beside,
    says_predicate,
)
from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.result import Derived, Step
from provgraph.language import wordnet
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import Parser, Token
from provgraph.verdicts.converses import Roles, roles

_ASKS: Final = re.compile(r"\s*(?:(?:to|by|from|for|with) )?(?:who|whom|what|where)\b", re.IGNORECASE)
_ASKING: Final = frozenset("who whom what where".split())
_STATES: Final = frozenset("own belong have hold contain".split())
"""What is so for a time: of the past, it says nothing of now."""
_LIGHT: Final = frozenset("be have do make get take go come happen become say call mean".split())
_SAME: Final[Roles] = {"A": frozenset(("A", "@by")), "P": frozenset("P")}
_PLACES: Final = frozenset("@in @at @near @on @inside @outside @from".split())
_NAMES: Final = re.compile(r" (?P<names>[A-ZÀ-Þ][\w’'-]+(?:(?:,? and |, | & | )[A-ZÀ-Þ][\w’'-]+)*)")
_ARTICLE: Final = re.compile(r"\A(?:the|a|an|its|their|his|her|whose) ", re.IGNORECASE)
_CONFIDENCE: Final = 0.87


async def slot_told(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """Who did what, or what was done to whom, where the clauses that say it tell one; else None."""
    if not _ASKS.match(text):
        return None
    asked = asked_clause(text, parser)
    if (
        asked is None
        or not asked.ends
        or asked.predicate.split()[0] in _LIGHT - {"have"}
        or asked.clause.complement
    ):
        return None
    is_open = [role for role, tokens in asked.clause.roles.items() if any(_asks(token) for token in tokens)]
    if len(is_open) != 1:
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, asked, is_open[0], passages)


def _told(asked: AskedClause, role: str, passages: Sequence[ReadPassage]) -> Derived | None:
    told = list(_fillers(asked, role, passages))
    if len({words.casefold() for _, _, words in told}) != 1:
        return None
    read, start, words = told[0]
    support = read.support(start, start + len(words))
    step = Step("look up", words, f"The clause of “{support.sentence.text}” tells it.", (support,))
    return Derived(words, "entity", (step,), _CONFIDENCE)


def _fillers(
    asked: AskedClause, role: str, passages: Sequence[ReadPassage]
) -> Iterator[tuple[ReadClause, int, str]]:
    """Each clause that says what is asked, where what fills the open role begins, and its words."""
    known = {token.lemma.casefold() for tokens in asked.ends.values() for token in tokens}
    for read in clauses_of(passages, known):
        exchanged = _exchanged(asked, read)
        if exchanged is None or not read.clause.polarity or read.clause.modality != "asserted":
            continue
        if read.predicate in _STATES and asked.clause.tense != read.clause.tense:
            continue
        if not _has_ends(asked, read, exchanged) or not says_beside(asked, read):
            continue
        is_where = asked.text.lstrip().casefold().startswith("where")
        for token in _in(read, _PLACES if is_where else exchanged.get(role, frozenset((role,)))):
            argument = read.phrases.argument(token, "object")
            is_time = argument.kind == "value" or "noun.time" in wordnet.fields(
                token.lemma.casefold(), "n", 1
            )
            if token.pos in ("NOUN", "PROPN") and not is_time and token.lemma.casefold() not in known:
                yield read, *_named(token, argument.span, read)


def _exchanged(asked: AskedClause, read: ReadClause) -> Roles | None:
    """Of each role of the question the roles that hold the same in a clause; None where it says something else."""
    if says_predicate(asked.predicate, read.predicate):
        return _SAME
    if " " in asked.predicate or " " in read.predicate:
        return None
    return roles(asked.predicate, read.predicate)


def _has_ends(asked: AskedClause, read: ReadClause, exchanged: Roles) -> bool:
    return all(
        any(_is_one(token, asked, other, read) for other in _in(read, exchanged.get(role, frozenset())))
        for role, tokens in asked.ends.items()
        for token in tokens
    )


def _is_one(token: Token, asked: AskedClause, other: Token, read: ReadClause) -> bool:
    """Whether it is what the question names; a pronoun below the sentence's subject may stand for that."""
    if is_same_noun(token, asked.phrases, other, read):
        return True
    subject = next((t for t in read.sentence.tokens if t.relation.startswith("nsubj")), None)
    is_below = (
        other.text.casefold() in ("it", "its", "them") and subject is not None and subject.head != other.head
    )
    return is_below and subject is not None and is_same_noun(token, asked.phrases, subject, read)


def _in(read: ReadClause, names: frozenset[str]) -> list[Token]:
    """What fills any of the roles; of "weighs a ton and was restored" the subject also for the second, passive verb."""
    found = [token for name in sorted(names) for token in read.clause.roles.get(name, [])]
    head = read.clause.head
    if found or "P" not in names or not read.clause.passive or head.relation != "conj":
        return found
    return [c for c in read.sentence.children[head.head] if c.relation.startswith("nsubj")]


def _named(token: Token, span: Span, read: ReadClause) -> tuple[int, str]:
    """Where the words begin and what they are, without an article; of "the brothers Per and Leif Dahl" the names."""
    names = _NAMES.match(read.passage.text, token.end, read.sentence.end) if token.pos == "NOUN" else None
    if names is not None:
        return names.start("names"), names["names"]
    article = _ARTICLE.match(span.text)
    begin = article.end() if article else 0
    return span.start + begin, span.text[begin:]


def _asks(token: Token) -> bool:
    return token.text.casefold() in _ASKING
