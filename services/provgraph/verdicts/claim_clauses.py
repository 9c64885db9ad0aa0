"""A claim as the clauses that it joins: "Ada won the race and works in Graz" as two.

What a whole claim leaves open may follow from two sentences that each say one clause of it. Only clauses that stand by
themselves are parted: joined by "and" or "but" under one subject that begins the claim, or set off by commas.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.judgement import Element, Judgement

_JOINS: Final = frozenset(("and", "but", ","))
_TOGETHER: Final = re.compile(
    r"\b(?:neither|either|nor|or|if|unless|whether|than|respectively)\b", re.IGNORECASE
)
"""Words by which clauses say less, or more, together than each by itself."""
_FINITE: Final = frozenset(("VBD", "VBZ", "VBP", "MD"))
_BEHIND: Final = frozenset("obj obl xcomp ccomp advcl obl:agent obl:tmod iobj".split())
_LEAST: Final = 0.5
"""How sure a clause must be refuted to refute the claim."""


@dataclass(frozen=True)
class ClaimClause:
    """One clause as a claim of its own: `pieces` are the characters of the whole (start, end) that it is made of."""

    text: str
    pieces: tuple[tuple[int, int], ...]

    def place(self, at: int) -> int:
        """Where a character of the clause stands in the whole."""
        for start, end in self.pieces:
            if at <= end - start:
                return start + at
            at -= end - start + 1
        return self.pieces[-1][1]


def clauses_of(sentences: Sequence[ParsedSentence], text: str) -> list[ClaimClause]:
    """The clauses of a claim of one sentence, each shorter than it; none where it is one clause."""
    if len(sentences) != 1 or _TOGETHER.search(text):
        return []
    sentence = sentences[0]
    root = next(iter(sentence.roots), None)
    if root is None:
        return []
    clauses = _joined(root, sentence, text) or _set_off(sentence, text)
    return clauses if all(len(clause.text) < len(text.rstrip(" .")) for clause in clauses) else []


def judged_by_clauses(
    whole: Judgement, clauses: Sequence[ClaimClause], judge: Callable[[str], Judgement]
) -> Judgement:
    """SUPPORTS where each clause is supported, REFUTES where one is refuted, else the judgement of the whole."""
    if whole.label != "NOT ENOUGH INFO" or len(clauses) < 2:
        return whole
    judgements = [judge(clause.text) for clause in clauses]
    labels = [judgement.label for judgement in judgements]
    against = [j for j in judgements if j.label == "REFUTES" and j.confidence >= _LEAST]
    if set(labels) != {"SUPPORTS"} and not (against and "SUPPORTS" in labels):
        return whole
    elements = {
        (element.start, element.end): element
        for clause, judgement in zip(clauses, judgements, strict=True)
        for element in (_moved(each, clause) for each in judgement.elements)
    }
    deciding = against or judgements
    return replace(
        whole,
        label="REFUTES" if against else "SUPPORTS",
        confidence=min(judgement.confidence for judgement in deciding),
        elements=tuple(elements[key] for key in sorted(elements)),
        deciding=tuple(dict.fromkeys(place for judgement in deciding for place in judgement.deciding)),
        missing="",
    )


def _moved(element: Element, clause: ClaimClause) -> Element:
    start = clause.place(element.start)
    return replace(element, start=start, end=start + element.end - element.start)


def _joined(root: Token, sentence: ParsedSentence, text: str) -> list[ClaimClause]:
    """The root's clause without the clauses joined to it, then each of those under its own subject or the root's."""
    children = sentence.children[root.index]
    subject = next((c for c in children if c.relation.startswith("nsubj")), None)
    heads = [c for c in children if c.relation == "conj"]
    if subject is None or not heads or sentence.edges(subject)[0] > 0:
        return []
    if not all(_is_clause(head, sentence) and _says_what(head, sentence) for head in (root, *heads)):
        return []
    tokens, clauses = sentence.tokens, []
    first, last = sentence.edges(subject)
    own = [(tokens[first].start, tokens[last].end)]
    stop = len(tokens)
    for head in reversed(heads):
        begin, end = sentence.edges(head)
        before = tokens[begin - 1] if begin else None
        if end >= stop or before is None or not _is_join(head, begin, sentence):
            return []
        named = any(c.relation.startswith("nsubj") for c in sentence.children[head.index])
        start = next((i for i in range(begin, end) if not _is_cc(tokens[i], head)), begin)
        segment = (tokens[start].start, tokens[min(end, stop - 1)].end)
        clauses.append(_clause([segment] if named else [*own, segment], text))
        stop = start
        while stop and (_is_cc(tokens[stop - 1], head) or tokens[stop - 1].text == ","):
            stop -= 1
    if stop <= root.index:
        return []
    return [_clause([(tokens[0].start, tokens[stop - 1].end)], text), *reversed(clauses)]


def _set_off(sentence: ParsedSentence, text: str) -> list[ClaimClause]:
    """The claim without the clause that commas set off after a name, then that clause of the name."""
    tokens = sentence.tokens
    for name in tokens:
        for clause in sentence.children[name.index]:
            if clause.relation != "acl:relcl" or name.pos not in ("PROPN", "NOUN"):
                continue
            begin, end = sentence.edges(clause)
            inside = range(sentence.edges(name)[0], name.index + 1)
            first = next(i for i in inside if tokens[i].relation != "case")
            who = tokens[begin].text.lower() in ("who", "which") and tokens[begin].relation.startswith(
                "nsubj"
            )
            closed = end + 1 < len(tokens) and tokens[end + 1].text in (",", ".")
            closed = closed or end + 1 == len(tokens)
            if not who or not closed or begin < 2 or tokens[begin - 1].text != ",":
                continue
            named = (tokens[first].start, tokens[begin - 2].end)
            outside = [(tokens[0].start, named[1])]
            if end + 2 < len(tokens):
                outside.append((tokens[end + 2].start, tokens[-1].end))
            return [
                _clause(outside, text),
                _clause([named, (tokens[begin + 1].start, tokens[end].end)], text),
            ]
    return []


def _is_clause(head: Token, sentence: ParsedSentence) -> bool:
    """Whether it has a finite verb of its own."""
    children = sentence.children[head.index]
    return head.tag in _FINITE or any(
        c.tag in _FINITE and (c.relation.startswith("aux") or c.relation == "cop") for c in children
    )


def _says_what(head: Token, sentence: ParsedSentence) -> bool:
    """Whether it has more than a verb: of "bought and sold cars" neither clause stands by itself."""
    children = sentence.children[head.index]
    copular = any(c.relation == "cop" for c in children)
    return copular or any(c.index > head.index and c.relation in _BEHIND for c in children)


def _is_join(head: Token, begin: int, sentence: ParsedSentence) -> bool:
    tokens = sentence.tokens
    return any(t.text.lower() in _JOINS for t in tokens[max(begin - 1, 0) : head.index])


def _is_cc(token: Token, head: Token) -> bool:
    return token.text.lower() in _JOINS and token.index < head.index


def _clause(pieces: list[tuple[int, int]], text: str) -> ClaimClause:
    return ClaimClause(" ".join(text[start:end] for start, end in pieces), tuple(pieces))
