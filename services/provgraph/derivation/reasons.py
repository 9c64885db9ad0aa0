"""Why something is so: what a sentence that says most of it names behind "because", "because of" or "due to"."""

from __future__ import annotations

import re
from typing import Final

from anyio import to_thread

from provgraph.comprehension.answer_spans import answer_spans
from provgraph.derivation.asking import asking
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.features import words_met
from provgraph.derivation.result import Derived, Step
from provgraph.derivation.spans_read import MOST_SPANS
from provgraph.derivation.telling_sentences import most_telling
from provgraph.reading.propositions import Span
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import ParsedSentence, Parser, Token

LEAST_SAID: Final = 0.7
LEAST_MET: Final = 0.25
"""What share of the question's words the sentence has to say beside the reason, by weight; the least where that is
read as the answer."""
MOST_LOOKED_AT: Final = 4
_CONFIDENCE: Final = 0.8
_REASONS: Final = frozenset("because due owing thanks".split())
_OF_CLAUSES: Final = frozenset(("as", "since"))
READ: Final = 0.25
"""How likely the reason has to be read as the answer where its sentence puts the rest in other words."""

SURELY_READ: Final = 0.5
"""How likely it has to be read so where no word says that it is a reason."""
_BEHIND_PHRASE: Final = re.compile(
    r"\b(?:on account of|by reason of|for (?=(?:want|lack|fear) of)|out of (?=fear|concern|respect|pity|spite)|"
    r"in (?=protest|response|honour|honor|retaliation)|as a result of|in view of|on the grounds (?:of|that)|so that|"
    r"in order (?:to|that)) ?(?P<why>[^,;.()]+)",
    re.IGNORECASE,
)
"""What a reason or an aim stands behind, however the sentence is built."""
_WITH_ITS_LEAD: Final = re.compile(
    r"(?:for|out of|in) (?:want|lack|fear|concern|respect|pity|spite|protest|response|hono)", re.I
)
"""A reason that is only one with the words before it: "in protest", "for want of money"."""
_LEADING: Final = re.compile(r"(?:after|in order to|so as to|to|so that|by) ", re.IGNORECASE)
_LEADS: Final = re.compile(r"\b(?:after|in order to|so as to|to|so that|by) $", re.IGNORECASE)


async def reason(question: QuestionReading, text: str, parser: Parser, finder: Finder) -> Derived | None:
    """The first reason that one of the likeliest sentences gives; None where none of them gives one."""
    found = await finder.found(text)
    asked = asking(question, text, parser, found.weights)
    for passage, sentence in most_telling(asked, found)[:MOST_LOOKED_AT]:
        span = _reason_in(passage, sentence)
        if span is None:
            span = await to_thread.run_sync(_reason_read, text, passage, sentence)
        if span is None:
            continue
        beside = passage.text[sentence.start : span.start] + passage.text[span.end : sentence.end]
        met = sum(word.weight for word in words_met(asked.words, beside)) / asked.weight
        is_read = LEAST_MET <= met < LEAST_SAID and await to_thread.run_sync(
            _is_read_as_reason, text, passage, sentence, span
        )
        if met >= LEAST_SAID or is_read:
            support = support_at(passage, span)
            step = Step("look up", span.text, f"It is so because of this: {span.text}.", (support,))
            return Derived(span.text, "span", (step,), _CONFIDENCE)
    return None


def _reason_read(question: str, passage: ReadPassage, sentence: ParsedSentence) -> Span | None:
    """The words behind "after", "to" or the like that the network surely reads as the answer in a sentence alone."""
    text = passage.text[sentence.start : sentence.end]
    (spans,) = answer_spans(question, [text], MOST_SPANS)
    for span in spans[:1]:
        own = _LEADING.match(text, span.start)
        start = own.end() if own else span.start
        if span.chance >= SURELY_READ and (own or _LEADS.search(text[:start])):
            return Span(sentence.start + start, sentence.start + span.end, text[start : span.end])
    return None


def _is_read_as_reason(question: str, passage: ReadPassage, sentence: ParsedSentence, reason: Span) -> bool:
    """Whether the network reads words of a reason, where the sentence stands alone, as the answer."""
    (spans,) = answer_spans(question, [passage.text[sentence.start : sentence.end]], MOST_SPANS)
    start, end = reason.start - sentence.start, reason.end - sentence.start
    return sum(span.chance for span in spans if span.start < end and start < span.end) >= READ


def _reason_in(passage: ReadPassage, sentence: ParsedSentence) -> Span | None:
    """The words that hang on "because" or the like, without it and what follows a comma."""
    for token in sentence.tokens:
        is_clause = token.text.lower() in _OF_CLAUSES and token.relation == "mark"
        if not (token.text.lower() in _REASONS or is_clause) or token.head < 0:
            continue
        head = sentence.tokens[token.head] if token.head > token.index else token
        below = [
            t for t in sentence.subtree(head) if t.index > token.index and t.text.lower() not in ("of", "to")
        ]
        words = _together(below, token, head)
        if words:
            start, end = words[0].start, words[-1].end
            return Span(start, end, passage.text[start:end])
    match = _BEHIND_PHRASE.search(passage.text, sentence.start, sentence.end)
    if match is None:
        return None
    start, end = match.start("why"), match.end("why")
    if _WITH_ITS_LEAD.match(match.group()):
        start, end = match.start(), _end_of_phrase(sentence, start, end)
    return Span(start, end, passage.text[start:end])


def _end_of_phrase(sentence: ParsedSentence, start: int, end: int) -> int:
    """Where a phrase ends that begins at a character: before "and" with another verb of its clause."""
    joined = (
        t for t in sentence.tokens
        if start < t.start < end and t.relation == "cc" and sentence.tokens[t.head].pos == "VERB"
    )  # fmt: skip
    first = next(joined, None)
    return sentence.tokens[first.index - 1].end if first is not None and first.index else end


def _together(below: list[Token], opening: Token, head: Token) -> list[Token]:
    """The first run of those words, up to a comma behind their head."""
    words: list[Token] = []
    for token in sorted(below, key=lambda token: token.index):
        behind = token.text in (",", ";", ".") and token.index > head.index
        if behind or (words and token.index > words[-1].index + 1):
            break
        if words or token.index <= opening.index + 3:
            words.append(token)
    return words
