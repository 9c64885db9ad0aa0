"""Pairs by rules: each piece of a passage → its statements → a question and answer each → the facts drawn from them.

A fact that is drawn from a pair carries the pair and the span that both were read from. Clauses and numbers are things
with names here, so that a question can find them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from provgraph.documents.pieces import Piece, cut
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.pairs.questions import (
    heading_pair,
    imperative_pair,
    lead_pair,
    sentence_pair,
    statement_pairs,
)
from provgraph.extraction.pairs.statements import (
    LEAST_MISSING,
    PairStatement,
    StatementReader,
    is_number,
    numbers_in,
)
from provgraph.language.concepts import concepts
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms
from provgraph.provenance.source import Pair

IS_ABOUT, GIVES, SAYS, MENTIONS, IS_TITLED, IS_PART_OF = (
    "is about",
    "gives the number",
    "says that",
    "mentions",
    "is titled",
    "is part of",
)
"""Relations of two words and more, so that no entity has the name of one: the states that a state is not."""

IN_CLAUSES: Final = 0.05
"""The share of its words that statements of a clause may leave out: what binds is said whole."""

MOST_MENTIONS: Final = 5
FEWEST_WORDS: Final = 5
_ENDS: Final = re.compile(r"[.!;][\])”\"'’\d]*\Z")
"""What has no such end, and in which no statement is read, is a heading or a piece of one."""

SURE: Final = 0.95
"""How sure a fact is that only says what stands where."""


@dataclass(frozen=True)
class PairDraft:
    """A pair, the span of the passage that it was read from, and what it states, where rules read a statement.

    `is_further` tells that the statement has been asked something else before: its smaller facts are that pair's.
    """

    pair: Pair
    start: int
    end: int
    statement: PairStatement | None = None
    is_further: bool = False


def pairs_of(passage: Passage) -> Iterator[PairDraft]:
    """The pairs of the passage's own sentences, in their order."""
    reader = StatementReader(passage)
    own = passage.text[passage.own_start :]
    for piece in cut(own, passage.outline).pieces:
        if passage.own_start + piece.start < passage.own_end and piece.kind != "row":
            yield from _pairs_of_piece(own, passage.own_start, piece, reader)


def _pairs_of_piece(own: str, offset: int, piece: Piece, reader: StatementReader) -> Iterator[PairDraft]:
    words = own[piece.words : piece.end]
    if piece.kind == "heading":
        if piece.clause and not is_of_contents(words) and (title := clean_label(words)):
            yield PairDraft(heading_pair(piece.clause, title), offset + piece.start, offset + piece.end)
        return
    for index, (start, end) in enumerate(sentence_spans(words)):
        said = words[start:end]
        if said.endswith("?") or is_of_contents(said) or _MENU.search(said):
            continue
        first = piece.start if index == 0 else piece.words + start
        whole = _introduced(said, piece.lead) if index == 0 and piece.lead else said
        span = offset + first, offset + piece.words + end
        least = IN_CLAUSES if piece.clause else LEAST_MISSING
        statements = reader.read_alone(whole, least) if whole != said else reader.read(said, span, least)
        drafts = [
            PairDraft(pair, *span, statement, is_further=number > 0)
            for statement in statements
            for number, pair in enumerate(statement_pairs(statement, piece.clause))
        ]
        words_said = " ".join(whole.split())
        if not drafts and said.endswith(":") and piece.clause:
            drafts = [PairDraft(lead_pair(words_said, piece.clause), *span)]
        elif not drafts and (told := imperative_pair(words_said, piece.clause)):
            drafts = [PairDraft(told, *span)]
        elif not drafts and len(words_said.split()) >= FEWEST_WORDS and _ENDS.search(words_said):
            about = piece.title or (piece.clause and f"clause {piece.clause}") or reader.title
            drafts = [PairDraft(sentence_pair(about, piece.clause, words_said), *span)]
        asked: dict[Pair, PairDraft] = {}
        for draft in drafts:
            asked.setdefault(draft.pair, draft)
        yield from asked.values()


