"""Whether what one clause of a claim says is met within one clause of the sentence: of "A became a surveyor; B left"
nothing follows for B as a surveyor."""

from __future__ import annotations

from collections.abc import Iterator, Set
from itertools import groupby

from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.covers import MET, Cover
from provgraph.verdicts.sentence_words import SentenceWords


def units_of_other_clauses(reading: Reading) -> Iterator[int]:
    """The units that only another clause of the sentence has than the one that meets their clause's main word."""
    cover = reading.best
    if cover.sentence is None:
        return
    done = {p.unit for p in reading.pairs if p.role in ("A", "P") and p.standing == "same role"}
    units = sorted((_clause_of_unit(number, reading), number) for number in range(len(cover.units)))
    for _, members in groupby(units, key=lambda pair: pair[0]):
        yield from _outside([number for _, number in members], done, cover, cover.sentence)


def _outside(members: list[int], done: Set[int], cover: Cover, sentence: SentenceWords) -> Iterator[int]:
    """Those of the units of one clause that stand outside the clause of the first of them to govern the others, but for
    what is `done` there by a pronoun: "made pumps until it was sold"."""
    placed = [number for number in members if cover.met(number) and cover.links[number].at >= 0]  # type: ignore[union-attr]
    lead = next((number for number in placed if cover.units[number].above not in placed), None)
    if lead is None:
        return
    clause = clause_head(cover.links[lead].at, sentence.parsed)  # type: ignore[union-attr]
    pronouns = any(c.pos == "PRON" for c in sentence.parsed.children[clause])
    for number in set(placed) - {lead, *(done if pronouns else ())}:
        places = {link.at for link in cover.options[number] if link.worth >= MET}
        inside = any(_is_told_in(at, clause, sentence.parsed) for at in places)
        if not inside and not _stands_for_name(number, cover, sentence):
            yield number


def _stands_for_name(number: int, cover: Cover, sentence: SentenceWords) -> bool:
    """Whether a name is met by a word that stands for it, which may be meant anywhere: "the town" for Hamna."""
    link = cover.links[number]
    return (
        cover.units[number].kind == "name"
        and link is not None
        and link.way != "same"
        and link.at in sentence.names
    )


def _clause_of_unit(number: int, reading: Reading) -> tuple[int, int]:
    unit = reading.best.units[number]
    parsed = reading.claim.sentence_at(unit.start)
    return parsed.start, clause_head(unit.head.index, parsed)


def clause_head(index: int, sentence: ParsedSentence) -> int:
    """The index of the word at the head of the clause with a subject of its own that a word stands in."""
    for each in sentence.chain(index):
        if sentence.tokens[each].head < 0 or _has_subject(sentence.tokens[each], sentence):
            return each
    return index


def _has_subject(token: Token, sentence: ParsedSentence) -> bool:
    return any(c.relation.startswith(("nsubj", "csubj", "expl")) for c in sentence.children[token.index])


def _is_told_in(at: int, clause: int, sentence: ParsedSentence) -> bool:
    """Whether a word stands in a clause, or in the phrase that the clause hangs on: "the mine, which was deeper"."""
    if at < 0 or clause_head(at, sentence) == clause:
        return True
    head = sentence.tokens[clause]
    return head.relation.startswith("acl") and head.head in sentence.chain(at)
