"""All that a sentence has to offer as an answer: what it names, its dates and quantities, and its noun phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.names import words_of
from provgraph.reading.entity_types import demonyms, places
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.values import Quantity, dimension

PHRASE: Final = "Phrase"
"""The kind of candidates that are noun phrases without a name."""
_WITHIN: Final = (
    "amod",
    "compound",
    "nummod",
    "flat",
    "nmod:poss",
    "case",
    "advmod",
    "goeswith",
    "fixed",
    "punct",
)
_LONGEST: Final = 12
_PRONOUNS: Final = frozenset("PRON DET".split())


def proposals(view: SentenceView) -> tuple[AnswerCandidate, ...]:
    """Names, dates and quantities as the view has them, then phrases and peoples that are none of these."""
    taken = {(candidate.span.start, candidate.span.end) for candidate in view.candidates}
    named = [c for c in view.candidates if _is_fit(c.label) and not _is_no_amount(view, c)]
    named += _bare_names(view, named)
    starts = {c.head for c in named if c.value is None}
    phrases = [
        phrase
        for phrase in _phrases(view)
        if (phrase.span.start, phrase.span.end) not in taken and phrase.head not in starts
    ]
    return (*named, *_places_within_places(view), *_joined_amounts(view, named), *phrases)


_NUMBERING: Final = re.compile(r"\d{1,3}(?:\.\d{1,3})*(?:[.)] |(?<=\.\d) (?=[A-Z])|(?<=\.\d\d) (?=[A-Z]))")
_CLOCK: Final = re.compile(r"\d{1,2}[:.]\d\d(?!\d)")


def _is_no_amount(view: SentenceView, candidate: AnswerCandidate) -> bool:
    """Whether digits are an hour, the number of a paragraph, or "one" is only "one of" them."""
    if not isinstance(candidate.value, Quantity) or candidate.value.unit:
        return False
    text, start, end = view.passage.text, candidate.span.start, candidate.span.end
    if candidate.label.casefold() == "one" and text[end : end + 4] == " of ":
        return True
    if start == view.sentence.start and _NUMBERING.match(text, start):
        return True
    return any(
        match.start() <= start < match.end() and ":" in match.group()
        for match in _CLOCK.finditer(text, max(start - 4, 0), end + 4)
    )


def _joined_amounts(view: SentenceView, named: Sequence[AnswerCandidate]) -> Iterator[AnswerCandidate]:
    """ "3 hours and 40 minutes" beside its two parts."""
    text = view.passage.text
    amounts = [c for c in named if isinstance(c.value, Quantity) and c.value.unit]
    for one, other in pairwise(sorted(amounts, key=lambda candidate: candidate.span.start)):
        first, second = one.value, other.value
        assert isinstance(first, Quantity)
        assert isinstance(second, Quantity)
        kinds = {dimension(first.unit), dimension(second.unit)}
        alike = first.unit != second.unit and (len(kinds) == 1 or kinds <= _TIMES)
        if alike and text[one.span.end : other.span.start] in (" ", ", ", " and "):
            words = text[one.span.start : other.span.end]
            span = Span(one.span.start, other.span.end, words)
            yield AnswerCandidate(
                view.passage, view.sentence, span, " ".join(words.split()), "Number", one.head, first
            )


_TIMES: Final = {"time", "months"}
_JOINING: Final = frozenset("of the and & - 's ’s for in".split())


def _bare_names(view: SentenceView, named: Sequence[AnswerCandidate]) -> Iterator[AnswerCandidate]:
    """Words with capitals behind each other that no reading took for a name: "LKAB", "The Devil's Daughter"."""
    taken = [(c.span.start, c.span.end) for c in named]
    tokens = view.sentence.tokens
    at = 0
    while at < len(tokens):
        last = _run_of_capitals(tokens, at)
        if last < at:
            at += 1
            continue
        start, end = tokens[at].start, tokens[last].end
        if not any(s < end and start < e for s, e in taken) and not (at == 0 and last == 0):
            heads = [t.index for t in tokens[at : last + 1] if not at <= t.head <= last]
            text = view.passage.text[start:end]
            yield AnswerCandidate(
                view.passage,
                view.sentence,
                Span(start, end, text),
                " ".join(text.split()),
                "",
                heads[0] if heads else last,
            )
        at = last + 1


def _run_of_capitals(tokens: Sequence[Token], at: int) -> int:
    """The last word of the name that begins here; before `at` where none does."""
    last = at - 1
    for token in tokens[at:]:
        if token.pos in ("PROPN", "NOUN", "ADJ") and token.text[:1].isupper():
            last = token.index
        elif last < at or token.text.casefold() not in _JOINING:
            break
    return last


def _places_within_places(view: SentenceView) -> Iterator[AnswerCandidate]:
    """ "Columbus, Ohio" beside "Columbus"."""
    text = view.passage.text
    ordered = sorted(
        (c for c in view.candidates if c.value is None), key=lambda candidate: candidate.span.start
    )
    for one, other in pairwise(ordered):
        if text[one.span.end : other.span.start] == ", " and other.label in places() and not one.resolved:
            words = text[one.span.start : other.span.end]
            span = Span(one.span.start, other.span.end, words)
            yield AnswerCandidate(
                view.passage, view.sentence, span, " ".join(words.split()), "Place", one.head
            )


def _is_fit(label: str) -> bool:
    return bool(words_of(label)) and len(label) < 120


def _phrases(view: SentenceView) -> Iterator[AnswerCandidate]:
    for token in view.sentence.tokens:
        if token.pos == "ADJ" and token.text in demonyms():
            yield _made(view, token.index, token.index, token, "Group")
        if token.pos != "NOUN" and not (token.pos == "ADJ" and token.head < 0):
            continue
        first, last = _edges(view.sentence, token)
        if first <= last:
            yield _made(view, first, last, token, PHRASE)
            wide = _with_complement(view.sentence, token)
            if wide > last and wide - first < _LONGEST:
                yield _made(view, first, wide, token, PHRASE)


def _edges(sentence: ParsedSentence, head: Token) -> tuple[int, int]:
    """The first and last word of a phrase without its article and what hangs behind it."""
    first = head.index
    for child in reversed(sentence.children[head.index]):
        if child.index == first - 1 or (child.index < head.index and sentence.edges(child)[1] == first - 1):
            if child.relation not in _WITHIN or child.relation in ("case", "punct") or child.pos in _PRONOUNS:
                break
            first = sentence.edges(child)[0]
    return first, head.index


def _with_complement(sentence: ParsedSentence, head: Token) -> int:
    """Where the phrase ends with its first complement behind it."""
    for child in sentence.children[head.index]:
        if child.index > head.index and child.relation.partition(":")[0] == "nmod":
            return sentence.edges(child)[1]
    return head.index


def _made(view: SentenceView, first: int, last: int, head: Token, kind: str) -> AnswerCandidate:
    tokens = view.sentence.tokens
    start, end = tokens[first].start, tokens[last].end
    text = view.passage.text[start:end]
    return AnswerCandidate(
        view.passage, view.sentence, Span(start, end, text), " ".join(text.split()), kind, head.index
    )