_MENU: Final = re.compile(r"(?:[|¦·»][^|¦·»]*){4}")
"""What stands between the links of a web page's menu."""

_OF_CONTENTS: Final = re.compile(r"\.{4,}|…{2,}|(?:\. ){4,}|\t\s{0,20}\d{1,4}\s*\Z")


def is_of_contents(words: str) -> bool:
    """Whether words are a line of a table of contents, led to a page number by dots."""
    return _OF_CONTENTS.search(words) is not None


def _introduced(item: str, lead: str) -> str:
    """An item as a sentence of its own: "The Supplier shall:" and "(a) deliver the Goods; and" make one."""
    said = item.strip().rstrip(".;, ")
    for ending in (" and", " or"):
        said = said.removesuffix(ending).rstrip(".;, ")
    return f"{lead.rstrip(':—– ')} {said}."


def facts_of(draft: PairDraft, title: str) -> Iterator[Fact]:
    """The facts that are drawn from a pair, all as sure as what it states is."""
    pair, statement = draft.pair, draft.statement
    confidence = statement.confidence if statement else SURE
    for subject, relation, object_ in _drawn(draft, title):
        yield Fact(subject, relation, object_, confidence, draft.start, draft.end, pair=pair)


_Drawn = tuple[Entity, str, Entity | Value]


def _drawn(draft: PairDraft, title: str) -> Iterator[_Drawn]:
    pair, statement = draft.pair, draft.statement
    clause = clause_named(pair.clause) if pair.clause else None
    if statement and draft.is_further:
        yield named(statement.subject), statement.relation, thing(statement.object)
        if statement.whole:
            yield (
                clause or Entity(title, "Work", local=True),
                SAYS,
                Value("text", statement.whole, statement.whole),
            )
    elif statement:
        if statement.whole:
            yield (
                clause or Entity(title, "Work", local=True),
                SAYS,
                Value("text", statement.whole, statement.whole),
            )
        yield from _of_statement(statement, clause)
    elif clause and pair.question.endswith(" about?"):
        yield clause, IS_TITLED, thing(pair.answer)
    else:
        yield from _of_words(clause or Entity(title, "Work", local=True), pair.answer)
    if clause:
        above = above_of(pair.clause)
        whole = clause_named(above) if above else Entity(title, "Work", local=True)
        if whole.label:
            yield clause, IS_PART_OF, whole


def _of_statement(statement: PairStatement, clause: Entity | None) -> Iterator[_Drawn]:
    subject = named(statement.subject)
    yield subject, statement.relation, thing(statement.object)
    if clause:
        yield clause, IS_ABOUT, subject
    for number in statement.numbers:
        yield clause or subject, GIVES, Entity(number, "Number")
    for part in statement.parts:
        if part.object.label and part.object.label != statement.object:
            yield subject, part.relation, _noded(part.object)


def _of_words(whole: Entity, words: str) -> Iterator[_Drawn]:
    """Of a sentence in which no statement was read: that it is said, and what it names."""
    yield whole, SAYS, Value("text", words, words)
    for number in numbers_in(words):
        yield whole, GIVES, Entity(number, "Number")
    for name in concepts(words)[:MOST_MENTIONS]:
        yield whole, MENTIONS, named(Entity(name))


def clause_named(number: str) -> Entity:
    return Entity(f"Clause {number}", "Clause", local=True)


def above_of(clause: str) -> str:
    """The clause that a clause is part of: 3.1 of 3.1(a), 3 of 3.1; empty for 3."""
    if clause.endswith(")"):
        return clause[: clause.rindex("(")]
    return clause.rpartition(".")[0]


def named(entity: Entity) -> Entity:
    return Entity(clean_label(entity.label) or entity.label[:120], entity.type)


def thing(words: str) -> Entity | Value:
    """A node, or where a name cannot have all of the words, the words themselves."""
    label = clean_label(words)
    whole = label and set(content_terms(label)) == set(content_terms(words))
    return Entity(label) if whole else Value("text", words, words)


def _noded(object_: Entity | Value) -> Entity | Value:
    """Numbers are nodes."""
    return Entity(object_.label, "Number") if is_number(object_) else object_
